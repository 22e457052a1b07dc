import type { Command } from 'commander';
import { UsageError } from '../errors.js';

/**
 * Lets a command refuse an option that is given twice, of which it would else take the last in silence. Call it when it
 * has all its options.
 */
export function refuseRepeats(command: Command): Command {
  for (const { name, long } of command.options.map((option) => ({ name: option.name(), long: option.long }))) {
    let isGiven = false;
    command.on(`option:${name}`, () => {
      if (isGiven) throw new UsageError(`${long ?? name} is given twice: give it once.`);
      isGiven = true;
    });
  }
  return command;
}
