import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import type { IngestOptions } from '../service/ingest/ingest-inputs.js';
import { dataOption } from './data-folder.js';
import { FORMAT_IDS } from './ingest-formats.js';
import { ingestHeadline } from './ingest-headline.js';
import { INGEST_DESCRIPTION, ingestHelp } from './ingest-help.js';
import { findingsText, resultText } from './ingest-report.js';
import { interruptible } from './interruptible.js';
import { Status } from './status.js';
import { wholeNumber } from './whole-number.js';

interface Flags {
  data: string;
  mapping?: string;
  format?: string;
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
    .summary('read raw records into a data folder')
    .description(INGEST_DESCRIPTION)
    .argument('<input...>', 'files or folders with raw records; - for stdin')
    .addOption(dataOption())
    .option('--mapping <file>', 'how to read files with other columns (see below)')
    .addOption(new Option('--format <name>', 'read only inputs in this format').choices(FORMAT_IDS))
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
      process.stderr.write(`${headline}${findingsText(rehearsal, manifest?.doubtful)}\n${end}\n`);
      return;
    }
    const result = await interruptible((signal) => ingest(options(signal)));
    status.clear();
    process.stderr.write(`${ingestHeadline(result.version.manifest, data)}${resultText(result)}\n`);
    process.stdout.write(`${join(data, 'versions', result.version.name, 'manifest.json')}\n`);
  } finally {
    status.clear();
  }
}

const BYTES: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const LEAST_MEMORY = 700_000_000;

/** Reads a size such as `2GB`, `800M` or `1.5g` as bytes. @throws {UsageError} If it is not a size, or too small. */
function memorySize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (BYTES[unit.toUpperCase()] ?? 0);
  if (number === '' || bytes < LEAST_MEMORY) {
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
