import { describe, expect, it } from 'vitest';
import { OutputQueue } from '../../../src/kernel/runner/output-queue.js';
import type { OutputEvent, RunnerEvent } from '../../../src/kernel/wire/runner.js';
import { processorMs } from '../../support/processor-time.js';

const text = (part: string): OutputEvent => ({ type: 'stream', name: 'stdout', text: part });
const shown = (part: string): OutputEvent => ({ type: 'display', data: { 'text/plain': part }, metadata: {} });
const of = (cell: number, event: OutputEvent): RunnerEvent => ({ type: 'output', cell, event });

const written = (events: RunnerEvent[]): string =>
  events.map((each) => (each.type === 'output' && each.event.type === 'stream' ? each.event.text : '?')).join('');

describe('OutputQueue', () => {
  it('sends at once what comes now and then', () => {
    const sent: RunnerEvent[][] = [];
    const queue = new OutputQueue((events) => sent.push(events));
    queue.push(1, text('a'));
    queue.push(1, text('b'));
    queue.put({ type: 'fault', cell: 1, fault: { name: 'E', message: '', traceback: [] } });
    expect(sent.map((events) => events.map(({ type }) => type))).toEqual([['output'], ['output'], ['fault']]);
  });

  it('joins the text of a flood, tells of it once, and sends it at the end of the turn or when it is flushed', async () => {
    const sent: RunnerEvent[] = [];
    let held = 0;
    const queue = new OutputQueue(
      (events) => sent.push(...events),
      () => {
        held += 1;
      },
    );
    const lines = Array.from({ length: 3000 }, (_, i) => `${i}\n`);
    for (const line of lines.slice(0, 2000)) queue.push(1, text(line));
    expect(held).toBe(1);
    queue.flushBetween();
    expect(written(sent)).toBe(lines.slice(0, 2000).join(''));
    for (const line of lines.slice(2000)) queue.push(2, text(line));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written(sent)).toBe(lines.join(''));
    expect(sent.length).toBeLessThan(300);
  });

  it('keeps what follows an open place of its cell behind it, and nothing of others', async () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    queue.push(1, text('before'));
    const { fill } = queue.reserve(1);
    queue.push(1, text('after'));
    queue.push(2, text('other'));
    queue.flush();
    expect(sent).toEqual([of(1, text('before')), of(2, text('other'))]);
    await queue.settled(2);
    setTimeout(() => fill(shown('late')), 1);
    await queue.settled(1);
    queue.flush();
    expect(sent.slice(2)).toEqual([of(1, shown('late')), of(1, text('after'))]);
  });

  it('takes no longer for each place the more are open', () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    const names = Array.from({ length: 20_000 }, (_, i) => String(i));
    const fills = names.map(() => queue.reserve(1).fill);
    const startMs = processorMs();
    names.forEach((name, i) => {
      fills[i]?.(shown(name));
      queue.flush();
    });
    expect(processorMs() - startMs).toBeLessThan(2000);
    expect(sent).toEqual(names.map((name) => of(1, shown(name))));
  });

  it('sends what lay behind a place that is given up, and not what would fill it', () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    const { fill } = queue.reserve(1);
    queue.push(1, text('behind'));
    queue.abandon(1);
    fill(shown('too late'));
    queue.flush();
    expect(sent).toEqual([of(1, text('behind'))]);
  });

  it('keeps the value of a cell until it is told that the cell is over', () => {
    const sent: RunnerEvent[][] = [];
    const queue = new OutputQueue((events) => sent.push(events));
    const value: OutputEvent = { type: 'result', data: { 'text/plain': '1' }, metadata: {} };
    const done: RunnerEvent = { type: 'done', id: 1, outcome: { status: 'ok' } };
    queue.push(1, text('a'));
    queue.reserve(1).fill(value);
    queue.push(1, value);
    expect(sent).toEqual([[of(1, text('a'))]]);
    queue.flush(done);
    expect(sent.slice(1)).toEqual([[of(1, value), of(1, value), done]]);
    queue.flush(done);
    expect(sent.slice(2)).toEqual([[done]]);
  });
});
