import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { type CellOutlets, defineCellGlobals } from '../../../src/kernel/display/cell-globals.js';
import { createTslabModule } from '../../../src/kernel/display/tslab-module.js';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'oddslab-globals-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler says of a program that sees the globals and nothing else, line by line. */
async function diagnosticsOf(code: string, lib = 'es2023'): Promise<string[]> {
  const file = join(folder, 'program.ts');
  writeFileSync(file, `${code}\nexport {};\n`);
  const globals = join(root, 'src/kernel/cell-globals.d.ts');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--lib', lib, '--module', 'esnext'];
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, file, globals];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error);
  return String(stdout).split('\n').filter(Boolean);
}

const outlets: CellOutlets = {
  emit() {},
  reserve: () => ({ fill: () => {}, draw: (task) => task() }),
  render: () => undefined,
  ask: async () => '',
  sendComm() {},
  onComm() {},
};

test('the types are of what is there', async () => {
  const { display, comms, ...questions } = defineCellGlobals(outlets);
  const keys = (value: unknown) => JSON.stringify(Object.keys(Object(value)).sort());
  expect(Object.keys(questions).sort()).toEqual(['confirm', 'input', 'password', 'prompt']);
  const { default: whole, ...tslab } = createTslabModule(outlets);
  expect(whole).toEqual(tslab);
  const names = `type Names<Keys extends readonly string[]> = Keys[number];
    type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;`;
  const same = (type: string, value: unknown) => `<Same<keyof ${type}, Names<${keys(value)}>>>true;`;
  const code = `import * as tslab from 'tslab'; ${names}
    ${same('Oddslab.Display', display)}
    ${same('Oddslab.Comms', comms)}
    ${same('typeof tslab', tslab)}
    ${same('tslab.Display', tslab.display)}`;
  expect(await diagnosticsOf(code)).toEqual([]);
});

test('what cells write is well typed', async () => {
  const code = `
    const shown: Promise<void> = display({ a: 1 }, { id: 'x' });
    display.html('<b>'); display.json([1], { expanded: true }); display.png(new Uint8Array()); display.clear({ wait: true });
    display({ 'text/html': 'x' }, { raw: true }); display.raw({ data: { 'text/html': 'x' }, metadata: {} });
    for (const n of display.progress([1, 2], 'walk')) n.toFixed();
    async function* pages() { yield 'page'; }
    for await (const page of display.progress(pages())) page.toUpperCase();
    const bar = display.progress(10); bar.tick(); bar.set(bar.count); bar.done('over');
    const line: string = await input('?'); const sure: boolean = await confirm();
    const days: string = await prompt('Days?', '30'); const key: string = await password();
    comms.on('t', (comm, data: { n: number }) => { comm.send(data.n); comm.onMessage<string>((text) => text.length); });
    comms.open('t', {}).close();
    import { display as old, newDisplay, versions } from 'tslab';
    old.html('<b>'); newDisplay().raw('application/json', {}); versions.node.length;
    // @ts-expect-error
    display.html(5);
    // @ts-expect-error
    for (const n of display.progress(10)) n;
    // @ts-expect-error
    display.png(5);
    // @ts-expect-error
    display.update('x');
    // @ts-expect-error
    const typed: number = await input();`;
  expect(await diagnosticsOf(code)).toEqual([]);
});

test('the globals do not quarrel with those of a page', async () => {
  expect(await diagnosticsOf("const text: string = await input('?'); text;", 'es2023,dom')).toEqual([]);
});
