import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { loadRaw, namesOf, STAGED } from '../../../src/service/ingest/load-raw.js';
import { KIND } from '../../../src/service/ledger/event.js';
import { Database } from '../../../src/service/store/database.js';
import fc, { cases } from '../../support/fast-check.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, txOf, walletOf } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { tablesOf } from './tables-of.js';

/** One event as it happened. */
interface Happened {
  kind: number;
  wallet: number;
  token: number;
  time: number;
  shares: number;
  usd: number;
  fee: number;
  tx: number;
}

const happened = fc.record({
  kind: fc.constantFrom(KIND.buy, KIND.buy, KIND.sell, KIND.split, KIND.income),
  wallet: fc.nat(1),
  token: fc.nat(1),
  time: fc.nat(3),
  shares: fc.integer({ min: 1, max: 2 }),
  usd: fc.integer({ min: 1, max: 2 }),
  fee: fc.nat(1),
  tx: fc.nat(1),
});

/** What a source tells of an event: `activity` all, `trades` fills without fees, `pma` fills with an id. */
type Form = 'activity' | 'trades' | 'pma';

const isFill = ({ kind }: Happened) => kind === KIND.buy || kind === KIND.sell;

/** An event as a download tells it, as SQL values by column; undefined if it does not. */
function told(event: Happened, n: number, form: Form): Record<string, string> | undefined {
  const { kind, wallet, token, time, shares, usd, fee, tx } = event;
  if (form !== 'activity' && !isFill(event)) return undefined;
  const isIncome = kind === KIND.income;
  return {
    kind: String(kind),
    wallet: quoteText(walletOf(wallet)),
    ...(isIncome ? {} : { shares: String(shares), condition_id: form === 'pma' ? 'NULL' : quoteText(conditionOf(1)) }),
    ...(isFill(event) ? { token: quoteText(tokenOf(1, token as 0 | 1)) } : {}),
    ts: String(time),
    usd: String(form === 'trades' ? usd : usd + fee),
    tx: quoteText(txOf(tx * 10 + time)),
    ...(form === 'pma' ? { id: `md5('${n}')::UUID` } : {}),
    ...(isFill(event) ? { fee: form === 'trades' ? '0' : '1' } : {}),
  };
}

const columns = STAGED.events.map(({ name, type }) => ({ name, type }));

async function write(db: Database, file: string, rows: readonly Record<string, string>[]): Promise<string> {
  const values = rows.map((row) => `(${columns.map(({ name }) => row[name] ?? 'NULL').join()})`).join();
  const typed = columns.map(({ name, type }) => `${name}::${type} AS ${name}`).join();
  await db.run(`COPY (SELECT ${typed}, NULL::VARCHAR AS reason FROM (VALUES ${values}) v(${namesOf(columns)}))
    TO ${quoteText(file)} (FORMAT parquet)`);
  return file;
}

const SEEN = 'kind, wallet, token, ts, shares, usd, tx, fee, id';

/** Loads downloads one batch after the other, each on top of the one before, and gives the events at the end. */
async function loaded(batches: readonly (readonly Record<string, string>[])[][]): Promise<unknown[]> {
  const folder = await temporaryFolder();
  let previous: string | undefined;
  let rows: unknown[] = [];
  for (const [n, batch] of batches.entries()) {
    const path = join(folder, `${n}.duckdb`);
    const db = await Database.open(path);
    const events: string[] = [];
    for (const download of batch) {
      if (download.length > 0) events.push(await write(db, join(folder, `${n}-${events.length}.parquet`), download));
    }
    await loadRaw(db, previous, { markets: [], events, blocks: [] }, { repeatsAtOnce: 7 });
    rows = await db.rows(`SELECT ${SEEN} FROM events ORDER BY ALL`);
    await db.run('CHECKPOINT');
    db.close();
    previous = path;
  }
  return rows;
}

it('count once, in any cover of a history, in any order and over any ingests', async () => {
  const download = fc.record({
    form: fc.constantFrom<Form>('activity', 'activity', 'trades', 'pma'),
    /** Bits of the seconds that it holds whole. */
    moments: fc.integer({ min: 1, max: 15 }),
    batch: fc.nat(2),
  });
  const downloads = fc.array(download, { minLength: 1, maxLength: 5 });
  const history = fc.array(happened, { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(history, downloads, async (events, all) => {
      const holds = ({ moments }: { moments: number }, { time }: Happened) => ((moments >> time) & 1) === 1;
      const rowsOf = (part: (typeof all)[number]) =>
        events.flatMap((event, n) => (holds(part, event) ? (told(event, n, part.form) ?? []) : []));
      const batches = [0, 1, 2].map((batch) => all.filter((part) => part.batch === batch).map(rowsOf));
      // Of the forms that tell an event, the one that says most.
      const right = events.flatMap((event, n) => {
        const forms = (['pma', 'activity', 'trades'] as const).filter((form) =>
          all.some((part) => part.form === form && holds(part, event)),
        );
        return forms.flatMap((form) => told(event, n, form) ?? []).slice(0, 1);
      });
      expect(await loaded(batches.filter((batch) => batch.length > 0))).toEqual(await loaded([[right]]));
    }),
    { numRuns: cases(120) },
  );
});
