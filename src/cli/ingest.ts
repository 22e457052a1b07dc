import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { IncompleteError, UsageError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import { INGEST_FORMATS } from '../service/ingest/format-names.js';
import type { Findings, IngestOptions } from '../service/ingest/ingest-inputs.js';
import { dataOption, helpLines, wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { findingsText, ingestHeadline, resultText } from './ingest-report.js';
import { Status } from './terminal-output.js';

interface Flags {
  data: string;
  mapping?: string;
  format?: string;
  pages?: boolean;
  strict?: boolean;
  dryRun?: boolean;
  report?: string;
  memory: number;
  keep: number;
}

/** Adds `oddslab ingest`, which reads raw records into a data folder and reports the rows that it did not take. */
export function addIngestCommand(program: Command): void {
  program
    .command('ingest')
    .argument('<input...>', 'files or folders with raw records; - for stdin')
    .addOption(dataOption())
    .option('--mapping <file>', 'how to read files with other columns (see below)')
    .addOption(new Option('--format <name>', 'read only inputs in this format').choices(Object.keys(FORMATS)))
    .option(
      '--pages',
      'the inputs are pages of one download: equal rows on them are fills of their own (else each file is a download, ' +
        'and what several hold counts once)',
    )
    .option(
      '--strict',
      'change nothing if an input has a doubtful row, or if the folder would have more doubts of any kind than before',
    )
    .option('--dry-run', 'read and report, but change nothing')
    .option('--report <file>', 'write every doubtful row to a file, as JSON lines')
    .addOption(
      new Option(
        '--memory <size>',
        'memory limit, at least 700MB; what does not fit is put into the data folder temporarily',
      )
        .default(1_000_000_000, '1GB')
        .argParser(memorySize),
    )
    .option('--keep <n>', 'how many versions of the data to keep', wholeNumber('--keep', 1, 1000), 3)
    .addHelpText('after', ({ command }) => ingestHelp(command))
    .action(runIngest);
}

async function runIngest(inputs: string[], { data, dryRun, ...flags }: Flags): Promise<void> {
  const { ingest, rehearseIngest } = await import('../service/ingest/ingest-inputs.js');
  const status = new Status();
  const onProgress = (doing: string, secondsLeft?: number) => status.show(`${doing}${duration(secondsLeft)}`);
  const options = (signal: AbortSignal): IngestOptions => ({ folder: data, inputs, onProgress, signal, ...flags });
  try {
    if (dryRun) {
      const rehearsal = await interruptible((signal) => rehearseIngest(options(signal)));
      status.clear();
      const { manifest } = rehearsal;
      const end = 'Nothing was changed: a dry run.';
      const headline = manifest ? ingestHeadline(manifest, data) : '';
      process.stderr.write(`${headline}${findingsText(rehearsal, manifest?.doubtful, manifest?.merged)}\n${end}\n`);
      refuseUnknown(rehearsal);
      return;
    }
    const result = await interruptible((signal) => ingest(options(signal)));
    status.clear();
    process.stderr.write(`${ingestHeadline(result.version.manifest, data)}${resultText(result)}\n`);
    process.stdout.write(`${join(data, 'versions', result.version.name, 'manifest.json')}\n`);
    refuseUnknown(result);
  } finally {
    status.clear();
  }
}

/** @throws {IncompleteError} If inputs were named that are in no known format. */
function refuseUnknown({ left }: Findings): void {
  const refused = left.filter(({ isRefused }) => isRefused);
  if (refused.length === 0) return;
  const paths = refused.slice(0, 5).map(({ path }) => path);
  const more = refused.length > paths.length ? ` and ${counted(refused.length - paths.length, 'other')}` : '';
  throw new IncompleteError(
    `Not ingested, since ingest knows no format like theirs: ${paths.join(', ')}${more}. Leave them out, or say with ` +
      '--mapping how to read them; the other inputs were read.',
  );
}

const BYTES: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const LEAST_MEMORY = 700_000_000;

/** Reads a size such as `2GB`, `800M` or `1.5g` as bytes. @throws {UsageError} If it is not a size, or too small. */
function memorySize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number || Number.NaN) * (BYTES[unit.toUpperCase()] ?? Number.NaN);
  if (!(bytes >= LEAST_MEMORY)) {
    throw new UsageError(`--memory must be a size of at least 700MB, such as 2GB; got ${JSON.stringify(text)}.`);
  }
  return Math.floor(bytes);
}

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const [hours, minutes] = [seconds / 3600, seconds / 60];
  const left = hours >= 1 ? `${hours.toFixed(1)} h` : minutes >= 2 ? `${Math.round(minutes)} min` : `${seconds} s`;
  return ` · about ${left} left`;
}

const LEFT =
  'Files in other formats are reported and skipped; if one of them was named itself, the exit code is 3. Folders are ' +
  'read with all their subfolders. Downloads may overlap: of equal fills without a true id (transaction and log index ' +
  'in pma-trades, or the id of a mapping or of combos), as many count as the download with most of them holds. A file ' +
  'is a download, a folder of oddslab fetch is one, and --pages makes one of several files.';

const MAPPING = `\
  {
    "name": "my venue",
    "records": "fills",
    "columns": { "wallet": "trader", "side": "action", "token": "asset",
                 "size": "qty", "price": "px", "time": "executed_at",
                 "transaction": "tx_hash", "id": "fill_no" },
    "units": { "size": "millionths", "price": "cents", "time": "milliseconds" },
    "sides": { "buy": ["B", "long"], "sell": ["S", "short"] }
  }`;

const WORDS = [
  ['fills', 'wallet, side, token, size, time, and price, usd or both; optional: condition_id, transaction, id'],
  [
    'markets',
    'condition_id, slug, closed, token_a, token_b, outcome_a, outcome_b; optional: question, event_slug, volume, ' +
      "start, end, close, winner (an outcome's label or token, 0, 1, or tie)",
  ],
  ['size', 'in shares or millionths'],
  ['price', 'in dollars or cents'],
  ['usd, volume', 'in dollars, cents or micro-dollars'],
  ['time', 'in seconds, milliseconds, microseconds, nanoseconds or as date; without a unit, by the number of digits'],
] as const;

/** The words that `--format` takes, and what the files are. */
const FORMATS = { ...INGEST_FORMATS, mapping: 'any CSV, Parquet or JSON that --mapping describes' };

/** The help below the options of `oddslab ingest`: the formats and the mapping file. */
function ingestHelp(command: Command): string {
  const { paragraph, items } = helpLines(command);
  return [
    '',
    paragraph(
      'Formats, recognized by content, each plain or compressed with gzip or zstd. JSON may be a list, several lists ' +
        'in a row, records in a row, or pages:',
    ),
    items(Object.entries(FORMATS)),
    paragraph(LEFT),
    '',
    paragraph("A mapping file maps a plain file's columns to those of Oddslab, with their units and words:"),
    MAPPING,
    items(WORDS),
    paragraph('A wallet is 0x and 40 hex digits, a condition id 0x and 64.'),
  ].join('\n');
}
