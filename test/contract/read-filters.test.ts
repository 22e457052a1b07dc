import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../src/contract/definition.js';
import { readFilters } from '../../src/contract/filters.js';
import { LIFETIME } from '../../src/contract/lifetime.js';
import { MARKETS } from '../../src/contract/markets.js';
import { PNL } from '../../src/contract/pnl.js';

const wallet = `0x${'aB'.repeat(20)}`;

const OPTIONAL = { required: false, meaning: 'Any.', example: 'ALL', wildcard: 'ALL' } as const;
const WITH_WILDCARDS: readonly Parameter[] = [
  { name: 'ids', option: 'ids', kind: 'conditionIds', ...OPTIONAL },
  { name: 'who', option: 'who', kind: 'wallet', ...OPTIONAL },
  { name: 'side', option: 'side', kind: 'choice', choices: ['BUY', 'SELL'], default: 'BUY', ...OPTIONAL },
  { name: 'slug', option: 'slug', kind: 'text', ...OPTIONAL },
];

describe('readFilters', () => {
  it('applies and echoes the defaults of the PnL dataset', () => {
    expect(readFilters(PNL, { wallet })).toEqual({
      values: { wallet: [wallet.toLowerCase()], granularity: '1d' },
      echo: { wallet: wallet.toLowerCase(), granularity: '1d', condition_id: 'ALL' },
      errors: [],
    });
  });

  it('echoes booleans as the specification writes them, ids in lower case, the rest as sent', () => {
    const sent = { closed: true, min_volume: 12.5, end_date_min: '1767225600', condition_id: `0x${'CD'.repeat(32)}` };
    expect(readFilters(MARKETS, sent).echo).toEqual({
      closed: 'True',
      min_volume: '12.5',
      end_date_min: '1767225600',
      condition_id: `0x${'cd'.repeat(32)}`,
    });
  });

  it('takes a condition id of 62 digits for that of 64 which ends in 00, and echoes it as it came', () => {
    const [short, long] = [`0x${'Cd'.repeat(31)}`, `0x${'cd'.repeat(31)}00`];
    for (const [sent, echoed] of [
      [short, short.toLowerCase()],
      [` ${long.toUpperCase().replace('X', 'x')} `, long],
    ] as const) {
      expect(readFilters(PNL, { wallet, condition_id: sent })).toMatchObject({
        values: { condition_id: [long] },
        echo: { condition_id: echoed },
        errors: [],
      });
    }
    expect(readFilters(PNL, { wallet, condition_id: `${short}0` }).errors).toHaveLength(1);
    expect(readFilters(PNL, { wallet, condition_id: 'all' }).echo.condition_id).toBe('ALL');
  });

  it.each([null, '', '  '])('takes %j for an omitted filter', (blank) => {
    expect(readFilters(MARKETS, { closed: blank, min_volume: blank })).toEqual({ values: {}, echo: {}, errors: [] });
    expect(readFilters(PNL, { wallet, granularity: blank }).echo.granularity).toBe('1d');
    expect(readFilters(LIFETIME, { wallet_address: blank }).errors).toEqual([
      { pointer: '/params/wallet_address', detail: 'is required' },
    ]);
  });

  it('keeps the spaces of text that is looked for, and of nothing else', () => {
    const sent = { market_slug: 'ST ', event_slug: '  ', closed: ' True ', min_volume: ' 5 ' };
    expect(readFilters(MARKETS, sent)).toEqual({
      values: { market_slug: 'ST ', event_slug: '  ', closed: true, min_volume: 5_000_000n },
      echo: { market_slug: 'ST ', event_slug: '  ', closed: 'True', min_volume: '5' },
      errors: [],
    });
    expect(readFilters(MARKETS, { market_slug: '', event_slug: null })).toEqual({ values: {}, echo: {}, errors: [] });
  });

  it('takes the wildcard for an omitted filter, in any case where it stands for an id or a choice, and echoes it', () => {
    const dataset = { ...MARKETS, parameters: WITH_WILDCARDS };
    expect(readFilters(dataset, { ids: ' all ', who: 'All', side: 'ALL', slug: 'ALL' })).toEqual({
      values: {},
      echo: { ids: 'ALL', who: 'ALL', side: 'ALL', slug: 'ALL' },
      errors: [],
    });
    expect(readFilters(dataset, { slug: 'all' })).toMatchObject({ values: { slug: 'all' }, echo: { slug: 'all' } });
    expect(readFilters(dataset, { side: 'all' })).toEqual({ values: {}, echo: { side: 'ALL' }, errors: [] });
    expect(readFilters(dataset, { side: 'hold' }).errors).toEqual([
      { pointer: '/params/side', detail: 'must be one of BUY, SELL' },
    ]);
    expect(readFilters(dataset, {})).toEqual({ values: { side: 'BUY' }, echo: { side: 'BUY' }, errors: [] });
  });

  it('echoes condition ids in lower case, of 62 digits as they came', () => {
    const [short, long] = [`0x${'Ab'.repeat(31)}`, `0x${'CD'.repeat(32)}`];
    const dataset = { ...MARKETS, parameters: WITH_WILDCARDS };
    expect(readFilters(dataset, { ids: `${short}, ${long} ,${short}` })).toMatchObject({
      values: { ids: [`${short.toLowerCase()}00`, long.toLowerCase()] },
      echo: { ids: `${short},${long}`.toLowerCase() },
    });
  });

  it('names unknown filters with the nearest known one, or with all', () => {
    expect(readFilters(PNL, { wallet, granularty: '1w', 'a/b~c': 1 }).errors).toEqual([
      { pointer: '/params/granularty', detail: 'is no filter of dataset 569; did you mean "granularity"?' },
      {
        pointer: '/params/a~1b~0c',
        detail:
          'is no filter of dataset 569 (it has wallet, granularity, start_time, end_time, condition_id, event_slug, category, by)',
      },
    ]);
  });

  it('names every malformed filter at once', () => {
    const { errors } = readFilters(PNL, { granularity: '2d', start_time: 'today' });
    expect(errors).toEqual([
      { pointer: '/params/wallet', detail: 'is required' },
      { pointer: '/params/granularity', detail: 'must be one of 1d, 3d, 1w, 1m, all' },
      { pointer: '/params/start_time', detail: 'must be a date that exists, as YYYY-MM-DD' },
    ]);
  });

  it('is not fooled by names that every object inherits', () => {
    expect(readFilters(MARKETS, { constructor: 'x', toString: 'y' }).errors).toHaveLength(2);
  });
});
