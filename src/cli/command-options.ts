import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';

/** The `--data` option of every command that uses a data folder. */
export function dataOption(): Option {
  return (
    new Option('--data <dir>', 'data folder')
      .env('ODDSLAB_DATA')
      .default('data', './data')
      // An empty variable counts as unset, not as the working directory.
      .argParser((folder) => folder || 'data')
  );
}

/** The service or data folder to ask; the command line takes precedence over the environment. */
export function placeToAsk(
  { url, data }: { readonly url?: string; readonly data: string },
  command: Command,
): { url?: string; data?: string } {
  const isGiven = (option: string) => command.getOptionValueSource(option) === 'cli';
  if (isGiven('data')) return isGiven('url') && url ? { url, data } : { data };
  return url ? { url } : { data };
}

/**
 * Makes a function that reads an option's value as a whole number within bounds.
 *
 * @throws {UsageError} If it is not one.
 */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}; got ${JSON.stringify(text)}.`);
  };
}

/** The longest time in seconds: some 23 days; timers cannot wait much longer. */
const MOST = 2_000_000;

/** Makes a function that reads an option's value in seconds. @throws {UsageError} If the value is not valid. */
export function seconds(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= MOST) return value;
    throw new UsageError(
      `${option} must be a number of seconds above 0 and up to ${MOST}, such as 30; got ${JSON.stringify(text)}.`,
    );
  };
}

/** Lays out help texts as wide as the reader's terminal: see {@link helpLines}. */
interface HelpLines {
  /** A text as a paragraph. */
  paragraph(text: string): string;
  /** Terms indented by two spaces, with their meanings beside them; wrapped lines stay below the meaning. */
  items(items: readonly (readonly [term: string, meaning: string])[]): string;
}

/** Wraps text as wide as the command's own help: to the terminal's width, or to 80 columns without a terminal. */
export function helpLines(command: Command): HelpLines {
  const help = command.createHelp();
  const helpWidth = command.configureOutput().getOutHelpWidth?.();
  help.prepareContext(helpWidth === undefined ? {} : { helpWidth });
  return {
    paragraph: (text) => help.boxWrap(text, help.helpWidth ?? 80),
    items(items) {
      const width = Math.max(...items.map(([term]) => term.length));
      return items.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join('\n');
    },
  };
}
