import { join } from 'node:path';
import type { Command } from 'commander';
import type { IngestResult } from '../service/ingest/ingest.js';
import { dataOption } from './data-folder.js';
import { interruptible } from './interruptible.js';
import { Status } from './status.js';

/** Adds `oddslab ingest`, which reads raw records into a data folder and reports each row that it did not take. */
export function addIngestCommand(program: Command): void {
  program
    .command('ingest')
    .summary('read raw records into a data folder')
    .description(
      'Read raw records into a data folder and build the ledger that the service answers from. The format of each\n' +
        'file is recognized by its content: Gamma /markets JSON, Data API /trades JSON or CSV, Data API /activity JSON.\n' +
        'What the folder holds stays; a file whose content was read before is left alone. The report stands on stderr\n' +
        "and in the version's manifest.json, whose path is printed.",
    )
    .argument('<input...>', 'files of raw records')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  $ oddslab ingest --data data sample/{markets,trades,activity}.json')
    .action(async (inputs: string[], { data }: { data: string }) => {
      const { ingest } = await import('../service/ingest/ingest.js');
      const status = new Status();
      try {
        const onProgress = (doing: string) => status.show(doing);
        const result = await interruptible((signal) => ingest({ folder: data, inputs, onProgress, signal }));
        status.clear();
        process.stderr.write(`${reportText(result)}\n`);
        process.stdout.write(`${join(data, 'versions', result.version.name, 'manifest.json')}\n`);
      } finally {
        status.clear();
      }
    });
}

/** What an ingest did, for people: each file with what was skipped and why, then the doubts about the whole. */
export function reportText({ version, reports, known }: IngestResult): string {
  const { totals, doubtful } = version.manifest;
  const lines = reports.flatMap((report) => [
    `${report.file}: ${report.format}, ${count(report.rows)} rows, ${count(report.kept)} kept`,
    ...reasons(report.skipped, 'skipped'),
  ]);
  lines.push(...known.map((file) => `${file}: its content was read before; nothing to do`));
  const untracked = totals.untracked_shares ?? 0;
  lines.push(
    `The data folder now holds ${count(totals.markets)} markets, ${count(totals.events)} events and ` +
      `${count(totals.wallets)} wallets (version ${version.name}).`,
    ...reasons(doubtful, 'doubtful'),
    ...(untracked > 0
      ? [`  doubtful ${count(untracked)} shares left wallets that were not seen to get them: no profit counted`]
      : []),
  );
  return lines.join('\n');
}

function reasons(counts: Readonly<Record<string, number>>, what: string): string[] {
  return Object.entries(counts).map(([reason, n]) => `  ${what} ${count(n)}: ${reason}`);
}

function count(n = 0): string {
  return n.toLocaleString('en-US', { maximumFractionDigits: 0 });
}
