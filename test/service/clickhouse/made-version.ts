import { join } from 'node:path';
import { draftVersion, publishVersion } from '../../../src/service/folder/current-version.js';
import { SCHEMA } from '../../../src/service/folder/sealed-version.js';
import type { Version } from '../../../src/service/folder/version.js';
import { Database } from '../../../src/service/store/database.js';
import { writeMarketFiles } from '../../../src/service/store/write-market-files.js';
import { writeWalletFiles } from '../../../src/service/store/write-wallet-files.js';
import { LIFETIMES, type MadeSize, makeTables, RECORDS } from '../store/made-tables.js';

/** Texts with characters special to a shell, to SQL or to tab-separated text. */
export const AWKWARD = [
  "it's",
  '"quoted"',
  'back\\slash',
  '\\N',
  "\\'; DROP TABLE oddslab_versions; --",
  '100%_sure',
  'tab\there',
  'line\nbreak\r\n',
  'Ünïcode İstanbul 🎲',
  '\ufeffmarked',
  '',
];

const EDGES = `
  INSERT INTO wallet_days VALUES
    ('0x' || repeat('0', 40), 20000, 9007199254740993, -9007199254740993, 5, 1, 1, 0),
    ('0x' || repeat('0', 39) || '1', -719162, 4000000000000000, -500000000000000, 1, 1, 0, 1),
    ('0x' || repeat('f', 40), 20001, 1000000, 0, 1, 1, 2, 1);
  CREATE TABLE sorted AS SELECT * FROM wallet_days ORDER BY wallet, day;
  DROP TABLE wallet_days; ALTER TABLE sorted RENAME TO wallet_days;
  DROP TABLE lifetimes; CREATE TABLE lifetimes AS ${LIFETIMES};
  DROP TABLE wallet_records; CREATE TABLE wallet_records AS ${RECORDS};
  UPDATE market_rows SET token_b = NULL, outcome_b = NULL WHERE volume % 13 = 1;`;

/**
 * Publishes a version of made tables, a few markets of which have awkward texts.
 *
 * @param shift Added to every wallet's profit, so that versions differ in every record.
 * @param change SQL that is run on the tables last.
 */
export async function publishMade(folder: string, size: MadeSize, shift = 0, change?: string): Promise<Version> {
  const draft = await draftVersion(folder);
  const db = await Database.open(join(draft, 'lab.duckdb'));
  await makeTables(db, size);
  await db.run(EDGES);
  for (const [n, text] of AWKWARD.entries()) {
    await db.run(
      `UPDATE market_rows SET question = $text, slug = $text || 'x', event_slug = $text, outcome_a = $text,
        searched = lower(concat_ws(chr(0), $text || 'x', $text, $text))
      WHERE condition_id IN (SELECT condition_id FROM market_rows ORDER BY condition_id LIMIT 3 OFFSET ${3 * n})`,
      { text },
    );
  }
  if (shift)
    for (const table of ['wallet_days', 'wallet_market_days', 'lifetimes']) {
      await db.run(`UPDATE ${table} SET pnl = pnl + ${shift}`);
    }
  if (shift) await db.run(`UPDATE market_rows SET volume = volume + ${shift}`);
  await writeWalletFiles(db, draft);
  await writeMarketFiles(db, draft);
  if (change !== undefined) await db.run(change);
  await db.run('CHECKPOINT');
  db.close();
  const created = new Date().toISOString();
  return publishVersion(folder, draft, { schema: SCHEMA, created, inputs: [], totals: {}, busiest: [], doubtful: {} });
}
