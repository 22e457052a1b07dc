import { type Command, Option } from 'commander';
import type { DataFrame } from '../frame/data-frame.js';
import type { LabOptions } from '../lab.js';
import { writeWhole } from '../whole-file.js';
import { dataOption } from './data-folder.js';
import { filterHelp, readQuery } from './query-filters.js';

type Format = 'table' | 'csv' | 'json' | 'ndjson';

interface Flags {
  format: Format;
  out?: string;
  url?: string;
  data: string;
}

/** Adds `oddslab query`, which prints the records of a dataset or writes them to a file. */
export function addQueryCommand(program: Command): void {
  program
    .command('query')
    .summary('print or save the records of a dataset')
    .description(
      'Print the records of a dataset, or write them to a file. Without --url, a service over the data folder is\n' +
        'started for the time of the query. The API key is taken from ODDSLAB_API_KEY, never from the command line.',
    )
    .argument('<dataset>', 'markets, pnl, lifetime, or the number of any dataset')
    .argument('[filters...]', 'filters as options: --name value')
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(['table', 'csv', 'json', 'ndjson'])
        .default('table'),
    )
    .option('--out <file>', 'write to this file and print its path')
    .addOption(new Option('--url <address>', 'query service to ask').env('ODDSLAB_URL'))
    .addOption(dataOption())
    .allowUnknownOption()
    .addHelpText(
      'after',
      `\nFilters:\n${filterHelp()}\n\nExamples:\n` +
        '  $ oddslab query markets --closed True --min-volume 100000\n' +
        '  $ oddslab query pnl --wallet 0x… --granularity 1w --format csv --out pnl.csv',
    )
    .action(runQuery);
}

async function runQuery(dataset: string, words: string[], flags: Flags, command: Command): Promise<void> {
  const { id, params } = readQuery(dataset, words);
  const { openLab } = await import('../lab.js');
  const lab = await openLab(labOf(flags, command));
  try {
    const text = await render(await lab.dataset(id, params).frame(), flags.format);
    if (flags.out === undefined) process.stdout.write(text);
    else {
      await writeWhole(flags.out, text);
      process.stdout.write(`${flags.out}\n`);
    }
  } finally {
    await lab.close();
  }
}

/** The service that was asked for: what stands on the command line goes before what the environment says. */
function labOf({ url, data }: Flags, command: Command): LabOptions {
  const isGiven = (option: string) => command.getOptionValueSource(option) === 'cli';
  if (isGiven('data')) return isGiven('url') && url ? { url, data } : { data };
  return url ? { url } : { data };
}

async function render(frame: DataFrame, format: Format): Promise<string> {
  if (format === 'csv') return (await import('../frame/csv.js')).toCsv(frame);
  if (format === 'table') {
    const { toText } = await import('../frame/text.js');
    return `${toText(frame, { width: process.stdout.columns || 120 })}\n`;
  }
  const records = (await import('../frame/records-of.js')).recordsOf(frame).map((record) => JSON.stringify(record));
  return format === 'json' ? `[${records.join(',\n')}]\n` : records.map((record) => `${record}\n`).join('');
}
