import { describe, expect, it, vi } from 'vitest';
import { closingLines, closingLineValue } from '../../src/analysis/closing-line-value.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';

const trade = (
  condition_id: string,
  outcome: string,
  side: string,
  price: number,
  size: number,
  timestamp: string,
) => ({
  condition_id,
  outcome,
  side,
  price,
  size,
  timestamp: `2026-03-${timestamp}:00Z`,
  proxy_wallet: '0xA',
});
const TRADES = new DataFrame([
  trade('0x1', 'Yes', 'BUY', 0.4, 100, '01T10:00'),
  trade('0x1', 'Yes', 'SELL', 0.6, 50, '02T10:00'),
  trade('0x1', 'No', 'BUY', 0.5, 10, '02T11:00'),
  trade('0x2', 'Yes', 'BUY', 0.3, 200, '03T10:00'),
  trade('0x3', 'Yes', 'BUY', 0.3, 200, '03T10:00'),
]);
const MARKETS = new DataFrame({
  condition_id: ['0x1', '0x2', '0x3'],
  close_date: ['2026-03-05T12:00:00Z', '2026-03-06T00:00:00Z', null],
});
const price = (condition_id: string, outcome: string, value: number, size: number, timestamp: string) => ({
  condition_id,
  outcome,
  price: value,
  size,
  timestamp: `2026-03-${timestamp}:00Z`,
});
const PRICES = new DataFrame([
  price('0x1', 'Yes', 0.99, 1, '06T00:00'),
  price('0x1', 'Yes', 0.7, 30, '05T12:00'),
  price('0x1', 'Yes', 0.8, 10, '05T12:00'),
  price('0x1', 'Yes', 0.55, 5, '04T11:00'),
  price('0x1', 'No', 0.25, 5, '05T11:00'),
  price('0X2', 'Yes', 0.2, 5, '04T00:00'),
]);
const options = { markets: MARKETS, prices: PRICES };

describe('closing-line value', () => {
  it('is the price paid against the last one before the close', () => {
    // The last moment of Yes in market 1 has two fills, 0.7 and 0.8, by size 0.725; what came after the close is not seen.
    const rows = recordsOf(closingLines(TRADES, options));
    expect(rows.map(({ closing_price }) => closing_price)).toEqual([0.725, 0.725, 0.25, 0.2, Number.NaN]);
    const values = [0.325, -0.125, -0.25, -0.1];
    for (const [at, value] of values.entries()) expect(rows[at]?.line_value).toBeCloseTo(value, 12);

    const result = closingLineValue(TRADES, options);
    const gains = [100 * 0.325 - 50 * 0.125 - 10 * 0.25, -200 * 0.1] as const;
    const dollars = [100 * 0.4 + 50 * 0.6 + 10 * 0.5, 200 * 0.3] as const;
    const clv = (gains[0] + gains[1]) / (dollars[0] + dollars[1]);
    expect(result).toMatchObject({ trades: 4, markets: 2, leftOut: 1, beat: 0.25 });
    expect(result.usd).toBeCloseTo(135, 12);
    expect(result.clv).toBeCloseTo(clv, 12);
    expect(result.perShare).toBeCloseTo((gains[0] + gains[1]) / 360, 12);
    expect([result.low, result.high]).toEqual([Number.NaN, Number.NaN]); // Two markets tell nothing.
    expect(String(result)).toMatch(/^Closing-line value +2\.8% of the dollars traded\n95% interval/);
  });

  it('says how far it may be from the truth from five markets on, unless all gained the same', () => {
    const ids = ['0x1', '0x2', '0x3', '0x4', '0x5', '0x6'];
    const bought = new DataFrame(ids.map((id) => trade(id, 'Yes', 'BUY', 0.4, 10, '01T10:00')));
    const markets = new DataFrame({ condition_id: ids, close_date: ids.map(() => '2026-03-05T12:00:00Z') });
    const closing = (values: number[]) =>
      new DataFrame(ids.map((id, at) => price(id, 'Yes', values[at] as number, 1, '04T10:00')));
    const alike = closingLineValue(bought, { markets, prices: closing([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]) });
    expect(alike).toMatchObject({ low: Number.NaN, high: Number.NaN, beat: 1, beatHigh: 1 });
    expect(alike.clv).toBeCloseTo(0.25, 12);
    expect(alike.beatLow).toBeCloseTo(6 / (6 + 1.959963984540054 ** 2), 9); // Wilson's, of six of six.
    const { low, high } = closingLineValue(bought, { markets, prices: closing([0.5, 0.3, 0.6, 0.4, 0.5, 0.7]) });
    // Of equal stakes, Student's interval of the mean gain, 2.570582 standard errors wide on each side.
    const gains = [0.25, -0.25, 0.5, 0, 0.25, 0.75];
    const error = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - 0.25) ** 2, 0) / 5 / 6);
    expect([low, high]).toEqual([
      expect.closeTo(0.25 - 2.570582 * error, 5),
      expect.closeTo(0.25 + 2.570582 * error, 5),
    ]);
  });

  it('takes the line earlier, and leaves out trades after it', () => {
    const early = recordsOf(closingLines(TRADES, { ...options, hoursBefore: 24 }));
    // Of market 2 nothing was traded before 5 March 00:00 but on the 4th.
    expect(early.map(({ closing_price }) => closing_price)).toEqual([0.55, 0.55, Number.NaN, 0.2, Number.NaN]);
    const late = recordsOf(closingLines(TRADES, { ...options, hoursBefore: 24 * 3 }));
    // The line of market 1 is 2 March 12:00, that of market 2 is 3 March 00:00, before its trade.
    expect(late.map(({ closing_price }) => closing_price)).toEqual(Array(5).fill(Number.NaN));
    const due = new DataFrame({ condition_id: ['0x1'], end_date: ['2026-03-05T00:00:00Z'] });
    const [first] = recordsOf(closingLines(TRADES, { markets: due, prices: PRICES, close: 'end_date' }));
    expect(first?.closing_price).toBe(0.55);
  });

  it('reads candles, which are known once they are over', () => {
    const candles = new DataFrame({
      condition_id: Array(4).fill('0x1'),
      outcome: Array(4).fill('Yes'),
      candle_time: ['10', '11', '12', '13'].map((hour) => `2026-03-05T${hour}:00:00Z`),
      close: [0.5, 0.6, 0.7, 0.9],
    });
    const closing = (more: object) =>
      recordsOf(closingLines(TRADES, { markets: MARKETS, prices: candles, ...more }))[0]?.closing_price;
    // The close, 12:00, lies in the candle of 12:00, which holds nothing later; half an hour before, that of 10:00 is over.
    expect(closing({})).toBe(0.7);
    expect(closing({ hoursBefore: 0.5 })).toBe(0.5);
    expect(closing({ hoursBefore: 1 })).toBe(0.5);
    expect(closing({ hoursBefore: 2 })).toBeNaN();
  });

  it('is measured by group, also by the hour and weekday of the trade', () => {
    const rows = recordsOf(closingLineValue(TRADES, { ...options, by: 'outcome' }));
    expect(rows.map(({ outcome, trades, left_out }) => [outcome, trades, left_out])).toEqual([
      ['Yes', 3, 1],
      ['No', 1, 0],
    ]);
    const hours = recordsOf(closingLineValue(TRADES, { ...options, by: 'hour' }));
    expect(hours.map(({ hour, trades }) => [hour, trades])).toEqual([
      [10, 3],
      [11, 1],
    ]);
    expect(recordsOf(closingLineValue(TRADES, { ...options, by: ['side', 'weekday'] })).length).toBe(4);
  });

  it('leaves out trades since which there is no price: the line would be older than the trade', () => {
    const one = new DataFrame([trade('0x1', 'Yes', 'BUY', 0.8, 10, '04T10:00')]);
    const of = (prices: DataFrame, more: object = {}) => closingLineValue(one, { markets: MARKETS, prices, ...more });
    const older = of(new DataFrame([price('0x1', 'Yes', 0.2, 1, '01T10:00')]));
    expect(older).toMatchObject({ clv: Number.NaN, trades: 0, leftOut: 1 });
    expect(of(new DataFrame([price('0x1', 'Yes', 0.2, 1, '04T10:01')]))).toMatchObject({ trades: 1, leftOut: 0 });
    const candle = (hour: string) =>
      new DataFrame({
        condition_id: ['0x1', '0x1'],
        outcome: ['Yes', 'Yes'],
        candle_time: ['2026-03-04T05:00:00Z', `2026-03-04T${hour}:00:00Z`],
        close: [0.1, 0.2],
      });
    // The last fill of the candle in which the trade was made may be the trade; a candle that began later has none of it.
    expect(of(candle('10')).leftOut).toBe(1);
    expect(of(candle('11')).leftOut).toBe(0);
    // One of an hour from 06:00 is over at 07:00.
    expect(of(candle('06')).leftOut).toBe(1);
    expect(of(candle('06'), { hoursBefore: 1 }).leftOut).toBe(1);
  });

  it('takes no fill of the same second for the line, which may be the trade itself', () => {
    const own = trade('0x1', 'Yes', 'BUY', 0.4, 100, '02T10:00');
    const others = [
      { ...own, proxy_wallet: '0xB', price: 0.3, timestamp: '2026-03-01T00:00:00Z' },
      { ...own, proxy_wallet: '0xC', price: 0.9, timestamp: '2026-03-05T06:00:00Z' },
    ];
    const of = (prices: object[]) =>
      closingLineValue(new DataFrame([own]), {
        markets: MARKETS,
        prices: new DataFrame(prices as { price: number }[]),
        hoursBefore: 24,
      });
    expect(of([own, ...others])).toMatchObject({ clv: Number.NaN, trades: 0, leftOut: 1 });
    const after = { ...own, proxy_wallet: '0xB', price: 0.5, timestamp: '2026-03-02T10:00:01Z' };
    expect(of([own, ...others, after])).toMatchObject({
      clv: expect.closeTo(0.25, 12),
      trades: 1,
      leftOut: 0,
    });
  });

  it('matches tokens where there are any, and labels of outcomes where one side has no tokens', () => {
    const [token, other] = ['7'.repeat(77), '8'.repeat(77)];
    const sent = (row: object, token_id: string | null, outcome: string | null) => ({ ...row, token_id, outcome });
    const of = (trades: object[], prices: object[]) =>
      recordsOf(
        closingLines(new DataFrame(trades as { price: number }[]), {
          markets: MARKETS,
          prices: new DataFrame(prices as { price: number }[]),
        }),
      ).map(({ closing_price }) => closing_price);
    const [buy, line] = [trade('0x1', '', 'BUY', 0.4, 1, '01T10:00'), price('0x1', '', 0.7, 1, '04T10:00')];
    const older = { ...line, price: 0.2, timestamp: '2026-03-02T10:00:00Z' };
    expect(of([sent(buy, token, null)], [sent(line, token, null), sent(line, other, null)])).toEqual([0.7]);
    expect(of([sent(buy, token, null)], [sent(line, other, null)])).toEqual([Number.NaN]);
    expect(of([sent(buy, token, 'Yes')], [{ ...line, outcome: 'Yes' }])).toEqual([0.7]);
    expect(of([sent(buy, null, 'Yes')], [sent(line, token, null), sent(older, token, 'Yes')])).toEqual([0.7]);
    // Both sides have one label, so it names none of them.
    expect(of([sent(buy, null, 'A')], [sent(line, token, 'A'), sent(older, other, 'A')])).toEqual([Number.NaN]);
    expect(of([sent(buy, null, null)], [sent(line, token, null)])).toEqual([Number.NaN]);
  });

  it("takes no wallet's own trades for the line", () => {
    const own = new DataFrame([trade('0x1', 'Yes', 'BUY', 0.4, 100, '01T10:00')]);
    expect(() => closingLineValue(TRADES, { markets: MARKETS, prices: own })).toThrow(
      /got trades of none but the wallets.*own closing line.*give candles/,
    );
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const two = new DataFrame([
      trade('0x1', 'Yes', 'BUY', 0.4, 100, '01T10:00'),
      { ...trade('0x1', 'Yes', 'SELL', 0.5, 100, '02T10:00'), proxy_wallet: '0xB' },
    ]);
    closingLineValue(two, { markets: MARKETS, prices: two });
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/their closing lines are wrong/), 'OddslabWarning']]);
    closingLineValue(own, { markets: MARKETS, prices: two });
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it('refuses what it cannot measure', () => {
    expect(() => closingLineValue(TRADES, {} as never)).toThrow(/needs markets beside the trades/);
    expect(() => closingLineValue(TRADES, { markets: MARKETS } as never)).toThrow(/needs prices beside the trades/);
    expect(() => closingLineValue(TRADES, { ...options, hoursBefore: -1 })).toThrow(/hoursBefore must be a number/);
    const odd = new DataFrame([trade('0x1', 'Yes', 'HOLD', 0.4, 1, '01T10:00')]);
    expect(() => closingLineValue(odd, options)).toThrow(/"side" holds "HOLD" in row 0.*BUY or SELL/);
    const cents = new DataFrame([trade('0x1', 'Yes', 'BUY', 40, 1, '01T10:00')]);
    expect(() => closingLineValue(cents, options)).toThrow(/"price" holds 40 in row 0.*in dollars/);
    expect(() => closingLineValue(TRADES, { ...options, by: 'zzz' })).toThrow(
      'The frame has no column "zzz". closingLineValue groups by its columns, condition_id, outcome, side, price, size, ' +
        'timestamp, proxy_wallet, or by day, week, month, hour, weekday.',
    );
    expect(() => closingLineValue(TRADES, { ...options, by: 'wekday' })).toThrow(/Did you mean "weekday"\?/);
    const none = closingLineValue(new DataFrame([trade('0x3', 'Yes', 'BUY', 0.4, 1, '01T10:00')]), options);
    expect(none).toMatchObject({ clv: Number.NaN, beat: Number.NaN, trades: 0, leftOut: 1 });
  });
});
