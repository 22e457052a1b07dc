import { describe, expect, it } from 'vitest';
import type { OutputEvent, RunnerEvent } from '../../../src/kernel/events.js';
import { OutputQueue } from '../../../src/kernel/runner/output-queue.js';

const text = (part: string): OutputEvent => ({ type: 'stream', name: 'stdout', text: part });
const shown = (part: string): OutputEvent => ({ type: 'display', data: { 'text/plain': part }, metadata: {} });
const of = (cell: number, event: OutputEvent): RunnerEvent => ({ type: 'output', cell, event });

describe('OutputQueue', () => {
  it('joins text of one stream of one cell and sends at the end of the turn', async () => {
    const sent: RunnerEvent[][] = [];
    const queue = new OutputQueue((events) => sent.push(events));
    queue.push(1, text('a'));
    queue.push(1, text('b'));
    queue.push(2, text('c'));
    expect(sent).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([[of(1, text('ab')), of(2, text('c'))]]);
  });

  it('keeps what follows an open place of its cell behind it, and nothing of others', async () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    queue.push(1, text('before'));
    const fill = queue.reserve(1);
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

  it('sends what lay behind a place that is given up, and not what would fill it', () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    const fill = queue.reserve(1);
    queue.push(1, text('behind'));
    queue.abandon(1);
    fill(shown('too late'));
    queue.flush();
    expect(sent).toEqual([of(1, text('behind'))]);
  });
});
