import { describe, expect, it } from 'vitest';
import { Displays, OutputCollector } from '../../src/notebook/collect-outputs.js';
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
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é') }));
    fc.assert(
      fc.property(pieces, (texts) => {
        const [whole, cut] = [new OutputCollector(1), new OutputCollector(1)];
        whole.add({ type: 'stream', name: 'stdout', text: texts.join('') });
        for (const text of texts) cut.add({ type: 'stream', name: 'stdout', text });
        expect(cut.outputs).toEqual(whole.outputs);
      }),
    );
  });

  it('takes time in proportion to the pieces of one line', () => {
    const cell = new OutputCollector(1);
    const piece = `\r${'x'.repeat(80)}`;
    const start = processorMs();
    for (let count = 0; count < 10_000; count++) cell.add({ type: 'stream', name: 'stdout', text: piece });
    expect(cell.outputs).toEqual([printed(piece.repeat(10_000))]);
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
