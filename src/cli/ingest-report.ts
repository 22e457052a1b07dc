import { counted, shellWord } from '../base/texts.js';
import type { Doubtful } from '../service/ingest/doubts.js';
import { FORMAT_LIMITS } from '../service/ingest/format-names.js';
import type { Findings, IngestResult } from '../service/ingest/ingest-inputs.js';

type Report = Findings['reports'][number];

/** What is told in one line: a file, or all files of a format. */
type Told = Pick<Report, 'file' | 'format' | 'rows' | 'kept' | 'income' | 'skipped'> & { files: string[] };

/** Above this number, files are reported together by format. */
const EACH_FILE = 20;

/** The report of an ingest as text: its findings, then what the folder holds. */
export function resultText(result: IngestResult): string {
  const { version } = result;
  const { totals, doubtful, merged } = version.manifest;
  const { markets = 0, events = 0, wallets = 0, untracked_shares: untracked = 0 } = totals;
  const { income_only_wallets: rewarded = 0 } = totals;
  const isNew = result.reports.some(({ kept }) => kept > 0);
  return [
    findingsText(result, doubtful, isNew ? merged : {}),
    ...(untracked > 0
      ? [`  doubtful ${count(untracked)} shares left wallets that were not seen to get them: no profit counted`]
      : []),
    `${isNew ? 'The data folder now holds' : 'Nothing new: the data folder holds'} ` +
      `${counted(markets, 'market')}, ${counted(events, 'event')} and ${counted(wallets, 'wallet')}` +
      (rewarded > 0 ? `, beside ${counted(rewarded, 'wallet')} with rewards alone ` : ' ') +
      `(version ${version.name}).`,
  ].join('\n');
}

type Counts = Readonly<Record<string, number>>;

/**
 * The findings of an ingest as text: each file with what was left out and why, then what overlapping downloads hold,
 * and the doubts about all.
 */
export function findingsText(findings: Findings, doubtful: Counts = {}, merged: Counts = {}): string {
  const { reports, known, left, examples } = findings;
  const together = reports.length > EACH_FILE;
  const told = together ? byFormat(reports) : reports.map((report) => ({ ...report, files: [report.file] }));
  return [
    ...told.flatMap(({ file, files, format, rows, kept, income, skipped }) => [
      `${file}: ${format}, ${counted(rows, 'row')}, ${count(kept)} kept`,
      ...(income ? [incomeText(income)] : []),
      ...reasons(skipped, 'skipped', (reason) => {
        const found = examples.get(reason)?.filter((example) => 'file' in example && files.includes(example.file));
        return places(found, together);
      }),
    ]),
    ...limitsOf(reports),
    ...list(known, (file) => `${file}: its content was read before; nothing to do`),
    ...list(left, ({ path, why }) => (why.startsWith(path) ? `left: ${why}` : `${path}: left: ${why}`)),
    ...reasons(merged, 'merged', () => ''),
    ...reasons(doubtful, 'doubtful', (reason) => places(examples.get(reason), true)),
  ].join('\n');
}

function incomeText({ rows, usd }: NonNullable<Told['income']>): string {
  const dollars = (usd / 1e6).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `  ${counted(rows, 'row')} of income, $${dollars}: no trading profit, kept apart`;
}

/** One line for each item; of more than 20, the first 20 and the number of others. */
function list<T>(items: readonly T[], line: (item: T) => string): string[] {
  const lines = items.slice(0, EACH_FILE).map(line);
  return items.length > EACH_FILE ? [...lines, `… and ${counted(items.length - EACH_FILE, 'more such file')}`] : lines;
}

function byFormat(reports: readonly Report[]): Told[] {
  const sums = new Map<string, Told>();
  for (const { file, format, rows, kept, income, skipped } of reports) {
    const sum: Told = sums.get(format) ?? { file: '', files: [], format, rows: 0, kept: 0, skipped: {} };
    sum.files.push(file);
    sum.file = counted(sum.files.length, 'file');
    sum.rows += rows;
    sum.kept += kept;
    if (income) sum.income = { rows: (sum.income?.rows ?? 0) + income.rows, usd: (sum.income?.usd ?? 0) + income.usd };
    for (const [reason, n] of Object.entries(skipped)) sum.skipped[reason] = (sum.skipped[reason] ?? 0) + n;
    sums.set(format, sum);
  }
  return [...sums.values()];
}

function reasons(counts: Counts, what: string, where: (reason: string) => string): string[] {
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
  const place = transaction ?? condition_id;
  return place === null ? `wallet ${wallet}` : `wallet ${wallet} in ${place}`;
}

function count(n: number): string {
  return n.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** What files lack by the nature of their formats, a line for each such format. */
function limitsOf(reports: readonly Report[]): string[] {
  const formats = new Map(reports.map(({ format_id = '', format }) => [format, FORMAT_LIMITS[format_id]]));
  return [...formats].flatMap(([format, limit]) => (limit === undefined ? [] : [`note: ${format}: ${limit}`]));
}

type VersionManifest = IngestResult['version']['manifest'];

/** Reasons of doubts about events without a market record; such events have no result, or are kept aside. */
const WITHOUT_MARKET = /^event of a market without a market record|^fill kept aside: no input has a market/;

/** Share of events without a market record from which the report begins with a headline about them. */
const WORTH_A_HEADLINE = 0.1;

/**
 * The headline of an ingest's report where trades were read without their markets: what is missing, what that means for
 * the datasets, and what to do next; empty if less than a tenth of the events lack a market record.
 */
export function ingestHeadline(manifest: Pick<VersionManifest, 'totals' | 'doubtful'>, folder: string): string {
  const missing = missingMarkets(manifest);
  if (missing.length === 0) return '';
  return [
    ...missing,
    '  What to do: read the market records, too, as Gamma /markets or CLOB /markets gives them; what was read stays:',
    `  $ oddslab ingest --data ${shellWord(folder)} markets.json`,
    '\n',
  ].join('\n');
}

/** Says which markets are missing and what that means; no lines if less than a tenth of the events lack a record. */
export function missingMarkets({ totals, doubtful }: Pick<VersionManifest, 'totals' | 'doubtful'>): string[] {
  const counts = Object.entries(doubtful).filter(([reason]) => WITHOUT_MARKET.test(reason));
  const missing = counts.reduce((sum, [, n]) => sum + n, 0);
  const aside = counts.reduce((sum, [reason, n]) => (reason.startsWith('fill kept aside') ? sum + n : sum), 0);
  const all = (totals.events ?? 0) + aside;
  if (missing === 0 || missing / all < WORTH_A_HEADLINE) return [];
  const what = 'trades and other events';
  const share = missing === all ? `All ${what} (${count(all)})` : `${count(missing)} of ${count(all)} ${what}`;
  return [
    `MARKETS ARE MISSING. ${share} are of markets without a record.`,
    ...meaning(missing > aside, aside, totals.markets ?? 0),
  ];
}

function meaning(isUnsettled: boolean, aside: number, markets: number): string[] {
  return [
    ...(isUnsettled
      ? [
          '  The ledger cannot know who won: what was held to the end is neither a win nor a loss there, unless it was redeemed.',
          '  Profit, ROI and win rates leave it out in pnl (569), lifetime (586) and leaderboard (579): they are not to be relied on.',
          '  Positions (9001) have its shares as still held, without a result.',
        ]
      : []),
    ...(aside > 0 ? [`  ${count(aside)} of them name markets by number alone, and are in no dataset yet.`] : []),
    `  ${markets === 0 ? 'The dataset markets (574) is empty' : 'The dataset markets (574) lacks them'}: trades (556), candles (568), positions (9001) and pnl by`,
    '  market, event or category cannot name them, and no filter by event or category finds them.',
  ];
}
