import { afterAll, describe, expect, test } from 'vitest';
import type { OutputEvent } from '../../../src/kernel/wire/runner.js';
import { TestNotebook } from '../run-cells.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const notebook = new TestNotebook();
afterAll(() => notebook.close());

/** What a cell shows; fails where the cell fails. */
async function eventsOf(code: string): Promise<OutputEvent[]> {
  const { events, outcome } = await notebook.run(code);
  expect(outcome).toEqual({ status: 'ok' });
  return events;
}

/** The message of the error that a cell ends in. */
async function messageOf(code: string): Promise<string> {
  const { outcome } = await notebook.run(code);
  return outcome.status === 'error' ? `${outcome.fault.name}: ${outcome.fault.message}` : 'no error';
}

const display = (data: Record<string, unknown>, metadata = {}) => ({ type: 'display', data, metadata });

test.each([
  ['display.html("<b>1</b>")', { 'text/html': '<b>1</b>', 'text/plain': '[HTML]' }],
  ['display.markdown("# 1")', { 'text/markdown': '# 1', 'text/plain': '# 1' }],
  ['display.latex("$x$")', { 'text/latex': '$x$', 'text/plain': '$x$' }],
  ['display.text("1")', { 'text/plain': '1' }],
  ['display.svg("<svg/>")', { 'image/svg+xml': '<svg/>', 'text/plain': '[SVG image]' }],
  ['display.javascript("go()")', { 'application/javascript': 'go()' }],
  [
    'display.json({ a: [1n, new Set([2])] })',
    { 'application/json': { a: ['1', [2]] }, 'text/plain': "{ a: [ '1', [ 2 ] ] }" },
  ],
  [`display.png("${PNG}")`, { 'image/png': PNG, 'text/plain': 'PNG image, 1 × 1, 70 bytes' }],
  [`display.png("data:image/png;base64,${PNG}")`, { 'image/png': PNG, 'text/plain': 'PNG image, 1 × 1, 70 bytes' }],
  ['display.jpeg(Uint8Array.of(255, 216, 255))', { 'image/jpeg': '/9j/', 'text/plain': 'JPEG image, 3 bytes' }],
  [
    'display.raw({ "application/geo+json": { type: "Point" } })',
    { 'application/geo+json': { type: 'Point' }, 'text/plain': "{ type: 'Point' }" },
  ],
  [
    'display.raw({ "application/vnd.plotly.v1+json": { data: [], layout: { title: { text: "Rain" } } } })',
    {
      'application/vnd.plotly.v1+json': { data: [], layout: { title: { text: 'Rain' } } },
      'text/plain': 'Plotly chart: Rain',
    },
  ],
  [
    'display({ "application/vnd.vegalite.v5+json": { mark: "bar" } }, { raw: true })',
    { 'application/vnd.vegalite.v5+json': { mark: 'bar' }, 'text/plain': 'Vega-Lite chart' },
  ],
  [
    'display({ [Symbol.for("Jupyter.display")]: () => ({ "application/vnd.plotly.v1+json": { layout: { title: "Rain" } } }) })',
    { 'application/vnd.plotly.v1+json': { layout: { title: 'Rain' } }, 'text/plain': 'Plotly chart: Rain' },
  ],
  ['display({ "text/html": "<i>" }, { raw: true })', { 'text/html': '<i>', 'text/plain': '[text/html]' }],
  ['display([1])', { 'text/plain': '[ 1 ]' }],
  ['display(undefined)', { 'text/plain': 'undefined' }],
])('%s', async (code, data) => {
  expect(await eventsOf(code)).toEqual([display(data)]);
});

test('JSON unfolds as it is asked to', async () => {
  const metadata = { 'application/json': { expanded: true } };
  expect(await eventsOf('display.json([1], { expanded: true })')).toEqual([
    display({ 'application/json': [1], 'text/plain': '[ 1 ]' }, metadata),
  ]);
});

test('a value is shown as it is when it is displayed, whatever becomes of it', async () => {
  const code = 'const list: number[] = []; for (let i = 0; i < 3; i++) { list.push(i); display(list) }';
  const shown = ['[ 0 ]', '[ 0, 1 ]', '[ 0, 1, 2 ]'];
  expect(await eventsOf(code)).toEqual(shown.map((text) => display({ 'text/plain': text })));
});

test('what has an id is replaced, also from a later cell', async () => {
  const plain = (text: string) => ({ data: { 'text/plain': text }, metadata: {} });
  expect(await eventsOf('await display(1, { id: "n" }); display.update("n", 2)')).toEqual([
    { type: 'display', id: 'n', ...plain('1') },
    { type: 'update', id: 'n', ...plain('2') },
  ]);
  expect(await eventsOf('display(3, { id: "n", update: true })')).toEqual([{ type: 'update', id: 'n', ...plain('3') }]);
});

test('outputs keep the order of the calls, however long a value takes', async () => {
  const code = `
    const slow = {
      async [Symbol.for('Jupyter.display')]() {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { 'text/plain': 'slow' };
      },
    };
    display(slow); display(slow, { id: 's' }); display.html('quick'); console.log('printed'); 'last'`;
  expect(await eventsOf(code)).toEqual([
    display({ 'text/plain': 'slow' }),
    { id: 's', ...display({ 'text/plain': 'slow' }) },
    display({ 'text/html': 'quick', 'text/plain': '[HTML]' }),
    { type: 'stream', name: 'stdout', text: 'printed\n' },
    { type: 'result', data: { 'text/plain': "'last'" }, metadata: {} },
  ]);
});

test('what a value prints and shows until its picture is ready comes before that', async () => {
  const code = `
    const own = Symbol.for('Jupyter.display');
    const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
    const now = { [own]() { console.log('at once'); return { 'text/plain': 'now' }; } };
    const inner = { [own]: async () => { await pause(); console.log('inside'); return { 'text/plain': 'inner' }; } };
    const late = {
      async [own]() {
        await pause();
        console.log('begun');
        display(inner);
        console.log('drawn');
        pause().then(pause).then(() => console.log('outlived'));
        await pause();
        return { 'text/plain': 'late' };
      },
    };
    display(late); console.log('after'); await pause(); await display(now); now`;
  const plain = (each: OutputEvent) => ('data' in each ? each.data['text/plain'] : 'text' in each && each.text);
  const shown = (await eventsOf(code)).map(plain);
  const first = ['begun\n', 'inside\n', 'inner', 'drawn\n', 'late', 'after\nat once\n', 'now', 'at once\n', 'now'];
  expect(shown.join('').replace('outlived\n', '')).toBe(first.join(''));
});

test('clears, at once or with what comes next, and pages', async () => {
  expect(await eventsOf('display.clear(); display.clear({ wait: true }); display.page("long")')).toEqual([
    { type: 'clear', wait: false },
    { type: 'clear', wait: true },
    { type: 'page', data: { 'text/plain': 'long' }, metadata: {} },
  ]);
});

test('console.clear() clears as well', async () => {
  expect(await eventsOf('console.clear()')).toEqual([{ type: 'clear', wait: false }]);
});

test('an error is shown with the calls in the cell alone', async () => {
  const code = 'function fail() {\n  return new Error("bad", { cause: new TypeError("why") });\n}\nfail()';
  expect(await eventsOf(code)).toEqual([
    {
      type: 'result',
      data: {
        'text/plain': expect.stringMatching(
          /^Error: bad\n {4}at fail \(cell \d+:2:10\)\n[\s\S]*\[cause\]: TypeError: why/,
        ),
      },
      metadata: {},
    },
  ]);
  expect(JSON.stringify(await eventsOf('fail()'))).not.toMatch(/node:|node_modules|dist/);
});

describe('a bad call says what would be right', () => {
  test.each([
    [
      'display.png("notbytes")',
      'UsageError: display.png(bytes) takes the bytes of a PNG image as Buffer or Uint8Array, or their base64 text; got the text "notbytes".',
    ],
    [
      `display.jpeg("${PNG}")`,
      'UsageError: display.jpeg(bytes) takes the bytes of a JPEG image as Buffer or Uint8Array, or their base64 text; got a PNG image, 1 × 1, 70 bytes, which display(bytes) shows.',
    ],
    [
      'display.png(Buffer.from("abc"))',
      'UsageError: display.png(bytes) takes the bytes of a PNG image as Buffer or Uint8Array, or their base64 text; got 3 bytes.',
    ],
    ['display.html(5)', 'UsageError: display.html(text) takes a string; got a number.'],
    ['display.markdown(new Map())', 'UsageError: display.markdown(text) takes a string; got an instance of Map.'],
    ['display.page(null)', 'UsageError: display.page(text) takes a string; got null.'],
    ['display(1, { id: 5 })', 'UsageError: The id of a display is a string that is not empty; got a number.'],
    [
      'display.update(undefined, 1)',
      "UsageError: An update names what it replaces by the id that it was displayed with: display(first, { id: 'chart' }), then display.update('chart', second).",
    ],
    [
      'display.raw({ html: "<b>" })',
      "UsageError: display.raw(bundle) takes an object with a part for each MIME type, such as { 'text/html': '<b>hi</b>', 'text/plain': 'hi' }; got an object with the keys html.",
    ],
    [
      'const ring = {}; ring.ring = ring; display.json(ring)',
      'UsageError: The value cannot be written as JSON: Converting circular structure to JSON',
    ],
    [
      'display.progress("wallets")',
      'UsageError: display.progress(work, label) takes how many steps there are, or a list or stream to walk through; got the text "wallets".',
    ],
  ])('%s', async (code, message) => {
    expect(await messageOf(code)).toBe(message);
  });
});
