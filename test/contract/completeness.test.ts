import { describe, expect, it } from 'vitest';
import {
  type Completeness,
  FIGURES,
  RECORD_COLUMNS,
  readCompleteness,
  sentCompleteness,
  type WalletRecord,
} from '../../src/contract/completeness.js';
import { faultsOf, notesOf } from '../../src/contract/completeness-words.js';
import fc from '../support/fast-check.js';

const wallet = `0x${'a1'.repeat(20)}`;

/** A record of which nothing but its two moments is known. */
const BARE = {
  wallet,
  ...Object.fromEntries(RECORD_COLUMNS.map(({ column }) => [column, null])),
  first_ts: 1_767_225_600n,
  last_ts: 1_767_225_661n,
} as WalletRecord;

const sent = (changes: Partial<WalletRecord>) => JSON.parse(sentCompleteness({ ...BARE, ...changes }));
const MOMENTS = { seen: true, first: '2026-01-01T00:00:00Z', last: '2026-01-01T00:01:01Z' };

describe('what is sent of a record', () => {
  it('is short for one without a fault, whatever is 0 or not known', () => {
    const zero = { micros: 0n, count: 0 } as const;
    const zeros = Object.fromEntries(
      RECORD_COLUMNS.map(({ column, kind }) => [
        column,
        kind === 'micros' || kind === 'count' ? zero[kind] : BARE[column],
      ]),
    );
    expect(sent({})).toEqual(MOMENTS);
    expect(sent({ ...zeros, fills: 42, redeemed: 5_000_000n })).toEqual(MOMENTS);
  });

  it('has each figure under its name, amounts as decimal text', () => {
    const missing = [{ what: 'activity', from: null, until: '2025-01-01T00:00:00Z', why: 'it "went"' }];
    expect(
      sent({
        untracked: 12_500_000n,
        redeemed: 21_200_000_000n,
        over_redeemed: 18_600_000_000n,
        short_paid: -1n,
        fills: 42,
        feeless: 3,
        scheduled_fees: 1,
        unknown_markets: 2,
        income: 1_000_000n,
        fetched: false,
        fetched_until: 0n,
        missing: JSON.stringify(missing),
      }),
    ).toEqual({
      ...MOMENTS,
      untracked_shares: '12.5',
      redeemed_shares: '21200',
      over_redeemed_shares: '18600',
      short_paid: '-0.000001',
      fills: 42,
      feeless_fills: 3,
      scheduled_fee_fills: 1,
      unknown_markets: 2,
      income: '1',
      fetched: false,
      fetched_until: '1970-01-01T00:00:00Z',
      missing,
    });
  });

  it('says of a wallet that was fetched and has no event that it was not seen', () => {
    expect(sent({ first_ts: null, last_ts: null, fetched: true })).toEqual({ seen: false, fetched: true });
  });

  it('is read as it was stored', () => {
    const micros = fc.bigInt(-(10n ** 15n), 10n ** 15n);
    const record = fc.record(
      Object.fromEntries(
        RECORD_COLUMNS.map(({ column, kind }) => [
          column,
          fc.option(
            {
              time: fc.bigInt(0n, 4_000_000_000n),
              count: fc.nat(),
              micros,
              truth: fc.boolean(),
              parts: fc.constant('[]'),
            }[kind] as fc.Arbitrary<unknown>,
            { nil: null },
          ),
        ]),
      ),
    );
    fc.assert(
      fc.property(record, (columns) => {
        const row = { wallet, ...columns } as WalletRecord;
        const read = readCompleteness({
          [wallet.toUpperCase().replace('0X', '0x')]: JSON.parse(sentCompleteness(row)),
        })?.[wallet];
        expect(read?.seen).toBe(row.first_ts !== null);
        for (const [name, { column, kind }] of Object.entries(FIGURES)) {
          const value = read?.[name as keyof Completeness];
          const stored = row[column];
          if (value === undefined || stored === null) continue;
          if (kind === 'micros') expect(value).toBe(Number(stored) / 1e6);
          if (kind === 'time') expect(Date.parse(String(value)) / 1000).toBe(Number(stored));
          if (kind === 'count' || kind === 'truth') expect(value).toBe(stored);
        }
        // What is 0, not known, or says nothing without another figure is absent; all else is there.
        const isSent = (name: keyof typeof FIGURES) => read?.[name] !== undefined;
        expect(isSent('untracked_shares')).toBe(Boolean(row.untracked));
        expect(isSent('first')).toBe(row.first_ts !== null);
        expect(isSent('fetched')).toBe(row.fetched !== null);
        expect(isSent('fills')).toBe(Boolean(row.fills) && Boolean(row.feeless || row.scheduled_fees));
      }),
    );
  });
});

describe('what is read of it', () => {
  it.each([
    [undefined],
    [null],
    ['seen'],
    [[]],
    [{}],
    [{ [wallet]: true }],
    [{ [wallet]: { seen: 'yes' } }],
    [{ '0x12': { seen: true } }],
  ])('is nothing of %j', (value) => expect(readCompleteness(value)).toBeUndefined());

  it('leaves out what is of another kind, and unknown figures', () => {
    const entry = {
      seen: true,
      first: '<b>',
      fills: 'NaN',
      untracked_shares: '',
      income: 5,
      fetched: 1,
      missing: 'all',
      other: 3,
    };
    expect(readCompleteness({ [wallet]: entry })).toEqual({ [wallet]: { seen: true, income: 5 } });
    const part = { what: 3, from: 'never', until: '2025-01-01T00:00:00Z' };
    expect(readCompleteness({ [wallet]: { seen: true, missing: [part, 7] } })?.[wallet]?.missing).toEqual([
      { what: '', from: null, until: '2025-01-01T00:00:00Z', why: '' },
    ]);
  });
});

it('fees that were computed from a schedule are a note, and no fault', () => {
  expect(notesOf({ ...MOMENTS, fills: 42, scheduled_fee_fills: 3 })).toEqual([
    "the fees of 3 of 42 fills were computed from the market's fee schedule",
  ]);
  expect(notesOf({ ...MOMENTS, fills: 42, feeless_fills: 3 })).toEqual([]);
});

it('markets whose result is not known yet are a note, and no fault', () => {
  const undecided = { ...MOMENTS, undecided_markets: 1 };
  expect(faultsOf(undecided)).toEqual([]);
  expect([undecided, { ...MOMENTS, undecided_markets: 3 }].flatMap(notesOf)).toEqual([
    '1 market closed without a known result: its shares are not settled',
    '3 markets closed without a known result: their shares are not settled',
  ]);
});

it('faults are told in plain words', () => {
  const right = { ...MOMENTS, income: 5, fills: 9, scheduled_fee_fills: 9, fetched: true };
  expect(faultsOf({ ...right, unstated_fee_fills: 1200 })).toEqual([]);
  const scheduled = "the fees of 9 of 9 fills were computed from the market's fee schedule";
  expect([notesOf(right), notesOf({ ...right, unstated_fee_fills: 1200 })]).toEqual([
    [scheduled],
    [
      scheduled,
      "no fee is stated in any of 1,200 fills in markets where takers pay: either all were makers' or the source leaves fees out",
    ],
  ]);
  expect(
    faultsOf({
      ...MOMENTS,
      untracked_shares: 18_612.5,
      redeemed_shares: 21_200,
      over_redeemed_shares: 18_600,
      short_paid: 4.25,
      fills: 1200,
      feeless_fills: 3,
      unknown_markets: 1,
      fetched: false,
      missing: [{ what: 'activity', from: '2025-01-01T00:00:00Z', until: '2025-02-01T10:30:00Z', why: 'offset cap' }],
    }),
  ).toEqual([
    '18,600 of 21,200 shares redeemed were never seen bought',
    '13 shares left that were never seen to come',
    'redemptions paid $4.25 less than the winning shares held',
    '3 of 1,200 fills without fees',
    '1 market without a record',
    'fetch not complete: activity from 2025-01-01 00:00 to 2025-02-01 10:30 (offset cap)',
  ]);
  expect(faultsOf({ seen: true, untracked_shares: 0.25, feeless_fills: 1, fetched: false })).toEqual([
    '0.25 shares left that were never seen to come',
    '1 fill without fees',
    'fetch not complete',
  ]);
  expect(faultsOf({ seen: false })).toEqual(['not seen: no record mentions it']);
});
