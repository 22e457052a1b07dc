import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/base/errors.js';
import { diagnosticsText } from '../../../src/kernel/types/cell-diagnostics.js';
import type { Diagnostic } from '../../../src/kernel/types/type-service.js';
import { type CheckOptions, compareNotebooks } from '../../../src/notebook/check/compare-notebooks.js';
import { driftText } from '../../../src/notebook/check/drift-text.js';
import { parseSanitizer } from '../../../src/notebook/check/sanitizer.js';
import type { Cell, Notebook, Output } from '../../../src/notebook/format/nbformat.js';
import { processorMs } from '../../support/processor-time.js';

function notebook(cells: Cell[], metadata: Record<string, unknown> = {}): Notebook {
  return { cells, metadata, nbformat: 4, nbformat_minor: 5 };
}

function code(source: string, outputs: Output[], tags: string[] = []): Cell {
  return { cell_type: 'code', execution_count: 1, metadata: { tags }, outputs, source };
}

function stream(text: string | string[], name = 'stdout'): Output {
  return { name, output_type: 'stream', text };
}

function result(data: Record<string, unknown>, type = 'execute_result'): Output {
  return { data, execution_count: 1, metadata: {}, output_type: type };
}

/** What is said of one cell that stored one thing and shows another. */
function told(
  stored: Output[],
  now: Output[],
  options: CheckOptions = {},
  metadata: Record<string, unknown> = {},
): string {
  const drifts = compareNotebooks(notebook([code('f();', stored)], metadata), notebook([code('f();', now)]), options);
  return driftText(drifts, 'a.ipynb');
}

/** The same of one text printed. */
function toldOf(stored: string, now: string, options: CheckOptions = {}): string {
  return told([stream(stored)], [stream(now)], options);
}

const ONE = result({ 'text/plain': '1' });

describe('compareNotebooks', () => {
  it.each<[string, Output[], Output[]]>([
    ['pieces of a stream', [stream('a\n'), stream(['b\n', 'c'])], [stream('a\nb\nc')]],
    ['streams between others', [stream('a\n'), result({ x: '1' }), stream('b')], [stream('a\nb'), result({ x: '1' })]],
    ['lines or one text', [result({ 'text/html': ['a\n', 'b'] })], [result({ 'text/html': 'a\nb' })]],
    ['execution counts', [result({ a: '1' })], [{ ...result({ a: '1' }), execution_count: 7 }]],
    [
      'order of keys',
      [result({ 'application/json': { a: 1, b: [2] } })],
      [result({ 'application/json': { b: [2], a: 1.0 } })],
    ],
    ['line ends of base64', [result({ 'image/png': 'iVBO\nRw==\n' })], [result({ 'image/png': 'iVBORw==' })]],
    ['colours', [stream('\u001b[33m1\u001b[39m')], [stream('1')]],
    ['lines written over', [stream('10 %\r20 %\rdone\r\n')], [stream('done\n')]],
    ['line ends of Windows', [stream('a\r\nb')], [stream('a\nb')]],
    [
      'tracebacks',
      [{ ename: 'E', evalue: 'm', output_type: 'error', traceback: ['old'] }],
      [{ ename: 'E', evalue: 'm', output_type: 'error', traceback: ['new'] }],
    ],
    ['a progress line that was emptied', [result({ 'text/html': [], 'text/plain': [] }, 'display_data'), ONE], [ONE]],
    ['displays of nothing', [ONE], [result({ 'text/plain': '' }, 'display_data'), ONE, result({}, 'display_data')]],
  ])('takes no notice of %s', (_, stored, now) => {
    expect(told(stored, now)).toBe('');
  });

  it("takes no notice of what the kernel said of a cell's types, and of nothing else on stderr", () => {
    const code = 'const a: number = "x";\n\nlet b: string = 1;';
    const found = [1, 3].map((line): Diagnostic => {
      const message = "Type 'string' is not assignable to type 'number'.\n  The expected type comes from here.";
      const [start, end] = [
        { line, column: 7 },
        { line, column: 8 },
      ];
      return { severity: line === 1 ? 'error' : 'warning', code: 2322, message, start, end };
    });
    const said = diagnosticsText(found, code, 'cell 12');
    const wide = diagnosticsText(found.slice(0, 1), 'x'.repeat(200), 'cell 2');
    for (const text of [said, wide, said.trimEnd()]) {
      expect(told([stream(text, 'stderr'), ONE], [ONE])).toBe('');
      expect(told([stream(`careful\n${text}`, 'stderr')], [stream('careful\n', 'stderr')])).toBe('');
      expect(told([stream(text, 'stderr')], [stream('careful\n', 'stderr')])).not.toBe('');
    }
    const late = ['late\n', '\nlate\n', '  1 late\n', 'cell 3: late\n'];
    const broken = said.match(/.*\n/g) ?? [];
    for (const text of late) {
      expect(told([stream([...broken, text], 'stderr')], [stream(text, 'stderr')])).toBe('');
      expect(told([stream(`${said}${text}${wide}`, 'stderr')], [stream(text, 'stderr')])).toBe('');
    }
    expect(told([stream(said)], [stream('')])).not.toBe('');
  });

  it.each([
    ['0.30000000000000004', '0.3'],
    ['x: -1e-7, 2', 'x: -1.00000000001e-7, 2'],
    ['0.0', '-0.0000000000000001'],
    ['$1,234.50000000001', '$1,234.5'],
    ['┌──────┐\n│ 12.5 │\n└──────┘', '┌────────────────────┐\n│ 12.500000000000002 │\n└────────────────────┘'],
    ['saved /tmp/oddslab-Ab12Cd/a.csv', 'saved /tmp/oddslab-Zz99/a.csv'],
    ['C:\\Users\\me\\AppData\\Local\\Temp\\a-1\\x', 'C:\\Users\\you\\AppData\\Local\\Temp\\b-2\\x'],
    ['http://127.0.0.1:43123/query', 'http://127.0.0.1:39871/query'],
    ['http://[::1]:8080/query', 'http://[::1]:9/query'],
  ])('takes %j for %j', (stored, now) => {
    expect(toldOf(stored, now)).toBe('');
    expect(toldOf(`${stored} a`, `${now} b`)).not.toBe('');
  });

  it.each([
    ['1000000000000', '1000000000001'],
    ['0xabcdef0123456789abcdef0123456789abcdef01', '0xabcdef0123456789abcdef0123456789abcdef02'],
    ['0x12e5', '0x12e6'],
    ['12.5 %', '12.6 %'],
    ['2024-01-05T10:00:00.1Z', '2024-01-05T10:00:00.2Z'],
    ['/tmp/a/x.csv', '/tmp/a/y.csv'],
    ['/tmp/a|12345', '/tmp/b|99999'],
    ['C:\\Users\\me\\AppData\\Local\\Temp\\a|12345', 'C:\\Users\\me\\AppData\\Local\\Temp\\b|99999'],
    ['settled at 0xabc123def456', 'settled at 0x999999999999'],
    ['took 12 ms', 'took 13 ms'],
    ['true', 'false'],
    ['a', 'a '],
    ['NaN', '0'],
    ['1', '1\n2'],
  ])('does not take %j for %j', (stored, now) => {
    expect(toldOf(stored, now)).not.toBe('');
  });

  it.each([
    ['100', '101', ''],
    ['-12.5 USD', '-12.6 USD', ''],
    ['$1,999', '$2,001', ''],
    ['[100,200]', '[100,250]', 'drift'],
    ['100', '103', 'drift'],
    ['wallet12', 'wallet13', 'drift'],
    ['2024-11-25', '2024-11-26', 'drift'],
    ['v1.2.300', 'v1.2.301', 'drift'],
    ['12345678901234567', '12345678901234568', 'drift'],
    ['007', '008', 'drift'],
    ['will-btc-hit-100000-in-2025', 'will-btc-hit-100000-in-2026', 'drift'],
    ['/market/512345/trades', '/market/512346/trades', 'drift'],
    ['of market-512345.', 'of market-512346.', 'drift'],
    ['of wallet512345.', 'of wallet512346.', 'drift'],
    ['2028-election', '2029-election', 'drift'],
    ['12/31/2025', '12/31/2024', 'drift'],
    ['2025/1/31', '2024/1/31', 'drift'],
    ['Nov 23, 2025', 'Nov 23, 2024', 'drift'],
    ['Sun Nov 23 2025', 'Sun Nov 23 2024', 'drift'],
    ['1st January 2025', '1st January 2024', 'drift'],
    ['May 2025', 'May 2024', 'drift'],
    ['500,100,a', '500,101,a', ''],
    ['100,900,a', '100,999,a', 'drift'],
    ['1,999,001', '2,001,500', ''],
    ['1000/day', '1001/day', ''],
    ['12.5/day', '12.6/day', ''],
    ['12k/day', '12.1k/day', ''],
    ['100ms/op', '101ms/op', ''],
    ['1e-5/day', '1.01e-5/day', ''],
    ['1e5/day', '1.01e5/day', ''],
    ['AB/1.00e-9', 'AB/1.01e-9', ''],
    ['May 1234', 'May 1235', ''],
    ['May 2025-06', 'May 2024-06', 'drift'],
    ['a/100ms/op', 'a/101ms/op', 'drift'],
    ['2028election/day', '2029election/day', 'drift'],
    ['USD-12.5 a', 'USD-12.51 a', ''],
    ['Nov 1,999.5', 'Nov 2,001.5', ''],
    ['Market 1000 at 1e-7', 'Market 1001 at 1.01e-7', ''],
  ])('within two in a hundred: %j and %j: %j', (stored, now, said) => {
    expect(toldOf(stored, now, { tolerance: 0.02 }) === '' ? '' : 'drift').toBe(said);
  });

  it.each([
    ['p = 1e-14', 'p = 9e-13', {}, 'drift'],
    ['p = 1e-14', 'p = 9e-13', { tolerance: 0 }, 'drift'],
    ['0.0', '9e-13', {}, 'drift'],
    ['1e-300', '2e-300', {}, 'drift'],
    ['1e-300', '2e-300', { tolerance: 0 }, 'drift'],
    ['1e-300', '2e-300', { tolerance: 0.5 }, ''],
    ['1.0', '1.0000000000000002', {}, ''],
    ['1e-5/day', '1.0000000000000002e-5/day', {}, ''],
    ['AB/1e-9', 'AB/1.0000000000000002e-9', {}, ''],
    ['1.0', '1.0000000000000002', { tolerance: 0 }, 'drift'],
    ['1.0', '1.00', { tolerance: 0 }, ''],
    ['0', '2.220446049250313e-16', {}, ''],
    ['-1e-17', '0.0', {}, ''],
    ['0', '2.220446049250313e-16', { tolerance: 0 }, 'drift'],
    ['0', '2.220446049250313e-16', { tolerance: 0.5 }, 'drift'],
  ])('takes numbers by their size, however small: %j and %j within %j: %j', (stored, now, options, said) => {
    expect(toldOf(stored, now, options) === '' ? '' : 'drift').toBe(said);
  });

  it('leaves cells out that are tagged so, cells that do not run, and injected parameters', () => {
    const shown = [stream('1')];
    const stored = notebook([
      code('a', [], ['ignore-output']),
      code('b', [], ['nbval-ignore-output']),
      code('c', [], ['skip-execution']),
      code('d', shown),
    ]);
    const executed = notebook([
      code('let x = 1', shown, ['injected-parameters']),
      code('a', shown, ['ignore-output']),
      code('b', shown, ['nbval-ignore-output']),
      code('c', shown, ['skip-execution']),
      code('d', shown),
    ]);
    expect(compareNotebooks(stored, executed)).toEqual([]);
    expect(compareNotebooks(executed, stored)).toEqual([]);
  });

  it('counts a notebook without any outputs as drift where there are some to store', () => {
    const [bare, shown] = [notebook([code('1', [])]), notebook([code('1', [stream('1')])])];
    expect(driftText(compareNotebooks(bare, shown), 'a.ipynb')).toBe(`a.ipynb has no stored outputs to compare with.
Run it with --out, look at the result, and keep that as the notebook.
`);
    expect(compareNotebooks(bare, bare)).toEqual([]);
  });

  it('hides what a sanitizer names, of the notebook or given', () => {
    const [stored, now] = [[stream('run 1 at 10:00:01 took 12 ms')], [stream('run 2 at 10:00:02 took 13.5 ms')]];
    const metadata = { oddslab: { check: { sanitize: ['durations', { pattern: 'run \\d+' }] } } };
    expect(told(stored, now, {}, metadata)).not.toBe('');
    expect(told(stored, now, { sanitize: parseSanitizer('times') }, metadata)).toBe('');
    expect(told(stored, now, { sanitize: parseSanitizer('s/\\d+/N/') })).not.toBe('');
    expect(told(stored, now, { sanitize: parseSanitizer('s|[\\d.]+|N|') })).toBe('');
  });

  it('takes the tolerance from the notebook where none is given', () => {
    const metadata = { oddslab: { check: { tolerance: 0.5 } } };
    expect(told([stream('100')], [stream('101')], {}, metadata)).toBe('');
    expect(told([stream('100')], [stream('101')], { tolerance: 0 }, metadata)).not.toBe('');
  });

  it.each([
    [{ tolerance: '1' }, 'the notebook: its metadata `oddslab.check.tolerance` must be a number from 0 on.'],
    [{ sanitize: 'times' }, 'the notebook: its metadata `oddslab.check.sanitize` must be a list.'],
    [
      { sanitize: ['tims'] },
      'the notebook: its metadata `oddslab.check.sanitize[0]` must be one of dates, times, durations, uuids, or { "pattern": "…", "replace": "…" }.',
    ],
    [
      { sanitize: [{ pattern: '(' }] },
      'the notebook: its metadata `oddslab.check.sanitize[0]`: Invalid regular expression: /(/gm: Unterminated group.',
    ],
  ])('refuses the metadata %j', (check, message) => {
    expect(() => told([stream('1')], [stream('1')], {}, { oddslab: { check } })).toThrow(new InputError(message));
  });
});

describe('what cannot be seen or stopped', () => {
  it('says that a line end is all that differs', () => {
    expect(toldOf('a', 'a\n')).toContain('    it ends with a line end now, unlike as stored\n');
    expect(toldOf('a\n', 'a')).toContain('    it ends without a line end now, unlike as stored\n');
  });

  it('ends a pattern that takes too long', () => {
    const sanitize = parseSanitizer('s/^(a+)+$/b/');
    const text = `${'a'.repeat(40)}!`;
    expect(() => told([stream(text)], [stream(text)], { sanitize })).toThrow('takes more than 5 s over one output');
  });
});

describe('parseSanitizer', () => {
  it.each([
    ['s/a\\/b/c/i', [{ pattern: /a\/b/gim, replace: 'c', isOwn: true }]],
    ['s|(\\d+)|<$1>|', [{ pattern: /(\d+)/gm, replace: '<$1>', isOwn: true }]],
    ['s,x,,', [{ pattern: /x/gm, replace: '', isOwn: true }]],
  ])('reads %s', (text, expected) => {
    expect(parseSanitizer(text)).toEqual(expected);
  });

  it.each([
    [
      'tims',
      '--sanitize takes one of dates, times, durations, uuids, or s/PATTERN/REPLACEMENT/FLAGS; "tims" is none of them.',
    ],
    [
      's/a/b',
      '--sanitize takes one of dates, times, durations, uuids, or s/PATTERN/REPLACEMENT/FLAGS; "s/a/b" is none of them.',
    ],
    ['s/(/b/', '--sanitize "s/(/b/": Invalid regular expression: /(/gm: Unterminated group.'],
    ['s/a/b/q', '--sanitize "s/a/b/q": Invalid flags supplied to RegExp constructor \'gmq\'.'],
  ])('refuses %s', (text, message) => {
    expect(() => parseSanitizer(text)).toThrow(new UsageError(message));
  });
});

describe('driftText', () => {
  it('shows the lines that differ, and how far numbers are apart', () => {
    const table = (rate: string): string =>
      `wallet  rate\n${Array.from({ length: 9 }, (_, row) => `w${row}      ${row}.25\n`).join('')}wx  ${rate}\n`;
    const [before, after] = [table('12.5'), table('12.6')].map((text) => [
      result({ 'text/html': `<b>${text}</b>`, 'text/plain': text }),
      stream('same\n'),
    ]);
    expect(told(before ?? [], after ?? [])).toBe(`a.ipynb: 1 output is not as stored

cell 1: f();
  result (text/plain) differs; so does text/html
      w7      7.25
      w8      8.25
    - wx  12.5
    + wx  12.6
    12.5 → 12.6, off by 0.8 %
`);
  });

  it('names outputs that are gone, new, or of another kind, and images by their sizes', () => {
    const png = (bytes: number): Output =>
      result({ 'image/png': Buffer.alloc(bytes).toString('base64') }, 'display_data');
    const stored = notebook([
      code('first();\nmore();', [stream('gone\n', 'stderr'), png(3210), result({ 'text/plain': 'x' })]),
      { cell_type: 'markdown', metadata: {}, source: '' },
      code('', []),
      code('second();', [result({ 'text/plain': 'x' })]),
    ]);
    const executed = notebook([
      code('first();\nmore();', [stream('new\n'), png(3305), result({ 'text/plain': 'x', 'text/html': 'y' })]),
      code('second();', [{ ename: 'TypeError', evalue: 'no', output_type: 'error', traceback: [] }]),
    ]);
    expect(driftText(compareNotebooks(stored, executed), 'a.ipynb')).toBe(`a.ipynb: 5 outputs are not as stored

cell 1: first();
  stdout is shown now but is not stored
    + new
  stderr is stored but is not shown any more
    - gone
  display 1 (image/png) image differs: 3,210 → 3,305 bytes
  result (text/html) is shown now but is not stored

cell 2: second();
  result is an error now
    - x
    + TypeError: no
`);
  });

  it('cuts long lines and long differences, and shows spaces at the end', () => {
    const line = (word: string): string => `${'a'.repeat(500)}${word}${'b'.repeat(500)}`;
    expect(toldOf(line('X'), line('Y'))).toBe(`a.ipynb: 1 output is not as stored

cell 1: f();
  stdout differs
    - …${'a'.repeat(53)}X${'b'.repeat(106)}…
    + …${'a'.repeat(53)}Y${'b'.repeat(106)}…
`);
    const lines = (word: string): string => Array.from({ length: 5000 }, (_, row) => `${word} ${row}`).join('\n');
    const long = toldOf(lines('a'), lines('b')).split('\n');
    expect(long.slice(-3)).toEqual(['    - a 29', '    … and 370 more lines', '']);
    expect(toldOf('x\n', 'x  \n')).toContain('    - x\n    + x··\n');
  });

  it('shows what is really wrong, however many lines before it are close', () => {
    const text = (digits: string, wrong: string): string =>
      Array.from({ length: 3000 }, (_, row) => `row ${row} ${row === 2500 ? wrong : `0.${digits}`}`).join('\n');
    expect(toldOf(text('12345', '1.5'), text('12345000000001', '2.5'))).toBe(`a.ipynb: 1 output is not as stored

cell 1: f();
  stdout differs
      row 2498 0.12345000000001
      row 2499 0.12345000000001
    - row 2500 1.5
    + row 2500 2.5
      row 2501 0.12345000000001
      row 2502 0.12345000000001
    1.5 → 2.5, off by 67 %
`);
  });

  it.each(['1/', 'ab-', 'a-1.5/', 'Nov 1 '])('takes long lines of %j apart in little time', (unit) => {
    const line = unit.repeat(30_000);
    const start = processorMs();
    expect(toldOf(`${line}1.5`, `${line}1.6`)).not.toBe('');
    expect(processorMs() - start).toBeLessThan(3000);
  });

  it('takes long lines apart once each', () => {
    const msFor = (count: number): number => {
      const lines = (value: string): string => `${`${value} `.repeat(500)}\n`.repeat(count);
      const start = processorMs();
      expect(toldOf(lines('1.5'), lines('1.6'))).toContain('1.5 → 1.6');
      return processorMs() - start;
    };
    // Eight times the lines would take 64 times as long if each were taken apart for each other.
    const few = Math.min(msFor(25), msFor(25));
    expect(msFor(200)).toBeLessThan(32 * few);
  });

  it('leaves equal lines between out', () => {
    const text = (first: string, last: string): string => [first, ...'bcdefgh', last, 'z'].join('\n');
    expect(toldOf(text('1', '2'), text('3', '4'))).toBe(`a.ipynb: 1 output is not as stored

cell 1: f();
  stdout differs
    - 1
    + 3
      b
      c
      … 3 equal lines
      g
      h
    - 2
    + 4
      z
    1 → 3, off by 200 %
    2 → 4, off by 100 %
`);
  });

  it('colours for a terminal', () => {
    const drifts = compareNotebooks(notebook([code('f', [stream('1')])]), notebook([code('f', [stream('2')])]));
    const [title, , cell, , stored, now] = driftText(drifts, 'a', { color: true }).split('\n');
    expect([title, cell, stored, now]).toEqual([
      '\u001b[1ma: 1 output is not as stored\u001b[0m',
      '\u001b[1mcell 1: f\u001b[0m',
      '    \u001b[31m- 1\u001b[0m',
      '    \u001b[32m+ 2\u001b[0m',
    ]);
  });
});
