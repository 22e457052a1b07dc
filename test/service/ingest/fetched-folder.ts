import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walletOf } from '../../support/raw-records.js';
import { NEW_YEAR } from '../../support/small-market.js';

/** Writes a folder as `oddslab fetch` leaves it. */
export async function fetched(folder: string, files: Readonly<Record<string, readonly object[]>>, status: object = {}) {
  await mkdir(folder, { recursive: true });
  for (const [name, rows] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await writeFile(join(folder, `${name}.cursor.json`), '{"rows": 1}');
  }
  await writeFile(join(folder, 'fetch.json'), JSON.stringify({ ...STATUS, ...status }));
}

/** What `oddslab fetch` says of a whole record of the first wallet. */
export const STATUS = {
  oddslab_fetch: 1 as const,
  kind: 'wallet',
  target: walletOf(1),
  started: '2026-01-02T00:00:00.000Z',
  ended: '2026-01-02T00:01:00.000Z',
  complete: true,
  until: NEW_YEAR + 100,
  missing: [],
  rows: { activity: 2 },
};
