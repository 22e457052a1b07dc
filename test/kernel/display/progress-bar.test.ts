import { afterAll, expect, test } from 'vitest';
import { createProgress, endText, progressText } from '../../../src/kernel/display/progress-bar.js';
import type { OutputEvent } from '../../../src/kernel/wire/runner.js';
import { TestNotebook } from '../run-cells.js';

const notebook = new TestNotebook();
afterAll(() => notebook.close());

const textOf = (event: OutputEvent | undefined) => (event && 'data' in event ? event.data['text/plain'] : undefined);

/** Every event of a bar: their types, and the text of the last. */
async function ranBar(code: string): Promise<{ types: string[]; ids: number; last: unknown }> {
  const { events, outcome } = await notebook.run(code);
  expect(outcome).toEqual({ status: 'ok' });
  const ids = new Set(events.map((event) => ('id' in event ? event.id : undefined)));
  return { types: [...new Set(events.map(({ type }) => type))], ids: ids.size, last: textOf(events.at(-1)) };
}

test.each([
  [{ count: 0, total: 10, elapsedMs: 0 }, '0 of 10'],
  [{ count: 30, total: 120, elapsedMs: 2000 }, '30 of 120, 15/s, 6 s left'],
  [{ count: 1000, total: 1_000_000, elapsedMs: 1000 }, '1,000 of 1,000,000, 1,000/s, 17 min left'],
  [{ count: 1, total: 3601, elapsedMs: 4000 }, '1 of 3,601, 4.0 s each, 4 h 0 min left'],
  [{ count: 1, total: 2, elapsedMs: 3_599_600 }, '1 of 2, 3.6e+3 s each, 60 min left'],
  [{ count: 12_345, total: undefined, elapsedMs: 500 }, '12,345, 24,700/s'],
])('%o reads %s', (state, expected) => {
  expect(progressText({ label: '', ...state })).toBe(expected);
});

test.each([
  [{ count: 1200, total: 1200 }, '1,200 done'],
  [{ count: 3, total: 10 }, 'stopped at 3 of 10'],
  [{ count: 3, total: undefined }, '3 done'],
  [{ count: 0, total: 0 }, '0 done'],
])('the end of %o reads %s', (state, expected) => {
  expect(endText({ label: '', elapsedMs: 5, ...state })).toBe(expected);
});

test.each([
  ['a list', "for (const n of display.progress([1, 2, 3], 'walk')) await n;", 'walk: 3 done'],
  ['a list without a label', 'for (const n of display.progress(new Set([1, 2]))) n;', '2 done'],
  ['what has no size', 'for (const n of display.progress([1, 2].values())) n;', '2 done'],
  ['an empty list', "for (const n of display.progress([], 'none')) n;", 'none: 0 done'],
  ['a walk that breaks off', 'for (const n of display.progress([1, 2, 3])) if (n === 2) break;', 'stopped at 1 of 3'],
  [
    'a stream',
    "async function* pages() { yield 1; yield 2; } for await (const n of display.progress(pages(), 'pages')) n;",
    'pages: 2 done',
  ],
  ['promises', 'for await (const n of display.progress([Promise.resolve(1)])) n;', '1 done'],
  ['steps', "const bar = display.progress(3, 'steps'); bar.tick(); bar.tick(2);", 'steps: 3 done'],
  [
    'a count that is set',
    'const set = display.progress(5); set.set(4); set.set(5); set.set(1); set.tick(); set',
    '5 done',
  ],
  ['an end that says what it likes', "display.progress(5, 'load').done('all in the cache')", 'load: all in the cache'],
])('%s: one display that is updated in place and ends in a line', async (_, code, last) => {
  expect(await ranBar(code)).toEqual({ types: ['display', 'update'], ids: 1, last });
});

test('what a walk gives is what the list holds', async () => {
  expect(await notebook.value("[...display.progress(new Map([['a', 1]]))]")).toBe("[ [ 'a', 1 ] ]");
});

test('an error in the walk ends the bar and is the cell’s', async () => {
  const { events, outcome } = await notebook.run(
    "for (const n of display.progress([1, 2])) if (n === 2) throw new RangeError('no');",
  );
  expect(outcome).toMatchObject({ status: 'error', fault: { name: 'RangeError', message: 'no' } });
  expect(textOf(events.at(-1))).toBe('stopped at 1 of 2');
});

test('a quick walk of many steps says little', async () => {
  const { events } = await notebook.run("for (const n of display.progress(Array.from({ length: 20_000 }), 'many')) n;");
  expect(events.length).toBeLessThan(20);
  expect(textOf(events.at(-1))).toBe('many: 20,000 done');
});

test('a pause shows the last step', async () => {
  const { events } = await notebook.run(
    'const paused = display.progress(9); paused.tick(4); await new Promise((resolve) => setTimeout(resolve, 300));',
  );
  expect(textOf(events.at(-1))).toMatch(/^4 of 9, /);
});

test('the bar is HTML without script, and no label can break out of it', () => {
  const events: OutputEvent[] = [];
  const bar = createProgress((event) => events.push(event))(4, `<img src=x onerror="go()">&'`);
  bar.done('<script>go()</script>');
  const [first, last] = events.map((event) => ('data' in event ? String(event.data['text/html']) : ''));
  expect(first).toContain(
    '<span>&lt;img src=x onerror=&quot;go()&quot;&gt;&amp;&#39;</span><progress value="0" max="4"',
  );
  expect(first).toContain('aria-label="&lt;img src=x onerror=&quot;go()&quot;&gt;&amp;&#39;"');
  expect(last).toContain('&lt;script&gt;go()&lt;/script&gt;');
  expect(`${first}${last}`).not.toMatch(/<(?!\/?(div|span|progress)\b)/);
});

test.each([
  [(bar: { tick(n: unknown): void }) => bar.tick('2'), `tick(steps) takes a finite number; got the text "2".`],
  [(bar: { tick(n: unknown): void }) => bar.tick(Number.NaN), 'tick(steps) takes a finite number; got a number.'],
])('a bar refuses what is no number', (act, message) => {
  const bar = createProgress(() => {})(4);
  expect(() => act(bar as { tick(n: unknown): void })).toThrow(`A progress bar's ${message}`);
});
