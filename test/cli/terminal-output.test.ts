import { expect, it } from 'vitest';
import { rowsText, Status } from '../../src/cli/terminal-output.js';

it('shows a line of 80 columns on a terminal that does not know its width', () => {
  let shown = '';
  const stream = { isTTY: true, columns: 0, write: (text: string) => (shown += text) };
  const status = new Status(stream as unknown as NodeJS.WriteStream);
  status.show('about 15 min left');
  expect(shown).toMatch(/about 15 min left$/);
  shown = '';
  status.show('x'.repeat(200));
  expect(shown).toMatch(/[^x]x{79}$/);
});

const HEADS = ['VERSION', 'ROWS', 'STATE'];
const ROWS = [
  ['000001', 12, ''],
  ['000002', null, 'damaged'],
  ['000003', 1_234_567, 'current'],
];

it('prints rows alone with tabs between for a program', () => {
  expect(rowsText(HEADS, ROWS, false)).toBe('000001\t12\t\n000002\t\tdamaged\n000003\t1234567\tcurrent\n');
  expect(rowsText(HEADS, ROWS, undefined)).toBe(rowsText(HEADS, ROWS, false));
});

it('prints columns beneath a header on a terminal, numbers to the right', () => {
  expect(rowsText(HEADS, ROWS, true)).toBe(
    ['VERSION     ROWS  STATE', '000001        12', '000002            damaged', '000003   1234567  current', ''].join(
      '\n',
    ),
  );
});

it('prints nothing where there is no row', () => {
  expect([rowsText(HEADS, [], true), rowsText(HEADS, [], false)]).toEqual(['', '']);
});

it('prints any number of rows on a terminal', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [`0x${at}`, at]);
  expect(rowsText(['WALLET', 'SHARES'], rows, true).split('\n').at(-2)).toBe('0x199999  199999');
});
