import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CellOutcome } from '../../src/kernel/wire/runner.js';
import { TestNotebook } from './run-cells.js';

const BUSY = 'process.stdout.write("begun"); const until = Date.now() + 300; while (Date.now() < until);';
const COMMON = `exports.first = 1; ${BUSY} exports.last = 2;`;
const MODULE = `export const first = 1; ${BUSY} export const last = 2;`;
/** Each says that it has begun, and is busy for a while between its two exports. */
const FILES: Record<string, string> = {
  'node_modules/required/package.json': '{ "name": "required", "main": "./index.js" }',
  'node_modules/required/index.js': "Object.assign(exports, require('./part.js'));",
  'node_modules/required/part.js': COMMON,
  'node_modules/imported/package.json': '{ "name": "imported", "main": "./index.js" }',
  'node_modules/imported/index.js': COMMON,
  'node_modules/modern/package.json': '{ "name": "modern", "type": "module", "exports": "./index.js" }',
  'node_modules/modern/index.js': "export * from './part.js';",
  'node_modules/modern/part.js': MODULE,
  'own.ts': MODULE,
  'own.cjs': COMMON,
};

describe('interrupted in the middle of loading', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    for (const name of ['required', 'imported', 'modern', 'endless'])
      mkdirSync(`${notebook.folder}/node_modules/${name}`, { recursive: true });
    for (const [name, text] of Object.entries(FILES)) notebook.write(name, text);
  });
  afterAll(() => notebook.close());

  it.each([
    ['a required package', "require('required')"],
    ['an imported CommonJS package', "(await import('imported')).default"],
    ['an imported ES package', "await import('modern')"],
    ['an own module', "await import('./own.ts')"],
    ['an own CommonJS file', "require('./own.cjs')"],
  ])('%s is whole when it is loaded again', async (_, load) => {
    expect(await interrupted(`${load}; for (;;);`)).toMatchObject({
      fault: { name: 'Interrupted', message: expect.not.stringContaining('restart') },
    });
    expect(await notebook.value(`var { first, last } = ${load}; [first, last]`)).toBe('[ 1, 2 ]');
  });

  it.each([
    ['a required package', 'commonjs', "require('many')"],
    ['an imported CommonJS package', 'commonjs', "(await import('many')).default"],
    ['an imported ES package', 'module', "await import('many')"],
  ])('%s of many files is whole when it is loaded again', async (_, type, load) => {
    const own = new TestNotebook();
    onTestFinished(() => own.close());
    mkdirSync(`${own.folder}/node_modules/many`, { recursive: true });
    own.write('node_modules/many/package.json', JSON.stringify({ name: 'many', main: './index.js', type }));
    const isCommon = type === 'commonjs';
    const numbers = Array.from({ length: 750 }, (_, number) => number);
    const body = `const list = [${'1,'.repeat(2000)}];`;
    for (const each of numbers)
      own.write(`node_modules/many/${each}.js`, `${isCommon ? 'exports.' : 'export const '}a${each} = 1;${body}`);
    const part = (each: number) =>
      isCommon ? `Object.assign(exports, require('./${each}.js'));` : `export * from './${each}.js';`;
    own.write('node_modules/many/index.js', numbers.map(part).join('\n'));
    await own.value('1');
    const running = own.runner.execute(`${load}; for (;;);`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    own.runner.interrupt();
    expect(await running).toMatchObject({ fault: { name: 'Interrupted' } });
    expect(await own.value(`Object.keys(${load}).filter((name) => /^a/.test(name)).length`)).toBe('750');
  });

  it.each([
    ['a module that waits at its top level', './waits.ts'],
    ['one that imports it', './importer.ts'],
    ['one that imports it while it runs', './dynamic.ts'],
  ])('%s runs anew', async (_, path) => {
    notebook.write('done.ts', 'export const made = Symbol();');
    notebook.write(
      'waits.ts',
      `export { made } from './done.ts';
      process.stdout.write('begun');
      await new Promise((resume) => setTimeout(resume, globalThis.isShort ? 1 : 1e9));
      export const last = 2;`,
    );
    notebook.write('importer.ts', "export * from './waits.ts';");
    notebook.write('dynamic.ts', "export const { last, made } = await import('./waits.ts');");
    await notebook.value("globalThis.isShort = false; var { made: before } = await import('./done.ts'); 0");
    expect(await interrupted(`await import('${path}')`)).toMatchObject({ fault: { name: 'Interrupted' } });
    const again = `globalThis.isShort = true; var { last, made } = await import('${path}'); [last, made === before]`;
    expect(await notebook.value(again)).toBe('[ 2, true ]');
    expect(await notebook.value(`(await import('${path}')).made === made`)).toBe('true');
    expect(await notebook.value("(await import('./waits.ts')).last")).toBe('2');
  });

  it('a module that waits for another cell goes on', async () => {
    notebook.write(
      'slow.ts',
      'await new Promise((resume) => setTimeout(resume, 500)); export const made = Symbol.for(String(Date.now()));',
    );
    await notebook.value("var slow = import('./slow.ts'); 0");
    const cell = "process.stdout.write('begun'); await import('./slow.ts'); await new Promise(() => {});";
    expect(await interrupted(cell)).toMatchObject({ fault: { name: 'Interrupted' } });
    expect(await notebook.value("(await slow) === (await import('./slow.ts'))")).toBe('true');
  });

  it('a part of Node is whole when it is used again', async () => {
    for (let round = 0; round < 6; round++) {
      const own = new TestNotebook();
      const running = interrupted("process.stdout.write('begun'); fetch('data:,x'); await new Promise(() => {});", own);
      expect(await running).toMatchObject({ fault: { name: 'Interrupted' } });
      expect(await own.value("await (await fetch('data:,whole')).text()")).toBe("'whole'");
      await own.close();
    }
  });

  it('a package that never ends loading is ended all the same, and the way out is named', async () => {
    notebook.write('node_modules/endless/index.js', 'process.stdout.write("begun"); for (;;);');
    expect(await interrupted("require('endless')")).toMatchObject({
      fault: {
        message:
          'The cell was interrupted. What it had defined until then stays. ' +
          'It was loading a package: restart the kernel before you import that again.',
      },
    });
    expect(await notebook.value('1 + 1')).toBe('2');
  });

  it('a package that never ends loading is ended in time, however often one interrupts', async () => {
    notebook.write('node_modules/endless/index.js', 'process.stdout.write("begun"); for (;;);');
    let timer: NodeJS.Timeout | undefined;
    onTestFinished(() => clearInterval(timer));
    const running = notebook.runner.execute("require('endless')", {
      onOutput: () => {
        timer ??= setInterval(() => notebook.runner.interrupt(), 800);
      },
    });
    const late = new Promise((resolve) => setTimeout(() => resolve('still running'), 15_000));
    expect(await Promise.race([running, late])).toMatchObject({ fault: { name: 'Interrupted' } });
  });

  /** Runs a cell and interrupts it as soon as it has printed something. */
  async function interrupted(code: string, on = notebook): Promise<CellOutcome> {
    return on.runner.execute(code, {
      onOutput: ({ type }) => type === 'stream' && on.runner.interrupt(),
    });
  }
});
