import { readIpRanges } from '../../base/ip-ranges.js';
import { readAddressList, readSignUp } from '../accounts/email-address.js';

/** One setting of the service: its meaning, how it is read, and its default. */
export interface Setting<Value = unknown> {
  readonly kind: SettingKind<Value>;
  /** The value if it is not set anywhere; undefined if there is none. */
  readonly default?: Value;
  /** The default in words, if it depends on something else. */
  readonly otherwise?: string;
  /** One sentence without its full stop, for the help and the documentation. */
  readonly meaning: string;
  /** The name of its environment variable, if it is not made from the setting's name. */
  readonly env?: string;
  /** A secret has no flag, as every user of the machine can see flags, and is never repeated in an error. */
  readonly secret?: true;
}

/** Makes an entry of the table, which keeps its own type and must still be a {@link Setting}. */
function setting<Value, const Rest extends Omit<Setting<Value>, 'kind'>>(kind: SettingKind<Value>, rest: Rest) {
  return { kind, ...rest };
}

const ON = ['true', '1', 'yes'];
const OFF = ['false', '0', 'no'];

const PROXIES =
  'addresses or ranges, such as 127.0.0.1,10.0.0.0/8, commas between; a range of public addresses is /8 or longer, /16 for IPv6, since whoever is in it may say of any client to be it';

/** On or off. */
const toggle: SettingKind<boolean> = {
  placeholder: undefined,
  right: 'true or false',
  fromText: (value) =>
    ON.includes(value.toLowerCase()) ? true : OFF.includes(value.toLowerCase()) ? false : undefined,
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
};

/**
 * Every setting of the service, by its name in the configuration file. The flags, the names of the environment
 * variables, the file's schema and the table in the documentation are made from this.
 */
export const SETTINGS = {
  data: setting(text('dir', 'the path of a folder'), {
    default: 'data',
    env: 'ODDSLAB_DATA',
    meaning: 'data folder',
  }),
  host: setting(text('address', 'an address of this machine'), {
    default: '127.0.0.1',
    meaning: 'address to listen on; 0.0.0.0 for every IPv4 address, :: for every address',
  }),
  port: setting(whole(0, 65_535), { default: 8787, meaning: 'port to listen on; 0 picks a free one' }),
  engine: setting(choice(['duckdb', 'clickhouse']), {
    default: 'duckdb',
    meaning: 'where queries are answered from: the data folder itself, or a ClickHouse cluster that it was pushed to',
  }),
  clickhouse: setting(text('urls', 'addresses such as http://10.0.0.1:8123, commas between'), {
    env: 'ODDSLAB_CLICKHOUSE',
    meaning: 'addresses of the cluster, one a shard, separated by commas, in the order of the push',
  }),
  clickhouseUser: setting(text('name', 'the name of a user'), {
    otherwise: 'default',
    env: 'ODDSLAB_CLICKHOUSE_USER',
    meaning: "ClickHouse's user; read access is enough",
  }),
  clickhousePassword: setting(text('password', 'a password'), {
    secret: true,
    env: 'ODDSLAB_CLICKHOUSE_PASSWORD',
    meaning: "password of ClickHouse's user",
  }),
  open: setting(toggle, { default: false, meaning: 'answer without a key; only on loopback' }),
  baseUrl: setting(text('url', 'an address such as https://odds.example, without a path', isOrigin), {
    otherwise: 'the address it listens on',
    meaning: 'address under which browsers reach the service; sign-in links begin with it',
  }),
  corsOrigins: setting(text('origins', 'origins such as https://odds.example, commas between', areOrigins), {
    meaning:
      'origins of web pages that may send queries, separated by commas; by default no page of another origin may',
  }),
  trustProxy: setting(text('ranges', PROXIES, isRanges), {
    meaning:
      'addresses of your own proxies: of a request that comes from one, X-Forwarded-For, -Host and -Proto are believed; else a header never is',
  }),
  signUp: setting(
    text('who', 'open, closed, or addresses and domains such as @example.org, commas between', isSignUp),
    {
      otherwise: 'closed; open where listening address and base URL are on loopback',
      meaning:
        'who may make an account by signing in: open, closed, or a list of addresses and of domains such as @example.org (subdomains apart), commas between; accounts that are there sign in in any case',
    },
  ),
  operators: setting(text('addresses', 'mail addresses, commas between', isAddresses), {
    meaning:
      'mail addresses, commas between, whose accounts are operators in the dashboard; they may sign up in any case',
  }),
  smtpUrl: setting(text('url', 'an address such as smtps://USER:PASSWORD@mail.example:465', isSmtp), {
    secret: true,
    meaning: 'mail server that sends sign-in links',
  }),
  mailFrom: setting(text('address', 'a mail address', isAddress), {
    meaning: 'sender of sign-in links; needed with the mail server',
  }),
  metricsToken: setting(text('token', 'at least 16 letters, digits or -._~+/=', isToken), {
    secret: true,
    meaning: 'bearer token that may read /metrics from anywhere, as the key of an operator may',
  }),
  workers: setting(whole(1, 256), {
    default: 1,
    meaning: 'processes that answer, on several cores; limits other than the four rates of queries hold for each',
  }),
  logLevel: setting(choice(['debug', 'info', 'error', 'silent']), {
    default: 'info',
    meaning:
      'what goes to stderr: info every request, debug also style sheets, error failures, warnings and what an operator answers for, silent nothing',
  }),
  logClients: setting(choice(['address', 'hash']), {
    default: 'address',
    meaning: "how the log names clients: by their address, or by a hash of it with the data folder's own secret",
  }),
  ratePerMinute: setting(whole(0, 10_000_000), {
    otherwise: '1200; 0 where listening address and base URL are on loopback',
    meaning:
      'queries that an account with all its keys, or a key without an account, may make a minute; 0 for any number',
  }),
  rateBurst: setting(whole(1, 1_000_000), {
    default: 200,
    meaning: 'queries that it may make at once after a rest',
  }),
  networkRatePerMinute: setting(whole(0, 50_000_000), {
    otherwise: 'five times ratePerMinute',
    meaning:
      'queries a minute that all keys together may make from one network, an IPv4 address or the /64 of an IPv6 address; 0 for any number',
  }),
  networkRateBurst: setting(whole(1, 5_000_000), {
    otherwise: 'five times rateBurst',
    meaning: 'queries that they may make from it at once after a rest',
  }),
  maxConcurrent: setting(whole(1, 10_000), { default: 16, meaning: 'queries that are worked on at a time' }),
  maxQueued: setting(whole(0, 100_000), {
    default: 512,
    meaning: 'queries that wait for their turn; more are answered 503 at once',
  }),
  querySeconds: setting(seconds(0.001, 3600), {
    default: 10,
    meaning: 'time that a query may take, waiting included; then it is answered 503',
  }),
  maxBodyBytes: setting(whole(1024, 1 << 26, 'bytes'), {
    default: 1 << 20,
    meaning: 'size of a request body; a larger one is answered 413',
  }),
  maxHeaderBytes: setting(whole(1024, 1 << 18, 'bytes'), {
    default: 1 << 14,
    meaning: 'size of all headers of a request; larger ones are answered 431',
  }),
  headerSeconds: setting(seconds(0.1, 600), {
    default: 10,
    meaning: 'time that the headers of a request may take to come; then 408',
  }),
  bodySeconds: setting(seconds(0.1, 600), {
    default: 20,
    meaning: 'time that the body of a request may take to come; then 408',
  }),
  idleSeconds: setting(seconds(0.1, 3600), {
    default: 65,
    meaning:
      'time that a connection may stay open after an answer, until its next request (its first has headerSeconds); longer than that of a proxy before it',
  }),
  stallSeconds: setting(seconds(0.1, 3600), {
    default: 30,
    meaning:
      'time that a client may take nothing of its answer; then the connection is cut, before as long again has passed',
  }),
  maxConnections: setting(whole(1, 1_000_000), {
    default: 16_384,
    meaning: 'connections open at a time; more are closed at once',
  }),
  drainDelaySeconds: setting(seconds(0, 600), {
    default: 0,
    meaning: 'how long, once told to stop, new requests are still taken while /readyz says 503',
  }),
  drainSeconds: setting(seconds(0, 600), {
    default: 10,
    meaning: 'how long requests under way may still take when it stops',
  }),
  compress: setting(toggle, {
    default: true,
    meaning: 'compress answers above 1 KiB for clients that take it; off where a proxy does it',
  }),
  plainRequests: setting(toggle, {
    default: true,
    meaning: 'read plain queries by a reader of its own, which is faster; off leaves every request to node:http',
  }),
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting in the configuration file. */
export type SettingName = keyof typeof SETTINGS;

type ValueOf<Name extends SettingName> =
  (typeof SETTINGS)[Name]['kind'] extends SettingKind<infer Value> ? Value : never;

/** Settings that always have a value. */
type Certain = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { default: unknown } ? Name : never;
}[SettingName];

/** The values of all settings; undefined for one that is not set and has no default. */
export type Settings = { readonly [Name in Certain]: ValueOf<Name> } & {
  readonly [Name in Exclude<SettingName, Certain>]: ValueOf<Name> | undefined;
};

/** The values if nothing is set. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries<Setting>(SETTINGS).map(([name, { default: value }]) => [name, value]),
) as Settings;

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin;
}

/** Whether each is written as browsers send it: in lower case, without a path, a default port or a `*`. */
function areOrigins(value: string): boolean {
  const isExact = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
  return value.split(',').every((each) => /^https?:/.test(each.trim()) && isExact(each.trim()));
}

function isSmtp(value: string): boolean {
  return /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value);
}

function isAddress(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(value);
}

function isRanges(value: string): boolean {
  return readIpRanges(value) !== undefined;
}

function isSignUp(value: string): boolean {
  return readSignUp(value) !== undefined;
}

/** Whether a text is a list of addresses, and of no domains. */
function isAddresses(value: string): boolean {
  return readAddressList(value) !== undefined && !value.split(',').some((part) => part.trim().startsWith('@'));
}

function isToken(value: string): boolean {
  return /^[\w\-.~+/=]{16,}$/.test(value);
}

/** How a setting's value is read, and how messages describe a valid one. */
interface SettingKind<Value> {
  /** What stands for the value in the help and the documentation; undefined for a switch, which takes none. */
  readonly placeholder: string | undefined;
  /** A valid value in words, as the end of "must be …". */
  readonly right: string;
  /** Reads the text of a flag or a variable; undefined if it is not valid. */
  readonly fromText: (text: string) => Value | undefined;
  /** Reads a value of the file; undefined if it is not valid. */
  readonly fromJson: (value: unknown) => Value | undefined;
}

/** A whole number within bounds. */
function whole(least: number, most: number, placeholder = 'n'): SettingKind<number> {
  const isRight = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return numeric(placeholder, `a whole number from ${least} to ${most}`, /^\d{1,15}$/, isRight);
}

/** A time in seconds within bounds; may be a fraction. */
function seconds(least: number, most: number): SettingKind<number> {
  const right = `a number of seconds from ${least} to ${most}`;
  return numeric('seconds', right, /^\d{1,9}(\.\d{1,6})?$/, (value) => value >= least && value <= most);
}

function numeric(
  placeholder: string,
  right: string,
  form: RegExp,
  isRight: (value: number) => boolean,
): SettingKind<number> {
  const fromJson = (value: unknown) => (typeof value === 'number' && isRight(value) ? value : undefined);
  return { placeholder, right, fromJson, fromText: (text) => (form.test(text) ? fromJson(Number(text)) : undefined) };
}

/**
 * Text that passes a check; by default, any that is not empty.
 *
 * @param right A valid text in words, as the end of "must be …".
 */
function text(
  placeholder: string,
  right: string,
  isRight: (value: string) => boolean = (value) => value !== '',
): SettingKind<string> {
  const fromText = (value: string) => (isRight(value) ? value : undefined);
  const fromJson = (value: unknown) => (typeof value === 'string' ? fromText(value) : undefined);
  return { placeholder, right, fromText, fromJson };
}

/** One of a few words. */
function choice<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  const fromJson = (value: unknown) => words.find((word) => word === value);
  return { placeholder: words.join('|'), right: `one of ${words.join(', ')}`, fromJson, fromText: fromJson };
}
