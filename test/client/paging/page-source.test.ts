import { expect, it } from 'vitest';
import { firstRecords, recordCount, Slots } from '../../../src/client/paging/page-source.js';
import fc from '../../support/fast-check.js';

const text = (results: unknown, indent?: number) => Buffer.from(JSON.stringify(results, undefined, indent));
const anyArray = fc.array(fc.jsonValue());

it('counts what JSON.parse would count', () => {
  fc.assert(
    fc.property(anyArray, fc.constantFrom(undefined, 1), (results, indent) => {
      expect(recordCount(text(results, indent))).toBe(results.length);
    }),
  );
  expect([' [ ] ', '[\n]', '["]"]', '["a\\"],["]'].map((each) => recordCount(Buffer.from(each)))).toEqual([0, 0, 1, 1]);
});

it('cuts behind the first records', () => {
  fc.assert(
    fc.property(anyArray, fc.integer({ min: 1, max: 5 }), (results, most) => {
      const cut = firstRecords(text(results), most);
      expect(JSON.parse(Buffer.from(cut).toString())).toEqual(JSON.parse(JSON.stringify(results.slice(0, most))));
    }),
  );
});

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
