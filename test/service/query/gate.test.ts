import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Gate } from '../../../src/service/query/queries.js';
import fc from '../../support/fast-check.js';

const always = () => true;

describe('the gate', () => {
  it('never lets more work at a time than it may, and all of it in turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 30 }),
        async (most, turns) => {
          const gate = new Gate({ concurrent: most, queued: 100, timeMs: 10_000 });
          let working = 0;
          let peak = 0;
          const begun: number[] = [];
          const results = await Promise.all(
            turns.map((ticks, n) =>
              gate.run(async () => {
                begun.push(n);
                peak = Math.max(peak, ++working);
                for (let i = 0; i < ticks; i++) await Promise.resolve();
                working--;
                return n;
              }, always),
            ),
          );
          expect(results).toEqual(turns.map((_, n) => n));
          expect(begun).toEqual(results);
          expect(peak).toBe(Math.min(most, turns.length));
          expect(gate.queued).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('refuses what comes beyond the queue, at once', async () => {
    const gate = new Gate({ concurrent: 1, queued: 1, timeMs: 10_000 });
    let release = () => {};
    const first = gate.run(() => new Promise<void>((done) => (release = done)), always);
    const second = gate.run(async () => 'second', always);
    await expect(gate.run(async () => 'third', always)).rejects.toMatchObject({
      status: 503,
      message: 'Too many queries are waiting for their turn: ask again in a second.',
      headers: { 'Retry-After': '1' },
    });
    release();
    expect([await first, await second]).toEqual([undefined, 'second']);
  });

  it('answers for work that takes too long, and keeps its room until it ends', async () => {
    const gate = new Gate({ concurrent: 1, queued: 5, timeMs: 20 });
    let release = () => {};
    const slow = gate.run(() => new Promise<void>((done) => (release = done)), always);
    await expect(slow).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('took longer than 0.02 s'),
    });
    await expect(gate.run(async () => 'waits', always)).rejects.toThrow('The query waited 0.02 s for its turn');
    release();
    await sleep(0);
    expect(await gate.run(async () => 'next', always)).toBe('next');
  });

  it('does not begin work that nobody waits for any more, nor fail with failing work', async () => {
    const gate = new Gate({ concurrent: 1, queued: 5, timeMs: 50 });
    let release = () => {};
    const first = gate.run(() => new Promise<void>((done) => (release = done)), always);
    let begun = false;
    const gone = gate.run(
      async () => {
        begun = true;
      },
      () => false,
    );
    const failing = gate.run(() => Promise.reject(new Error('no')), always);
    const last = gate.run(async () => 'last', always);
    release();
    await first;
    await expect(failing).rejects.toThrow('no');
    expect([await last, begun]).toEqual(['last', false]);
    await expect(gone).rejects.toMatchObject({ status: 503 });
  });
});
