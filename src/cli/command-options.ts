import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { greatestOf } from '../base/many.js';

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

/** The options of every command that writes CSV; see `withCsvFlags`. */
export function csvOptions(): Option[] {
  return [
    new Option('--decimal <mark>', 'in CSV, what stands before decimals; a comma puts ; between fields').choices([
      'point',
      'comma',
    ]),
    new Option('--dates <form>', 'in CSV, times as they are, or only their days in UTC').choices(['iso', 'day']),
    new Option(
      '--ids <form>',
      'in CSV, ids as they are, or behind a tab, by which spreadsheets keep all digits',
    ).choices(['plain', 'text']),
  ];
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

/** Makes a function that reads an option's value as a number. @throws {UsageError} If it is not the `right` one. */
export function numberOption(option: string, form: RegExp, fits: (value: number) => boolean, right: string) {
  return (text: string): number => {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (fits(value)) return value;
    throw new UsageError(`${option} must be ${right}; got ${JSON.stringify(text)}.`);
  };
}

/** Makes a function that reads an option's value as a whole number within bounds. */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  const fits = (value: number) => value >= least && value <= most;
  return numberOption(option, /^\d{1,15}$/, fits, `a whole number from ${least} to ${most}`);
}

/** The longest time in seconds: some 23 days; timers cannot wait much longer. */
const MOST = 2_000_000;

/** Makes a function that reads an option's value in seconds. */
export function seconds(option: string): (text: string) => number {
  const right = `a number of seconds above 0 and up to ${MOST}, such as 30`;
  return numberOption(option, /^\d+(\.\d+)?$/, (value) => value > 0 && value <= MOST, right);
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
      const width = greatestOf(items.map(([term]) => term.length));
      return items.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join('\n');
    },
  };
}
