import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '../../../src/kernel/events.js';
import { OutputQueue } from '../../../src/kernel/runner/output-queue.js';

const text = (part: string): RunnerEvent => ({ type: 'stream', name: 'stdout', text: part });
const shown = (part: string): RunnerEvent => ({ type: 'display', data: { 'text/plain': part }, metadata: {} });

describe('OutputQueue', () => {
  it('joins text of one stream and sends at the end of the turn', async () => {
    const sent: RunnerEvent[][] = [];
    const queue = new OutputQueue((events) => sent.push(events));
    queue.push(text('a'));
    queue.push(text('b'));
    expect(sent).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([[text('ab')]]);
  });

  it('keeps what follows an open place behind it', async () => {
    const sent: RunnerEvent[] = [];
    const queue = new OutputQueue((events) => sent.push(...events));
    queue.push(text('before'));
    const fill = queue.reserve();
    queue.push(text('after'));
    queue.flush();
    expect(sent).toEqual([text('before')]);
    setTimeout(() => fill(shown('late')), 1);
    await queue.settled();
    queue.flush();
    expect(sent).toEqual([text('before'), shown('late'), text('after')]);
  });
});
