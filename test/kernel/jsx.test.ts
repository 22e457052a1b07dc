import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTypeService } from '../../src/kernel/types/open-type-service.js';
import { areLibrariesAbsent, linkLibraries } from '../support/libraries.js';
import { TestNotebook } from './run-cells.js';

const withReact = new TestNotebook();
const withPreact = new TestNotebook();
const classic = new TestNotebook();
const without = new TestNotebook();
const all = [withReact, withPreact, classic, without];

const isSkipped = areLibrariesAbsent('JSX');

beforeAll(() => {
  if (isSkipped) return;
  linkLibraries(withReact.folder, ['react', 'react-dom', '@types/react']);
  linkLibraries(withPreact.folder, ['preact', 'preact-render-to-string']);
  linkLibraries(classic.folder, ['react', 'preact', 'preact-render-to-string', '@types/react']);
  classic.write(
    'tsconfig.json',
    '{"compilerOptions": {"jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "Fragment"}}',
  );
});
afterAll(() => Promise.all(all.map((each) => each.close())));

/** The HTML of a cell's result; its traceback if it failed. */
async function html(notebook: TestNotebook, ...cells: string[]): Promise<unknown> {
  let last: unknown;
  for (const code of cells) {
    const { events, outcome } = await notebook.run(code);
    if (outcome.status === 'error') return outcome.fault.traceback.join('\n');
    last = events.find((event) => event.type === 'result');
  }
  const { data = {} } = Object(last) as { data?: Record<string, unknown> };
  return data['text/html'] === data['text/plain'] ? data['text/html'] : data;
}

describe.skipIf(isSkipped)('JSX in cells', () => {
  it('is shown as what React makes of it', async () => {
    const component = `import { useState } from 'react';
interface Props<T> { rows: T[]; children?: unknown }
const List = <T,>({ rows }: Props<T>) => { const [n] = useState(rows.length); return <ul title="a &amp; b">{rows.map((row) => <li key={String(row)}>{String(row)}</li>)}<>{n} rows</></ul>; };
enum Side { Yes = 'yes' }`;
    expect(await html(withReact, component, '<List rows={[Side.Yes, "<b>"]} />')).toBe(
      '<ul title="a &amp; b"><li>yes</li><li>&lt;b&gt;</li>2 rows</ul>',
    );
    expect(await html(withReact, 'const shown = <b>{1 + 1}</b>;\nshown')).toBe('<b>2</b>');
    expect(await html(withReact, '<><i>a</i>{null}</>')).toBe('<i>a</i>');
  });

  it('goes through display(), beside enums, decorators and top-level await', async () => {
    const { events } = await withReact.run(`enum E { A = 1 }
const once = (f: any, _: any) => f; class C { @once el() { return <i>{E.A}</i>; } }
await display(await Promise.resolve(new C().el()));`);
    expect(events).toMatchObject([{ type: 'display', data: { 'text/html': '<i>1</i>' } }]);
  });

  it('tells where it fails', async () => {
    const { outcome } = await withReact.run('const n: any = null;\n<p>\n  {n.missing}\n</p>');
    expect(outcome).toMatchObject({ fault: { name: 'TypeError', at: { line: 3, column: 6 } } });
    const inside = await withReact.run('function Bad(): any { throw new RangeError("in it") }\n<Bad />');
    expect(inside.outcome).toMatchObject({ fault: { name: 'RangeError', at: { line: 1, column: 29 } } });
    const unclosed = await withReact.run('<p>\n  <b>\n</p>');
    expect(unclosed.outcome).toMatchObject({ fault: { name: 'SyntaxError' } });
  });

  it('is Preact where that is installed, or a comment says so', async () => {
    expect(
      await html(
        withPreact,
        'import { useState } from "preact/hooks"; const A = () => <b class="x">{useState(3)[0]}</b>; <A />',
      ),
    ).toBe('<b class="x">3</b>');
    expect(await html(withPreact, '/** @jsx h */\nimport { h } from "preact";\n<p>by h</p>')).toBe('<p>by h</p>');
    expect(await html(classic, '/** @jsxImportSource preact */\n<p class="c">d</p>')).toBe('<p class="c">d</p>');
  });

  it('calls what a tsconfig.json names', async () => {
    expect(await html(classic, 'import { h, Fragment } from "preact";\n<><p>e</p></>')).toBe('<p>e</p>');
    expect(await classic.value('const h = (...all: unknown[]) => all;\n<p id="a">b</p>')).toBe(
      "[ 'p', { id: 'a' }, 'b' ]",
    );
  });

  it('stands in files that end in .tsx or .jsx, and in no other', async () => {
    withReact.write('view.tsx', 'export const View = ({ n }: { n: number }) => <em>{n}</em>;');
    withReact.write('old.jsx', 'export const Old = ({ n }) => <u>{n}</u>;');
    withReact.write('plain.ts', 'export const a = 1;\nexport const b = <em>no</em>;');
    expect(
      await html(
        withReact,
        'import { View } from "./view"; import { Old } from "./old.jsx"; <p><View n={4} /><Old n={5} /></p>',
      ),
    ).toBe('<p><em>4</em><u>5</u></p>');
    expect(await html(withReact, '[1, 2].map((n) => <li key={n}>{n}</li>)')).toBe('<li>1</li><li>2</li>');
    const { outcome } = await withReact.run('import "./plain"');
    const message = 'JSX can stand in cells and in files that end in .tsx or .jsx: rename this one';
    expect(outcome).toMatchObject({ fault: { message, at: { name: './plain.ts', line: 2, column: 18 } } });
  });

  it('says what to install where nothing is, and shows what nothing renders as Node prints it', async () => {
    const { outcome } = await without.run('<p>a</p>');
    const message = expect.stringMatching(
      /^Cannot find the package 'react'\. Elements in angle brackets \(JSX\) .+ npm install react react-dom, or: npm install preact/,
    );
    expect(outcome).toMatchObject({ fault: { message } });
    linkLibraries(without.folder, ['preact']);
    expect(await without.value('/** @jsxImportSource preact */ <p>a</p>')).toMatch(/type: 'p'/);
  });

  it('leaves TypeScript what it was', async () => {
    expect(
      await withReact.value(
        'const id = <T>(x: T) => x; const cast = <number>(5 as unknown); const text = "<b>a</b>"; [id(cast), text, 3 </2/.lastIndex]',
      ),
    ).toBe("[ 5, '<b>a</b>', false ]");
  });
});

describe.skipIf(isSkipped)('the types of JSX', () => {
  const types = openTypeService({ folder: withReact.folder });
  const ofPreact = openTypeService({ folder: withPreact.folder });
  const ofClassic = openTypeService({ folder: classic.folder });
  afterAll(async () => {
    await Promise.all([types, ofPreact, ofClassic].map((each) => each.close()));
  });

  async function found(service: typeof types, ...cells: string[]): Promise<string[]> {
    const told: string[] = [];
    for (const [at, code] of cells.entries()) {
      const diagnostics = await service.add(code, `cell ${at + 1}`).diagnostics;
      told.push(...diagnostics.map(({ code: number, start }) => `${at + 1}:${start.line}:${start.column} ${number}`));
    }
    service.reset();
    return told;
  }

  it('are checked, across cells with and without it', async () => {
    const told = await found(
      types,
      'const One = ({ n }: { n: number }) => <b>{n}</b>;',
      'const id = <T>(x: T) => x; const five = <number>(5 as unknown);',
      '<One n="five" />',
      'const el = <One n={id(five)} />;',
      'el.missing; <string>five;',
      'import { View } from "./view"; <View n={1} m={2} />',
    );
    expect(told).toEqual(['3:1:6 2322', '5:1:4 2339', '5:1:13 2352', '6:1:44 2322']);
  });

  it('are those of Preact, by what is installed or a comment', async () => {
    expect(await found(ofPreact, '<p class={1 as unknown as Date}>a</p>')).toEqual(['1:1:4 2322']);
    expect(
      await found(ofPreact, '/** @jsx h */\nimport { h } from "preact";\n<p nothing="x" class="d">a</p>;\n<Q />'),
    ).toEqual(['1:3:4 2322', '1:4:2 2304']);
    expect(await found(ofClassic, '/** @jsxImportSource preact */\n<p class="c">d</p>')).toEqual([]);
  });

  it('knows what a tsconfig.json makes elements by, from earlier cells too', async () => {
    const told = await found(
      ofClassic,
      'import { h, Fragment } from "preact";',
      '<><p>a</p></>',
      'const own = 1; <p nothing="x">{own}</p>',
    );
    expect(told).toEqual(['3:1:19 2322']);
  });
});
