import { counted } from '../base/texts.js';
import type { Doubtful } from '../service/ingest/doubts.js';
import type { Findings, IngestResult } from '../service/ingest/ingest-inputs.js';

type Report = Findings['reports'][number];

/** What is told in one line: a file, or all files of a format. */
type Told = Pick<Report, 'file' | 'format' | 'rows' | 'kept' | 'skipped'> & { files: string[] };

/** Above this number, files are reported together by format. */
const EACH_FILE = 20;

/** The report of an ingest as text: its findings, then what the folder holds. */
export function resultText(result: IngestResult): string {
  const { version } = result;
  const { totals, doubtful } = version.manifest;
  const { markets = 0, events = 0, wallets = 0, untracked_shares: untracked = 0 } = totals;
  const isNew = result.reports.some(({ kept }) => kept > 0);
  return [
    findingsText(result, doubtful),
    ...(untracked > 0
      ? [`  doubtful ${count(untracked)} shares left wallets that were not seen to get them: no profit counted`]
      : []),
    `${isNew ? 'The data folder now holds' : 'Nothing new: the data folder holds'} ` +
      `${counted(markets, 'market')}, ${counted(events, 'event')} and ${counted(wallets, 'wallet')} ` +
      `(version ${version.name}).`,
  ].join('\n');
}

/** The findings of an ingest as text: each file with what was left out and why, then the doubts about all. */
export function findingsText(findings: Findings, doubtful: Readonly<Record<string, number>> = {}): string {
  const { reports, known, left, examples } = findings;
  const together = reports.length > EACH_FILE;
  const told = together ? byFormat(reports) : reports.map((report) => ({ ...report, files: [report.file] }));
  return [
    ...told.flatMap(({ file, files, format, rows, kept, skipped }) => [
      `${file}: ${format}, ${counted(rows, 'row')}, ${count(kept)} kept`,
      ...reasons(skipped, 'skipped', (reason) => {
        const found = examples.get(reason)?.filter((example) => 'file' in example && files.includes(example.file));
        return places(found, together);
      }),
    ]),
    ...list(known, (file) => `${file}: its content was read before; nothing to do`),
    ...list(left, ({ path, why }) => (why.startsWith(path) ? `left: ${why}` : `${path}: left: ${why}`)),
    ...reasons(doubtful, 'doubtful', (reason) => places(examples.get(reason), true)),
  ].join('\n');
}

/** One line for each item; of more than 20, the first 20 and the number of others. */
function list<T>(items: readonly T[], line: (item: T) => string): string[] {
  const lines = items.slice(0, EACH_FILE).map(line);
  return items.length > EACH_FILE ? [...lines, `… and ${counted(items.length - EACH_FILE, 'more such file')}`] : lines;
}

function byFormat(reports: readonly Report[]): Told[] {
  const sums = new Map<string, Told>();
  for (const { file, format, rows, kept, skipped } of reports) {
    const sum = sums.get(format) ?? { file: '', files: [], format, rows: 0, kept: 0, skipped: {} };
    sum.files.push(file);
    sum.file = counted(sum.files.length, 'file');
    sum.rows += rows;
    sum.kept += kept;
    for (const [reason, n] of Object.entries(skipped)) sum.skipped[reason] = (sum.skipped[reason] ?? 0) + n;
    sums.set(format, sum);
  }
  return [...sums.values()];
}

function reasons(counts: Readonly<Record<string, number>>, what: string, where: (reason: string) => string): string[] {
  return Object.entries(counts).map(([reason, n]) => `  ${what} ${count(n)}: ${reason}${where(reason)}`);
}

/** The places of examples; `named` with their files, else only the line or record numbers. */
function places(examples: readonly Doubtful[] = [], named: boolean): string {
  const shown = examples.map((example) => {
    if (!('file' in example)) return event(example);
    const place = example.line === undefined ? `record ${example.record}` : `line ${example.line}`;
    return named ? `${example.file} ${place}` : place;
  });
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

function event({ wallet, condition_id, transaction }: Exclude<Doubtful, { file: string }>): string {
  if (wallet === null) return condition_id ?? 'no id';
  return transaction === null ? `wallet ${wallet}` : `wallet ${wallet} in ${transaction}`;
}

function count(n = 0): string {
  return n.toLocaleString('en-US', { maximumFractionDigits: 0 });
}
