import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { utcSpec } from '../../../src/charts/design/utc-spec.js';
import { Chart } from '../../../src/charts/drawing/chart.js';
import { renderWithPoints } from '../../../src/charts/drawing/render-svg.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const rows = ['2025-05-01T00:00:00Z', '2025-05-31T23:30:00Z', '2025-06-15T00:00:00Z', '2025-08-03T12:00:00Z'];
const values = rows.map((date, pnl) => ({ date, pnl }));
const x = { field: 'date', type: 'temporal' };
const tooltip = [{ ...x, format: '%Y-%m-%d %H:%M' }];
const encoding = { x, y: { field: 'pnl', type: 'quantitative' }, tooltip };
const filtered = (filter: unknown, data: object = { values }) => ({
  data,
  mark: 'point',
  transform: [{ filter }],
  encoding,
});
const drawn = (more: object, data: object = { values }) => ({
  data,
  mark: 'point',
  encoding: { ...encoding, ...more },
});
const day = (date: number, month = 5) => ({ year: 2025, month, date });

/** Runs a function as if the machine were in another place. */
async function tipsIn(zone: string, spec: object): Promise<string> {
  vi.stubEnv('TZ', zone);
  // Node reads the zone when it is set.
  expect(new Date(2025, 0, 1).getUTCHours()).toBe(zone === 'UTC' ? 0 : zone === 'Asia/Kolkata' ? 18 : 5);
  return JSON.stringify(await renderWithPoints(new Chart(spec).spec, { theme: 'light' }, () => {}));
}

/** What each filter keeps, as indices of the rows. */
const FILTERS: [unknown, number[]][] = [
  [{ timeUnit: 'month', field: 'date', equal: 5 }, [0, 1]],
  [{ timeUnit: 'utcmonth', field: 'date', equal: 'may' }, [0, 1]],
  [{ timeUnit: { unit: 'month', utc: true }, field: 'date', oneOf: [6, 'aug'] }, [2, 3]],
  [{ timeUnit: 'quarter', field: 'date', equal: 2 }, [0, 1, 2]],
  [{ timeUnit: 'hours', field: 'date', range: [1, 23] }, [1, 3]],
  [{ timeUnit: 'day', field: 'date', equal: 'sun' }, [2, 3]],
  [{ timeUnit: 'yearmonthdate', field: 'date', gte: day(1), lt: day(31) }, [0]],
  [{ timeUnit: 'yearmonth', field: 'date', equal: '2025-05' }, [0, 1]],
  [{ field: 'date', range: [day(1), day(31)] }, [0]],
  [{ field: 'date', gte: day(1, 6) }, [2, 3]],
  [
    {
      not: {
        or: [
          { timeUnit: 'date', field: 'date', equal: 1 },
          { field: 'date', gt: day(1, 7) },
        ],
      },
    },
    [1, 2],
  ],
  [{ and: ['month(datum.date) === 4', { not: 'hours(datum.date) === 0' }] }, [1]],
  [{ or: ['month(datum.date) === 7', { and: ['date(datum.date) === 1', 'true'] }] }, [0, 3]],
];

const nominal = { field: 'date', type: 'nominal' };
const conditional = { condition: { test: 'true', ...x, format: '%d %H:%M' }, value: 'none' };
const monthly = { timeUnit: { unit: 'month', step: 2 }, field: 'date', as: 'months' };
const byMonths = { field: 'months', type: 'temporal', format: '%m-%d %H:%M' };

describe('times in charts of one’s own are those of UTC on every machine', () => {
  it.each(FILTERS)('filter %j', async (filter, kept) => {
    const here = await tipsIn('UTC', filtered(filter));
    const times = kept.map((at) => String(rows[at]).slice(0, 16).replace('T', ' '));
    expect([...here.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g)].map(([time]) => time)).toEqual(times);
    for (const zone of ['America/New_York', 'Asia/Kolkata']) {
      expect(await tipsIn(zone, filtered(filter)), zone).toBe(here);
    }
  });

  it.each([
    drawn({ x: { ...x, scale: { domain: [day(1, 4), day(1, 9)] } } }),
    drawn({ x: { ...x, scale: { domain: ['2025-04-01 00:00', '2025-09-01T00:00'] } } }),
    drawn({ x: { ...x, axis: { values: [day(1), day(1, 7)], format: '%m-%d %H:%M' } } }),
    drawn({ x: { ...x, axis: { values: ['2025-05-01T00:00'], format: '%m-%d %H:%M' } } }),
    drawn({ color: { condition: { test: { field: 'date', timeUnit: 'date', lt: 15 }, value: 'red' }, value: 'blue' } }),
    { layer: [drawn({}), { mark: 'rule', encoding: { x: { datum: day(1), type: 'temporal' } } }] },
    { layer: [drawn({}), { mark: 'rule', encoding: { x: { datum: '2025-05-01 00:00', type: 'temporal' } } }] },
    {
      data: { values },
      mark: 'bar',
      encoding: { y: { field: 'pnl' }, x: { ...x, aggregate: 'min' }, x2: { field: 'date', aggregate: 'max' } },
    },
    drawn({ opacity: { condition: { test: { and: ['month(datum.date) === 4'] }, value: 1 }, value: 0.2 } }),
    { ...drawn({}), config: { axisX: { labelExpr: "timeFormat(datum.value, '%d %H:%M')" } } },
    {
      ...drawn({}),
      config: {
        axis: { labelColor: { condition: { test: 'hours(datum.value) === 0', value: 'red' }, value: 'blue' } },
      },
    },
    { ...drawn({ text: conditional }), mark: 'text' },
    { ...drawn({ text: { ...x, format: '%d %H:%M', condition: { test: 'false', value: '' } } }), mark: 'text' },
    drawn({ href: { ...x, format: 'https://odds.example/%Y-%m-%dT%H' } }),
    drawn({ description: { ...x, format: '%d %H:%M' } }),
    drawn({ shape: { ...x, legend: { format: '%d %H:%M' } } }),
    drawn({ row: { ...x, header: { format: '%d %H:%M' } } }),
    { data: { values }, facet: x, spec: { mark: 'point', encoding } },
    { data: { values }, facet: { row: { ...x, header: { format: '%H' } } }, spec: { mark: 'point', encoding } },
    { ...drawn({ x: byMonths, tooltip: [byMonths] }), transform: [monthly] },
    { ...drawn({ x: { field: 'months', type: 'ordinal' }, tooltip: [byMonths] }), transform: [monthly] },
    { ...drawn({ text: { field: 'months', type: 'nominal' } }), mark: 'text', transform: [monthly] },
  ])('picture %#', async (spec) => {
    const here = await tipsIn('UTC', spec);
    for (const zone of ['America/New_York', 'Asia/Kolkata']) expect(await tipsIn(zone, spec), zone).toBe(here);
  });

  it('reads texts by a pattern in UTC', async () => {
    const data = { values: [{ date: '01.05.2025', pnl: 1 }], format: { parse: { date: "date:'%d.%m.%Y'" } } };
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      expect(await tipsIn(zone, drawn({}, data)), zone).toContain('2025-05-01 00:00');
    }
  });
});

describe('texts without a zone count as UTC in expressions, too', () => {
  const hourBy = (calculate: string) => ({
    data: { values: [{ when: '2025-05-01 10:00', other: '2025-05-01T12:00' }] },
    transform: [{ calculate, as: 'hour' }],
    mark: 'point',
    encoding: { x: { field: 'hour', type: 'quantitative' }, tooltip: [{ field: 'hour', type: 'quantitative' }] },
  });
  it.each([
    ['hours(datum.when)', 10],
    ['utchours(toDate(datum.when))', 10],
    ["hours(datetime(datum['when']))", 10],
    ["hours(datum.when + ':00')", 10],
    ["hours(if(true, '2025-05-01T10:00', ')'))", 10],
    ["hours(timeOffset('hours', datum.when, 3))", 13],
    ["length(timeSequence('hours', datum.when, datum.other))", 2],
    ["toNumber(timeFormat(datum.when, '%H'))", 10],
    ['time(datum.when) / 3600000 % 24', 10],
    ['timezoneoffset(datum.when)', 0],
    ["hours(toDate('2025-05-01T12:00:00+02:00'))", 10],
    ['hours(datetime(2025, 4, 1, 10))', 10],
  ])('%s', async (calculate, hour) => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      expect(await tipsIn(zone, hourBy(calculate)), zone).toContain(`"tips":[[["hour","${hour}"]]]`);
    }
    const once = utcSpec(hourBy(calculate));
    expect(utcSpec(once)).toEqual(once);
  });

  it('refuses a text that only the zone of the machine could place', async () => {
    const chart = new Chart(hourBy("hours(toDate('May 1, 2025'))"));
    await expect(chart.toSvg()).rejects.toThrow(UsageError);
    await expect(chart.toSvg()).rejects.toThrow('the time "May 1, 2025", which names no time zone');
  });
});

describe('rows at an address, and rows in a text', () => {
  const csv = 'date,pnl\n2025-05-01 00:30,1\n2025-05-31T23:30:00Z,2\n2025-06-15,3\n';
  const json = JSON.stringify([
    { date: '2025-05-01 00:30', pnl: 1 },
    { date: Date.UTC(2025, 4, 31, 23, 30), pnl: 2 },
    { date: '2025-06-15', pnl: 3 },
  ]);
  const times = ['2025-05-01 00:30', '2025-05-31 23:30', '2025-06-15 00:00'];

  it.each([
    ['csv', csv, undefined],
    ['json', json, undefined],
    ['csv', csv, { parse: { date: 'date', pnl: 'number' } }],
    ['json', json, { parse: null }],
  ])('have times in UTC on every machine: %s of %#', async (ending, text, format) => {
    const data = { url: await put(await temporaryFolder(), `rows.${ending}`, text), ...(format && { format }) };
    const inText = { values: text, format: { type: ending, ...format } };
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      for (const rowsOf of [data, inText]) {
        const drawing = await tipsIn(zone, drawn({}, rowsOf));
        expect(
          [...drawing.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g)].map(([time]) => time),
          zone,
        ).toEqual(times);
      }
    }
    const once = utcSpec(drawn({}, data));
    expect(utcSpec(once)).toEqual(once);
  });

  it('are refused where only the zone of the machine could place them, unless it is said how they are written', async () => {
    const url = await put(await temporaryFolder(), 'rows.csv', 'date,pnl\n05/01/2025,1\n');
    await expect(new Chart(drawn({}, { url })).toSvg()).rejects.toThrow('"05/01/2025", which names no time zone');
    const said = { url, format: { parse: { date: "utc:'%m/%d/%Y'" } } };
    expect(await tipsIn('Asia/Kolkata', drawn({}, said))).toContain('2025-05-01 00:00');
    const looked = { lookup: 'pnl', from: { data: { url }, key: 'pnl', fields: ['date'] } };
    const lookup = { ...drawn({}), transform: [looked] };
    await expect(new Chart(lookup).toSvg()).rejects.toThrow('Say how they are written');
  });
});

it.each(['2025/05/01', 'May 1, 2025', '05/01/2025', '2025-05-01 10:00 AM'])('refuses the text %s', async (date) => {
  const chart = new Chart(drawn({}, { values: [{ date, pnl: 1 }] }));
  await expect(chart.toSvg()).rejects.toThrow(UsageError);
  await expect(chart.toSvg()).rejects.toThrow('names no time zone and would follow that of the machine. Write it as');
});

it.each(['Thu, 01 May 2025 00:00:00 GMT', '2025-05-01T02:00:00+02:00', '2025-05-01'])(
  'takes the text %s, which names its zone',
  async (date) => {
    expect(await tipsIn('America/New_York', drawn({}, { values: [{ date, pnl: 1 }] }))).toContain('2025-05-01 00:00');
  },
);

it.each([
  ['formatType', { ...drawn({ text: { ...nominal, format: '%H', formatType: 'time' } }), mark: 'text' }],
  ['formatType', drawn({ x: { ...nominal, axis: { format: '%H', formatType: 'time' } } })],
  ['formatType', drawn({ color: { ...nominal, legend: { format: '%H', formatType: 'time' } } })],
  ['formatType', drawn({ row: { ...nominal, header: { format: '%H', formatType: 'time' } } })],
  ['formatType', drawn({ x: { ...x, type: 'quantitative', axis: { format: '%H', formatType: 'time' } } })],
  ['formatType', { ...drawn({}), config: { axis: { format: '%H', formatType: 'time' } } }],
  ['sort of the time unit', drawn({ x: { ...nominal, type: 'ordinal', timeUnit: 'day', sort: ['sun', 'mon'] } })],
])('refuses what follows the zone of the machine whatever else is said: %s of %#', async (words, spec) => {
  const chart = new Chart(spec as object);
  await expect(chart.toSvg()).rejects.toThrow(UsageError);
  await expect(chart.toSvg()).rejects.toThrow(words);
});

/** A specification with what the error of another says to write in its place. */
const ADVICE: [string, object, (advice: string) => object][] = [
  [
    'a text',
    { ...drawn({ text: { ...nominal, format: '%d %H', formatType: 'time' } }), mark: 'text' },
    (advice) => {
      const [, calculate] = /calculate: "(.*?)", as: 'words'/.exec(advice) ?? [];
      const text = { field: 'words', type: 'nominal' };
      return { ...drawn({ text }), mark: 'text', transform: [{ calculate, as: 'words' }] };
    },
  ],
  ...(['axis', 'legend', 'header'] as const).map((look): [string, object, (advice: string) => object] => {
    const channel = { axis: 'x', legend: 'color', header: 'row' }[look];
    return [
      look,
      drawn({ [channel]: { ...nominal, [look]: { format: '%d %H', formatType: 'time' } } }),
      (advice) => {
        const [, labelExpr] = new RegExp(`${look}: \\{ labelExpr: "(.*?)" \\}`).exec(advice) ?? [];
        return drawn({ [channel]: { ...nominal, [look]: { labelExpr } } });
      },
    ];
  }),
];

it.each(ADVICE)('says what to write for formatType: time of %s, which is then in UTC', async (_, spec, advised) => {
  const said = await new Chart(spec).toSvg().catch(String);
  expect(said).toContain('would follow the time zone of the machine');
  const instead = advised(said);
  const here = await tipsIn('UTC', instead);
  for (const words of ['01 00', '31 23', '15 00', '03 12']) expect(here).toContain(`>${words}<`);
  for (const zone of ['America/New_York', 'Asia/Kolkata']) expect(await tipsIn(zone, instead), zone).toBe(here);
});

const config = { timeFormat: '%d %H:%M' };
it.each<[string, object]>([
  ['texts', { ...drawn({ text: x }), mark: 'text', config }],
  [
    'a condition of texts',
    { ...drawn({ text: { condition: { test: 'true', ...x }, value: 'none' } }), mark: 'text', config },
  ],
  ['heads of rows', { ...drawn({ row: x }), config }],
  ['heads of a facet', { data: { values }, facet: x, spec: { mark: 'point', encoding }, config }],
  ['legends', { ...drawn({ shape: x }), config }],
])('writes times by the format of the configuration in UTC: %s', async (_, spec) => {
  const here = await tipsIn('UTC', spec);
  for (const words of ['01 00:00', '31 23:30', '15 00:00', '03 12:00']) expect(here).toContain(`>${words}<`);
  for (const zone of ['America/New_York', 'Asia/Kolkata']) expect(await tipsIn(zone, spec), zone).toBe(here);
});

it('a format of its own goes before that of the configuration', async () => {
  const own = { ...drawn({ text: { ...x, format: '%Y!' } }), mark: 'text', config };
  expect(await tipsIn('America/New_York', own)).toContain('>2025!<');
});

const points = { mark: 'point', encoding };
const monthOf = { field: 'date', type: 'ordinal', timeUnit: 'yearmonth', sort: 'descending' };
it.each<[string, object, string[]]>([
  [
    'a list of times',
    { data: { values }, facet: { ...x, sort: [day(15, 6), day(1)] }, spec: points },
    ['Jun 15, 2025', 'May 1, 2025', 'May 31, 2025', 'Aug 3, 2025'],
  ],
  ['a unit', { data: { values }, facet: monthOf, spec: points }, ['Aug 2025', 'Jun 2025', 'May 2025']],
  [
    'rows of a facet',
    { data: { values }, facet: { row: monthOf }, spec: points },
    ['Aug 2025', 'Jun 2025', 'May 2025'],
  ],
  ['a channel', drawn({ facet: monthOf }, { values }), ['Aug 2025', 'Jun 2025', 'May 2025']],
  [
    'a facet within others',
    { data: { values }, hconcat: [{ facet: monthOf, spec: points }, points] },
    ['Aug 2025', 'Jun 2025', 'May 2025'],
  ],
])('sorts the parts of a facet the same on every machine: %s', async (_, spec, heads) => {
  const here = await tipsIn('UTC', spec);
  expect([...here.matchAll(/>((?:May|Jun|Aug)[^<]* 2025)</g)].map(([, text]) => text).sort()).toEqual(heads.toSorted());
  for (const zone of ['America/New_York', 'Asia/Kolkata']) expect(await tipsIn(zone, spec), zone).toBe(here);
});

it('refuses to sort the parts of a facet by a list of a unit', async () => {
  const sorted = { data: { values }, facet: { ...monthOf, sort: ['may', 'jun'] }, spec: points };
  await expect(new Chart(sorted).toSvg()).rejects.toThrow('A sort of the time unit "yearmonth" by a list');
});

it('refuses a filter that cannot be in UTC, and says what to write', async () => {
  const week = new Chart(filtered({ timeUnit: 'yearweek', field: 'date', equal: 20 }));
  await expect(week.toSvg()).rejects.toThrow('would follow the time zone of the machine. Write an expression');
  const name = new Chart(filtered({ timeUnit: 'month', field: 'date', equal: 'mey' }));
  await expect(name.toSvg()).rejects.toThrow('compares it with "mey"');
});
