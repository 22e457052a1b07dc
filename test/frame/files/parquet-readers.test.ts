import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, test } from 'vitest';
import { PNL_COLUMNS } from '../../../src/contract/pnl.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { writeParquet } from '../../../src/frame/files/parquet.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RECORDS = Array.from({ length: 5000 }, (_, row) => ({
  date: new Date(Date.UTC(2025, 0, 1 + (row % 300))).toISOString().replace('.000', ''),
  proxy_wallet: `0x${(row % 7).toString(16).padStart(40, '0')}`,
  invested: `${row}.25`,
  pnl: `${row % 2 ? '-' : ''}${row}.000001`,
  trades: row,
  wins: row % 3,
  losses: row % 5,
  win_rate: '33.333333',
}));

async function written(compression: 'zstd' | 'snappy'): Promise<string> {
  const path = join(await temporaryFolder(), 'pnl.parquet');
  await writeParquet(frameFromRecords(PNL_COLUMNS, RECORDS), path, { compression });
  return path;
}

describe.each(['zstd', 'snappy'] as const)('a %s file', (compression) => {
  test('is read equal by a reader that shares nothing with the writer', async () => {
    const bytes = readFileSync(await written(compression));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows).toHaveLength(RECORDS.length);
    expect(rows).toEqual(
      RECORDS.map((record) => ({
        ...record,
        date: new Date(record.date),
        invested: Number(record.invested),
        pnl: Number(record.pnl),
        win_rate: 33.333333,
      })),
    );
  });
});
