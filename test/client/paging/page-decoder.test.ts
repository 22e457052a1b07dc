import { describe, expect, it } from 'vitest';
import { KeyHashSet, PageDecoder } from '../../../src/client/paging/page-decoder.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import fc from '../../support/fast-check.js';
import { liveBytes } from '../../support/live-bytes.js';
import { walletOf } from '../../support/raw-records.js';
import { pnlRecord } from '../paged-server.js';

const textOf = (records: readonly object[]) => new TextEncoder().encode(JSON.stringify(records));
const market = (n: number) => ({
  condition_id: `0x${n.toString(16).padStart(64, '0')}`,
  question: `Will it rain on day ${n}?`,
  slug: `rain-${n}`,
  closed: true,
  volume_total: '1',
});

describe('a page', () => {
  const day = fc.nat(12).map((n) => pnlRecord(n).date as string);
  const form = fc.constantFrom(
    (date: string) => date,
    (date: string) => date.slice(0, 10),
    (date: string) => date.replace('Z', '.000+00:00'),
  );
  const key = fc.record({ date: fc.tuple(day, form), proxy_wallet: fc.constantFrom(walletOf(1), walletOf(2)) });

  it('is handed on without records whose key came before, in whatever form its moment is written', () => {
    fc.assert(
      fc.property(fc.array(fc.array(key, { maxLength: 12 }), { maxLength: 6 }), (pages) => {
        const decoder = new PageDecoder(PNL, {});
        const seen = new Set<string>();
        let row = 0;
        for (const page of pages) {
          const records = page.map(({ date: [date, form], proxy_wallet }) => {
            row += 1;
            return { at: date + proxy_wallet, sent: { ...pnlRecord(0, proxy_wallet), date: form(date), trades: row } };
          });
          const kept = records.filter(({ at }) => !seen.has(at) && seen.add(at));
          const appended = decoder.appendText(textOf(records.map(({ sent }) => sent)));
          expect(appended).toEqual({ records: page.length, repeats: page.length - kept.length });
          expect(recordsOf(decoder.take()).map((record) => Reflect.get(record, 'trades'))).toEqual(
            kept.map(({ sent }) => sent.trades),
          );
        }
      }),
    );
  });

  it('is held against itself: where a record came twice with other values, its key and the field are told', () => {
    const decoder = new PageDecoder(PNL, { exact: true });
    const again = { ...pnlRecord(1), date: '2020-01-02', pnl: '0.010' };
    decoder.appendText(textOf([pnlRecord(0), pnlRecord(1), again]));
    expect(decoder.repeated).toEqual({ within: 1, differing: undefined });
    decoder.appendText(textOf([pnlRecord(2), { ...pnlRecord(2), pnl: '0.020001' }]));
    const key = `date 2020-01-03T00:00:00Z, proxy_wallet ${walletOf(1)}`;
    expect(decoder.repeated).toEqual({ within: 1, differing: { key, field: 'pnl' } });
    decoder.appendText(textOf([pnlRecord(0), pnlRecord(3)]));
    expect(decoder.repeated).toEqual({ within: 0, differing: undefined });
    decoder.appendText(textOf([pnlRecord(4)]));
    expect(decoder.repeated).toBeUndefined();
  });

  it('tells a record of another wallet, among however many', () => {
    const decoder = new PageDecoder(LIFETIME, {});
    const zeros = Object.fromEntries(LIFETIME.columns.map(({ name, nullable }) => [name, nullable ? null : 0]));
    for (let n = 0; n < 6000; n += 1) {
      decoder.appendText(textOf([{ ...zeros, proxy_wallet: walletOf(n) }]));
      expect(decoder.otherText('proxy_wallet', walletOf(n).toUpperCase())).toBeUndefined();
    }
    expect(decoder.otherText('proxy_wallet', walletOf(1))).toBe(walletOf(5999));
  });
});

it('pages that were handed on leave 24 bytes a record behind at most', () => {
  const decoder = new PageDecoder(MARKETS, {});
  const append = (from: number, to: number) => {
    for (let at = from; at < to; at += 1000) {
      decoder.appendText(textOf(Array.from({ length: 1000 }, (_, n) => market(at + n))));
    }
  };
  append(0, 20_000);
  const before = liveBytes();
  append(20_000, 120_000);
  expect((liveBytes() - before) / 100_000).toBeLessThan(24);
  expect(decoder.appendText(textOf([market(0), market(119_999), market(120_000)]))).toEqual({ records: 3, repeats: 2 });
});

it('numbers are seen once, by both of their halves, however many there are', () => {
  const half = fc.oneof(fc.constantFrom(0, 1, -1, 1024, -(2 ** 31)), fc.integer());
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 3000, size: 'max' }), (pairs) => {
      const keys = new KeyHashSet();
      const seen = new Set<string>();
      // 0:0, of which the hash is as likely as any other, counts as 1:0.
      const names = pairs.map(([high, low]) => ((high | low) === 0 ? '1:0' : `${high}:${low}`));
      expect(pairs.map(([high, low]) => keys.add(high, low))).toEqual(
        names.map((name) => !seen.has(name) && seen.add(name).has(name)),
      );
    }),
    { numRuns: 30 },
  );
});
