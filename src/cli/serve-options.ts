import { type Command, Option } from 'commander';
import { defaultOf, flagOf, SETTING_NAMES, settingOf, variableOf } from '../service/settings/setting-names.js';
import type { SettingName } from '../service/settings/settings.js';

/** Adds a flag for every setting of the service that has one. Their values are checked later, all at once. */
export function addServeOptions(command: Command): Command {
  for (const name of SETTING_NAMES) {
    const flag = flagOf(name);
    if (flag !== undefined) command.addOption(optionOf(name, flag));
  }
  return command;
}

/** The flags that were given, by setting, with the values that commander read. */
export function givenFlags(options: Readonly<Record<string, unknown>>): Partial<Record<SettingName, string | boolean>> {
  const given = SETTING_NAMES.map((name) => [name, options[name]] as const);
  return Object.fromEntries(
    // Commander also reports switches that are on by default and were not given.
    given.filter(([name, value]) => value !== undefined && value !== settingOf(name).default),
  );
}

function optionOf(name: SettingName, flag: string): Option {
  const { kind, meaning } = settingOf(name);
  const variable = `[${variableOf(name)}]`;
  if (kind.placeholder === undefined) {
    return new Option(flag, `${flag.startsWith('--no-') ? 'do not ' : ''}${meaning} ${variable}`);
  }
  const usual = defaultOf(name);
  const text = usual === '–' ? meaning : `${meaning} (default: ${usual})`;
  return new Option(`${flag} <${kind.placeholder}>`, `${text} ${variable}`);
}
