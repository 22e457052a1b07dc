import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { makeQuiet, mimeBundle } from '../../../src/kernel/display/mime-bundle.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const GIF = 'R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const DISPLAY = Symbol.for('Jupyter.display');

const shown = (picture: unknown) => mimeBundle({ [DISPLAY]: () => picture });
const text = async (value: unknown) => (await mimeBundle(value))?.data;

test('bytes of an image are that image, with a line of text beside it', async () => {
  const png = Buffer.from(PNG, 'base64');
  const expected = { 'image/png': PNG, 'text/plain': 'PNG image, 1 × 1, 70 bytes' };
  expect(await text(png)).toEqual(expected);
  expect(await text(new Uint8Array(png))).toEqual(expected);
  expect(await text(new Uint8Array(png).buffer)).toEqual(expected);
  const shared = Buffer.concat([Buffer.from('before'), png, Buffer.from('after')]);
  expect(await text(shared.subarray(6, 6 + png.length))).toEqual(expected);
  expect(await text(Buffer.from(GIF, 'base64'))).toEqual({
    'image/gif': GIF,
    'text/plain': 'GIF image, 3 × 2, 42 bytes',
  });
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  expect(await text(jpeg)).toEqual({ 'image/jpeg': '/9j/4A==', 'text/plain': 'JPEG image, 4 bytes' });
  const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ');
  expect(await text(webp)).toEqual({ 'image/webp': webp.toString('base64'), 'text/plain': 'WebP image, 16 bytes' });
});

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\uFEFF<?xml version="1.0"?>\n<!-- drawn -->\n<svg\nwidth="1"></svg>',
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg></svg>',
])('bytes of SVG text are that picture: %s', async (svg) => {
  const bytes = Buffer.from(svg);
  const plain = `SVG image, ${bytes.length} bytes`;
  expect(await text(bytes)).toEqual({ 'image/svg+xml': svg, 'text/plain': plain });
});

test('bytes of a text that begins with many comments are bytes', async () => {
  const bytes = Buffer.from(`${'<!-- a -->\n'.repeat(30)}<html></html>`);
  expect(await text(bytes)).toEqual({ 'text/plain': inspect(bytes) });
});

class Element {
  readonly #html: string;
  constructor(html: string) {
    this.#html = html;
  }
  get outerHTML(): string {
    return this.#html;
  }
}

test('an element of a DOM is what it draws, unless it shows itself; data with such a field is printed', async () => {
  const html = '<p>A <b>B</b></p>';
  expect(await text(new Element(html))).toEqual({ 'text/html': html, 'text/plain': html });
  const picture = (svg: string) => ({ 'image/svg+xml': svg, 'text/plain': `SVG image, ${svg.length} bytes` });
  expect(await text(new Element('<svg width="1"><text>a&nbsp;b</text></svg>'))).toEqual(
    picture('<svg xmlns="http://www.w3.org/2000/svg" width="1"><text>a&#160;b</text></svg>'),
  );
  const named = '<svg width="1" xmlns="http://www.w3.org/2000/svg"></svg>';
  expect(await text(new Element(named))).toEqual(picture(named));
  const link = '<a xlink:href="#a"></a></svg>';
  expect(await text(new Element(`<svg>${link}`))).toEqual(
    picture(`<svg xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">${link}`),
  );
  const linked = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${link}`;
  expect(await text(new Element(linked))).toEqual(picture(linked));
  const own = Object.assign(new Element(html), { [DISPLAY]: () => ({ 'text/plain': 'mine' }) });
  expect(await text(own)).toEqual({ 'text/plain': 'mine' });
  expect(await text({ outerHTML: 'x' })).toEqual({ 'text/plain': "{ outerHTML: 'x' }" });
});

test('a proxy that throws at every name is printed, and a display getter that throws is heard', async () => {
  const get = () => {
    throw new Error('strict');
  };
  expect(await text(new Proxy({ a: 1 }, { get }))).toEqual({
    'text/plain': expect.stringMatching(/^(\{ a: 1 \}|Proxy\(\{ a: 1 \}\))$/),
  });
  await expect(async () => text(Object.defineProperty({}, DISPLAY, { get }))).rejects.toThrow('strict');
});

test('what cannot be asked whether it is an element is printed', async () => {
  const get = (_: object, key: string | symbol) => {
    if (typeof key === 'string') throw new Error('strict');
  };
  expect(await text(new Proxy({ a: 1 }, { get }))).toEqual({
    'text/plain': expect.stringMatching(/^(\{ a: 1 \}|Proxy\(\{ a: 1 \}\))$/),
  });
  const { prototype } = class {
    get outerHTML(): string {
      throw new TypeError('no element');
    }
  };
  expect(await text(Object.assign(Object.create(prototype), { a: 1 }))).toEqual({
    'text/plain': expect.stringContaining('{ a: 1 }'),
  });
});

test('an element whose own code throws while it is drawn draws itself, or is printed', async () => {
  const strict = (): never => {
    throw new Error('strict');
  };
  const circle = '<circle r="1"></circle>';
  const expected = { 'text/html': circle, 'text/plain': circle };
  const namespaceURI = 'http://www.w3.org/2000/svg';
  expect(await text(Object.assign(new Element(circle), { namespaceURI, closest: strict }))).toEqual(expected);
  expect(await text([Object.assign(new Element(circle), { namespaceURI, closest: strict })])).toEqual(expected);
  expect(await text(Object.defineProperty(new Element(circle), 'namespaceURI', { get: strict }))).toEqual(expected);
  let asked = 0;
  class Fickle {
    get outerHTML(): unknown {
      asked++;
      return asked === 1 ? circle : { toString: strict };
    }
  }
  expect(await text(new Fickle())).toEqual({ 'text/plain': 'Fickle {}' });
  const canvas = { getContext: strict, toBuffer: () => Promise.reject(new Error('strict')) };
  expect(await text(canvas)).toEqual({ 'text/plain': expect.stringContaining('toBuffer') });
});

test('other bytes and typed arrays are printed', async () => {
  expect(await text(Buffer.from('<html><svg></svg>'))).toEqual({
    'text/plain': '<Buffer 3c 68 74 6d 6c 3e 3c 73 76 67 3e 3c 2f 73 76 67 3e>',
  });
  expect(await text(new Uint8Array())).toEqual({ 'text/plain': 'Uint8Array(0) []' });
  expect(await text(Float64Array.of(1.5, 2))).toEqual({ 'text/plain': 'Float64Array(2) [ 1.5, 2 ]' });
});

test('a value shows itself by its own method, at once or later, with metadata or without', async () => {
  const data = { 'text/html': '<b>1</b>', 'text/plain': '1' };
  expect(await shown(data)).toEqual({ data, metadata: {} });
  expect(await shown(Promise.resolve(data))).toEqual({ data, metadata: {} });
  const metadata = { 'image/png': { width: 2 } };
  expect(await shown({ data, metadata })).toEqual({ data, metadata });
  expect(await shown({ data })).toEqual({ data, metadata: {} });
  class Money {
    dollars = 5;
    [DISPLAY]() {
      return { 'text/plain': `$${this.dollars}` };
    }
  }
  expect(await text(new Money())).toEqual({ 'text/plain': '$5' });
});

test('parts are what messages carry: bytes as base64, JSON types as values, lines as one text', async () => {
  const spec = { $schema: 'v5', data: { values: [1n, new Map([['a', 1]])] } };
  const bundle = await shown({
    'image/png': new Uint8Array(Buffer.from(PNG, 'base64')),
    'image/svg+xml': Buffer.from('<svg/>'),
    'application/vnd.vegalite.v5+json': spec,
    'application/geo+json': '{"type":"Point"}',
    'application/json': 'no JSON',
    'text/html': ['<b>', '</b>'],
    'text/plain': 7,
    'text/latex': undefined,
  });
  expect(bundle?.data).toEqual({
    'image/png': PNG,
    'image/svg+xml': '<svg/>',
    'application/vnd.vegalite.v5+json': { $schema: 'v5', data: { values: ['1', { a: 1 }] } },
    'application/geo+json': { type: 'Point' },
    'application/json': 'no JSON',
    'text/html': '<b></b>',
    'text/plain': '7',
  });
  spec.$schema = 'changed later';
  expect(bundle?.data['application/vnd.vegalite.v5+json']).toHaveProperty('$schema', 'v5');
});

test.each([
  [{ 'text/html': '<p>a</p>', 'application/vnd.dataresource+json': [1] }, 'a'],
  [{ 'image/png': Buffer.from(PNG, 'base64') }, 'PNG image, 1 × 1, 70 bytes'],
  [{ 'image/png': PNG, 'text/html': '<script>1</script>' }, 'PNG image, 1 × 1, 70 bytes'],
  [{ 'image/svg+xml': '<svg></svg>' }, 'SVG image, 11 bytes'],
  [{ 'text/markdown': '# A', 'application/json': [1] }, '# A'],
  [{ 'application/geo+json': { type: 'Point' } }, "{ type: 'Point' }"],
  [{ 'application/vnd.vegalite.v5+json': { title: 'A' }, 'text/html': '<b>b</b>' }, 'Vega-Lite chart: A'],
  [{ 'image/png': 'none' }, '[image/png]'],
  [{ 'application/pdf': 'JVBERi0=' }, '[application/pdf]'],
])('parts without plain text get it: %o', async (parts, plain) => {
  expect((await shown(parts))?.data['text/plain']).toBe(plain);
});

test('a method without a picture leaves the value to be printed; one that throws is heard', async () => {
  for (const nothing of [undefined, null, {}, 'text', { 'text/html': undefined }]) {
    expect((await shown(nothing))?.data).toEqual({ 'text/plain': expect.stringContaining('Jupyter.display') });
  }
  const fault = new RangeError('no picture today');
  const failing = () => {
    throw fault;
  };
  expect(() => mimeBundle({ [DISPLAY]: failing })).toThrow(fault);
  await expect(mimeBundle({ [DISPLAY]: async () => failing() })).rejects.toThrow(fault);
});

test('undefined and what is quiet are not shown', async () => {
  expect(await mimeBundle(undefined)).toBeUndefined();
  expect(await mimeBundle(makeQuiet(Promise.resolve()))).toBeUndefined();
});

test.each([
  [null, 'null'],
  ["it's", `"it's"`],
  [12n, '12n'],
  [-0, '-0'],
  [Symbol('s'), 'Symbol(s)'],
  [new Map([['a', new Set([1])]]), "Map(1) { 'a' => Set(1) { 1 } }"],
  [[{ wallet: '0x1', pnl: 2 }], "[ { wallet: '0x1', pnl: 2 } ]"],
  [Promise.resolve(1), 'Promise { 1 }'],
  [{ [inspect.custom]: () => 'mine' }, 'mine'],
  [class Wallet {}, '[class Wallet]'],
  [Object.create(null), '[Object: null prototype] {}'],
])('%o is printed as %s', async (value, expected) => {
  expect(await mimeBundle(value)).toEqual({ data: { 'text/plain': expected }, metadata: {} });
});

test('nested values are seen as deep as makes no long text', async () => {
  const deep = { a: { b: { c: { d: { e: [1] } } } } };
  expect((await text(deep))?.['text/plain']).toBe(inspect(deep, { breakLength: 120, depth: 6 }));
  const wide = Array.from({ length: 60 }, (_, id) => ({ a: { b: { id, name: 'a wallet of the sample market' } } }));
  expect((await text(wide))?.['text/plain']).toBe(inspect(wide, { breakLength: 120 }));
});
