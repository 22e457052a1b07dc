import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/base/errors.js';
import { readSettings } from '../../../src/service/settings/read-settings.js';
import {
  flagOf,
  SETTING_NAMES,
  settingOf,
  settingsTable,
  variableOf,
} from '../../../src/service/settings/setting-names.js';
import { DEFAULT_SETTINGS, type SettingName } from '../../../src/service/settings/settings.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function file(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'service.json');
  await writeFile(path, text);
  return path;
}

/** A right value of every setting, none of them its default, as text. */
const OTHERS: Readonly<Record<SettingName, string>> = {
  data: 'elsewhere',
  engine: 'clickhouse',
  clickhouse: 'http://10.0.0.1:8123',
  clickhouseUser: 'reader',
  clickhousePassword: 'secret',
  host: '0.0.0.0',
  port: '8080',
  open: 'true',
  baseUrl: 'https://odds.example',
  corsOrigins: 'https://page.example, http://localhost:3000',
  trustProxy: '10.0.0.0/8,127.0.0.1',
  signUp: '@example.org',
  operators: 'ops@example.org',
  smtpUrl: 'smtps://me:secret@mail.example:465',
  mailFrom: 'odds@example.org',
  metricsToken: 'a-token-of-enough-letters',
  workers: '2',
  logLevel: 'error',
  logClients: 'hash',
  ratePerMinute: '60',
  rateBurst: '7',
  networkRatePerMinute: '300',
  networkRateBurst: '35',
  maxConcurrent: '3',
  maxQueued: '4',
  querySeconds: '2.5',
  maxBodyBytes: '2048',
  maxHeaderBytes: '4096',
  headerSeconds: '1',
  bodySeconds: '2',
  idleSeconds: '3',
  stallSeconds: '4',
  maxConnections: '99',
  drainDelaySeconds: '1',
  drainSeconds: '5',
  compress: 'false',
  plainRequests: 'false',
};

/** What a setting's text is in JSON. */
function plain(name: SettingName, text: string): unknown {
  return /^(true|false|\d)/.test(text) && !['data', 'host', 'baseUrl', 'trustProxy'].includes(name)
    ? JSON.parse(text)
    : text;
}

/** Two settings that only go together. */
const MAIL = { smtpUrl: OTHERS.smtpUrl, mailFrom: OTHERS.mailFrom };

describe('settings', () => {
  it('are their defaults where nothing is set, and where a variable is empty', async () => {
    const env = Object.fromEntries(SETTING_NAMES.map((name) => [variableOf(name), '']));
    expect(await readSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(await readSettings({ env })).toEqual(DEFAULT_SETTINGS);
  });

  it.each(SETTING_NAMES)('%s means the same as flag, variable and member of the file', async (name) => {
    const text = OTHERS[name];
    const value = plain(name, text);
    const mail = name in MAIL ? MAIL : {};
    const expected = { ...DEFAULT_SETTINGS, ...mail, [name]: value };
    expect(value).not.toBe(settingOf(name).default);
    expect(await readSettings({ file: await file(JSON.stringify({ ...mail, [name]: value })) })).toEqual(expected);
    const texts: Record<string, string> = { ...mail, [name]: text };
    const env = Object.fromEntries(SETTING_NAMES.map((each) => [variableOf(each), texts[each]]));
    expect(await readSettings({ env })).toEqual(expected);
    expect(await readSettings({ flags: texts })).toEqual(expected);
    expect(flagOf(name) === undefined).toBe(settingOf(name).secret === true);
  });

  it('of an earlier place win: flag, environment, file', async () => {
    const path = await file('{"port": 1, "rateBurst": 1, "maxQueued": 1}');
    const env = { ODDSLAB_SERVE_PORT: '2', ODDSLAB_SERVE_RATE_BURST: '2' };
    const { port, rateBurst, maxQueued, maxConcurrent } = await readSettings({ file: path, env, flags: { port: '3' } });
    expect([port, rateBurst, maxQueued, maxConcurrent]).toEqual([3, 2, 1, 16]);
  });

  it.each<[Partial<Record<SettingName, string>>, string]>([
    [{ port: '70000' }, 'ODDSLAB_SERVE_PORT must be a whole number from 0 to 65535; got "70000".'],
    [{ port: '-1' }, 'got "-1"'],
    [{ port: '80.5' }, 'got "80.5"'],
    [{ port: ' 80' }, 'got " 80"'],
    [{ querySeconds: '0' }, 'ODDSLAB_SERVE_QUERY_SECONDS must be a number of seconds from 0.001 to 3600; got "0".'],
    [{ querySeconds: '1e3' }, 'got "1e3"'],
    [{ open: 'maybe' }, 'ODDSLAB_SERVE_OPEN must be true or false; got "maybe".'],
    [{ logLevel: 'loud' }, 'must be one of debug, info, error, silent; got "loud"'],
    [{ baseUrl: 'https://odds.example/path' }, 'must be an address such as https://odds.example, without a path'],
    [{ baseUrl: 'ftp://odds.example' }, 'got "ftp://odds.example"'],
    [{ corsOrigins: '*' }, 'must be origins such as https://odds.example, commas between; got "*"'],
    [{ corsOrigins: 'https://a.example,*' }, 'got "https://a.example,*"'],
    [{ corsOrigins: 'https://a.example/' }, 'got "https://a.example/"'],
    [{ corsOrigins: 'https://a.example:443' }, 'got "https://a.example:443"'],
    [{ corsOrigins: 'https://A.example' }, 'got "https://A.example"'],
    [{ corsOrigins: 'null' }, 'got "null"'],
    [{ corsOrigins: 'a.example' }, 'got "a.example"'],
    [{ corsOrigins: 'https://a.example,' }, 'got "https://a.example,"'],
    [{ mailFrom: 'nobody' }, 'ODDSLAB_SERVE_MAIL_FROM must be a mail address; got "nobody".'],
    [{ mailFrom: 'a@b.c' }, 'ODDSLAB_SERVE_SMTP_URL and ODDSLAB_SERVE_MAIL_FROM belong together'],
  ])('%j in the environment are refused', async (values, message) => {
    const env = Object.fromEntries(Object.entries(values).map(([name, it]) => [variableOf(name as SettingName), it]));
    const error = await readSettings({ env }).catch((caught) => caught);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  });

  it.each([
    ['ODDSLAB_SERVE_PROT', '; did you mean "ODDSLAB_SERVE_PORT"?'],
    ['ODDSLAB_SERVE_QUERY_SECOND', '; did you mean "ODDSLAB_SERVE_QUERY_SECONDS"?'],
    ['ODDSLAB_SERVE_CONFG', '; did you mean "ODDSLAB_SERVE_CONFIG"?'],
    ['ODDSLAB_SERVE_DATA', '; did you mean "ODDSLAB_DATA"?'],
    ['ODDSLAB_SERVE_ZZZZZZ', '; "oddslab serve --help" lists them.'],
  ])('do not have the variable %s', async (name, hint) => {
    const error = await readSettings({ env: { [name]: 'hush', PATH: '/bin' } }).catch((caught) => caught);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(`${name} is no setting${hint}`);
    const others = { [name]: '', ODDSLAB_API_KEY: 'x', ODDSLAB_SERVE_CONFIG: 'x' };
    expect(await readSettings({ env: others })).toEqual(DEFAULT_SETTINGS);
  });

  it('let be what Kubernetes sets beside a Service of our name', async () => {
    const names = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT_8787_TCP', 'PORT_8787_TCP_ADDR'];
    const env = Object.fromEntries(names.map((name) => [`ODDSLAB_SERVE_${name}`, 'x']));
    expect(await readSettings({ env })).toEqual(DEFAULT_SETTINGS);
  });

  it('are read from a file with a byte order mark, as some editors write one', async () => {
    expect((await readSettings({ file: await file('\ufeff{"port": 80}') })).port).toBe(80);
    const wrong = readSettings({ file: await file('\ufeff{\n "port": }') });
    await expect(wrong).rejects.toThrow('is not JSON: look at line 2');
  });

  it.each<[string, string]>([
    ['{\n "port": "80"\n}', ', line 2: "port" must be a whole number from 0 to 65535; got "80".'],
    ['{"port": 80.5}', ', line 1: "port" must be'],
    ['{"open": "true"}', '"open" must be true or false; got "true"'],
    ['{"host": null}', '"host" must be an address of this machine; got null'],
    ['{\n\n"prot": 80}', ', line 3: "prot" is no setting; did you mean "port"?'],
    ['{"__proto__": 1}', '"__proto__" is no setting'],
    ['{"port": 1, "port": 2}', '"port" is named twice'],
    ['{\n"port": 1,\n}', 'is not JSON: look at line 3'],
    ['{\n"port": }\n', 'is not JSON: look at line 2'],
    ['', 'is not JSON: look at line 1'],
    ['[]', 'must be one JSON object, such as {"port": 8080}'],
  ])('in a file %j are refused with their place', async (text, message) => {
    const path = await file(text);
    const error = await readSettings({ file: path }).catch((caught) => caught);
    expect([error instanceof UsageError || error instanceof InputError, error.message]).toEqual([
      true,
      expect.stringContaining(message),
    ]);
    expect(error.message).toContain(path);
  });

  it('that are wrong are named all at once, and no secret with them', async () => {
    const env = { ODDSLAB_SERVE_SMTP_URL: 'me:secret@mail', ODDSLAB_SERVE_METRICS_TOKEN: 'short secret' };
    const path = await file('{"smtpUrl": 5, "metricsToken": "no secret"}');
    const error = await readSettings({ env, file: path, flags: { port: 'x' } }).catch((caught) => caught);
    expect(error.message.split('\n')).toEqual([
      `${path}, line 1: "smtpUrl" must be an address such as smtps://USER:PASSWORD@mail.example:465.`,
      `${path}, line 1: "metricsToken" must be at least 16 letters, digits or -._~+/=.`,
      '--port must be a whole number from 0 to 65535; got "x".',
      'ODDSLAB_SERVE_SMTP_URL must be an address such as smtps://USER:PASSWORD@mail.example:465.',
      'ODDSLAB_SERVE_METRICS_TOKEN must be at least 16 letters, digits or -._~+/=.',
    ]);
    await expect(readSettings({ file: '/nowhere/service.json' })).rejects.toThrow('there is no such file');
  });

  it('stand in the documentation, each with its flag, variable and default', () => {
    const rows = settingsTable().trimEnd().split('\n').slice(2);
    expect(rows).toHaveLength(SETTING_NAMES.length);
    expect(rows[2]).toBe(
      '| `--port <n>` | `ODDSLAB_SERVE_PORT` | `port` | 8787 | port to listen on; 0 picks a free one |',
    );
    expect(rows.find((row) => row.includes('`smtpUrl`'))).toContain(
      '| none: it is a secret | `ODDSLAB_SERVE_SMTP_URL` |',
    );
    expect(rows.find((row) => row.includes('`compress`'))).toContain('| `--no-compress` |');
    const flags = SETTING_NAMES.map(flagOf).filter(Boolean);
    expect(new Set(flags).size).toBe(flags.length);
  });
});
