import { expect, it } from 'vitest';
import { Slots } from '../../../src/client/paging/slots.js';

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

it('who leaves the queue for a slot keeps none: those behind it run', async () => {
  const slots = new Slots(1);
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const { promise: busy, resolve: end } = withResolvers();
  const first = slots.run(() => busy, signal);
  const second = slots.run(async () => expect.unreachable(), leaving.signal);
  const third = slots.run(async () => 'third', signal);
  leaving.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  end();
  await first;
  await expect(third).resolves.toBe('third');
  await expect(slots.run(async () => 'fourth', signal)).resolves.toBe('fourth');
});
