import { expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { connect } from '../../src/client/connect.js';
import { factsText, readFacts, restoredFrame } from '../../src/frame/files/frame-facts.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { completenessOf } from '../../src/frame/tabular/completeness.js';
import { provenanceOf } from '../../src/frame/tabular/provenance.js';
import { topN } from '../../src/frame/verbs/sort-by.js';
import { walletOf } from '../support/raw-records.js';
import { type PageSent, pagedServer, pnlRecord } from './paged-server.js';

/** A client of a server that sends pages of ten of these records. */
async function opened(records: readonly object[], change: (page: PageSent, offset: number) => void = () => {}) {
  const warnings: string[] = [];
  const seen = await pagedServer({
    records: records.length,
    change: (page, { pagination: { offset } }) => {
      page.results = records.slice(offset, offset + page.results.length);
      change(page, offset);
    },
  });
  return {
    seen,
    client: connect({
      ...{ baseUrl: seen.url, pageSize: 10, retries: 0, progress: false },
      onWarning: (text) => warnings.push(text),
    }),
    warnings,
  };
}

const PLACES = Array.from({ length: 25 }, (_, n) => ({
  ...{ rank: n + 1, address: walletOf(n + 1), total_pnl: 100 - n, roi: null, win_rate: 0.5, sharpe_ratio: null },
  ...{ total_volume: 1000, markets_traded: 3, total_trades: 60 },
}));

it('wallets() gives the addresses of a leaderboard in its order, as many as are asked for', async () => {
  const { client, seen } = await opened(PLACES);
  const addresses = PLACES.map(({ address }) => address);
  expect(await client.wallets()).toEqual(addresses);
  expect(await client.wallets({ by: 'volume', top: 12, minTrades: 50, period: '30d' })).toEqual(addresses.slice(0, 12));
  expect(await client.wallets({ sortBy: 'roi', top: 1 })).toEqual(addresses.slice(0, 1));
  const asked = seen.asked.map(({ agent_id, params }) => ({ agent_id, ...params }));
  expect(asked).toContainEqual({ agent_id: 579, sort_by: 'volume', min_trades: '50', leaderboard_period: '30d' });
  expect(asked.at(-1)).toMatchObject({ sort_by: 'roi' });
  const none = await opened([]);
  expect(await none.client.wallets({ by: 'roi', minPnl: 1e6, minTrades: 5 })).toEqual([]);
  expect(await none.client.wallets()).toEqual([]);
  expect(none.warnings).toEqual([
    'No wallet of the leaderboard passes minPnl 1000000, minTrades 5, so the list is empty.',
    'The leaderboard has no wallet, so the list is empty.',
  ]);
  const luck = 'luck' as 'pnl';
  await expect(client.wallets({ by: luck })).rejects.toThrow(/^by must be one of pnl, .*; got "luck"\.$/);
  await expect(client.wallets({ sortBy: luck })).rejects.toThrow(/^sortBy must be one of/);
});

const WINDOW = { first: '2026-01-02', last: '2026-01-31', wallets: 40, others: 3 };

it('a leaderboard keeps what it covers: its days, all its wallets, and how complete the records of those listed are', async () => {
  const { client, warnings } = await opened(PLACES, (page, offset) => {
    page.window = WINDOW;
    page.completeness = Object.fromEntries(
      PLACES.slice(offset, offset + 10).map(({ address, rank }) => [
        address,
        rank === 12 ? { seen: true, fills: 42, feeless_fills: 3 } : { seen: true },
      ]),
    );
  });
  const frame = await client.leaderboard().frame();
  expect(frame.provenance[0]?.window).toEqual(WINDOW);
  expect(completenessOf(frame)).toHaveLength(25);
  expect(provenanceOf(topN(frame, 3, 'rank'))[0]?.window).toEqual(WINDOW);
  const restored = restoredFrame([], readFacts(factsText(frame, [])));
  expect(provenanceOf(restored)[0]?.window).toEqual(WINDOW);
  expect(warnings).toEqual([
    'Dataset 579 (leaderboard): the record of wallet 0x000000000000000000000000000000000000000c is not complete ' +
      '(3 of 42 fills without fees).',
  ]);
  warnings.length = 0;
  expect(await client.wallets({ top: 11 })).toHaveLength(11);
  expect(warnings).toEqual([]);
  expect(await client.wallets({ top: 12 })).toHaveLength(12);
  expect(warnings).toEqual([
    'Wallets of the leaderboard: 2026-01-02 to 2026-01-31, 12 of 40 wallets, 3 others without anything that counts in ' +
      'these days, 1 record of those listed not complete (completenessOf(await lab.leaderboard(…).frame()) says what they lack).',
  ]);
});

it.each([
  [{ first: '2026-01-32', last: '2026-01-31', wallets: 1, others: 0 }],
  [{ first: '2026-01-01', last: '2026-01-31', wallets: '1', others: 0 }],
  [{ first: '2026-01-01', last: '2026-01-31', wallets: -1, others: 0 }],
  ['2026'],
  [null],
])('a window %j is none', async (window) => {
  const { client } = await opened(PLACES, (page) => Object.assign(page, { window }));
  expect((await client.leaderboard().frame()).provenance[0]).not.toHaveProperty('window');
});

it('a name that the data do not have is told once, with the nearest, and kept with the frame', async () => {
  const unknown = [
    { filter: 'category', value: 'Politcs', nearest: 'Politics\x1b[31m' },
    { filter: 'event_slug', value: 'x' },
  ];
  const { client, warnings } = await opened([], (page) => {
    page.unknown = [...unknown, { filter: 'wallet', value: 'no such filter' }, 'no object'];
  });
  const wallet = [walletOf(1), walletOf(2)];
  const frame = await client.pnl({ wallet, category: 'Politcs', eventSlug: 'x' }).frame();
  expect(frame.provenance.map((query) => query.unknown)).toEqual([unknown, unknown]);
  expect(warnings).toEqual([
    'Dataset 569 (pnl): no market of the data has the category "Politcs"; did you mean "Politics\\u001b[31m"?; ' +
      'no market of the data has the event "x".',
  ]);
});

it('a wallet that no record mentions is told', async () => {
  const { client, warnings } = await opened([], (page) => {
    page.completeness = { [walletOf(1)]: { seen: false } };
  });
  await client.positions({ wallet: walletOf(1) }).frame();
  expect(warnings).toEqual([`Dataset 9001 (positions): no record mentions wallet ${walletOf(1)}.`]);
});

it.each([
  [{ wallet: '0x55…cdef' }, /^wallet must be whole, but "0x55…cdef" is shortened/],
  [{ wallet: walletOf(1), conditionId: ['0x44...4444'] }, /^conditionId must be whole, but "0x44...4444" is shortened/],
])('a shortened id, %j, is refused before anything is asked', async (filters, message) => {
  const { client, seen } = await opened([]);
  await expect(client.pnl(filters).frame()).rejects.toThrow(message);
  expect(seen.asked).toEqual([]);
});

it.each([
  [{ by: 'pnl', sortBy: 'roi' } as const, /by and sortBy are one option/],
  [{ top: 0 }, /top/],
  [{ top: 1.5 }, /top/],
  [{ by: 'luck' } as never, /luck/],
])('wallets(%j) is refused before anything is asked', async (options, message) => {
  const { client, seen } = await opened(PLACES);
  const refused = client.wallets(options);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
  expect(seen.asked).toEqual([]);
});

it('profit by category keeps what has none apart from one called "null", and drops only what is repeated', async () => {
  const group = (n: number, category: string | null) => {
    return { ...pnlRecord(n), condition_id: null, question: null, event_slug: null, category };
  };
  const records = Array.from({ length: 8 }, (_, n) => [group(n, null), group(n, 'null'), group(n, 'Sports')]).flat();
  const { client } = await opened(records, (page, offset) => {
    // The last record of the page before comes again, as when rows shift under a walk.
    if (offset > 0) page.results = [records[offset - 1], ...page.results.slice(1)];
  });
  const frame = await client.pnl({ wallet: walletOf(1), by: 'category' }).frame();
  const kept = records.filter((_, at) => at === 0 || at % 10 !== 0);
  const of = ({ date, category }: { date?: unknown; category?: unknown }) => [String(date).slice(0, 10), category];
  expect(
    recordsOf(frame).map(({ date, category }) => [new Date(date as never).toISOString().slice(0, 10), category]),
  ).toEqual(kept.map(of));
});

it('a day as the end of trades or candles is its first second, which a warning says', async () => {
  const { client, warnings } = await opened([]);
  const said = async (query: { count(): Promise<number> }) => {
    warnings.length = 0;
    await query.count();
    return warnings.join('|');
  };
  const [day, tokenId] = ['2026-01-05', '7'];
  const left = 'endTime 2026-01-05 is the first second of that day in UTC, so the day is left out but for that second';
  const remedy = ': to have the whole day, write 2026-01-05T23:59:59Z.';
  expect(await said(client.trades({ endTime: day }))).toBe(left + remedy);
  expect(await said(client.candles({ tokenId, endTime: day, startTime: '2026-01-01' }))).toBe(left + remedy);
  const alone = left.replace('the day is left out but for that second', 'that second alone is asked for');
  for (const startTime of [day, new Date(`${day}T00:00:00Z`), `${day}T01:00:00+01:00`]) {
    expect(await said(client.trades({ startTime, endTime: day }))).toBe(alone + remedy);
  }
  expect(await said(client.dataset(556, { end_time: day }))).toBe((left + remedy).replace('endTime', 'end_time'));
  for (const endTime of [new Date(`${day}T00:00:00Z`), 1_767_571_200, `${day}T00:00:00Z`, undefined]) {
    expect(await said(client.trades({ endTime }))).toBe('');
  }
  expect(await said(client.pnl({ wallet: walletOf(1), endTime: day }))).toBe('');
});
