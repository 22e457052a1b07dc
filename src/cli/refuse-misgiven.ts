import type { Command, Option } from 'commander';
import { UsageError } from '../errors.js';

/**
 * Lets a command, and all beneath it, refuse an option that is given without a value where it takes one, as by a variable
 * that is not set, or twice where it does not collect values: it would take the default, or the last, in silence. Call it
 * when they have all their options.
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
