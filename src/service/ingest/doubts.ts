import { quoteText } from '../../base/duckdb.js';
import { InputError } from '../../base/errors.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import { KIND } from '../ledger/event.js';
import type { Database } from '../store/database.js';
import { RESOLVED_MARKETS } from './resolved-markets.js';
import { isOnPurpose } from './staged-columns.js';

/** A doubt about the data as a whole: about rows that look right within their own input. */
interface Doubt {
  /** SQL that gives the number of rows. */
  count: string;
  /** SQL for the rows, for examples. */
  rows: string;
}

const EVENT = 'wallet, condition_id, token, ts, tx';
const RESOLVED = 'wallet, stated_id AS condition_id, token, ts, tx';

function simple(columns: string, from: string): Doubt {
  return { count: `SELECT count(*) AS n FROM ${from}`, rows: `SELECT ${columns} FROM ${from}` };
}

/**
 * A hash that tells whether two events are equal without holding their texts in memory. The market counts only where
 * there is no token, which tells it: not all formats state both.
 */
const CONTENT = `md5_number(concat(kind, '|', wallet, '|', coalesce(token, condition_id), '|', ts, '|', shares, '|', usd, '|', tx))`;

/** The events without an id, and those that equal one of them: millions of events with ids need no comparing. */
const REPEATABLE = `events WHERE id IS NULL OR ${CONTENT} IN (SELECT ${CONTENT} FROM events WHERE id IS NULL)`;

const ONLY_MARKET = 'NULL AS wallet, condition_id, NULL AS token, NULL AS ts, NULL AS tx';

/** SQL for the token that won by a record, or the word for a tie; null if the record states no winner. */
const WON = (record: string) =>
  `CASE ${record}.winner WHEN 0 THEN ${record}.token_a WHEN 1 THEN ${record}.token_b WHEN 2 THEN 'tie' END`;

/** Markets `m` with a record `r` that states a winner, and between which there is a difference. */
function changed(difference: string): Doubt {
  const from = `markets m JOIN market_records r ON m.condition_id = r.condition_id WHERE r.winner IS NOT NULL AND ${difference}`;
  return {
    count: `SELECT count(DISTINCT m.condition_id) AS n FROM ${from}`,
    rows: `SELECT DISTINCT NULL AS wallet, m.condition_id, NULL AS token, NULL AS ts, NULL AS tx FROM ${from}`,
  };
}

const CONTRADICTED = `(
  SELECT m.condition_id FROM ${RESOLVED_MARKETS} c JOIN markets m ON c.condition_id = m.condition_id
    LEFT JOIN (SELECT DISTINCT token FROM tokens WHERE side = 1) second ON m.token_a = second.token
  WHERE m.winner <> CASE WHEN c.winner < 2 AND second.token IS NOT NULL THEN 1 - c.winner ELSE c.winner END)`;

/** Doubts about the events and markets that `resolveEvents` resolved. */
export const DOUBTS: Readonly<Record<string, Doubt>> = {
  'event left out: its token belongs to no known side of a market': simple(
    RESOLVED,
    `resolved WHERE kind NOT IN (${KIND.conversion}, ${KIND.income}) AND (market_id IS NULL OR side IS NULL)`,
  ),
  'conversion left out: its token is no NO of an event whose markets exclude each other': simple(
    RESOLVED,
    `resolved WHERE kind = ${KIND.conversion} AND side IS NULL AND token IS NOT NULL`,
  ),
  'conversion left out: it names no token, and its condition is no question of an event that is known': simple(
    RESOLVED,
    `resolved WHERE kind = ${KIND.conversion} AND side IS NULL AND token IS NULL`,
  ),
  'migration whose new token ids are not known (its shares leave without a profit or a loss)': simple(
    RESOLVED,
    `resolved r JOIN numbered n ON r.market_id = n.condition_id WHERE r.kind = ${KIND.migration}
      AND n.id NOT IN (SELECT id FROM successors) AND n.id NOT IN (SELECT successor FROM successors)`,
  ),
  'market of which a later record takes the winner back (not settled)': changed('m.winner IS NULL AND m.closed'),
  'market that was closed with a winner and is open again in a later record (not settled)': changed(
    'm.winner IS NULL AND NOT m.closed',
  ),
  'market whose records state different winners (the latest of the best source was taken)': changed(
    `${WON('m')} <> ${WON('r')}`,
  ),
  'resolution of the chain that differs from the winner of the market record (the record was taken)': {
    count: `SELECT count(*) AS n FROM ${CONTRADICTED}`,
    rows: `SELECT ${ONLY_MARKET} FROM ${CONTRADICTED}`,
  },
  'resolution of other payouts than one dollar a share or half a dollar for both (not settled)': simple(
    ONLY_MARKET,
    `${RESOLVED_MARKETS} c WHERE winner IS NULL`,
  ),
  'event whose conditionId is not the one of its asset (the asset was taken)': simple(
    RESOLVED,
    'resolved WHERE stated_id <> market_id',
  ),
  'event of a market without a market record (settles only when redeemed)': simple(
    RESOLVED,
    'resolved r JOIN numbered n ON r.market_id = n.condition_id WHERE NOT n.known',
  ),
  'market closed without a clear winner (not settled)': simple(ONLY_MARKET, 'markets WHERE closed AND winner IS NULL'),
  'event equal to another one (kept: the format has no id to tell a repeat)': {
    // Those with ids differ from each other, but may be the same as those of a format without.
    count: `SELECT coalesce(sum(n), 0)::BIGINT AS n FROM (
      SELECT count(*) - greatest(count(id), 1) AS n FROM ${REPEATABLE} GROUP BY ${CONTENT} HAVING count(*) > 1)`,
    rows: `SELECT ${EVENT} FROM ${REPEATABLE}
      QUALIFY id IS NULL AND row_number() OVER (PARTITION BY ${CONTENT} ORDER BY id NULLS LAST) > 1`,
  },
};

/** A cent, in millionths: sources round what they state to less. */
const CENT = 10_000;

function ofLedger(amount: string): Doubt {
  const from = `(SELECT w.wallet, n.condition_id, max(l.last)::BIGINT AS last FROM ledger l JOIN wallets w ON l.wallet = w.id
    JOIN numbered n ON l.market = n.id GROUP BY ALL HAVING sum(${amount}) > ${CENT})`;
  return simple('wallet, condition_id, NULL AS token, last AS ts, NULL AS tx', from);
}

/** Doubts about the wallets and markets of the ledger. */
export const FOLDED: Readonly<Record<string, Doubt>> = {
  'wallet and market with more redeemed than the winning shares that were seen (untracked)': ofLedger('over_redeemed'),
  'wallet and market with less paid than the winning shares that were held (each counts a dollar)':
    ofLedger('short_paid'),
  'wallet with fills whose fee is known and fills whose fee is not (its profit mixes both)': simple(
    'wallet, NULL AS condition_id, NULL AS token, last_ts AS ts, NULL AS tx',
    'wallet_records WHERE feeless BETWEEN 1 AND fills - 1',
  ),
};

/** Doubts about events that are kept aside until another input completes them. */
export const WAITING: Readonly<Record<string, Doubt>> = {
  'fill kept aside: no input tells the time of its block (ingest the blocks, too)': simple(
    EVENT,
    'pending WHERE ts IS NULL AND NOT EXISTS (FROM blocks b WHERE b.block = pending.block)',
  ),
  'fill kept aside: no input has a market of its number (ingest the markets, too)': simple(
    EVENT,
    'pending WHERE number IS NOT NULL AND number NOT IN (SELECT m.number FROM market_numbers m)',
  ),
};

/** Counts doubts by reason. */
export async function countDoubts(
  db: Database,
  doubts: Readonly<Record<string, Doubt>>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [reason, doubt] of Object.entries(doubts)) {
    const [row] = await db.rows<{ n: bigint }>(doubt.count);
    if (row && row.n > 0n) counts[reason] = Number(row.n);
  }
  return counts;
}

/** A doubtful event or market; fields that it lacks are null. */
interface DoubtfulEvent {
  reason: string;
  wallet: string | null;
  condition_id: string | null;
  token: string | null;
  /** Unix seconds. */
  time: number | null;
  transaction: string | null;
}

/**
 * The rows behind some doubts, sorted by their content.
 *
 * @param reasons The reasons to give rows for. Unknown ones have none.
 * @param each The most rows for each reason. Default all.
 */
export async function* doubtfulEvents(
  db: Database,
  reasons: readonly string[],
  each?: number,
): AsyncGenerator<DoubtfulEvent> {
  for (const reason of reasons) {
    const doubt = DOUBTS[reason] ?? FOLDED[reason] ?? WAITING[reason];
    if (!doubt) continue;
    yield* db.each<DoubtfulEvent>(`
      SELECT ${quoteText(reason)} AS reason, wallet, condition_id, token, ts::DOUBLE AS time, tx AS transaction
      FROM (${doubt.rows}) ORDER BY ALL ${each === undefined ? '' : `LIMIT ${each}`}`);
  }
}

/** A doubtful row: one of an input, with its file and line, or one of the data as a whole, with its content. */
export type Doubtful = DoubtfulRow | DoubtfulEvent;

/** The number of examples to keep for each reason. */
const EXAMPLES = 3;

const BLOCK = 1 << 16;

/** Collects doubtful rows: a few examples for each reason, and all of them in a file if one is asked for. */
export class DoubtReport {
  readonly #file: WholeFile | undefined;
  readonly #examples = new Map<string, Doubtful[]>();
  #text = '';

  private constructor(file: WholeFile | undefined) {
    this.#file = file;
  }

  /** @param path The JSON lines file to write, if any. @throws {DataError} If it cannot be written. */
  static async open(path: string | undefined): Promise<DoubtReport> {
    return new DoubtReport(path === undefined ? undefined : await openWhole(path));
  }

  /** The number of rows that are of use for each reason; undefined for all. */
  get each(): number | undefined {
    return this.#file ? undefined : EXAMPLES;
  }

  /** Whether more rows of a reason are of use. For examples of what is no doubt, no file is read again. */
  wants(reason: string): boolean {
    if (this.#file) return true;
    return !isOnPurpose(reason) && (this.#examples.get(reason)?.length ?? 0) < EXAMPLES;
  }

  async add(rows: AsyncIterable<Doubtful>): Promise<void> {
    for await (const row of rows) {
      const examples = this.#examples.get(row.reason) ?? [];
      if (examples.length < EXAMPLES) this.#examples.set(row.reason, [...examples, row]);
      if (!this.#file) continue;
      this.#text += `${JSON.stringify(row)}\n`;
      if (this.#text.length > BLOCK) await this.#flush();
    }
  }

  /** The examples by reason. */
  get examples(): ReadonlyMap<string, readonly Doubtful[]> {
    return this.#examples;
  }

  /** Completes the file and puts it in its place. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#file?.finish();
  }

  /** Removes the file unless it is finished. */
  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#file?.write(text);
  }
}

type Counts = Readonly<Record<string, number>>;

/**
 * Refuses data with doubtful rows. What is left out on purpose, such as income, is no doubt.
 *
 * @param counts Numbers of doubtful rows by reason, for each input and for the data as a whole.
 * @throws {InputError} If there is a doubtful row.
 */
export function refuseDoubts(counts: readonly Counts[]): void {
  const sums = new Map<string, number>();
  for (const [reason, n] of counts.flatMap((each) => Object.entries(each))) {
    if (!isOnPurpose(reason)) sums.set(reason, (sums.get(reason) ?? 0) + n);
  }
  if (sums.size === 0) return;
  const list = [...sums].map(([reason, n]) => `  ${n.toLocaleString('en-US')}: ${reason}`);
  throw new InputError(
    `Doubtful rows, and --strict refuses them: nothing was changed.\n${list.join('\n')}\n` +
      'Mend the inputs, or leave --strict out; --report FILE lists each row.',
  );
}

/** The number of doubts about the data as a whole, by reason, that the previous version did not have. */
export function newDoubts(doubtful: Counts, before: Counts = {}): Counts {
  const grown = Object.entries(doubtful).map(([reason, n]): [string, number] => [
    reason,
    n - (reason === DROPPED ? 0 : (before[reason] ?? 0)),
  ]);
  return Object.fromEntries(grown.filter(([, n]) => n > 0));
}

/** A row of an input that was left out. */
export interface DoubtfulRow {
  file: string;
  /** The line on which it begins, from 1; absent in Parquet, and if another record begins on the same line. */
  line?: number;
  /** Its number among the file's records, from 1. */
  record: number;
  reason: string;
}

/** The only doubt about rows that a version does not keep: it counts those of one ingest, not those of all before. */
export const DROPPED = 'event with the id of another one (dropped: one of them stays)';
