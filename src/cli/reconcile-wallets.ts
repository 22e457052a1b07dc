import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { microsOf } from '../base/decimal.js';
import { DataError, IncompleteError, SourceError, UsageError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import type { Client } from '../client/connect.js';
import { amountText, type Figures } from '../fetch/figures.js';
import { type OurFigures, type OurMarket, type Reconciled, reconcile } from '../fetch/reconcile-figures.js';
import type { Sources } from '../fetch/sources.js';
import { placeToAsk } from './command-options.js';
import { joinedErrors } from './exit-code.js';
import type { SourceFlags } from './fetch-flags.js';
import type { ReconcileFlags } from './reconcile.js';
import { withSources } from './run-fetch.js';
import { rowsText, Status } from './terminal-output.js';

/** Compares wallets and prints the figures. */
export async function reconcileAll(
  addresses: string[],
  flags: ReconcileFlags,
  command: Command,
  signal: AbortSignal,
): Promise<void> {
  const { walletOf } = await import('../fetch/wallet.js');
  const wallets = [...new Set(addresses.map(walletOf))];
  const { url, data } = placeToAsk(flags, command);
  const compare = async (sources: Sources | undefined) => {
    if (url === undefined) return ofFolder(data ?? flags.data, wallets, flags.out, sources);
    const { openLab } = await import('../lab.js');
    const lab = await openLab({ url });
    try {
      return await ofService(lab, wallets, flags.out, sources, signal);
    } finally {
      await lab.close();
    }
  };
  const status = new Status();
  status.show("asking for the source's figures");
  const compared = flags.offline ? await compare(undefined) : await withSources(flags, status, signal, compare);
  const rows = compared.flatMap(({ reconciled }) => reconciled);
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (flags.csv) process.stdout.write(csvOf(rows));
  else process.stdout.write(tableOf(rows, flags.all === true, process.stdout.isTTY));
  for (const { note } of compared) process.stderr.write(note);
  const failures = compared.flatMap(({ theirs }) => failureOf(theirs));
  if (failures.length > 0) throw joinedErrors(failures);
}

/**
 * Compares wallets that were just fetched and read into the data folder, and prints the table on stderr. A source that
 * fails is told, and fails nothing: what was fetched is there.
 */
export async function reconcileFetched(
  wallets: readonly string[],
  flags: SourceFlags & { data: string },
  signal: AbortSignal,
): Promise<void> {
  const status = new Status();
  status.show("asking for the source's figures");
  const compared = await withSources(flags, status, signal, (sources) =>
    ofFolder(flags.data, wallets, flags.out, sources),
  );
  for (const { reconciled, theirs, note } of compared) {
    const rows = tableOf(reconciled, false, true);
    process.stderr.write(`Our figures of ${theirs.wallet} beside the source's:\n${rows}${note}`);
    for (const error of failureOf(theirs)) process.stderr.write(`${error.message}\n`);
  }
}

/** The figures of one wallet, put side by side. */
interface Compared {
  readonly theirs: Figures;
  readonly reconciled: Reconciled[];
  /** What a reader has to know besides, with line ends. */
  readonly note: string;
}

async function ofFolder(
  data: string,
  wallets: readonly string[],
  out: string,
  sources: Sources | undefined,
): Promise<Compared[]> {
  if (!existsSync(data))
    throw new DataError(`There is no data folder ${data}: fetch the wallet first, by "oddslab fetch wallet".`);
  const [{ walletFigures }, { missingOf }] = await Promise.all([
    import('../service/store/wallet-figures.js'),
    import('../fetch/kept-figures.js'),
  ]);
  const compared: Compared[] = [];
  for (const figures of await walletFigures(data, wallets)) {
    const redeemed = [...figures.markets].filter(([, { record }]) => record.redeemed !== undefined).map(([id]) => id);
    const theirs = await theirsOf(figures.wallet, redeemed, out, sources);
    const ours = { ...figures, missing: await missingOf(out, figures.wallet), knowsAll: true };
    compared.push(besides(ours, theirs, ''));
  }
  return compared;
}

/** The most markets that a service is asked about for one wallet: each takes a request. */
const MOST_MARKETS = 200;

async function ofService(
  client: Client,
  wallets: readonly string[],
  out: string,
  sources: Sources | undefined,
  signal: AbortSignal,
): Promise<Compared[]> {
  const { missingOf } = await import('../fetch/kept-figures.js');
  const compared: Compared[] = [];
  for (const wallet of wallets) {
    const theirs = await theirsOf(wallet, [], out, sources);
    const whole = await only(client.lifetime({ wallet }, { signal }).records());
    const over = new Map<string, bigint>();
    for (const { condition_id: id, status, realized_pnl } of theirs.positions ?? []) {
      const pnl = microsOf(realized_pnl ?? '0') ?? 0n;
      if (status !== 'OPEN') over.set(id, (over.get(id) ?? 0n) + (pnl < 0n ? -pnl : pnl));
    }
    const asked = [...over].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, MOST_MARKETS);
    const markets = new Map<string, OurMarket>();
    for (const [id] of whole ? asked : []) {
      const record = await only(client.pnl({ wallet, granularity: 'all', conditionId: id }, { signal }).records());
      markets.set(id, { pnl: microsOf(amountText(record?.pnl ?? 0) ?? '0') ?? 0n });
    }
    const pnl = whole ? microsOf(amountText(whole.total_pnl) ?? '') : undefined;
    const ours = {
      wallet,
      pnl,
      untracked: undefined,
      income: undefined,
      missing: await missingOf(out, wallet),
      markets,
      knowsAll: false,
    };
    const rest = over.size - asked.length;
    const note =
      rest > 0 ? `${wallet}: ${counted(rest, 'market')} with the least profit or loss were not asked about.\n` : '';
    compared.push(besides(ours, theirs, note));
  }
  return compared;
}

/** The first record, if there is one. */
async function only<Row>(records: AsyncIterable<Row>): Promise<Row | undefined> {
  for await (const record of records) return record;
  return undefined;
}

function besides(ours: OurFigures, theirs: Figures, note: string): Compared {
  const reconciled = reconcile(ours, theirs);
  const byMarket = reconciled.filter(({ condition_id }) => condition_id !== null);
  const agreeing = byMarket.filter(({ cause }) => cause === '').length;
  const text =
    byMarket.length > 0 ? `${agreeing} of ${counted(byMarket.length, 'figure')} by market and token agree.\n` : '';
  return { theirs, reconciled, note: `${note}${text}` };
}

/** The source's figures: asked anew and kept, or else those that were kept. */
async function theirsOf(
  wallet: string,
  conditions: readonly string[],
  out: string,
  sources: Sources | undefined,
): Promise<Figures> {
  const { keepFigures, readFigures } = await import('../fetch/kept-figures.js');
  if (sources) {
    const { askFigures } = await import('../fetch/ask-figures.js');
    const figures = await askFigures(sources, wallet, conditions);
    if (figures.failed.length > 0) return figures;
    // Resolutions are final: those of markets that were not asked for stay.
    const kept = conditions.length === 0 ? await readFigures(out, wallet) : undefined;
    await keepFigures(out, { ...figures, resolutions: kept?.resolutions ?? figures.resolutions });
    return figures;
  }
  const kept = await readFigures(out, wallet);
  if (kept) return kept;
  throw new UsageError(
    `There are no kept figures of ${wallet} in ${out}: leave --offline out once, so that the source is asked.`,
  );
}

/** The error for questions that no source answered: incomplete, or a failure if all failed. */
function failureOf({ wallet, failed, pnl, markets, positions }: Figures): (IncompleteError | SourceError)[] {
  if (failed.length === 0) return [];
  const lines = failed.map(({ what, why }) => `  ${what}: ${why}`);
  const message = [`The source did not give all of its figures of ${wallet}.`, ...lines].join('\n');
  const isNothing = pnl === null && markets === null && positions === null;
  return [isNothing ? new SourceError(message, { kind: 'failing' }) : new IncompleteError(message)];
}

const COLUMNS = [
  'wallet',
  'figure',
  'condition_id',
  'token_id',
  'slug',
  'ours',
  'theirs',
  'difference',
  'cause',
] as const satisfies (keyof Reconciled)[];

function csvOf(rows: readonly Reconciled[]): string {
  const cell = (text: string | null) =>
    text !== null && /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','));
  return [COLUMNS.join(','), ...lines].map((line) => `${line}\n`).join('');
}

/** The figures of whole wallets, and those by market and token that differ. */
function tableOf(rows: readonly Reconciled[], all: boolean, isTerminal: boolean | undefined): string {
  const shown = rows.filter(({ condition_id, cause }) => all || condition_id === null || cause !== '');
  const several = new Set(rows.map(({ wallet }) => wallet)).size > 1;
  const heads = ['FIGURE', 'MARKET', 'OURS', 'THEIRS', 'DIFFERENCE', 'LIKELY CAUSE'];
  const cells = shown.map(({ wallet, figure, condition_id, slug, ours, theirs, difference, cause }) => [
    ...(several ? [wallet] : []),
    figure,
    slug ?? condition_id,
    ours,
    theirs,
    difference,
    cause || null,
  ]);
  return rowsText(several ? ['WALLET', ...heads] : heads, cells, isTerminal);
}
