import { SETTINGS, type Setting, type SettingName } from './settings.js';

/** The names of all settings, in the order of their table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** A setting by its name. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/**
 * The flag of a setting; undefined for a secret. A switch that is on by default has a flag that turns it off.
 *
 * @example flagOf('maxBodyBytes'); // '--max-body-bytes'
 * @example flagOf('compress'); // '--no-compress'
 */
export function flagOf(name: SettingName): string | undefined {
  const { secret, default: value } = settingOf(name);
  return secret ? undefined : `--${value === true ? 'no-' : ''}${words(name).join('-')}`;
}

/** The prefix of environment variables that only the service reads. */
export const SERVICE_PREFIX = 'ODDSLAB_SERVE_';

/** The environment variable that names the configuration file. */
export const FILE_VARIABLE = `${SERVICE_PREFIX}CONFIG`;

/** The environment variable of a setting. @example variableOf('maxBodyBytes'); // 'ODDSLAB_SERVE_MAX_BODY_BYTES' */
export function variableOf(name: SettingName): string {
  return settingOf(name).env ?? `${SERVICE_PREFIX}${words(name).join('_').toUpperCase()}`;
}

function words(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/**
 * The settings as a Markdown table for the documentation: flag, environment, name in the file, default, meaning.
 *
 * @returns Lines, each with its line break.
 */
export function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => [
    shownFlag(name),
    `\`${variableOf(name)}\``,
    `\`${name}\``,
    defaultOf(name),
    settingOf(name).meaning.replaceAll('|', '\\|'),
  ]);
  const head = ['flag', 'environment', 'in the file', 'default', 'meaning'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The default of a setting in words; `–` if it has none. */
export function defaultOf(name: SettingName): string {
  const { default: value, otherwise } = settingOf(name);
  if (otherwise !== undefined) return otherwise;
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : value === undefined ? '–' : String(value);
}

function shownFlag(name: SettingName): string {
  const flag = flagOf(name);
  const { placeholder } = settingOf(name).kind;
  if (flag === undefined) return 'none: it is a secret';
  return `\`${flag}${placeholder === undefined ? '' : ` <${placeholder.replaceAll('|', '\\|')}>`}\``;
}
