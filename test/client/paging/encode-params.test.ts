import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { encodeParams } from '../../../src/client/paging/encode-params.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { walletOf } from '../../support/raw-records.js';

const [a, b] = [walletOf(0xa), walletOf(0xb)];

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
    [{ wallet: [] }, 'wallet must name a wallet: 0x and 40 hexadecimal digits, or a list of them.'],
    [{ wallet: a, granularity: '2d' }, 'granularity must be one of 1d, 3d, 1w, 1m, all; got "2d".'],
    [
      { wallet: a, startTime: '2026-02-30' },
      'startTime must be a Date, or a date that exists as YYYY-MM-DD; got "2026-02-30".',
    ],
  ])('%j are refused', (options, message) => {
    expect(() => encodeParams(PNL, options)).toThrow(new UsageError(message));
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
