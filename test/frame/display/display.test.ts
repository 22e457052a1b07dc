import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { TRADES } from '../../../src/contract/trades.js';
import { DataFrame, Series } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns, frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { toHtml } from '../../../src/frame/display/frame-html.js';
import { toText } from '../../../src/frame/display/frame-text.js';
import { cutToWidth, terminalWidth } from '../../../src/frame/display/terminal-width.js';
import { type Provenance, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';

const COLUMNS: Column[] = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment.' },
  { name: 'wallet', dtype: 'string', nullable: true, meaning: '' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Profit & loss.' },
  { name: 'trades', dtype: 'int32', nullable: false, meaning: '' },
];

function frameOf(rows: number) {
  return frameFromColumns(COLUMNS, [
    Array.from({ length: rows }, (_, row) => `2025-11-${String(row + 1).padStart(2, '0')}T00:00:00Z`),
    Array.from({ length: rows }, (_, row) => `0x${String(row).padStart(40, 'a')}`),
    Array.from({ length: rows }, (_, row) => (row === 1 ? Number.NaN : 1234.5 * (row - 1))),
    Array.from({ length: rows }, (_, row) => row * 1000),
  ]);
}

test('a series shows itself as the frame of one column that it would be', () => {
  const frame = new DataFrame({ market: ['rain', 'snow', 'rain'], price: [0.5, 1, 2] });
  const series = frame.column('market');
  const lines = 'market\n──────\nrain\nsnow\nrain\n3 rows × 1 column';
  expect(inspect(series)).toBe(lines);
  expect(String(series)).toBe(lines);
  const shown = Reflect.get(series, Symbol.for('Jupyter.display')).call(series);
  expect(shown['text/plain']).toBe(lines);
  expect(shown['text/html']).toContain('<table');
  expect(inspect(series.valueCounts())).toBe('      0\n────  ─\nrain  2\nsnow  1\n2 rows × 1 column');
  expect(inspect(new Series([]))).toContain('0 rows × 1 column');
  expect(inspect(new Series([1, 'a', null]))).toContain('3 rows × 1 column');
});

describe('text table', () => {
  test('aligns numbers, shortens ids and counts the rows', () => {
    expect(toText(frameOf(3), { width: 60 })).toBe(
      [
        'date        wallet             pnl  trades',
        '──────────  ───────────  ─────────  ──────',
        '2025-11-01  0xaaaa…aaa0  -1,234.50       0',
        '2025-11-02  0xaaaa…aaa1              1,000',
        '2025-11-03  0xaaaa…aaa2   1,234.50   2,000',
        '3 rows × 4 columns',
      ].join('\n'),
    );
  });

  test('shows ids whole where there is room for them beside all else, or where told to', () => {
    const id = `0x${'0'.padStart(40, 'a')}`;
    expect(toText(frameOf(1))).toContain(id);
    expect(toText(frameOf(1), { width: 60 })).not.toContain(id);
    expect(toText(frameOf(1), { width: 60, full: true })).toContain(id);
    const ids = new DataFrame({ a: ['7'.repeat(77)], b: ['8'.repeat(77)], c: ['9'.repeat(77)] });
    expect(toText(ids, { width: 110 })).toMatch(/^7{77} {2}8888…8888/m);
    expect(toText(ids, { width: 10, full: true })).toContain(`${'7'.repeat(77)}  ${'8'.repeat(77)}  ${'9'.repeat(77)}`);
    expect(() => toText(ids, { full: 'yes' as never })).toThrow('full of toText must be true or false; got "yes"');
  });

  test('begins with the time of trades, whose id comes first in the frame', () => {
    const columns = TRADES.columns.filter(({ name }) => ['id', 'price', 'timestamp'].includes(name));
    const frame = frameFromColumns(columns, [['a-1'], [0.25], ['2026-01-01T10:00:01Z']]);
    expect(toText(frame).split('\n')[0]).toBe('timestamp            id    price');
    expect(frame.columns).toEqual(['id', 'price', 'timestamp']);
  });

  test('shows rates as %, and the note to a row behind what the row is of', () => {
    const rates: Column[] = [
      { name: 'who', dtype: 'string', nullable: false, meaning: '' },
      { name: 'rate', dtype: 'float64', fraction: true, nullable: true, meaning: '' },
      { name: 'win_rate', dtype: 'float64', unit: '%', nullable: true, meaning: '' },
      { name: 'note', dtype: 'string', nullable: true, meaning: '' },
    ];
    const note = 'only 3 decided; 12 days without a record, so that little can be said';
    const frame = frameFromColumns(rates, [
      ['ann', 'bob', 'eve'],
      [0.571, Number.NaN, -0.0001],
      [57.1, 0, 1234.56],
      [note, null, null],
    ]);
    expect(toText(frame, { width: 120 })).toBe(
      [
        `who  note${' '.repeat(note.length - 4)}    rate  win_rate`,
        `───  ${'─'.repeat(note.length)}  ──────  ────────`,
        `ann  ${note}   57.1%     57.1%`,
        `bob  ${' '.repeat(note.length)}              0.0%`,
        `eve  ${' '.repeat(note.length)}  -0.01%  1,234.6%`,
        '3 rows × 4 columns',
      ].join('\n'),
    );
    expect(toHtml(frame)).toContain(`<td class="note">${note}</td>`);
    expect(toHtml(frame)).toMatch(/who<\/th><th[^>]*>note<\/th>/);
    const noteless = frameFromColumns(rates, [['ann'], [0.5], [50], [null]]);
    expect(toText(noteless).split('\n')[0]).toBe('who   rate  win_rate  note');
  });

  test('shows first and last rows of a long frame', () => {
    const lines = toText(frameOf(28), { rows: 4 }).split('\n');
    expect(lines.map((line) => line.slice(0, 10).trim())).toEqual([
      ...['date', '──────────', '2025-11-01', '2025-11-02', '…', '2025-11-27', '2025-11-28', '28 rows ×'],
    ]);
  });

  test.each([20, 40, 60, 100])('fits %i characters', (width) => {
    const frame = new DataFrame({
      question: ['Will it '.repeat(30), 'no'],
      slug: ['s'.repeat(90), 't'],
      volume: [1.5, 2],
    });
    const lines = toText(frame, { width }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^question/);
  });

  test('chooses what fits, names what does not, and gives the room to what was cut', () => {
    const ids = ['7'.repeat(77), '8'.repeat(77)];
    const frame = new DataFrame({
      id: [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`],
      question: ['Will it rain on the second Sunday of the month?', 'no'],
      slug: ['will-it-rain-on-the-second-sunday', 'no'],
      token: ids,
      nothing: [null, null],
      volume: [1234.5, 2],
      ended: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    });
    expect(toText(frame, { width: 60 }).split('\n')).toEqual([
      'id           question                     volume  ended',
      '───────────  ─────────────────────────  ────────  ──────────',
      '0xaaaa…aaaa  Will it rain on the seco…  1,234.50  2026-01-01',
      '0xbbbb…bbbb  no                             2.00  2026-01-02',
      '… and slug, token, nothing',
      '2 rows × 7 columns',
    ]);
    expect(toText(frame, { width: 200 })).not.toContain('… and');
    expect(toText(frame, { width: 200 })).toContain('Will it rain on the second Sunday of the month?');
    expect(toText(frame, { width: 12 }).split('\n')).toEqual([
      ...['id', '───────────', '0xaaaa…aaaa', '0xbbbb…bbbb', '… and', '  question,', '  slug,', '  token,'],
      ...['  nothing,', '  volume,', '  ended', '2 rows × 7 columns'],
    ]);
  });

  test('counts characters of two places and of none as such', () => {
    const frame = new DataFrame({ question: ['日本の首相', '🗳️ vote', 'cafe\u0301', 'x'], v: [1, 2, 3, 4] });
    expect(toText(frame).split('\n').slice(0, -1)).toEqual([
      'question    v',
      '──────────  ─',
      '日本の首相  1',
      '🗳️ vote     2',
      'cafe\u0301        3',
      'x           4',
    ]);
    expect(['a', '日本', 'é', 'e\u0301', '👩‍👩‍👧', '🇯🇵', '1️⃣', '…', '\u200b', '한국'].map(terminalWidth)).toEqual([
      ...[1, 4, 1, 1, 2, 2, 2, 1, 0, 4],
    ]);
    expect(cutToWidth('日本の首相', 6)).toBe('日本…');
    expect(cutToWidth('日本', 4)).toBe('日本');
  });

  test('lets no control characters through, and shows empty frames', () => {
    expect(toText(new DataFrame({ a: ['x\u001b[31mred\u001b[0m\n\u0007y'] }))).toContain('xred y');
    expect(toText(frameOf(0))).toBe('date  wallet  pnl  trades\n────  ──────  ───  ──────\n0 rows × 4 columns');
    expect(toText(new DataFrame())).toContain('0 rows × 0 columns');
  });
});

describe('HTML table', () => {
  test('escapes data, names, units, meanings, row labels and provenance', () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const inData = new DataFrame({ [evil]: [evil, `0x"><script>${'a'.repeat(60)}`] }, { index: [evil, 'x'] });
    const column: Column = { name: 'a', dtype: 'float64', unit: evil, nullable: true, meaning: evil };
    const described = frameFromColumns([column], [[1]]);
    const source = { service: evil, dataset: 569, params: {}, queriedAt: evil, records: 1, snapshot: evil };
    setProvenance(described, [source]);
    for (const html of [toHtml(inData), toHtml(described)]) {
      expect(html).not.toMatch(/<img|<script|onerror="/);
      expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
    }
  });

  test('tells of columns on hover, aligns numbers, and says how many rows are not shown', () => {
    const html = toHtml(frameOf(28), { rows: 4 });
    expect(html).toContain(
      '<th scope="col" class="number" title="Profit &amp; loss.\nfloat64, USD, may be missing">pnl</th>',
    );
    expect(html).toContain('<td class="number">-1,234.50</td>');
    expect(html.match(/<tr/g)).toHaveLength(1 + 4 + 1);
    expect(html).toContain('<tr class="gap"><th scope="row" class="row">⋮</th><td colspan="4">24 more rows</td></tr>');
    expect(html).toContain('<tr aria-rowindex="29"><th scope="row" class="row">27</th>');
    expect(html).toContain(
      'role="group" tabindex="0" aria-label="Table of 28 rows × 4 columns: date, wallet, pnl, trades"',
    );
    expect(html).toContain('<p>28 rows × 4 columns</p>');
  });

  test('is called by the first of its columns, ids shortened, as many as a name can hold', () => {
    const nameOf = (columns: Record<string, number[]>) =>
      /aria-label="([^"]*)"/.exec(toHtml(new DataFrame(columns)))?.[1];
    expect(nameOf({})).toBe('Table of 0 rows × 0 columns');
    expect(nameOf({ [`0x${'1'.repeat(40)}`]: [1], b: [2] })).toBe('Table of 1 row × 2 columns: 0x1111…1111, b');
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`column_${at + 10}`, [at]]));
    expect(nameOf(many)).toMatch(/^Table of 1 row × 30 columns: column_10, (?:column_1\d, )+column_18, …$/);
  });

  test('holds the whole of a shortened id, as title and in parts', () => {
    const wallet = `0x${'0'.padStart(40, 'a')}`;
    expect(toHtml(frameOf(1))).toContain(
      `<td title="${wallet}"><span class="id">0xaaaa<b>…</b><i hidden="hidden">${'a'.repeat(32)}</i>aaa0</span></td>`,
    );
    const token = '7'.repeat(77);
    const text = toHtml(new DataFrame({ token: [token] })).replace(/<style>.*<\/style>|<b>…<\/b>|<[^>]*>/g, '');
    expect(text).toContain(token);
  });

  test('has no script, and styles that reach nothing but the table', () => {
    const html = toHtml(frameOf(1));
    expect(html).not.toMatch(/<script|javascript:|@import|url\(/);
    const [, style = ''] = /<style>(.*)<\/style>/.exec(html) ?? [];
    const selectors = [...style.replace('@media print{', '').matchAll(/([^{}]+)\{[^}]*\}/g)].map(
      ([, selector = '']) => selector,
    );
    expect(selectors.length).toBeGreaterThan(10);
    expect(selectors.filter((selector) => !selector.startsWith('.oddslab-frame'))).toEqual([]);
  });

  test('says from which snapshot the rows come, and nothing of a live service, which would differ from run to run', () => {
    const source = { service: 'http://127.0.0.1:8787', dataset: 569, params: {}, records: 1 };
    const foot = (...sources: Provenance[]) => {
      const frame = frameOf(1);
      setProvenance(frame, sources);
      return /<p>(.*)<\/p>/.exec(toHtml(frame.head(1)))?.[1];
    };
    const first = { ...source, queriedAt: '2026-11-21T09:30:00.000Z' };
    const second = { ...source, queriedAt: '2026-11-21T09:31:00.000Z', snapshot: 'snapshots/2026-11' };
    expect(foot(first)).toBe('1 row × 4 columns');
    expect(foot(second)).toBe('1 row × 4 columns · pnl from snapshot snapshots/2026-11, 2026-11-21 09:31 UTC');
    expect(foot(second, first, { ...second, queriedAt: first.queriedAt, dataset: 77 })).toBe(
      '1 row × 4 columns · pnl, dataset 77 from snapshot snapshots/2026-11 (2 queries), ' +
        '2026-11-21 09:30 to 2026-11-21 09:31 UTC',
    );
  });
});

describe('both tables', () => {
  test('show exact amounts to the last digit', () => {
    const columns: Column[] = [{ name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, meaning: '' }];
    const exact = (...micros: bigint[]) =>
      frameFromVectors(columns, [{ kind: 'micros', values: BigInt64Array.from(micros) }]);
    expect(toText(exact(9_007_199_254_740_993n, -1_500_000n, MISSING_MICROS))).toBe(
      [
        '                 pnl',
        '────────────────────',
        '9,007,199,254.740993',
        '           -1.500000',
        '',
        '3 rows × 1 column',
      ].join('\n'),
    );
    expect(toHtml(exact(123_456_789_000_000n, -1_000_000n))).toContain('>123,456,789</td>');
    expect(toHtml(exact(-1_500_000n, 1n * 10n ** 6n))).toContain('>-1.50</td>');
  });

  test('show row labels that are text', () => {
    const described = new DataFrame({ a: [1, 2, 3] }).describe();
    expect(toText(described).split('\n').slice(0, 4)).toEqual([
      '          a',
      '────────  ─',
      'count     3',
      'mean      2',
    ]);
    expect(toHtml(described)).toContain('<th scope="row" class="row">median</th>');
  });
});

test('frames show themselves in notebooks and in the console', () => {
  const frame = frameOf(2).head(1);
  const display = Reflect.get(frame, Symbol.for('Jupyter.display')).call(frame);
  expect(display).toEqual({ 'text/html': toHtml(frame), 'text/plain': toText(frame) });
  expect(inspect(frame)).toBe(toText(frame));
});

test('numbers keep their meaning when shown', () => {
  const shown = (...values: number[]) =>
    toText(new DataFrame({ v: values }))
      .split('\n')
      .slice(2, -1)
      .map((line) => line.trim());
  expect(shown(0.5123, 0.00001, -0.5)).toEqual(['0.5123', '0.00001', '-0.5000']);
  expect(shown(0.5123, 0.0000046666319946351, -4.12802182639e-7)).toEqual(['0.5123', '0.000004667', '-4.128e-7']);
  expect(shown(1e21, 1.5)).toEqual(['1e+21', '1.50']);
  expect(shown(1234567, -5)).toEqual(['1,234,567', '-5']);
  expect(shown(-0, 1)).toEqual(['0', '1']);
});

test('long ids that name columns are shortened, and whole as titles and when copied', () => {
  const wallets = ['b', 'c'].map((digit) => `0x${'a'.repeat(20)}${digit}${'a'.repeat(15)}0001`);
  const columns = ['date', ...wallets].map(
    (name): Column => ({ name, dtype: 'float64', nullable: false, meaning: 'x' }),
  );
  const frame = frameFromColumns(columns, [[1], [2], [3]]);
  const [first = '', second = ''] = wallets;
  const short = (id: string) => `${id.slice(0, 6)}…${id.slice(-4)}`;
  expect(toText(frame).split('\n')[0]).toBe(`date  ${short(first)}  ${short(second)}`);
  expect(toText(frame, { width: 20 }).split('\n').at(-2)).toBe(`… and ${short(second)}`);
  expect(toHtml(frame)).toContain(
    `title="${first}\nx\nfloat64"><span class="id">0xaaaa<b>…</b><i hidden="hidden">${first.slice(6, -4)}</i>0001</span></th>`,
  );
});
