import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { encodeParams } from '../../../src/client/paging/encode-params.js';
import { answeredDataset } from '../../../src/contract/dataset.js';
import type { Parameter } from '../../../src/contract/definition.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { POSITIONS } from '../../../src/contract/positions.js';
import { TRADES } from '../../../src/contract/trades.js';
import { walletOf } from '../../support/raw-records.js';

const [a, b] = [walletOf(0xa), walletOf(0xb)];

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
  }
  return '';
}

describe('options of markets', () => {
  it.each<[object, object]>([
    [{}, {}],
    [{ closed: true }, { closed: 'True' }],
    [{ closed: 'false' }, { closed: 'False' }],
    [{ closed: undefined, marketSlug: null }, {}],
    [{ minVolume: 100_000 }, { min_volume: '100000' }],
    [{ minVolume: 0.000001 }, { min_volume: '0.000001' }],
    [{ minVolume: 0.1 + 0.2 }, { min_volume: '0.3' }],
    [{ minVolume: ' 2.50 ' }, { min_volume: '2.50' }],
    [{ minVolume: '.5' }, { min_volume: '0.5' }],
    [{ min_volume: '1e5' }, { min_volume: '100000' }],
    [{ minVolume: '12345678901.123456' }, { min_volume: '12345678901.123456' }],
    [{ endDateMin: new Date('2026-01-01') }, { end_date_min: '1767225600' }],
    [{ endDateMin: '2026-01-01' }, { end_date_min: '1767225600' }],
    [{ endDateMin: '2026-01-01T00:00' }, { end_date_min: '1767225600' }],
    [{ endDateMin: '2026-01-01 01:00:00' }, { end_date_min: '1767229200' }],
    [{ endDateMin: '2026-01-01T01:00:00.900+01:00' }, { end_date_min: '1767225600' }],
    [{ endDateMax: 1_767_225_600.9 }, { end_date_max: '1767225600' }],
    [{ endDateMax: '1767225600' }, { end_date_max: '1767225600' }],
    [
      { marketSlug: 'a b', other: 5 },
      { market_slug: 'a b', other: '5' },
    ],
  ])('%j go as %j', (options, params) => expect(encodeParams(MARKETS, { ...options })).toEqual([params]));

  it.each<[Record<string, unknown>, string]>([
    [{ minVolume: 1e-7 }, 'minVolume must be a number with six decimals at most; got 1e-7.'],
    [{ minVolume: '0.1234567' }, 'minVolume must be a number with six decimals at most; got "0.1234567".'],
    [{ minVolume: '0x10' }, 'minVolume must be a number of 0 or more; got "0x10".'],
    [{ minVolume: 'Infinity' }, 'minVolume must be a number of 0 or more; got "Infinity".'],
    [{ closed: 'yes' }, 'closed must be true or false; got "yes".'],
    [{ minVolume: -1 }, 'minVolume must be a number of 0 or more; got -1.'],
    [{ minVolume: 'many' }, 'minVolume must be a number of 0 or more; got "many".'],
    [{ minVolume: Number.NaN }, 'minVolume must be a number of 0 or more; got NaN.'],
    [{ endDateMin: '2026-02-30' }, 'endDateMin must be a Date, an ISO 8601 date, or Unix seconds; got "2026-02-30".'],
    [{ endDateMin: 'soon' }, 'endDateMin must be a Date, an ISO 8601 date, or Unix seconds; got "soon".'],
    [
      { endDateMin: 1_767_225_600_000 },
      'endDateMin must be a Date, an ISO 8601 date, or Unix seconds; got 1767225600000.',
    ],
    [
      { endDateMax: new Date('x') },
      'endDateMax must be a Date, an ISO 8601 date, or Unix seconds; got an invalid Date.',
    ],
    [{ marketSlug: ['a'] }, 'marketSlug must be text; got ["a"].'],
    [{ minVolume: true }, 'minVolume must be a number of 0 or more; got true.'],
    [{ limit: 0 }, 'limit is no filter of markets: say how many records are wanted by maxRecords, beside the filters.'],
    [{ maxRecords: 5 }, 'maxRecords is no filter of markets: it stands beside the filters, in an argument of its own.'],
    [
      { other: { a: 1 } },
      'other is no filter of markets. It has closed, minVolume, marketSlug, endDateMin, endDateMax, conditionId, ' +
        'eventSlug; one that the service alone knows must be text, a number, true, false or a Date; got {"a":1}.',
    ],
    [{ minVolumes: [5] }, 'minVolumes is no filter of markets. Did you mean "minVolume"?'],
  ])('%j are refused', (options, message) => {
    expect(() => encodeParams(MARKETS, options)).toThrow(new UsageError(message));
  });
});

describe('options of PnL', () => {
  it.each<[object, object[]]>([
    [{ wallet: a.toUpperCase() }, [{ wallet: a }]],
    [{ wallet: [b, a, b] }, [{ wallet: b }, { wallet: a }]],
    [{ wallet: `${a}, ${b}`, granularity: '3d' }, [a, b].map((wallet) => ({ granularity: '3d', wallet }))],
    [{ wallet: a, startTime: new Date('2026-01-01T23:00Z') }, [{ start_time: '2026-01-01', wallet: a }]],
    [{ wallet: a, conditionId: '0xABc' }, [{ condition_id: '0xabc', wallet: a }]],
    [{ wallet: a, conditionId: 'all' }, [{ condition_id: 'ALL', wallet: a }]],
    [{ wallet: a, end_time: '2026-01-31' }, [{ end_time: '2026-01-31', wallet: a }]],
  ])('%j go as %j', (options, params) => expect(encodeParams(PNL, { ...options })).toEqual(params));

  it.each<[Record<string, unknown>, string]>([
    [{}, 'A query of pnl (dataset 569) needs its wallet: name one, on the command line by --wallet.'],
    [
      { wallet: undefined },
      'A query of pnl (dataset 569) needs its wallet: name one, on the command line by --wallet.',
    ],
    [{ wallet: null }, 'A query of pnl (dataset 569) needs its wallet: name one, on the command line by --wallet.'],
    [
      { other: 5, granularity: '1d' },
      'A query of pnl (dataset 569) needs its wallet: name one, on the command line by --wallet. "other" is no option of it.',
    ],
    [
      { other: 5, walet: a },
      'A query of pnl (dataset 569) needs its wallet: name one, on the command line by --wallet. "walet" is no option of it. Did you mean "wallet"?',
    ],
    [{ wallets: [a] }, 'wallets is no filter of pnl. Did you mean "wallet"?'],
    [{ wallet: '' }, 'wallet must name a wallet: 0x and 40 hexadecimal digits, or a list of them.'],
    [{ wallet: [5] }, 'wallet must name a wallet: 0x and 40 hexadecimal digits, or a list of them.'],
    [
      { wallet: [] },
      'No wallet was passed: wallet is an empty list, such as lab.wallets() gives where no wallet passes its filters.',
    ],
    [{ wallet: a, granularity: '2d' }, 'granularity must be one of 1d, 3d, 1w, 1m, all; got "2d".'],
    [
      { wallet: a, startTime: '2026-02-30' },
      'startTime must be a Date, or a date that exists as YYYY-MM-DD; got "2026-02-30".',
    ],
  ])('%j are refused', (options, message) => {
    expect(() => encodeParams(PNL, options)).toThrow(new UsageError(message));
  });
});

describe('options of the further kinds', () => {
  const optional = { required: false, meaning: 'Any.', example: 'ALL' } as const;
  const parameters: readonly Parameter[] = [
    { name: 'condition_id', option: 'conditionId', kind: 'conditionIds', wildcard: 'ALL', ...optional },
    { name: 'proxy_wallet', option: 'wallet', kind: 'wallet', wildcard: 'ALL', ...optional },
    { name: 'side', option: 'side', kind: 'choice', choices: ['BUY', 'SELL'], wildcard: 'ALL', ...optional },
    { name: 'min_pnl', option: 'minPnl', kind: 'signedAmount', ...optional },
    { name: 'min_trades', option: 'minTrades', kind: 'count', ...optional },
    { name: 'token_id', option: 'tokenId', kind: 'tokenId', ...optional },
  ];
  const dataset = { ...MARKETS, name: 'odds', parameters };

  it.each<[object, object[]]>([
    [{ conditionId: ['0xAB', '0xcd', '0xab'] }, [{ condition_id: '0xab,0xcd' }]],
    [{ conditionId: ' 0xAB , 0xcd' }, [{ condition_id: '0xab,0xcd' }]],
    [{ conditionId: 'all', wallet: 'all', side: 'ALL' }, [{ condition_id: 'ALL', proxy_wallet: 'ALL', side: 'ALL' }]],
    [{ side: 'buy' }, [{ side: 'BUY' }]],
    [{ side: 'all' }, [{ side: 'ALL' }]],
    [{ wallet: [a, b], side: 'SELL' }, [a, b].map((wallet) => ({ proxy_wallet: wallet, side: 'SELL' }))],
    [{}, [{}]],
    [{ minPnl: -12.5, minTrades: 100 }, [{ min_pnl: '-12.5', min_trades: '100' }]],
    [{ minPnl: ' -1e3 ', minTrades: '7' }, [{ min_pnl: '-1000', min_trades: '7' }]],
    [{ minPnl: -(0.1 + 0.2) }, [{ min_pnl: '-0.3' }]],
    [{ tokenId: '7'.repeat(77) }, [{ token_id: '7'.repeat(77) }]],
  ])('%j go as %j', (options, params) => expect(encodeParams(dataset, { ...options })).toEqual(params));

  it.each<[Record<string, unknown>, string]>([
    [{ conditionId: [] }, 'conditionId must be a condition id or a list of them; got [].'],
    [{ conditionId: [5] }, 'conditionId must be a condition id or a list of them; got [5].'],
    [
      { conditionId: ['ALL', '0xab'] },
      'conditionId must be ALL alone, or condition ids without it; got ["ALL","0xab"].',
    ],
    [{ side: 'hold' }, 'side must be one of BUY, SELL, ALL; got "hold".'],
    [{ side: ['BUY'] }, 'side must be one of BUY, SELL, ALL; got ["BUY"].'],
    [
      { tokenId: '7133…3333' },
      'tokenId must be whole, but "7133…3333" is shortened, as a table shows it: `oddslab query … --full` prints ids ' +
        'whole, and so does any other format; a frame has them whole.',
    ],
    [{ minPnl: 'much' }, 'minPnl must be a number such as -12.5; got "much".'],
    [{ minPnl: '--1' }, 'minPnl must be a number such as -12.5; got "--1".'],
    [{ minPnl: [-1] }, 'minPnl must be a number such as -12.5; got [-1].'],
    [{ minPnl: -1e13 }, 'minPnl must be a number from -1000000000000 to 1000000000000; got -10000000000000.'],
    [{ minTrades: 1.5 }, 'minTrades must be a whole number from 0 to 2147483647; got 1.5.'],
    [{ minTrades: true }, 'minTrades must be a whole number from 0 to 2147483647; got true.'],
    [{ tokenId: 7e76 }, 'tokenId must be the text of a token id; got 7e+76.'],
  ])('%j are refused', (options, message) => {
    expect(() => encodeParams(dataset, options)).toThrow(new UsageError(message));
  });

  const id = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
  const many = Array.from({ length: 230 }, (_, n) => id(230 - n));

  it('become a request for each hundred condition ids, in their order, wallet by wallet', () => {
    expect(encodeParams(TRADES, { conditionId: many.slice(0, 100) })).toEqual([
      { condition_id: many.slice(0, 100).join(',') },
    ]);
    const asked = encodeParams(POSITIONS, { wallet: [a, b], conditionId: [...many, id(7).toUpperCase()] });
    expect(asked.map(({ wallet }) => wallet)).toEqual([a, a, a, b, b, b]);
    const lists = asked.map(({ condition_id = '' }) => condition_id.split(','));
    expect(lists.map(({ length }) => length)).toEqual([100, 100, 30, 100, 100, 30]);
    expect(lists.slice(0, 3).flat()).toEqual(many.toReversed());
    // An id of 62 digits is the one of 64 that ends in 00.
    const [short = {}, ...others] = encodeParams(TRADES, {
      conditionId: [...many.slice(0, 100), id(512), id(512).slice(0, 64)],
    });
    expect([others.length, short.condition_id?.split(',').length]).toEqual([1, 100]);
    expect(others[0]?.condition_id).toBe(id(512).slice(0, 64));
  });

  it('are refused in few words beyond 100 condition ids over which profit is added up', () => {
    for (const by of [undefined, 'event', 'category']) {
      expect(() => encodeParams(answeredDataset(PNL, { by }), { wallet: a, by, conditionId: many })).toThrow(
        new UsageError(
          "conditionId must be a list of at most 100 condition ids where profit is added up over them; got 230. Ask by: 'market', which takes any number of them, and add up what comes.",
        ),
      );
    }
  });

  it('become a request for each hundred by market, but where buckets count from the first day of all', () => {
    const asked = (more: object) =>
      encodeParams(answeredDataset(PNL, { by: 'market' }), { wallet: a, by: 'market', conditionId: many, ...more });
    for (const more of [
      {},
      { granularity: '1w' },
      { granularity: '1m' },
      { granularity: 'all' },
      { granularity: '3d', startTime: '2026-01-01' },
    ]) {
      const lists = asked(more).map(({ condition_id = '' }) => condition_id.split(','));
      expect(lists.map(({ length }) => length)).toEqual([100, 100, 30]);
      expect(lists.flat()).toEqual(many.toReversed());
    }
    expect(refusal(() => asked({ granularity: '3d' }))).toBe(
      "conditionId must be a list of at most 100 condition ids where the buckets count from the first day of all, as of granularity '3d'; got 230. Give a startTime, from which they count then.",
    );
  });

  it('are repeated in a refusal only as far as they tell what is wrong', () => {
    const fault = refusal(() => encodeParams(TRADES, { conditionId: [...many, 5] }));
    expect(fault).toMatch(/^conditionId must be a condition id or a list of them; got \["0x0{60}/);
    expect(fault.length).toBeLessThan(200);
    expect(refusal(() => encodeParams(TRADES, { side: 'x'.repeat(5000) })).length).toBeLessThan(200);
  });
});

describe('a filter', () => {
  it('of a dataset that the contract does not know must be of a kind that has a text', () => {
    const unknown = { ...MARKETS, id: 999, name: '999', parameters: [] };
    expect(() => encodeParams(unknown, { other: Number.NaN })).toThrow(
      new UsageError('other must be text, a number, true, false or a Date; got NaN.'),
    );
  });

  it('given by both of its names is refused', () => {
    expect(() => encodeParams(PNL, { wallet: a, start_time: '2025-01-01', startTime: '2025-02-01' })).toThrow(
      new UsageError('start_time and startTime are one filter, given twice: leave one of them out.'),
    );
    expect(() => encodeParams(LIFETIME, { wallet: a, wallet_address: a })).toThrow(
      'wallet and wallet_address are one filter',
    );
    expect(encodeParams(PNL, { wallet: a, start_time: undefined, startTime: '2025-02-01' })).toEqual([
      { wallet: a, start_time: '2025-02-01' },
    ]);
  });

  it.each([{ endDateMin: [5] }, { endDateMin: { valueOf: (): number => 5 } }, { closed: [true] }, { minVolume: [5] }])(
    'is no list or object that would read like its value: %j',
    (filters) => {
      expect(() => encodeParams(MARKETS, filters)).toThrow(UsageError);
    },
  );
});

describe('a Date of a time zone', () => {
  const zone = process.env.TZ;
  const inZone = <Params>(name: string, ask: () => Params): Params => {
    process.env.TZ = name;
    try {
      return ask();
    } finally {
      if (zone === undefined) Reflect.deleteProperty(process.env, 'TZ');
      else process.env.TZ = zone;
    }
  };
  const days = (name: string, date: () => Date) =>
    inZone(name, () => encodeParams(PNL, { wallet: a, startTime: date() }));
  const moments = (name: string, date: () => Date) => inZone(name, () => encodeParams(MARKETS, { endDateMin: date() }));

  it('that is another day in UTC is refused with what to write', () => {
    expect(() => days('Asia/Kolkata', () => new Date(2025, 10, 1))).toThrow(
      new UsageError(
        "startTime is midnight of 2025-11-01 in this machine's time zone, which is 2025-10-31T18:30:00Z; all times here " +
          "are UTC. Write '2025-11-01', or new Date(Date.UTC(2025, 10, 1)); or '2025-10-31' if you mean that.",
      ),
    );
    expect(days('America/New_York', () => new Date(2025, 10, 1))).toEqual([{ start_time: '2025-11-01', wallet: a }]);
    expect(days('UTC', () => new Date(2025, 10, 1))).toEqual([{ start_time: '2025-11-01', wallet: a }]);
    expect(days('Asia/Kolkata', () => new Date(Date.UTC(2025, 10, 1)))).toEqual([
      { start_time: '2025-11-01', wallet: a },
    ]);
  });

  it('that is no midnight in UTC is refused where a moment is asked for, and any other moment is one', () => {
    for (const name of ['Asia/Kolkata', 'America/New_York']) {
      expect(() => moments(name, () => new Date(2025, 10, 1))).toThrow(/Write '2025-11-01', or new Date/);
      expect(moments(name, () => new Date('2025-11-01'))).toEqual([{ end_date_min: '1761955200' }]);
      expect(moments(name, () => new Date('2025-11-01T09:00Z'))).toEqual([{ end_date_min: '1761987600' }]);
    }
  });
});
