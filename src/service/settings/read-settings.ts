import { readFile } from 'node:fs/promises';
import { InputError, UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { FILE_VARIABLE, flagOf, SERVICE_PREFIX, SETTING_NAMES, settingOf, variableOf } from './setting-names.js';
import { DEFAULT_SETTINGS, type SettingName, type Settings } from './settings.js';
import { jsonFault } from './strict-json.js';

/** Where settings are looked for; an earlier place takes precedence. */
export interface SettingSources {
  /** The texts of the given flags, by setting; true or false for a switch. */
  readonly flags?: Readonly<Partial<Record<SettingName, string | boolean>>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The path of a JSON file: one object with a member for each setting. */
  readonly file?: string | undefined;
}

/**
 * Reads each setting from its flag, else the environment, else the file, else its default. An empty variable counts as
 * none.
 *
 * @throws {UsageError} If any name or value is not valid; the message names each one, its place and what would be
 *   valid.
 * @throws {InputError} If the file cannot be read or is not JSON.
 */
export async function readSettings({ flags = {}, env = {}, file }: SettingSources): Promise<Settings> {
  const problems = unknownVariables(env);
  const settings: Partial<Record<SettingName, unknown>> = { ...DEFAULT_SETTINGS };
  if (file !== undefined) Object.assign(settings, await readSettingsFile(file, problems));
  for (const name of SETTING_NAMES) {
    const variable = variableOf(name);
    const flag = flags[name];
    if (env[variable]) settings[name] = readText(name, variable, env[variable], problems) ?? settings[name];
    if (typeof flag === 'boolean') settings[name] = flag;
    else if (flag !== undefined)
      settings[name] = readText(name, flagOf(name) ?? name, flag, problems) ?? settings[name];
  }
  if ((settings.smtpUrl === undefined) !== (settings.mailFrom === undefined)) {
    problems.push(`${variableOf('smtpUrl')} and ${variableOf('mailFrom')} belong together: set both or neither.`);
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return settings as unknown as Settings;
}

/** Variables that Kubernetes sets in every container of a namespace with a Service named `oddslab-serve`. */
const OF_KUBERNETES = /_SERVE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/;

/** Reports variables with the service's own prefix that name no setting: they are most likely misspelt. */
function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Map([...SETTING_NAMES.map(variableOf), FILE_VARIABLE].map((name) => [ownPart(name), name]));
  return Object.keys(env)
    .filter((name) => name.startsWith(SERVICE_PREFIX) && env[name] && known.get(ownPart(name)) !== name)
    .filter((name) => !OF_KUBERNETES.test(name))
    .map((name) => noSetting(name, known.get(nearest(ownPart(name), known.keys()) ?? '')));
}

/** A variable's name without the common prefix, which would make all names look similar. */
function ownPart(variable: string): string {
  return variable.replace(/^ODDSLAB_(SERVE_)?/, '');
}

function noSetting(place: string, meant: string | undefined): string {
  return `${place} is no setting${meant ? `; did you mean "${meant}"?` : '; "oddslab serve --help" lists them.'}`;
}

function readText(name: SettingName, place: string, text: string, problems: string[]): unknown {
  const value = settingOf(name).kind.fromText(text);
  if (value === undefined) problems.push(notRight(name, place, text));
  return value;
}

/** The message for an invalid value. It repeats neither a secret nor a mail address, as it may end up in a log. */
function notRight(name: SettingName, place: string, value: unknown): string {
  const { kind, secret } = settingOf(name);
  const isHidden = secret || String(value).includes('@');
  return `${place} must be ${kind.right}${isHidden ? '' : `; got ${JSON.stringify(value)}`}.`;
}

async function readSettingsFile(path: string, problems: string[]): Promise<Partial<Record<SettingName, unknown>>> {
  const whole = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    const why = code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause));
    throw new InputError(`Cannot read the configuration ${path}: ${why}.`, { cause });
  });
  // Some editors put a byte order mark at the beginning of a file.
  const text = whole.replace(/^\uFEFF/, '');
  const found: Partial<Record<SettingName, unknown>> = {};
  for (const [name, value] of Object.entries(parseObject(path, text))) {
    const place = `${path}, line ${lineOf(text, name)}: "${name}"`;
    const known = SETTING_NAMES.find((each) => each === name);
    const read = known && settingOf(known).kind.fromJson(value);
    if (!known) problems.push(noSetting(place, nearest(name, SETTING_NAMES)));
    else if (read === undefined) problems.push(notRight(known, place, value));
    else found[known] = read;
  }
  return found;
}

function parseObject(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the fault, which may hold a secret.
    throw new InputError(`The configuration ${path} is not JSON: look at line ${faultyLine(text)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(`The configuration ${path} must be one JSON object, such as {"port": 8080}.`);
  }
  const fault = jsonFault(text);
  if (fault)
    throw new InputError(`The configuration ${path} is not valid: "${fault.pointer.slice(1)}" ${fault.detail}.`);
  return value;
}

/** The first line at whose end the text is already invalid, and not merely unfinished. */
function faultyLine(text: string): number {
  const lines = text.split('\n');
  return lines.findIndex((_, at) => isFaulty(lines.slice(0, at + 1).join('\n'))) + 1 || lines.length;
}

function isFaulty(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return !/end of JSON/.test(String(error)) && Number(position ?? 0) < text.length;
  }
}

function lineOf(text: string, name: string): number {
  const at = text.indexOf(JSON.stringify(name));
  return text.slice(0, Math.max(0, at)).split('\n').length;
}
