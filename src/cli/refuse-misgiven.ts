import type { Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';

/**
 * Makes a command and its subcommands refuse an option with an empty value, as from an unset variable, and an option
 * that is repeated without collecting its values. Otherwise the default or the last value would be taken silently. Call
 * it once the commands have all their options.
 */
export function refuseMisgiven(command: Command): Command {
  for (const option of command.options) if (option.required) refuseOption(command, option);
  for (const each of command.commands) refuseMisgiven(each);
  return command;
}

function refuseOption(command: Command, option: Option): void {
  const name = option.long ?? option.name();
  let isGiven = false;
  command.on(`option:${option.name()}`, (value: string) => {
    if (value === '') throw new UsageError(`${name} is empty: give it a value, or leave it out.`);
    const collects = Array.isArray(command.getOptionValue(option.attributeName()));
    if (isGiven && !collects) throw new UsageError(`${name} is given twice: give it once.`);
    isGiven = true;
  });
}
