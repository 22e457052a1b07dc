import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import { connect, type PnlRecord } from '../../../src/client/connect.js';
import { PNL_COLUMNS } from '../../../src/contract/pnl.js';
import { readCsv } from '../../../src/frame/files/read-csv.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import type { DataFrame } from '../../../src/frame/tabular/data-frame.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { faultServer, sendPage } from '../fault-server.js';
import { type Paged, pagedServer, pnlRecord } from '../paged-server.js';

const wallet = walletOf(1);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A service whose every third record is the one before it once more. */
const doubling = (records: number): Paged => ({
  records,
  change: (page, { params, pagination: { offset } }) => {
    page.results = page.results.map((_, at) => pnlRecord(offset + at - Math.floor((offset + at) / 3), params.wallet));
  },
});

/** The numbers that the records of a frame were made from. */
const numbers = (frame: DataFrame<PnlRecord>) => Array.from(column(frame, 'pnl'), (pnl) => Math.round(pnl * 100));

describe('the most records', () => {
  it.each([1, 2, 3, 6, 7, 20, 66])('are %i rows, however many repeats stand between them', async (maxRecords) => {
    const seen = await pagedServer(doubling(100));
    for (const pageSize of [2, 7, 100]) {
      const client = connect({ baseUrl: seen.url, pageSize, onWarning() {} });
      expect(numbers(await client.pnl({ wallet }, { maxRecords }).frame())).toEqual(upTo(maxRecords));
    }
  });

  it('are all there are where there are fewer, over several wallets, and in a replay', async () => {
    const wallets = [walletOf(1), walletOf(2)];
    const seen = await pagedServer(doubling(9));
    const snapshot = join(await temporaryFolder(), 'snapshot');
    for (const options of [{}, { snapshot }, { snapshot, mode: 'replay' as const }]) {
      const client = connect({ baseUrl: seen.url, pageSize: 4, onWarning() {}, ...options });
      for (const [maxRecords, rows] of [
        [6, [0, 1, 2, 3, 4, 5]],
        [8, [0, 1, 2, 3, 4, 5, 6, 0]],
        [50, [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]],
      ] as const) {
        const frame = await client.pnl({ wallet: wallets }, { maxRecords }).frame();
        expect(numbers(frame)).toEqual(rows);
      }
    }
  });

  it('of a service that sends one record for ever are an error', async () => {
    const { url } = await faultServer(({ pagination: { limit, offset } }, response) =>
      sendPage(
        response,
        upTo(limit).map(() => pnlRecord(0)),
        true,
        offset,
      ),
    );
    const query = connect({ baseUrl: url, pageSize: 2 }).pnl({ wallet }, { maxRecords: 2 });
    await expect(query.frame()).rejects.toThrow(
      new AnswerError('Dataset 569 sent only records that came before at offset 2, yet says that there is more.'),
    );
  });
});

describe('a wallet that is written in capitals and in lower case', () => {
  const address = `0x${'aB'.repeat(20)}`;
  const small = address.toLowerCase();
  const wallets = [address, small, address, small];
  const days = [0, 0, 1, 2];
  const serve = () =>
    faultServer(({ agent_id: dataset }, response) => {
      const lifetime = { total_trades: 1, avg_trade_size: 1, avg_pnl_per_trade: 1, total_invested: 1, total_pnl: 1 };
      const rows = days.map((day, at) => pnlRecord(day, wallets[at]));
      const total = { proxy_wallet: small, ...lifetime, roi_pct: 1, last_updated: null };
      sendPage(response, dataset === 569 ? rows : [total], false);
    });

  it('is one, by whichever way its records come out', async () => {
    const { url } = await serve();
    const warnings: string[] = [];
    const snapshot = join(await temporaryFolder(), 'snapshot');
    for (const options of [{}, { snapshot }, { snapshot, mode: 'replay' as const }]) {
      const client = connect({ baseUrl: url, onWarning: (text) => warnings.push(text), ...options });
      const query = client.pnl({ wallet: address });
      const frame = await query.frame();
      expect(column(frame, 'proxy_wallet')).toEqual([small, small, small]);
      const records: PnlRecord[] = [];
      for await (const record of query.records()) records.push(record);
      expect(records).toEqual(recordsOf(frame));
      expect(await query.count()).toBe(3);
      const file = join(await temporaryFolder(), 'pnl.csv');
      await query.toCsv(file);
      expect(recordsOf(await readCsv(file, { columns: PNL_COLUMNS }))).toEqual(recordsOf(frame));
      const total = await client.lifetime({ wallet: address }).frame();
      expect(joinOn(frame, total, 'proxy_wallet', { kind: 'inner' }).shape[0]).toBe(3);
    }
    expect(new Set(warnings)).toEqual(new Set(['Dataset 569 repeated 1 record on the same page; they were dropped.']));
  });
});

describe('a service that goes round in circles', () => {
  const circling = () =>
    faultServer(({ pagination: { offset } }, response) => sendPage(response, [{ a: offset % 2 }], true, offset));

  it('is noticed where no key tells what came before', async () => {
    const { url, asked } = await circling();
    const client = connect({ baseUrl: url, concurrency: 1 });
    const message = 'Dataset 999 sent only records that came before at offset 2, yet says that there is more.';
    await expect(client.dataset(999).frame()).rejects.toThrow(new AnswerError(message));
    await expect(client.dataset(999).count()).rejects.toThrow(new AnswerError(message));
    expect(asked).toHaveLength(6);
  });
});

describe('an offset that is told wrongly', () => {
  it('is not believed where new records come, with one warning', async () => {
    const seen = await pagedServer({
      records: 35,
      change: ({ pagination }) => Object.assign(pagination, { offset: 0 }),
    });
    const warnings: string[] = [];
    const client = connect({ baseUrl: seen.url, pageSize: 10, onWarning: (text) => warnings.push(text) });
    expect(numbers(await client.pnl({ wallet }).frame())).toEqual(upTo(35));
    expect(warnings).toEqual([
      'Dataset 569 was asked for offset 10 and answered for offset 0; what came twice is dropped.',
    ]);
    await expect(client.dataset(999).frame()).rejects.toThrow('it seems to ignore the offset');
  });
});
