import { type DayRow, KIND, type LedgerMarket, NO_TX } from '../ledger/event.js';
import { type EventChunk, foldLedger, whatOf } from '../ledger/fold.js';
import { type Position, share } from '../ledger/position.js';
import type { Database } from '../store/database.js';
import { NumberTable } from '../store/number-table.js';
import { countDoubts, DOUBTS } from './doubts.js';
import { RESOLVED_MARKETS } from './resolved-markets.js';
import { thousandth } from './sql-text.js';

/** One row a wallet, market and day, each given by its number; money in micro-USD. */
const COLUMNS = {
  wallet: 'INTEGER',
  market: 'INTEGER',
  day: 'INTEGER',
  invested: 'DOUBLE',
  pnl: 'DOUBLE',
  traded: 'DOUBLE',
  trades: 'INTEGER',
  wins: 'INTEGER',
  losses: 'INTEGER',
  untracked: 'DOUBLE',
  over_redeemed: 'DOUBLE',
  short_paid: 'DOUBLE',
  last: 'DOUBLE',
} as const satisfies Record<'wallet' | keyof DayRow, string>;

/**
 * One row a wallet, market and side with an event, each given by its number: the shares still held in millionths, their
 * cost in micro-USD, `average` in micro-USD a share (NaN where no share was ever held), times in Unix seconds.
 */
const POSITION_COLUMNS = {
  wallet: 'INTEGER',
  market: 'INTEGER',
  side: 'INTEGER',
  shares: 'DOUBLE',
  cost: 'DOUBLE',
  average: 'DOUBLE',
  realized: 'DOUBLE',
  invested: 'DOUBLE',
  opened: 'DOUBLE',
  last: 'DOUBLE',
} as const;

/** The Parquet files that {@link writeLedger} writes. */
export interface LedgerFiles {
  /** Rows by wallet, market and day. */
  readonly days: string;
  /** Rows by wallet, market and side. */
  readonly positions: string;
}

/**
 * Folds a table of events into Parquet files of rows by wallet, market and day, and of positions. Rows come in the order
 * of wallets.
 *
 * @param events The name of a table for {@link sortedEvents}.
 * @returns The number of events that were folded.
 * @throws An error of the system if the file cannot be written.
 */
export async function writeLedger(
  db: Database,
  events: string,
  markets: readonly LedgerMarket[],
  files: LedgerFiles,
): Promise<number> {
  const table = await NumberTable.create(files.days, COLUMNS);
  const positions = await NumberTable.create(files.positions, POSITION_COLUMNS).catch(async (error) => {
    await table.close();
    throw error;
  });
  async function* paced() {
    for await (const chunk of sortedEvents(db, events)) {
      await table.hasRoom();
      await positions.hasRoom();
      yield chunk;
    }
  }
  try {
    const folded = await foldLedger(paced(), markets, (wallet, rows, holdings) => {
      for (const row of rows) put(table, wallet, row);
      for (const { market, sides, settled } of holdings) {
        putPosition(positions, [wallet, market, 0], sides[0], settled);
        putPosition(positions, [wallet, market, 1], sides[1], settled);
      }
    });
    await table.finish();
    await positions.finish();
    return folded;
  } finally {
    await table.close();
    await positions.close();
  }
}

/** Adds a position that had an event. Shares of a market that is settled were paid: none are held any more. */
function putPosition(
  table: NumberTable<typeof POSITION_COLUMNS>,
  [wallet, market, side]: readonly [number, number, 0 | 1],
  position: Position,
  isSettled: boolean,
): void {
  if (position.opened === Number.POSITIVE_INFINITY) return;
  const at = table.next();
  const { columns } = table;
  const isHeld = !isSettled && position.shares !== 0;
  const [shares, cost] = isHeld ? [position.shares, position.cost] : [position.lastShares, position.lastCost];
  columns.wallet[at] = wallet;
  columns.market[at] = market;
  columns.side[at] = side;
  columns.shares[at] = isHeld ? shares : 0;
  columns.cost[at] = isHeld ? cost : 0;
  columns.average[at] = shares === 0 ? Number.NaN : share(cost, SHARE, shares);
  columns.realized[at] = position.realized;
  columns.invested[at] = position.invested;
  columns.opened[at] = position.opened;
  columns.last[at] = position.last;
}

/** One share, in millionths. */
const SHARE = 1_000_000;

function put(table: NumberTable<typeof COLUMNS>, wallet: number, row: DayRow): void {
  const at = table.next();
  const { columns } = table;
  columns.wallet[at] = wallet;
  columns.market[at] = row.market;
  columns.day[at] = row.day;
  columns.invested[at] = row.invested;
  columns.pnl[at] = row.pnl;
  columns.traded[at] = row.traded;
  columns.trades[at] = row.trades;
  columns.wins[at] = row.wins;
  columns.losses[at] = row.losses;
  columns.untracked[at] = row.untracked;
  columns.over_redeemed[at] = row.over_redeemed;
  columns.short_paid[at] = row.short_paid;
  columns.last[at] = row.last;
}

/** Events that are sorted at a time: few enough to fit the engine's memory twice. */
const PART_EVENTS = 1_000_000;

/** The most parts: each one reads the whole column of wallets, which would take noticeable time with more. */
const MOST_PARTS = 64;

/** The number of ranges of wallets whose events are counted together. */
const RANGES = 10_000;

/**
 * The events of a table in the order in which the ledger folds them: by wallet, part by part. While one part is folded
 * here, the engine's threads sort the next.
 *
 * @param table A table with wallet, grp, market, side, kind and tx as INTEGER, and ts, shares and usd as DOUBLE, none
 *   of them null. It must not be temporary.
 */
async function* sortedEvents(db: Database, table: string): AsyncGenerator<EventChunk> {
  const parts = await partsOf(db, table);
  const begin = ({ from, to }: Part) => {
    const begun = db.numbers(
      `SELECT wallet, grp, ${whatOf('market', 'side', 'kind')} AS what, ts, shares, usd, tx FROM ${table}
      WHERE wallet >= ${from} AND wallet < ${to} ORDER BY wallet, grp, ts`,
    );
    // It is awaited only after the previous part; until then a failure must not crash the process.
    begun.catch(() => {});
    return begun;
  };
  let next = parts[0] && begin(parts[0]);
  for (let at = 1; next; at++) {
    const chunks = await next;
    const part = parts[at];
    next = part && begin(part);
    yield* chunks as unknown as AsyncGenerator<EventChunk>;
  }
}

/** Wallets whose events are sorted together. */
interface Part {
  from: number;
  to: number;
  events: number;
}

/** Splits the wallets into parts of about the same number of events; a range with more events is a part of its own. */
async function partsOf(db: Database, table: string): Promise<Part[]> {
  const counts = await db.rows<{ from: number; to: number; events: number }>(`
    SELECT min(wallet) AS "from", max(wallet) + 1 AS "to", count(*)::DOUBLE AS events
    FROM ${table} GROUP BY wallet // greatest(1, (SELECT max(wallet) FROM ${table}) // ${RANGES}) ORDER BY 1`);
  const all = counts.reduce((sum, { events }) => sum + events, 0);
  const size = Math.max(PART_EVENTS, all / MOST_PARTS);
  const parts: Part[] = [];
  for (const { from, to, events } of counts) {
    const last = parts.at(-1);
    if (last && last.events + events <= size) [last.to, last.events] = [to, last.events + events];
    else parts.push({ from, to, events });
  }
  return parts;
}

/**
 * Numbers wallets, tokens and markets and finds the market and side of each event. It makes the view `ledger_events`, which the
 * fold reads, and the tables `numbered` of markets and `successors` of those to which positions are carried over.
 *
 * @returns The number of doubts by reason. Events without a side are left out of the ledger.
 */
export async function resolveEvents(db: Database): Promise<Record<string, number>> {
  await db.run(TOKEN_SIDES);
  await db.run(GROUPS);
  await db.run(RESOLVED_EVENTS);
  await db.run(NUMBERS);
  await db.run(LEDGER_EVENTS);
  return countDoubts(db, DOUBTS);
}

/**
 * The market and side of each token. Those of known markets come from their records, then those of records of tokens:
 * a migrated market has two for each side. Sides of unknown markets are numbered in token order, since the ledger
 * treats both alike. Windows find the first row of a token, because GROUP BY would hold texts that the engine cannot
 * spill to disk.
 */
const TOKEN_SIDES = `
  CREATE OR REPLACE TEMP TABLE sides AS
    SELECT token, condition_id, side FROM (
      SELECT token_a AS token, condition_id, 0 AS side FROM markets
      UNION ALL SELECT token_b, condition_id, 1 FROM markets)
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id, side) = 1;
  INSERT INTO sides
    SELECT token, condition_id, side FROM tokens WHERE side IN (0, 1) AND token NOT IN (SELECT token FROM sides)
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id, side) = 1;
  INSERT INTO sides
    SELECT token, condition_id, row_number() OVER (PARTITION BY condition_id ORDER BY token) - 1 FROM (
      FROM (SELECT DISTINCT token, condition_id FROM events
        WHERE token IS NOT NULL AND condition_id IS NOT NULL
          AND condition_id NOT IN (SELECT condition_id FROM markets)
          AND condition_id NOT IN (SELECT condition_id FROM tokens)
          AND token NOT IN (SELECT token FROM sides))
      QUALIFY row_number() OVER (PARTITION BY token ORDER BY condition_id) = 1)
    QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY token) <= 2;
  CREATE OR REPLACE TEMP TABLE sides AS
    SELECT *, (row_number() OVER (ORDER BY condition_id, side, token) - 1)::INTEGER AS id FROM sides`;

/**
 * `migrated`: the market to whose tokens those of another are carried over: itself if its records name two tokens for
 * a side, else the only other one of the same question. A later protocol's condition ids have 31 bytes, which tells
 * which of the two comes later. `exclusive`: markets of which only one can come true, by a group: that of their records,
 * else that of records of tokens. The markets of an event that migrated are two groups.
 */
const GROUPS = `
  CREATE OR REPLACE TEMP TABLE migrated AS
    SELECT condition_id, condition_id AS next FROM sides WHERE condition_id IN (SELECT condition_id FROM tokens)
      GROUP BY condition_id HAVING count(*) > 2
    UNION ALL SELECT ids[1], ids[2] FROM (
      SELECT list(DISTINCT condition_id ORDER BY condition_id LIKE '%00', condition_id) AS ids FROM tokens
      WHERE event_id IS NOT NULL GROUP BY event_id, question_index)
    WHERE len(ids) = 2 AND ids[1] NOT LIKE '%00' AND ids[2] LIKE '%00';
  CREATE OR REPLACE TEMP TABLE exclusive AS
    SELECT condition_id, neg_risk_id AS grp FROM markets WHERE neg_risk_id IS NOT NULL;
  INSERT INTO exclusive
    WITH questions AS (
      SELECT DISTINCT t.condition_id, t.event_id, m.condition_id IS NOT NULL AS is_later
      FROM tokens t LEFT JOIN migrated m ON t.condition_id = m.next AND m.condition_id <> m.next
      WHERE t.neg_risk AND t.event_id IS NOT NULL),
    known AS (
      SELECT q.event_id, q.is_later, min(x.grp) AS grp FROM questions q JOIN exclusive x ON q.condition_id = x.condition_id
      GROUP BY ALL)
    SELECT q.condition_id, min(coalesce(k.grp, concat('event ', q.event_id, CASE WHEN q.is_later THEN ' later' END)))
    FROM questions q LEFT JOIN known k ON q.event_id = k.event_id AND q.is_later = k.is_later
    WHERE q.condition_id NOT IN (SELECT condition_id FROM exclusive) GROUP BY 1`;

/**
 * A conversion names the NO token that left, or only the condition of its question. Income has no market. It is not
 * filtered out: of the filtered events, the engine would choose joins that take half as much memory again.
 */
const RESOLVED_EVENTS = `
  CREATE OR REPLACE TEMP VIEW resolved AS
    SELECT e.* EXCLUDE (condition_id, block, number, side),
      CASE WHEN e.token IS NULL THEN e.condition_id ELSE s.condition_id END AS market_id,
      e.condition_id AS stated_id, s.id AS token_number,
      CASE
        WHEN e.kind = ${KIND.conversion} THEN CASE WHEN coalesce(s.side, 1) = 1
          AND CASE WHEN e.token IS NULL THEN e.condition_id ELSE s.condition_id END IN (SELECT condition_id FROM exclusive) THEN 1 END
        WHEN e.token IS NULL OR e.kind IN (0, 4, 6) THEN -1
        ELSE s.side
      END AS side
    FROM events e LEFT JOIN sides s ON e.token = s.token`;

/**
 * When a market without a stated close time closes: at its end date, but neither after its record was made (now if that
 * does not tell when) nor after somebody redeemed, and never before its last event otherwise. Without an end date, at
 * that event.
 */
const GUESSED_CLOSE = `coalesce(greatest(s.last, c.last, CASE
  WHEN m.close_ms IS NOT NULL AND (m.updated_ms > 0 OR ${thousandth('m.close_ms')} <= epoch(now())) THEN
    least(${thousandth('m.close_ms')}, CASE WHEN m.updated_ms > 0 THEN ${thousandth('m.updated_ms')} END, s.redeemed)
  END), s.redeemed)`;

/**
 * Numbers for wallets, conversions and markets. A conversion concerns every market of its group: where no NO shares
 * leave, YES shares arrive. Markets that are folded together share a `grp`: those that exclude each other, and those
 * to which their positions are carried over, which are `later`. `fees` has the schedules of markets;
 * `is_sure` where it is certain what each fill paid: because makers pay as takers do, or because nobody pays.
 */
const NUMBERS = `
  CREATE OR REPLACE TEMP TABLE wallets AS
    SELECT wallet, (row_number() OVER (ORDER BY wallet) - 1)::INTEGER AS id FROM (SELECT DISTINCT wallet FROM events);
  CREATE OR REPLACE TEMP TABLE conversions AS
    SELECT tx, (row_number() OVER (ORDER BY tx) - 1)::INTEGER AS id
    FROM (SELECT DISTINCT tx FROM events WHERE kind = ${KIND.conversion} AND tx IS NOT NULL);
  CREATE OR REPLACE TEMP TABLE numbered AS
    WITH seen AS (
      SELECT condition_id, max(CASE WHEN kind <> ${KIND.redeem} THEN ts END) AS last,
        min(CASE WHEN kind = ${KIND.redeem} THEN ts END) AS redeemed
      FROM (SELECT market_id AS condition_id, ts, kind FROM resolved WHERE market_id IS NOT NULL
        UNION ALL SELECT condition_id, NULL, NULL FROM tokens WHERE condition_id IS NOT NULL) GROUP BY 1),
    converted AS (
      SELECT x.grp, max(r.ts) AS last FROM resolved r JOIN exclusive x ON r.market_id = x.condition_id
      WHERE r.kind = ${KIND.conversion} AND r.side IS NOT NULL GROUP BY 1),
    merged AS (
      SELECT coalesce(y.grp, g.next) AS grp, min(coalesce(x.grp, g.condition_id)) AS into_grp
      FROM migrated g LEFT JOIN exclusive x ON g.condition_id = x.condition_id LEFT JOIN exclusive y ON g.next = y.condition_id
      WHERE g.condition_id <> g.next GROUP BY 1),
    every AS (
      SELECT coalesce(m.condition_id, s.condition_id) AS condition_id,
        coalesce(x.grp, m.condition_id, s.condition_id) AS own_grp,
        coalesce(m.winner, r.winner) AS winner,
        CASE WHEN m.winner IS NULL THEN ${thousandth('r.resolved_ms')}
          WHEN m.end_close IS NOT TRUE AND m.close_ms IS NOT NULL THEN ${thousandth('m.close_ms')}
          ELSE ${GUESSED_CLOSE} END AS close_ts,
        m.condition_id IS NOT NULL AS known
      FROM markets m FULL JOIN seen s ON m.condition_id = s.condition_id
        LEFT JOIN exclusive x ON coalesce(m.condition_id, s.condition_id) = x.condition_id
        LEFT JOIN converted c ON x.grp = c.grp
        LEFT JOIN (FROM ${RESOLVED_MARKETS} WHERE condition_id IN (SELECT condition_id FROM tokens)) r
          ON m.condition_id IS NULL AND s.condition_id = r.condition_id)
    SELECT (row_number() OVER (ORDER BY condition_id) - 1)::INTEGER AS id,
      (dense_rank() OVER (ORDER BY coalesce(into_grp, own_grp)) - 1)::INTEGER AS grp, into_grp IS NOT NULL AS later,
      condition_id, winner::INTEGER AS winner,
      CASE WHEN winner IS NOT NULL THEN close_ts::DOUBLE END AS close_ts, known
    FROM every LEFT JOIN merged ON own_grp = merged.grp ORDER BY id;
  CREATE OR REPLACE TEMP TABLE fees AS
    SELECT n.id, m.fee_rate AS rate, m.fee_exponent AS exponent,
      m.fee_rate = 0 OR (m.fee_taker_only IS FALSE AND m.fee_exponent IS NOT NULL) AS is_sure
    FROM markets m JOIN numbered n ON m.condition_id = n.condition_id WHERE m.fee_rate >= 0;
  CREATE OR REPLACE TEMP TABLE successors AS
    SELECT n.id, o.id AS successor FROM migrated g
      JOIN numbered n ON g.condition_id = n.condition_id JOIN numbered o ON g.next = o.condition_id`;

/** Whether an event `r` is a fill. */
const IS_FILL = `r.kind IN (${KIND.buy}, ${KIND.sell})`;

/** Millionths of the dollars of a fill `r` by the schedule `f` of its market; 0 where its dollars hold a fee, or that is not certain. */
const FEE = `CASE WHEN ${IS_FILL} AND r.fee <> 1 AND f.is_sure AND f.rate > 0 AND r.shares > 0
  THEN 10 * floor(r.shares / 10 * f.rate * pow(r.usd / r.shares * (1 - r.usd / r.shares), f.exponent) + 1e-6) ELSE 0 END`;

/** What the tables of fills need besides: null where the event is no fill. */
const FILL_COLUMNS = `CASE WHEN ${IS_FILL} THEN r.token_number END AS token,
      CASE WHEN ${IS_FILL} THEN coalesce(r.price, least(1000000, round(1000000 * r.usd / r.shares)))::INTEGER END AS price,
      CASE WHEN ${IS_FILL} THEN r.tx END AS hash`;

/** A migration may name the market that its shares go to; the ledger takes them from where they were. */
const LEDGER_EVENTS = `
  CREATE OR REPLACE TEMP VIEW ledger_events AS
    SELECT w.id AS wallet, n.grp, coalesce(g.id, n.id) AS market, r.side::INTEGER AS side, r.kind::INTEGER AS kind,
      r.ts::DOUBLE AS ts, coalesce(r.shares, 0)::DOUBLE AS shares,
      greatest(0, coalesce(r.usd, 0) + CASE r.kind WHEN ${KIND.buy} THEN 1 ELSE -1 END * ${FEE})::DOUBLE AS usd,
      coalesce(c.id, ${NO_TX})::INTEGER AS tx, ${FILL_COLUMNS}
    FROM resolved r JOIN wallets w ON r.wallet = w.wallet JOIN numbered n ON r.market_id = n.condition_id
      LEFT JOIN fees f ON n.id = f.id
      LEFT JOIN conversions c ON r.kind = ${KIND.conversion} AND r.tx = c.tx
      LEFT JOIN successors g ON r.kind = ${KIND.migration} AND n.id = g.successor AND g.id <> g.successor
    WHERE r.side IS NOT NULL`;
