import { KIND } from '../ledger/event.js';
import type { Database } from '../store/database.js';

/** Numbers of the downloads that the records of an earlier version count as; those of the inputs follow. */
export const HELD = { events: 0, timeless: 1, numbered: 2, inputs: 3 } as const;

/** How many events were dropped because another one stands for them, by reason. */
export type Merged = Record<string, number>;

const REASONS: Readonly<Record<number, string>> = {
  0: 'event that more than one download holds (counted once)',
  1: 'fill that also comes with its fee (the one with the fee stays)',
  2: 'fill that also comes with an id (the one with the id stays)',
  3: 'fill whose dollars differ between downloads (the one with the larger fee stays)',
};

/** Marks a row that stays and that another download than its fetch states, too: it does not leave with that fetch. */
const FREED = -1;

/**
 * SQL for what makes two rows the same fill or other event, besides dollars. The transaction tells the time and the
 * token the market, where they are known, and not all formats state both.
 */
const EVENT = ['kind', 'wallet', 'coalesce(token, condition_id)', 'coalesce(tx, ts::VARCHAR)', 'shares'];

/** The same where the time or the token is not known yet. */
const PENDING = [...EVENT, 'ts', 'block', 'number', 'side'];

/**
 * Classes of rows, by which of two that tell the same stays: 0 without an id, 1 without an id and perhaps without the
 * fee, 2 with an id, 3 with an id and perhaps without the fee.
 */
const CLASS = `((id IS NOT NULL)::TINYINT * 2 + coalesce(fee = 0, false)::TINYINT)::TINYINT`;

/**
 * Rows that say more stay: of the market's id, then of what they were completed from. Before all, of equal dollars, those
 * that were seen to hold no fee: it may still be added.
 */
const PREFERENCE = `((condition_id IS NULL)::TINYINT + 2 * (number IS NOT NULL)::TINYINT + 4 * (block IS NOT NULL)::TINYINT
  + 8 * coalesce(fee = 1, false)::TINYINT)::TINYINT`;

/**
 * What else tells rows of a class apart: dollars and time, but only the time of fills whose transaction is known. Of
 * these, one source states dollars with the fee, another without it or with other last digits.
 */
const APART = `CASE WHEN kind IN (${KIND.buy}, ${KIND.sell}) AND tx IS NOT NULL THEN hash(ts) ELSE hash(usd, ts) END`;

/** The dollars of a fill, the least where its fee is the largest: a fee is added to a buy and taken from a sale. */
const COST = `CASE kind WHEN ${KIND.buy} THEN -usd WHEN ${KIND.sell} THEN usd ELSE 0 END`;

/**
 * Lets overlapping downloads count once. Of equal rows without an id, as many stay as the download with most of them
 * holds, since equal rows within one download are events of their own. The previous version is a download, too: it holds
 * what all before it held. Fills of one transaction that differ in dollars alone are compared in the order of these: the
 * first of each download is the same fill, and stays where its fee is the largest, then the second, and so on. Whichever
 * of several downloads states all fees is left as it is by the others, since leaving fees out keeps that order, and the
 * order of ingests does not matter. A fill that comes with its fee stands for one without, and one with an id for one
 * without; of the others, only those stay that a download holds beyond these.
 *
 * Of the rows that stay, as many are of no fetch as other downloads hold: see `origins` of the raw records.
 *
 * Rows are compared by hashes of 128 bits: texts would not fit in memory. Only wallets that several downloads know are
 * looked at.
 *
 * @param table A table with a column `download` and no two rows of the same id.
 * @param atOnce How many rows to delete from at a time.
 */
export async function countOnce(db: Database, table: 'events' | 'pending', atOnce: number): Promise<Merged> {
  await db.run(`
    CREATE TEMP TABLE twice AS SELECT hash(wallet) AS wallet FROM ${table} GROUP BY ALL
      HAVING min(download) <> max(download) AND count(id) < count(*)`);
  const [wallets] = await db.rows<{ n: bigint }>('SELECT count(*) AS n FROM twice');
  try {
    return wallets?.n ? await dropSame(db, table, atOnce) : {};
  } finally {
    await db.run('DROP TABLE twice');
  }
}

async function dropSame(db: Database, table: 'events' | 'pending', atOnce: number): Promise<Merged> {
  const same = table === 'events' ? EVENT : PENDING;
  // A row with an id is told by it. Another one can be the same only where the transaction is known.
  await db.run(`
    CREATE TEMP TABLE keys AS SELECT rowid AS place, download, origin IS NOT NULL AS is_fetched, hash(${same.join()}) AS a, hash(${same.toReversed().join()}) AS b,
        ${APART} AS apart, ${COST} AS cost, ${CLASS} AS class, ${PREFERENCE} AS preference, price
      FROM ${table} WHERE hash(wallet) IN (FROM twice) AND (id IS NULL OR tx IS NOT NULL);
    CREATE TEMP TABLE same AS
      SELECT place, CASE WHEN rank = 1 THEN ${FREED} WHEN best = cost THEN 0 ELSE 3 END::TINYINT AS why FROM (
        SELECT *, row_number() OVER alike AS rank, first_value(cost) OVER alike AS best,
          bool_and(is_fetched) OVER (PARTITION BY a, b, apart, class, nth) AS all_fetched
        FROM (
          SELECT *, row_number() OVER (PARTITION BY a, b, apart, class, download ORDER BY cost, is_fetched, preference, price, place) AS nth
          FROM keys WHERE class < 2)
        WINDOW alike AS (PARTITION BY a, b, apart, class, nth ORDER BY cost, preference, price, place))
      WHERE rank > 1 OR (is_fetched AND NOT all_fetched);
    UPDATE ${table} SET origin = NULL WHERE rowid IN (SELECT place FROM same WHERE why = ${FREED});
    DELETE FROM same WHERE why = ${FREED}`);
  const [differing] = await db.rows<{ n: bigint }>('SELECT count(*) AS n FROM same WHERE why = 3');
  if (differing?.n) await db.run(EQUAL);
  if (table === 'events') await db.run(DOUBLED);
  const counts = await db.rows<{ why: number; n: bigint }>(
    'SELECT why, count(*) AS n FROM same GROUP BY ALL ORDER BY why',
  );
  await deleteRows(db, table, 'same', atOnce);
  await db.run('DROP TABLE same; DROP TABLE keys');
  return Object.fromEntries(counts.map(({ why, n }) => [REASONS[why] ?? '', Number(n)]));
}

/** Tells those fills whose dollars a download states that stay: only their places in the order differ. */
const EQUAL = `
  UPDATE same SET why = 0 WHERE why = 3 AND place IN (
    SELECT k.place FROM keys k SEMI JOIN (FROM same WHERE why = 3) USING (place)
      SEMI JOIN (FROM keys ANTI JOIN same USING (place)) USING (a, b, apart, class, cost))`;

/**
 * Finds fills that come with and without a fee or an id. Each download shows how many there are at least, which is what
 * must remain; those with an id all do. A row goes first whose dollars are those of one that stands for it.
 */
const DOUBLED = `
  CREATE TEMP TABLE mixed AS SELECT a, b FROM keys GROUP BY ALL HAVING min(class) <> max(class);
  CREATE TEMP TABLE most AS SELECT a, b, max(n) AS n, max(known) AS known FROM (
      SELECT a, b, download, count(*) AS n, count(*) FILTER (class IN (0, 2)) AS known
      FROM keys SEMI JOIN mixed USING (a, b) GROUP BY ALL)
    GROUP BY ALL;
  CREATE TEMP TABLE remaining AS FROM keys SEMI JOIN mixed USING (a, b) ANTI JOIN same USING (place);
  CREATE TEMP TABLE wanted AS
    WITH found AS (
      SELECT a, b, count(*) FILTER (class = 0) AS paid, count(*) FILTER (class = 1) AS unpaid,
        count(*) FILTER (class = 2) AS paid_ids, count(*) FILTER (class = 3) AS unpaid_ids
      FROM remaining GROUP BY ALL),
    kept AS (
      SELECT *, CASE WHEN paid_ids = 0 THEN paid ELSE least(paid, greatest(known - paid_ids, 0)) END AS keep_paid
      FROM found JOIN most USING (a, b))
    SELECT a, b, paid > 0 AS has_fee, keep_paid,
      greatest(least(unpaid, n - keep_paid - paid_ids - unpaid_ids), 0) AS keep_unpaid
    FROM kept WHERE paid + paid_ids + unpaid_ids > 0;
  INSERT INTO same
    SELECT place, CASE WHEN class = 1 AND has_fee THEN 1 ELSE 2 END FROM (
      SELECT *, CASE class WHEN 0 THEN count(*) FILTER (class = 2) OVER (PARTITION BY a, b, apart, cost)
        ELSE count(*) FILTER (class <> 1) OVER (PARTITION BY a, b, apart, cost) END > 0 AS is_told
      FROM remaining) JOIN wanted USING (a, b)
    WHERE class < 2
    QUALIFY row_number() OVER (PARTITION BY a, b, class ORDER BY is_told, apart, cost, preference, price, place)
      > CASE class WHEN 0 THEN keep_paid ELSE keep_unpaid END;
  DROP TABLE wanted; DROP TABLE remaining; DROP TABLE most; DROP TABLE mixed`;

/**
 * Removes rows that repeat the true id of another one (or its id and content), and returns their number. The row that
 * states a fee stays, then one whose fee is known, then the one with the lowest block, then the lowest content, whichever came first.
 *
 * @param columns The columns that make the content.
 */
export async function dropRepeats(
  db: Database,
  table: 'events' | 'pending',
  { by, columns, atOnce }: { by: 'id' | 'id, content'; columns: string; atOnce: number },
): Promise<number> {
  const [fetched] = await db.rows(`SELECT 1 AS n FROM ${table} WHERE origin IS NOT NULL AND id IS NOT NULL LIMIT 1`);
  if (fetched) {
    await db.run(`UPDATE ${table} SET origin = NULL WHERE origin IS NOT NULL AND id IN (
      SELECT id FROM ${table} WHERE origin IS NULL AND id IS NOT NULL)`);
  }
  await db.run(`
    CREATE TEMP TABLE shared AS SELECT id FROM ${table} WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1;
    CREATE TEMP TABLE repeats AS SELECT place FROM (
        SELECT rowid AS place, id, fee, block, price, md5_number(row(${columns})::VARCHAR) AS content
        FROM ${table} WHERE id IN (FROM shared))
      QUALIFY row_number() OVER (PARTITION BY ${by} ORDER BY fee = 1 DESC NULLS LAST, fee DESC NULLS LAST, block, content, price, place) > 1`);
  const dropped = await deleteRows(db, table, 'repeats', atOnce);
  await db.run('DROP TABLE repeats; DROP TABLE shared');
  return dropped;
}

/**
 * Deletes the rows at some places, and returns their number. Rows are removed from the end: when the engine writes to
 * disk it closes the gaps, so that rows behind them get other row ids.
 */
async function deleteRows(db: Database, table: string, places: string, atOnce: number): Promise<number> {
  const parts = await db.rows<{ part: bigint; n: bigint }>(
    `SELECT place // ${atOnce} AS part, count(*) AS n FROM ${places} GROUP BY part ORDER BY part DESC`,
  );
  for (const { part } of parts) {
    await db.run(
      `DELETE FROM ${table} WHERE rowid IN (SELECT place FROM ${places} WHERE place // ${atOnce} = ${part})`,
    );
  }
  return parts.reduce((sum, { n }) => sum + Number(n), 0);
}
