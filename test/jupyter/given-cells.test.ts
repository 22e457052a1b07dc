import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explorations, linkPackages } from '../kernel/types/explorations.js';
import { cases } from '../support/fast-check.js';
import { isAbsent } from '../support/is-absent.js';
import { areLibrariesAbsent } from '../support/libraries.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { askPython } from './run-python.js';

/** A cell, the files that are written before it runs, and what it shows: all of its text, or a part of it or its error. */
interface Given {
  code: string;
  files?: Record<string, string>;
  /** The cell runs again until it shows this. */
  until?: string;
  /** The kernel is restarted before it. */
  restart?: boolean;
  text?: string | RegExp;
  html?: string;
  error?: RegExp;
}

/** What the script saw of a cell. */
interface Seen {
  text: string;
  html: string;
  error: string | null;
}

/** Runs cells by Debian's jupyter_client in a folder with a linked package, and compares what each shows. */
async function expectCells(cells: readonly Given[], types: string): Promise<void> {
  const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: types } });
  const linked = join(folder, 'packages/fees');
  await mkdir(linked, { recursive: true });
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(linked, join(folder, 'node_modules/fees'));
  await writeFile(join(linked, 'package.json'), '{"name":"fees","type":"module","exports":"./index.ts"}');
  const given = join(folder, 'given.json');
  await writeFile(given, JSON.stringify(cells));
  const seen = await askPython<Seen[]>('given-cells-test.py', [name, given], { env, cwd: folder });
  for (const [at, { code, text = '', html, error }] of cells.entries()) {
    const shown = seen[at];
    expect([code, shown?.error ?? '']).toEqual([code, error ? expect.stringMatching(error) : '']);
    expect([code, shown?.text]).toEqual([code, typeof text === 'string' ? text : expect.stringMatching(text)]);
    if (html !== undefined) expect([code, shown?.html]).toEqual([code, html]);
  }
}

const WHAT = 'cells in files, languages and libraries, by jupyter_client';
const cannot = isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), WHAT);

test.skipIf(cannot)(
  'a linked package is loaded and typed anew when its files change, as types that block show',
  () =>
    expectCells(
      [
        {
          files: { 'packages/fees/index.ts': 'export const fee = 0.02;' },
          code: 'import { fee } from "fees";\nfee',
          text: '0.02',
        },
        {
          files: { 'packages/fees/index.ts': 'export const fee = 0.02; export const tax = 0.1;' },
          code: 'import { tax } from "fees";\ntax',
          text: '0.1',
        },
        { code: 'import { tox } from "fees";', error: /it has a type error/ },
      ],
      'block',
    ),
  120_000,
);

test.skipIf(cannot)(
  'paths, workers, other languages, magics, and values that draw themselves',
  () =>
    expectCells(
      [
        {
          files: {
            'tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
            'lib/costs.ts': 'export const cost = 3;',
          },
          code: 'import { cost } from "@lib/costs";\ncost',
          text: '3',
        },
        { code: 'import "@lib/nothing";', error: /@lib\/nothing(?![\s\S]*npm install)/ },
        { code: 'import "lib/costs";', error: /Did you mean '\.\/lib\/costs/ },
        { code: 'import "lib/Costs";', error: /Did you mean '\.\/lib\/costs'(?![\s\S]*npm install)/ },
        { code: 'import "lib";', error: /there is '\.\/lib\/costs'(?![\s\S]*npm install)/ },
        { code: 'import "@lib/costss";', error: /Did you mean '@lib\/costs'(?![\s\S]*npm install)/ },
        { code: 'import "https://esm.sh/@lib/costs";', error: /Did you mean '@lib\/costs'(?![\s\S]*npm install)/ },
        {
          code: 'import "bun:test";',
          error: /a part of Bun\. Cells run in Node\.js, which has 'node:test'(?![\s\S]*npm install)/,
        },
        { code: 'import { display } from "oddslab"; display(1)', error: /display needs no import: every cell has it/ },
        { code: 'if (confirm.call(null, "sure?")) { }', error: /write await confirm/ },
        { code: 'function del(c = confirm("sure?")) { if (c) return 1; }', error: /write await confirm/ },
        { code: '_ = 5', error: /To make the name yours, declare it: let _ = …/ },
        { code: 'for i in range(3): print(i)', error: /In TypeScript: for \(let i = 0; i < 3; i \+= 1\) \{ … \}/ },
        {
          files: {
            'wk.ts':
              'import { parentPort } from "node:worker_threads"; enum A { B = 7 }\nparentPort?.postMessage(A.B);',
          },
          code:
            'import { once } from "node:events"; import { Worker } from "node:worker_threads";\n' +
            '(await once(new Worker(new URL("./wk.ts", import.meta.url)), "message"))[0]',
          text: '7',
        },
        { code: 'import { query } from "oddslab";\nconst trades = await query("SELECT 2 AS size");' },
        { code: 'trades.filter((row) => row)', error: /filterRows\(frame, \(row\) => …\)/ },
        { code: '%%sql\nSELECT size + 1 AS more FROM trades', text: /more\n[─]+\n {3}3\n/ },
        { code: '%%html\n<b>rain</b>', text: '[HTML]', html: '<b>rain</b>' },
        { code: '%time 6 * 7', text: /42/ },
        { code: 'trades?', until: 'DataFrame', text: /DataFrame/ },
        { code: '!ls -l', error: /execSync\('ls -l'/ },
        { code: '#!csharp\nvar x = 1;', error: /C#|csharp/i },
        { code: '({ toHTML: () => "<i>drawn</i>" })', text: /./, html: '<i>drawn</i>' },
        { code: `const text = '${'x'.repeat(1_000_001)}', meta = 2;` },
        { code: 'meta + text.length', text: '1000003' },
        {
          code: "for (let i = 0; i <= 2000; i += 1) process.stdout.write('\\r' + i + ' of 2000');",
          text: /^\r0 of 2000\r[\s\S]*\r2000 of 2000$/,
        },
      ],
      'off',
    ),
  120_000,
);

/** So many of the notebooks run in a kernel of its own where all cases are asked for. */
const MANY = 200;

test.skipIf(cannot || areLibrariesAbsent(WHAT))(
  'untyped exploration runs where types block, notebook after notebook',
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'block' } });
    linkPackages(folder);
    // Each starts a kernel; the types of all are checked without one, in test/kernel/types.
    const all = explorations();
    const some = all.filter((_, at) => at % Math.round(all.length / cases(MANY)) === 0);
    const given = some.flatMap(([, cells]) => cells.map((code, at) => ({ code, restart: at === 0 })));
    await writeFile(join(folder, 'given.json'), JSON.stringify(given));
    const seen = await askPython<Seen[]>('given-cells-test.py', [name, join(folder, 'given.json')], {
      env,
      cwd: folder,
    });
    expect(seen).toHaveLength(given.length);
    for (const [at, { code }] of given.entries()) expect([code, seen[at]?.error]).toEqual([code, null]);
  },
  600_000,
);
