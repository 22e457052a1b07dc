import { describe, expect, it } from 'vitest';
import { Displays, OutputCollector } from '../../src/notebook/collect-outputs.js';
import { lastState } from '../../src/notebook/format/overwritten.js';
import fc from '../support/fast-check.js';
import { processorMs } from '../support/processor-time.js';

function bundle(text: string) {
  return { data: { 'text/plain': text }, metadata: {} };
}

function shown(text: string) {
  return { data: { 'text/plain': [text] }, metadata: {}, output_type: 'display_data' };
}

function printed(text: string) {
  return { name: 'stdout', output_type: 'stream', text: [text] };
}

describe('OutputCollector', () => {
  it('joins text of one stream by line, and begins anew after something else', () => {
    const cell = new OutputCollector(1);
    cell.add({ type: 'stream', name: 'stdout', text: 'a\nb' });
    cell.add({ type: 'stream', name: 'stdout', text: 'c\n' });
    cell.add({ type: 'stream', name: 'stdout', text: '' });
    cell.add({ type: 'display', ...bundle('d') });
    cell.add({ type: 'stream', name: 'stdout', text: 'e' });
    expect(cell.outputs).toEqual([
      { name: 'stdout', output_type: 'stream', text: ['a\n', 'bc\n'] },
      shown('d'),
      printed('e'),
    ]);
  });

  it('stores the same whatever pieces a text comes in', () => {
    const pieces = fc.array(
      fc.string({
        unit: fc.constantFrom('a', 'bc', '\n', '\r', '\b', 'é', '\x1b', '[', '2', 'K', 'G', '\x1b[1m', '\x1b[0m'),
      }),
    );
    fc.assert(
      fc.property(pieces, (texts) => {
        const [whole, cut] = [new OutputCollector(1), new OutputCollector(1)];
        whole.add({ type: 'stream', name: 'stdout', text: texts.join('') });
        for (const text of texts) cut.add({ type: 'stream', name: 'stdout', text });
        expect(cut.outputs).toEqual(whole.outputs);
      }),
    );
  });

  it.each([
    ['10 %\r20 %\r100 %\n', ['100 %\n']],
    ['done: 100\rhalf', ['half: 100']],
    ['a\r\nb\r\n', ['a\n', 'b\n']],
    ['50 %\r', ['50 %']],
    ['|\b/\b-\b\\', ['\\']],
    ['ab\b\b\b\bc\n\bd', ['c\n', 'd']],
    ['\r', []],
    ['first\n\rsecond\r\r', ['first\n', 'second']],
    ['\x1b[32mgreen\x1b[0m\r\x1b[31mred\x1b[0m\n', ['\x1b[31mred\x1b[0m\x1b[32men\x1b[0m\n']],
    ['\x1b[32mgreen\x1b[0m\r\x1b[32mred  \x1b[0m\n', ['\x1b[32mred  \x1b[0m\n']],
    ['\x1b[2K\x1b[1G50%\r\x1b[K100%\n', ['100%\n']],
    ['long line\x1b[1Gab\x1b[0K', ['ab']],
    ['abc\x1b[2D\x1b[1mX\x1b[m\x1b[1CY', ['a\x1b[1mX\x1b[0mcY']],
    ['abc\x1b[2KY', ['   Y']],
    ['a\x1b[?25lb\rc', ['cb']],
    ['\x1b[32mgreen\x1b[0m and no more\n', ['\x1b[32mgreen\x1b[0m and no more\n']],
  ])('keeps the last state of %j', (text, lines) => {
    const cell = new OutputCollector(1);
    cell.add({ type: 'stream', name: 'stdout', text });
    expect(cell.outputs).toEqual([{ name: 'stdout', output_type: 'stream', text: lines }]);
    expect(lastState(text)).toBe(lines.join(''));
  });

  it('keeps each stream’s own line', () => {
    const cell = new OutputCollector(1);
    for (const [name, text] of [
      ['stdout', 'a 1'],
      ['stdout', '\ra 2'],
      ['stderr', 'b 1'],
      ['stderr', '\rb 2\n'],
    ] as const)
      cell.add({ type: 'stream', name, text });
    expect(cell.outputs.map(({ text }) => text)).toEqual([['a 2'], ['b 2\n']]);
  });

  it('takes time in proportion to the pieces of one line', () => {
    const cell = new OutputCollector(1);
    const piece = `\r${'x'.repeat(80)}`;
    const start = processorMs();
    for (let count = 0; count < 10_000; count++) cell.add({ type: 'stream', name: 'stdout', text: piece });
    expect(cell.outputs).toEqual([printed('x'.repeat(80))]);
    expect(processorMs() - start).toBeLessThan(2000);
  });

  it('keeps no page and no progress', () => {
    const cell = new OutputCollector(1);
    cell.add({ type: 'page', ...bundle('a manual') });
    cell.add({ type: 'progress', text: 'half' });
    expect(cell.outputs).toEqual([]);
  });

  it('changes what earlier cells show by a name, and stores the name nowhere', () => {
    const displays = new Displays();
    const [first, second] = [new OutputCollector(1, displays), new OutputCollector(2, displays)];
    first.add({ type: 'display', id: 'x', ...bundle('old') });
    first.add({ type: 'display', id: 'y', ...bundle('other') });
    first.add({ type: 'display', id: 'x', ...bundle('again') });
    expect(first.outputs).toEqual([shown('again'), shown('other'), shown('again')]);
    second.add({ type: 'update', id: 'x', data: { 'text/html': 'new\nline' }, metadata: { m: 1 } });
    second.add({ type: 'update', id: 'unknown', ...bundle('nowhere') });
    const updated = { data: { 'text/html': ['new\n', 'line'] }, metadata: { m: 1 }, output_type: 'display_data' };
    expect(first.outputs).toEqual([updated, shown('other'), updated]);
    expect(second.outputs).toEqual([]);
  });

  it('takes away at once, or with the next output', () => {
    const cell = new OutputCollector(1);
    cell.add({ type: 'stream', name: 'stdout', text: 'a' });
    cell.add({ type: 'clear', wait: false });
    expect(cell.outputs).toEqual([]);
    cell.add({ type: 'stream', name: 'stdout', text: 'b' });
    cell.add({ type: 'clear', wait: true });
    expect(cell.outputs).toEqual([printed('b')]);
    cell.add({ type: 'stream', name: 'stdout', text: 'c' });
    cell.add({ type: 'stream', name: 'stdout', text: 'd' });
    expect(cell.outputs).toEqual([printed('cd')]);
    cell.add({ type: 'clear', wait: true });
    cell.fail({ name: 'Error', message: 'm', traceback: ['t'] });
    expect(cell.outputs).toEqual([{ ename: 'Error', evalue: 'm', output_type: 'error', traceback: ['t'] }]);
  });

  it('no longer changes what was taken away', () => {
    const cell = new OutputCollector(1);
    cell.add({ type: 'display', id: 'x', ...bundle('old') });
    const [gone] = cell.outputs;
    cell.add({ type: 'clear', wait: false });
    cell.add({ type: 'display', id: 'x', ...bundle('new') });
    expect([gone, cell.outputs]).toEqual([shown('old'), [shown('new')]]);
  });
});
