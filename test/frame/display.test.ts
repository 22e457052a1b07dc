import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/contract/column.js';
import { DataFrame } from '../../src/frame/danfo.js';
import { frameFromColumns } from '../../src/frame/frame-from-columns.js';
import { toHtml } from '../../src/frame/html.js';
import { toText } from '../../src/frame/text.js';

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

describe('text table', () => {
  test('aligns numbers, shortens ids and counts the rows', () => {
    expect(toText(frameOf(3))).toBe(
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
    const lines = toText(frame, { width })
      .split('\n')
      .filter((line) => !line.startsWith('… and'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^question/);
  });

  test('lets no control characters through, and shows empty frames', () => {
    expect(toText(new DataFrame({ a: ['x\u001b[31mred\u001b[0m\n\u0007y'] }))).toContain('xred y');
    expect(toText(frameOf(0))).toBe('date  wallet  pnl  trades\n────  ──────  ───  ──────\n0 rows × 4 columns');
    expect(toText(new DataFrame())).toContain('0 rows × 0 columns');
  });
});

describe('HTML table', () => {
  test('escapes data and column names', () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const html = toHtml(new DataFrame({ [evil]: [evil, `0x"><script>${'a'.repeat(60)}`] }));
    expect(html).not.toMatch(/<img|<script|onerror="/);
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
  });

  test('has titles for the columns and full ids, right-aligned numbers and a gap with the count', () => {
    const html = toHtml(frameOf(28), { rows: 4 });
    expect(html).toContain('<th scope="col" class="number" title="float64, USD: Profit &amp; loss.">pnl</th>');
    expect(html).toContain(`<td title="0x${'0'.padStart(40, 'a')}">0xaaaa…aaa0</td>`);
    expect(html).toContain('<td class="number">-1,234.50</td>');
    expect(html.match(/<tr/g)).toHaveLength(1 + 4 + 1);
    expect(html).toContain('<tr class="gap"><td colspan="4">…</td></tr>');
    expect(html).toContain('<p>28 rows × 4 columns</p>');
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
  expect(shown(1e21, 1.5)).toEqual(['1e+21', '1.50']);
  expect(shown(1234567, -5)).toEqual(['1,234,567', '-5']);
  expect(shown(-0, 1)).toEqual(['0', '1']);
});
