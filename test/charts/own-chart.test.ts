import { afterEach, describe, expect, it, vi } from 'vitest';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { halves } from '../../src/analysis/halves.js';
import { roi } from '../../src/analysis/roi.js';
import { UsageError } from '../../src/base/errors.js';
import { utcSpec } from '../../src/charts/design/utc-spec.js';
import { Chart } from '../../src/charts/drawing/chart.js';
import { renderWithPoints } from '../../src/charts/drawing/render-svg.js';
import { halvesChart } from '../../src/charts/halves-chart.js';
import { roiByWalletChart } from '../../src/charts/roi-by-wallet-chart.js';
import type { Column } from '../../src/contract/definition.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { CHARTS } from './drawn-charts.js';
import { samplePnl } from './sample-frames.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const pnl = samplePnl(2, 40);
const bars = (encoding: object) => ({ mark: 'bar', encoding });

it.each(['America/New_York', 'Asia/Kolkata'])(
  'draws the same bytes in %s, and days as they are in UTC',
  async (zone) => {
    const make = () =>
      new Chart(
        {
          layer: [
            bars({ x: { field: 'date', timeUnit: 'yearmonthdate' }, y: { aggregate: 'sum', field: 'pnl' } }),
            {
              transform: [{ calculate: "timeFormat(datum.date, '%a %H') + ' month(x)'", as: 'word' }],
              mark: 'text',
              encoding: { x: { field: 'date' }, text: { field: 'word' } },
            },
          ],
        },
        { data: pnl.head(1) as DataFrame },
      );
    const here = await make().toSvg();
    vi.stubEnv('TZ', zone);
    expect(await make().toSvg()).toBe(here);
    // 1 September 2025 was a Monday.
    expect(here).toContain('Mon 00 month(x)');
    const { tips } = await renderWithPoints(make().spec, { theme: 'light' }, () => {});
    expect(JSON.stringify(tips)).toContain('2025');
  },
);

it('says wallets short in a legend and at an axis, and whole in a tip', async () => {
  const wallets = [...new Set(column(pnl, 'proxy_wallet'))];
  const shortest = wallets.map((wallet) => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`);
  const points = { x: { field: 'date' }, y: { field: 'pnl' } };
  for (const encoding of [
    { ...points, color: { field: 'proxy_wallet' } },
    { ...points, shape: { field: 'proxy_wallet' } },
    { x: { field: 'pnl', aggregate: 'sum' }, y: { field: 'proxy_wallet' } },
  ]) {
    const chart = new Chart({ mark: 'point', encoding }, { data: pnl });
    const words = textsOf(await chart.toSvg());
    expect(words.filter((word) => word.startsWith('0x')).toSorted()).toEqual(shortest.toSorted());
    const { tips } = await renderWithPoints(chart.spec, { theme: 'light' }, () => {});
    for (const wallet of wallets) expect(JSON.stringify(tips)).toContain(wallet);
  }
  const own = { ...points, color: { field: 'proxy_wallet', legend: { labelExpr: 'upper(datum.label)' } } };
  expect(textsOf(await new Chart({ mark: 'point', encoding: own }, { data: pnl }).toSvg())).toContain(
    wallets[0]?.toUpperCase(),
  );
});

/** The words of a picture. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, word = '']) => word);
}

it('takes times without a zone for UTC, and leaves what is in UTC as it is', () => {
  const view = { mark: 'bar', encoding: { x: { field: 'at', type: 'temporal', timeUnit: 'hours' } } };
  const values = [{ at: '2025-05-01T00:30:00' }, { at: '2025-05-01 10:00' }, { at: '2025-05-01' }, { at: null }];
  const { data, encoding } = utcSpec({ ...view, data: { values } });
  expect(data.values.map(({ at }) => at)).toEqual(['2025-05-01T00:30:00Z', '2025-05-01T10:00Z', '2025-05-01', null]);
  expect(encoding.x).toMatchObject({ timeUnit: 'utchours', scale: { type: 'utc' } });
  for (const [name, make] of CHARTS.filter(([name]) => name !== 'own')) {
    expect(utcSpec(utcSpec(make().spec)), name).toEqual(utcSpec(make().spec));
  }
});

describe('a chart with a frame as its data', () => {
  it('has the types of the columns, its own members first, and the look of ours', () => {
    const { spec } = new Chart(
      { ...bars({ x: { field: 'date' }, y: { field: 'pnl', type: 'ordinal' } }), config: { padding: 1 } },
      { data: pnl },
    );
    expect(spec.encoding).toMatchObject({ x: { type: 'temporal' }, y: { type: 'ordinal' } });
    expect(spec.config).toMatchObject({ padding: 1, background: 'transparent', view: { continuousWidth: 560 } });
    expect(Object.keys((spec.data as { values: object[] }).values[0] ?? {})).toEqual(['date', 'pnl']);
  });

  it('refuses a column that there is not, what is no frame, and more rows than it can draw', () => {
    const view = bars({ x: { field: 'dat' } });
    expect(() => new Chart(view, { data: pnl })).toThrow(
      new UsageError('The frame has no column "dat", which the chart names. Did you mean "date"?'),
    );
    const labelled = (field: string) => {
      const test = { field, timeUnit: 'month', equal: 9 };
      const labelColor = { condition: { test, value: 'red' }, value: 'blue' };
      return bars({ x: { field: 'date', axis: { labelColor } }, y: { field: 'pnl' } });
    };
    expect(() => new Chart(labelled('valu'), { data: pnl })).toThrow('The frame has no column "valu"');
    expect(JSON.stringify(utcSpec(new Chart(labelled('value'), { data: pnl }).spec))).toContain(
      'utcmonth(toDate(datum[',
    );
    for (const data of [[{ a: 1 }], null, 'pnl', pnl.pnl])
      expect(() => new Chart(view, { data: data as never })).toThrow('data must be a frame');
    const many = new DataFrame({ dat: Array.from({ length: 50_001 }, (_, at) => at) });
    expect(() => new Chart(view, { data: many })).toThrow('A chart takes up to 50,000 rows; the frame has 50,001');
  });
});

describe('a chart with data in its specification', () => {
  const view = bars({ x: { field: 'date' }, y: { field: 'pnl' } });

  it('takes a frame there as the option does', async () => {
    const chart = new Chart({ data: pnl, ...view });
    expect(chart.spec).toEqual(new Chart(view, { data: pnl }).spec);
    expect(await chart.toSvg()).toBe(await new Chart(view, { data: pnl }).toSvg());
    expect(() => new Chart({ data: pnl, ...bars({ x: { field: 'dat' } }) })).toThrow('Did you mean "date"?');
    expect(new Chart({ ...chart.spec, height: 50 }).spec.data).toBe(chart.spec.data);
  });

  const rows = [{ date: '2026-01-01', pnl: 1 }];
  it.each([
    ['a list', { data: rows, ...view }],
    ['a list', { layer: [{ data: rows, ...view }] }],
    ['a frame', { layer: [{ data: pnl, ...view }] }],
    ['a frame', { data: pnl, layer: [{ data: pnl, ...view }] }],
    ['a frame', { hconcat: [view, { layer: [{ data: pnl, ...view }] }] }],
    ['a frame', { facet: { field: 'pnl' }, spec: { data: pnl, ...view } }],
    ['a frame', { data: { values: pnl }, ...view }],
    ['a frame', { ...view, transform: [{ lookup: 'a', from: { data: pnl, key: 'a' } }] }],
    ['a promise: await it', { data: Promise.resolve(pnl), ...view }],
    ['a promise: await it', { layer: [{ data: { values: Promise.resolve(rows) }, ...view }] }],
    ['a query: ask it for .frame()', { data: { frame: () => pnl }, ...view }],
    ['a value of type string', { data: 'pnl.csv', ...view }],
    ['a value of type object', { data: pnl.pnl, ...view }],
  ])('refuses %s where it would draw nothing', (found, spec) => {
    const make = () => new Chart(spec);
    expect(make).toThrow(UsageError);
    expect(make).toThrow(`The data in a specification are { values: rows }, a list of objects; got ${found}`);
    expect(make).toThrow('new Chart(spec, { data: frame })');
  });

  it('leaves what Vega-Lite takes', () => {
    for (const data of [{ values: rows }, { url: 'pnl.csv' }, { name: 'a' }, { sequence: { start: 0, stop: 3 } }, null])
      expect(new Chart({ layer: [{ data, ...view }] }).spec.layer).toEqual([{ data, ...view }]);
    const named = { data: { values: [{ data: [1], frame: 2, shape: 3 }] }, ...bars({ x: { field: 'data' } }) };
    expect(new Chart(named).spec.data).toBe(named.data);
  });

  it('says of a promise as the option that it is one', () => {
    expect(() => new Chart(view, { data: Promise.resolve(pnl) as never })).toThrow('got a promise: await it');
  });
});

describe('the numbers of a tip are rounded as their unit reads', () => {
  const tipsOf = async (chart: Chart) => (await renderWithPoints(chart.spec, { theme: 'light' }, () => {})).tips;
  const column = (name: string, more: object): Column => ({
    name,
    dtype: 'float64',
    nullable: true,
    meaning: '',
    ...more,
  });
  const columns = [column('usd', { unit: 'USD' }), column('rate', { fraction: true }), column('score', {})];
  const rows = [1 / 3, 2 / 3, 1].map((third) => ({ usd: 1234 + third, rate: third / 2, score: third / 1000 }));
  const frame = frameFromRecords(columns, rows);

  it('in charts of one’s own, which read a column’s unit', async () => {
    const encoding = { x: { field: 'usd' }, y: { field: 'rate' }, size: { field: 'score' } };
    const chart = new Chart({ mark: 'point', encoding }, { data: frame });
    expect((await tipsOf(chart))[0]).toEqual([
      ['usd', '$1,234.33'],
      ['rate', '16.7%'],
      ['score', '0.000333'],
    ]);
    // Along axes dollars are short.
    expect(await chart.toSvg()).toMatch(/>\$1\.\d+k</);
  });

  it('also of sums, of what is coloured, and of tips that name fields; what the user formats stays', async () => {
    const mean = { field: 'usd', aggregate: 'mean' };
    const sums = new Chart({ mark: 'bar', encoding: { y: mean, x: { aggregate: 'count' } } }, { data: frame });
    expect((await tipsOf(sums))[0]).toEqual([
      ['Count of Records', '3'],
      ['Mean of usd', '$1,234.67'],
    ]);
    const own = { x: { ...mean, axis: { format: '.1f' } }, tooltip: [{ ...mean, title: 'mean' }] };
    const told = new Chart({ mark: 'bar', encoding: own }, { data: frame });
    expect((await tipsOf(told))[0]).toEqual([['mean', '$1,234.67']]);
    expect(Reflect.get(Object(told.spec.encoding), 'x').axis).toEqual({ format: '.1f' });
  });

  it('and of rows without a frame', async () => {
    const encoding = { x: { field: 'v', type: 'quantitative' } };
    const chart = new Chart({ data: { values: [{ v: 2 / 3 }] }, mark: 'point', encoding });
    expect(await tipsOf(chart)).toEqual([[['v', '0.6667']]]);
  });

  it('in every chart: none ends in digits that nobody asked for', async () => {
    for (const [name, make] of CHARTS) {
      const values = (await tipsOf(make())).flatMap((tip) => tip.map(([, value]) => value));
      expect(values.length, name).toBeGreaterThan(0);
      expect(
        values.filter((value) => /\d\.\d{5,}/.test(value)),
        name,
      ).toEqual([]);
    }
    const [tip = []] = await tipsOf(halvesChart(samplePnl(5)));
    expect(tip.slice(3).map(([, value]) => value)).toEqual([
      expect.stringMatching(/^[−-]?[\d.]+%$/),
      expect.stringMatching(/%$/),
    ]);
  });
});

it('every chart takes a title, a subtitle, a colour and a size, and refuses what is none', async () => {
  const look = { title: 'Mine', subtitle: 'So it is', color: 'teal', width: 333, height: 222 };
  const { spec } = roiByWalletChart(pnl, look);
  expect(spec).toMatchObject({ width: 333, height: 222, title: { text: ['Mine'], subtitle: ['So it is'] } });
  expect(JSON.stringify(spec.layer)).not.toContain('#1f83c4');
  expect(await roiByWalletChart(pnl, look).toSvg()).toContain('fill="teal"');
  for (const wrong of [
    { title: 5 },
    { subtitle: null },
    { color: 'blu' },
    { color: 'url(#a)' },
    { width: '9' },
    { height: 9 },
  ])
    expect(() => halvesChart(samplePnl(5), wrong as never)).toThrow(new RegExp(`^${Object.keys(wrong)[0]}.* must be `));
});

it('the intervals of returns are those of bootstrapInterval by week', () => {
  const { values } = roiByWalletChart(pnl).spec.data as { values: Record<string, number | string>[] };
  for (const { proxy_wallet, low, high } of values) {
    const own = filterRows(pnl, (row) => row.proxy_wallet === proxy_wallet);
    const known = bootstrapInterval(own, (rows) => roi(rows).roi, { by: 'week' });
    expect([low, high]).toEqual([expect.closeTo(known.low, 9), expect.closeTo(known.high, 9)]);
  }
  expect(values).toHaveLength(2);
});

it('halves of very many wallets are drawn evenly, and say what of them', async () => {
  const rows = (half: number) =>
    Array.from({ length: 5000 }, (_, n) => ({
      date: `2026-01-0${1 + half}T00:00:00Z`,
      proxy_wallet: `w${n}`,
      pnl: half === 0 ? n : (n * 7919) % 5003,
      invested: 10,
      wins: 10,
      losses: 10,
    }));
  const frame = new DataFrame([...rows(0), ...rows(1)]);
  const chart = halvesChart(frame);
  const { values } = chart.spec.data as { values: { rank_1: number }[] };
  expect(values.map(({ rank_1 }) => rank_1)).toEqual(Array.from({ length: 2000 }, (_, at) => 1 + Math.floor(at * 2.5)));
  expect(String(chart)).toContain('Drawn: 2,000 wallets of them, evenly along the order of the first half');
  expect(String(chart)).toContain('of 5,000 wallets');
  expect(await chart.toSvg()).toContain('<svg');
});

it('a chart of as many points as one may have can be drawn', async () => {
  const many = new DataFrame({
    x: Array.from({ length: 50_000 }, (_, n) => n % 977),
    y: Array.from({ length: 50_000 }, (_, n) => n),
  });
  const chart = new Chart({ mark: 'point', encoding: { x: { field: 'x' }, y: { field: 'y' } } }, { data: many });
  expect((await chart.toSvg()).match(/<path /g)?.length).toBeGreaterThan(50_000);
}, 120_000);

it('halves of one order are fully correlated, of another as Spearman says, with the interval that halves gives', () => {
  const rows = (second: number[]) =>
    second.flatMap((value, at) =>
      [at + 1, value].map((pnl, half) => {
        const date = `2026-0${half + 1}-01T00:00:00Z`;
        return { date, proxy_wallet: `0x${String(at).padStart(40, '0')}`, pnl, invested: 100, wins: 6, losses: 5 };
      }),
    );
  const drawn = (second: number[]) => String(halvesChart(halves(new DataFrame(rows(second)))));
  expect(drawn([10, 20, 30, 40, 50])).toContain('Rank correlation 1.00 of 5 wallets: the order is the same');
  // Spearman: 1 - 6 * (9 + 1 + 1 + 1 + 4) / (5 * 24) = 0.2; tanh(artanh(0.2) -+ 1.96 * sqrt(1.02 / 2)).
  expect(drawn([40, 10, 20, 50, 30])).toContain(
    'Rank correlation 0.20 (95% interval -0.83 to 0.92) of 5 wallets: not told from luck',
  );
  const frame = new DataFrame(rows([40, 10, 20, 50, 30, 60, 70]));
  expect(halvesChart(frame).spec).toEqual(halvesChart(halves(frame)).spec);
  const { spec } = halvesChart(halves(frame, { measure: 'pnl', confidence: 0.8 }));
  expect(spec.title).toMatchObject({ subtitle: [expect.stringContaining('(80% interval '), expect.anything()] });
  const { values } = spec.data as { values: object[] };
  expect(values.at(-1)).toMatchObject({ first: 1, second: 40, rank_1: 7, rank_2: 4 });
  expect(String(halvesChart(new DataFrame(rows([1, 2]))))).toContain('fewer than 4 wallets');
  for (const wrong of ['pnl', null, { pairs: [] }]) expect(() => halvesChart(wrong as never)).toThrow(UsageError);
});
