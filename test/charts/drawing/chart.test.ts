import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError, OddslabError, UsageError } from '../../../src/base/errors.js';
import { cumulativePnlChart } from '../../../src/charts/cumulative-pnl-chart.js';
import { MARKS } from '../../../src/charts/design/marks.js';
import { Chart } from '../../../src/charts/drawing/chart.js';
import { samplePnl } from '../sample-frames.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-chart-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const chart = cumulativePnlChart(samplePnl(1));

it('shows itself as Vega-Lite, as SVG and in words', async () => {
  const bundle = await Reflect.get(chart, Symbol.for('Jupyter.display')).call(chart);
  expect(bundle).toEqual({
    'application/vnd.vegalite.v5+json': { ...chart.spec, $schema: 'https://vega.github.io/schema/vega-lite/v5.json' },
    'image/svg+xml': await chart.toSvg(),
    'text/plain': `Chart: ${chart.spec.description}`,
  });
  expect(JSON.parse(JSON.stringify(chart.spec))).toEqual(chart.spec);
});

it('gives front ends the JSON form of what its data are made of', async () => {
  class Decimal {
    readonly digits = '15e-1';
    toJSON() {
      return Number(this.digits);
    }
  }
  const values = [{ day: new Date(0), price: new Decimal(), id: 2n, more: new Map([['a', 1]]) }];
  const own = new Chart({ data: { values }, mark: 'bar', encoding: { x: { field: 'day', type: 'temporal' } } });
  const shown = await Reflect.get(own, Symbol.for('Jupyter.display')).call(own);
  const data = { values: [{ day: '1970-01-01T00:00:00.000Z', price: 1.5, id: '2', more: { a: 1 } }] };
  expect(shown['application/vnd.vegalite.v5+json'].data).toEqual(data);
});

it('shows itself as it was when it was asked, whatever then becomes of its data', async () => {
  const values = [{ day: 'Mon', usd: 3 }];
  const encoding = { x: { field: 'day', type: 'nominal' }, y: { field: 'usd', type: 'quantitative' } };
  const own = new Chart({ data: { values }, mark: 'bar', title: 'Before', encoding });
  const [shown, pending] = [Reflect.get(own, Symbol.for('Jupyter.display')).call(own), own.toSvg()];
  const file = join(folder, 'before.html');
  const saved = own.save(file);
  values.push({ day: 'Tue', usd: 5 });
  Object.assign(own.spec, { title: 'After' });
  const parts = Object.values(await shown).map((part) => JSON.stringify(part));
  await saved;
  const page = await readFile(file, 'utf8');
  await rm(file);
  for (const text of [...parts, await pending, page]) {
    expect(text).toContain('Before');
    expect(text).not.toMatch(/Tue|After/);
  }
});

it.each([
  [{ title: 'Weekly PnL' }, 'Weekly PnL'],
  [{ title: ['Weekly', 'PnL'] }, 'Weekly PnL'],
  [{ title: { text: 'Weekly PnL', subtitle: 'USD' } }, 'Weekly PnL'],
  [{ title: { text: ['Weekly', 'PnL'] } }, 'Weekly PnL'],
  [{ title: 'Weekly PnL', description: 'Weekly PnL of a wallet' }, 'Weekly PnL of a wallet'],
  [{ title: { text: { expr: '"a"' } } }, 'without a title'],
  [{ title: null }, 'without a title'],
  [{ title: '' }, 'without a title'],
  [{}, 'without a title'],
])('of %j says in words what it shows', (about, said) => {
  expect(String(new Chart({ mark: 'bar', data: { values: [] }, ...about } as never))).toBe(`Chart: ${said}`);
});

it('is drawn with the ink and the paper that it is asked for', async () => {
  const [light, dark, auto] = await Promise.all([
    chart.toSvg({ theme: 'light' }),
    chart.toSvg({ theme: 'dark' }),
    chart.toSvg(),
  ]);
  expect(light).toMatch(/^<svg color="#1f2430" [^>]*><rect width="100%" height="100%" fill="#ffffff"\/><g /);
  expect(dark).toBe(light.replace('#1f2430', '#e3e6ec').replace('#ffffff', '#16181d'));
  expect(auto).toContain('@media screen and (prefers-color-scheme:dark)');
  await expect(chart.toSvg({ them: 'dark' } as never)).rejects.toThrow('"them" is no option of toSvg');
  for (const theme of ['sepia', null])
    await expect(chart.toSvg({ theme: theme as never })).rejects.toThrow('theme must be "light", "dark" or "auto"');
});

it('saves a page that allows its own script alone', async () => {
  const path = join(folder, 'pnl.html');
  await chart.save(path, { theme: 'dark' });
  const page = await readFile(path, 'utf8');
  const [, text = ''] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
  const hash = createHash('sha256').update(text).digest('base64');
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'"`);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/\s(?:src|href)=/);
  await rm(path);
});

const DRAWS_PNG = createRequire(import.meta.url)
  .resolve.paths('@resvg/resvg-js')
  ?.some((place) => existsSync(join(place, '@resvg/resvg-js')));
if (!DRAWS_PNG) console.log('skipped: a chart as PNG, as @resvg/resvg-js is not installed');

it.skipIf(!DRAWS_PNG)('saves a PNG of twice its size, or as large as asked', async () => {
  const path = join(folder, 'pnl.png');
  const sizes: number[] = [];
  for (const options of [{}, { scale: 1, theme: 'dark' as const }]) {
    await chart.save(path, options);
    const bytes = await readFile(path);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    sizes.push(bytes.readUInt32BE(16));
  }
  expect(sizes[0]).toBe(2 * (sizes[1] ?? 0));
  await expect(chart.save(path, { scale: 9 })).rejects.toThrow('scale must be above 0 and at most 8');
  await rm(path);
});

it('saves the picture and the specification', async () => {
  await chart.save(join(folder, 'pnl.svg'));
  await chart.save(join(folder, 'pnl.JSON'));
  expect(await readFile(join(folder, 'pnl.svg'), 'utf8')).toBe(await chart.toSvg());
  expect(JSON.parse(await readFile(join(folder, 'pnl.JSON'), 'utf8'))).toEqual(chart.spec);
  expect((await readdir(folder)).sort()).toEqual(['pnl.JSON', 'pnl.svg']);
});

it('says which endings it knows, and which folder is missing', async () => {
  await expect(chart.save(join(folder, 'pnl.bmp'))).rejects.toThrow(UsageError);
  await expect(chart.save(undefined as never)).rejects.toThrow(
    new UsageError('A chart is saved as .svg, .png, .html or .json; got no path.'),
  );
  await expect(chart.save(join(folder, 'nowhere', 'pnl.svg'))).rejects.toThrow(DataError);
});

it.each([{}, null, undefined, 'chart'])('is not drawn over by %j', (other) => {
  expect(() => chart.layer(other as never)).toThrow(UsageError);
});

it('can be made of a changed specification', async () => {
  const taller = new Chart({ ...chart.spec, height: 500 });
  expect(await taller.toSvg()).not.toBe(await chart.toSvg());
  expect(chart.spec).toMatchObject({ height: 320 });
});

it.each([
  [null, 'null'],
  [undefined, 'a value of type undefined'],
  ['bar', 'a value of type string'],
  [[{ mark: 'bar' }], 'an array'],
])('is not made of %j', (spec, found) => {
  expect(() => new Chart(spec as never)).toThrow(
    new UsageError(`A chart is made of a Vega-Lite specification, new Chart({ data, mark, encoding }); got ${found}.`),
  );
});

describe('a mark that there is not', () => {
  const data = { values: [{ a: 1 }] };
  it.each([
    [{ mark: 'barr' }, '"barr". Did you mean "bar"?'],
    [{ mark: { type: 'lines' } }, '"lines". Did you mean "line"?'],
    [{ layer: [{ mark: 'bar' }, { mark: 'histogram' }] }, '"histogram".'],
    [{ hconcat: [{ mark: 'bar' }, { layer: [{ mark: {} }] }] }, 'undefined.'],
    [{ facet: { field: 'a' }, spec: { mark: null } }, 'null.'],
  ])('is named of %j', async (view, said) => {
    const refused = expect(new Chart({ data, ...view } as never).toSvg()).rejects;
    await refused.toThrow(new UsageError(`There is no mark ${said} There are ${MARKS.join(', ')}.`));
  });

  it('is none that Vega-Lite knows', async () => {
    const path = createRequire(import.meta.url).resolve('vega-lite/vega-lite-schema.json');
    const { definitions } = JSON.parse(await readFile(path, 'utf8'));
    const composite = ['BoxPlot', 'ErrorBar', 'ErrorBand'].map((name) => definitions[name].const);
    expect(definitions.CompositeMark.anyOf).toHaveLength(composite.length);
    expect(MARKS.toSorted()).toEqual([...definitions.Mark.enum, ...composite].sort());
  });
});

it('is not drawn without the data that it names', async () => {
  const view = { mark: 'bar', encoding: { x: { field: 'a', type: 'quantitative' } } };
  const drawn = (name: string) => new Chart({ ...view, data: { url: join(folder, name) } } as never).toSvg();
  await writeFile(join(folder, 'broken.json'), '[{');
  await writeFile(join(folder, 'whole.json'), '[{ "a": 1 }]');
  for (const name of ['missing.json', 'broken.json']) {
    const refused = expect(drawn(name)).rejects;
    await refused.toThrow(OddslabError);
    await refused.toThrow(`The chart cannot be drawn: the data at ${join(folder, name)} cannot be read: `);
  }
  expect(await drawn('whole.json')).toContain('aria-label="a: 1"');
  for (const name of ['broken.json', 'whole.json']) await rm(join(folder, name));
});

it('says what could not be drawn', async () => {
  const broken = new Chart({
    mark: 'bar',
    encoding: { x: { field: 'a' } },
    data: { values: [] },
    transform: [{ calculate: '(', as: 'a' }],
  } as never);
  await expect(broken.toSvg()).rejects.toThrow(OddslabError);
});
