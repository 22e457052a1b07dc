import { flagOf, SETTING_NAMES, settingOf, variableOf } from './setting-names.js';
import type { SettingName } from './settings.js';

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
