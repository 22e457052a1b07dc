import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

const PATHS = `{
  // The paths of a project, with its comments.
  "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "@gone/*": ["./gone/*"], "prices": ["./lib/prices.ts"], }, },
}`;

describe('imports of what is not installed', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    mkdirSync(join(notebook.folder, 'lib'));
    notebook.write('lib/fees.ts', 'import { base } from "@lib/base"; export const fee: number = base * 2;');
    notebook.write('lib/base.ts', 'export const base: number = 21;');
    notebook.write('lib/prices.ts', 'export default [0.5];');
    notebook.write('lib/old.cjs', 'exports.old = "cjs";');
    notebook.write('needs.ts', 'import pad from "left-pad";\nexport default pad;');
    notebook.write('needs-late.ts', 'export const late = () => import("left-pad");');
    notebook.write('plain.ts', 'export const one = 1, other = 2, price = 3;');
    notebook.write('module.wasm', '');
    notebook.write('tsconfig.json', PATHS);
    mkdirSync(join(notebook.folder, 'node_modules/lodash'), { recursive: true });
    notebook.write('node_modules/lodash/package.json', '{"main": "lodash.js"}');
    notebook.write('node_modules/lodash/lodash.js', '');
    notebook.write('node_modules/lodash/fp.js', '');
    mkdirSync(join(notebook.folder, 'node_modules/closed'));
    notebook.write('node_modules/closed/package.json', '{"exports": {"./insides": "./a.js"}}');
    notebook.write(
      'package.json',
      '{"imports": {"#x/*": "./lib/*.ts"}, "dependencies": {"listed": "^1.2.0", "@ours/linked": "workspace:*"}}',
    );
  });
  afterAll(() => notebook.close());

  it.each([
    ['import { fee } from "@lib/fees"; fee', '42'],
    ['(await import("@lib/fees.ts")).fee', '42'],
    ['(await import("./lib/fees.ts?v=1")).fee + (await import("./lib/fees?v=2")).fee', '84'],
    ['import { fee as hashed } from "./lib/fees.ts#1"; hashed', '42'],
    ['import prices from "prices"; prices', '[ 0.5 ]'],
    ['import { old } from "@lib/old.cjs"; old', "'cjs'"],
    ['require("@lib/old.cjs").old', "'cjs'"],
    ['import.meta.resolve("@lib/fees").endsWith("/lib/fees.ts")', 'true'],
  ])('follows paths of a tsconfig.json: %s', async (code, expected) => {
    expect(await notebook.value(code)).toBe(expected);
  });

  const INSTALL =
    "If that, as it is written, is its name on npm, where anybody may have published it, install it in the notebook's folder: npm install";
  it.each([
    ['import "left-pad"', `Cannot find the package 'left-pad'. ${INSTALL} left-pad`],
    ['import "@some/thing"', `Cannot find the package '@some/thing'. ${INSTALL} @some/thing`],
    ...['@some/thing/inner', 'helpers/odd', 'left-pad/perf'].map((each) => {
      const name = each.slice(0, each.lastIndexOf('/'));
      return [
        `import "${each}"`,
        `Cannot find '${each}'. The project has no folder or file '${name}', and no package '${name}' is installed: ` +
          `a file of yours is imported by its path, which begins with './' or '../'. If '${name}', as it is written, is the ` +
          `name of a package on npm, where anybody may have published it, install it in the notebook's folder: npm install ${name}`,
      ];
    }),
    [
      'import "listed/part"',
      "Cannot find the package 'listed'. The package.json there lists it (^1.2.0), so this installs it: npm install",
    ],
    [
      'import "@gone/fees"',
      "Cannot find '@gone/fees'. By paths of tsconfig.json it stands for ./gone/fees, where there is no module. Did you mean '@lib/fees'?",
    ],
    [
      'require("@gone/fees")',
      "Cannot find '@gone/fees'. By paths of tsconfig.json it stands for ./gone/fees, where there is no module. Did you mean '@lib/fees'?",
    ],
    ['import "lib/fees"', "Cannot find 'lib/fees'. Did you mean './lib/fees'? Without './' an import means a package."],
    ['import "plain.ts"', "Cannot find 'plain.ts'. Did you mean './plain.ts'? Without './' an import means a package."],
    ['require("plain")', "Cannot find 'plain'. Did you mean './plain'? Without './' an import means a package."],
    [
      'import "./nowhere.ts"',
      "Cannot find the module './nowhere.ts': looked for nowhere.ts from the importing file's folder.",
    ],
    ['import "/nowhere/at-all.ts"', "Cannot find the module '/nowhere/at-all.ts': looked for at-all.ts from /nowhere."],
    [
      'import "./module.wasm?init"',
      "./module.wasm holds WebAssembly, which is no module in Node.js. Load it: const { instance } = await WebAssembly.instantiate(readFileSync('./module.wasm')), with readFileSync from 'node:fs'.",
    ],
    ['import ""', "Cannot find ''. No package can be called so."],
    [
      'import "lodash@4.17.21/fp"',
      "Cannot find 'lodash@4.17.21/fp'. Cells import a package without its version: 'lodash/fp'.",
    ],
    [
      'import "@a/b@1"',
      "Cannot find '@a/b@1'. Cells import a package without its version: '@a/b'. None is installed that is called '@a/b'.",
    ],
    [
      'import "C:\\\\data\\\\fees.ts"',
      "Cannot find 'C:\\data\\fees.ts'. A path of Windows is imported as a URL: 'file:///C:/data/fees.ts'.",
    ],
    ['import "nowhere.ts"', "Cannot find 'nowhere.ts'. An import of a file begins with './': './nowhere.ts'."],
    [
      'import "@/charges"',
      "Cannot find '@/charges'. No package can be called so. Such paths work where paths of a tsconfig.json beside the notebook say what they stand for.",
    ],
    ['import "fss"', "Cannot find 'fss'. Did you mean 'fs', which is a part of Node.js?"],
    ['import "sf"', "Cannot find 'sf'. Did you mean 'fs', which is a part of Node.js?"],
    ['import "fs/promise"', "Cannot find 'fs/promise'. Did you mean 'fs/promises', which is a part of Node.js?"],
    ['import "util"; import "utill"', "Cannot find 'utill'. Did you mean 'util', which is a part of Node.js?"],
    ['import "ws"', `Cannot find the package 'ws'. ${INSTALL} ws`],
    ['import "pg"', `Cannot find the package 'pg'. ${INSTALL} pg`],
    ['import "plian"', "Cannot find 'plian'. Did you mean './plain'? Without './' an import means a package."],
    ['import "pth"', "Cannot find 'pth'. Did you mean 'path', which is a part of Node.js?"],
    ['import "cyrpto"', "Cannot find 'cyrpto'. Did you mean 'crypto', which is a part of Node.js?"],
    ['import "node:pth"', "Cannot find 'node:pth'. Did you mean 'node:path'?"],
    [
      'import "npm:left-pad@1.3.0"',
      "Cannot find 'npm:left-pad@1.3.0'. Cells import a package by its own name, without 'npm:'. None is installed that is called 'left-pad'.",
    ],
    [
      'import "jsr:@std/csv"',
      "Cannot find 'jsr:@std/csv'. Packages of JSR are installed by: npx jsr add @std/csv. Then import them from '@std/csv'.",
    ],
    [
      'import "https://esm.sh/@visx/axis@3?bundle"',
      "Cannot find 'https://esm.sh/@visx/axis@3?bundle'. Node.js imports nothing from addresses. Import the package by its own name, '@visx/axis', which is not installed, or save the file beside the notebook and import that.",
    ],
    [
      'await import("https://example.org/a.js")',
      "Cannot find 'https://example.org/a.js'. Node.js imports nothing from addresses. Save the file beside the notebook, and import that: './a.js'.",
    ],
    ['import pandas from "pandas"', "Cannot find 'pandas'. That is a package of Python, which cells do not run."],
    [
      'import "listed"',
      "Cannot find the package 'listed'. The package.json there lists it (^1.2.0), so this installs it: npm install",
    ],
    [
      'import "@ours/linked"',
      "Cannot find '@ours/linked'. The package.json lists it as workspace:*, which the package manager has not linked yet: npm install",
    ],
    ['import "./needs.ts"', `Cannot find the package 'left-pad', which ./needs.ts imports. ${INSTALL} left-pad`],
    [
      'import { late } from "./needs-late"; await late()',
      `Cannot find the package 'left-pad', which ./needs-late.ts imports. ${INSTALL} left-pad`,
    ],
    [
      'import "./module.wasm"',
      "./module.wasm holds WebAssembly, which is no module in Node.js. Load it: const { instance } = await WebAssembly.instantiate(readFileSync('./module.wasm')), with readFileSync from 'node:fs'.",
    ],
    [
      'import { prize } from "./plain"; prize',
      "The module './plain' has no export named 'prize'. Did you mean 'price'? It exports: price, one, other",
    ],
    ...['lodahs', 'loadsh', 'lodsh', 'Lodash'].map((name) => [
      `import '${name}'`,
      `Cannot find '${name}'. Did you mean 'lodash', which is installed?`,
    ]),
    ['import "lsted"', "Cannot find 'lsted'. Did you mean 'listed', which the package.json there lists?"],
    ['import "ReactDom"', "Cannot find 'ReactDom'. Packages are named in lower case: did you mean 'reactdom'?"],
    ['import "@std/csv"', "Cannot find '@std/csv'. That is a package of JSR, installed by: npx jsr add @std/csv"],
    [
      'import "matplotlib.pyplot"',
      "Cannot find 'matplotlib.pyplot'. That is a package of Python, which cells do not run.",
    ],
    [
      'import { DataFrame } from "danfojs-node"',
      "Cannot find 'danfojs-node'. Danfo's DataFrame and Series are a part of 'oddslab': import them from there.",
    ],
    ['import "lodash/fpp"', "The package 'lodash' has nothing to import by 'lodash/fpp'. Did you mean 'lodash/fp'?"],
    [
      'import "closed/inside"',
      "The package 'closed' has nothing to import by 'closed/inside'. Did you mean 'closed/insides'?",
    ],
    [
      'import { z } from "#x/nope"',
      "Cannot find '#x/nope'. By package.json it stands for lib/nope.ts, where there is no module. There are '#x/base', '#x/fees', '#x/old', '#x/prices'.",
    ],
    [
      'import { z } from "#x/feess"',
      "Cannot find '#x/feess'. By package.json it stands for lib/feess.ts, where there is no module. Did you mean '#x/fees'?",
    ],
    [
      'import "#x"',
      "Cannot find '#x'. The package.json of its folder has the imports #x/*. There are '#x/base', '#x/fees', '#x/old', '#x/prices'.",
    ],
    [
      'import "#y/fees"',
      "Cannot find '#y/fees'. The package.json of its folder has the imports #x/*. Did you mean '#x/fees'?",
    ],
    [
      'import "./plane"',
      "Cannot find the module './plane': looked for plane.ts, plane.js and plane/index.ts from the importing file's folder. Did you mean './plain'?",
    ],
  ])('%s', async (code, message) => {
    const { outcome } = await notebook.run(code);
    expect(outcome).toMatchObject({ status: 'error', fault: { message } });
  });
});

it('says that Node reads the imports of a package.json once', async () => {
  const notebook = new TestNotebook();
  try {
    notebook.write('package.json', '{"imports": {"#one": "./one.ts"}}');
    notebook.write('one.ts', 'export const one = 1;');
    expect(await notebook.value('import { one } from "#one"; one')).toBe('1');
    notebook.write('package.json', '{"imports": {"#one": "./one.ts", "#lib/*": "./*.ts"}}');
    const { outcome } = await notebook.run('import { one as again } from "#lib/one"; again');
    expect(outcome).toMatchObject({
      fault: {
        message:
          "Cannot find '#lib/one'. The package.json has it, which Node.js reads once: if it is new there, restart the kernel.",
      },
    });
  } finally {
    await notebook.close();
  }
});

describe('imports of files of the project, by a name that nothing stands for', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('lib/fees.ts', 'export const fee = 1;');
    notebook.write('lib/deep/inner/odds.ts', 'export const odds = 1;');
    notebook.write('src/shapes/index.ts', 'export const shapes = 1;');
    notebook.write('src/model.ts', 'export const model = 1;');
    notebook.write('utils.ts', 'export const one = 1;');
    notebook.write('data/react.json', '{}');
    notebook.write('node_modules/inside/fees.ts', '');
  });
  afterAll(() => notebook.close());

  it.each([
    ['@lib/fees', './lib/fees'],
    ['@lib/fees.ts', './lib/fees.ts'],
    ['lib/fees', './lib/fees'],
    ['~/lib/fees', './lib/fees'],
    ['~lib/fees', './lib/fees'],
    ['$lib/fees', './lib/fees'],
    ['fees', './lib/fees'],
    ['deep/inner/odds', './lib/deep/inner/odds'],
    ['odds', './lib/deep/inner/odds'],
    ['src/model', './src/model'],
    ['@/model', './src/model'],
    ['~/model.js', './src/model.js'],
    ['@/shapes', './src/shapes'],
    ['shapes', './src/shapes'],
    ['utils', './utils'],
    ['utils.ts', './utils.ts'],
    ['@/utils', './utils'],
    ['~/utils', './utils'],
    ['src/utils', './utils'],
    ['util', undefined],
  ])('%s means %s', async (specifier, meant) => {
    const { outcome } = await notebook.run(`import ${JSON.stringify(specifier)}`);
    if (meant === undefined) return expect(outcome).toEqual({ status: 'ok' });
    expect(outcome).toMatchObject({
      status: 'error',
      fault: {
        message: `Cannot find '${specifier}'. Did you mean '${meant}'? Without './' an import means a package.`,
      },
    });
    expect((await notebook.run(`import ${JSON.stringify(meant)}`)).outcome).toEqual({ status: 'ok' });
  });

  it('takes no file of data, and none of a package, for what was meant', async () => {
    const { outcome } = await notebook.run('import "react"');
    expect(outcome).toMatchObject({ fault: { message: expect.stringContaining("the package 'react'") } });
    const inside = await notebook.run('import "inside/fee"');
    expect(inside.outcome).toMatchObject({ status: 'error' });
  });

  it('looks in the project that the notebook belongs to', async () => {
    notebook.write('package.json', '{}');
    notebook.write('books/own.ts', 'import "src/model"; export {};');
    expect((await notebook.run('import "./books/own"')).outcome).toMatchObject({
      fault: {
        message:
          "Cannot find 'src/model', which ./books/own.ts imports. Did you mean '../src/model'? Without '../' an import means a package.",
      },
    });
  });
});

const WITHOUT = "Without './' an import means a package";

/** What each import says after "Cannot find '…'. ". */
async function saysOf(notebook: TestNotebook, specifier: string): Promise<string> {
  const { outcome } = await notebook.run(`import ${JSON.stringify(specifier)}`);
  const message = outcome.status === 'error' ? outcome.fault.message : 'found';
  return message.replace(`Cannot find '${specifier}'. `, '');
}

describe('imports that begin as a folder or a file beside the notebook', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('lib/fees.ts', 'export const fee = 1;');
    notebook.write('lib/ts.ts', 'export const x = 1;');
    notebook.write('lib/deep/odds.ts', 'export const x = 1;');
    notebook.write('utils.ts', 'export const x = 1;');
    notebook.write('data/x.csv', '');
    notebook.write('duckdb/x.db', '');
    notebook.write('old.cjs', 'require("left-pad/x")');
    notebook.write('older.js', 'module.exports = require("lib/feess")');
    notebook.write('node_modules/lodash/index.js', '');
  });
  afterAll(() => notebook.close());

  const inLib = "In the folder './lib' there are './lib/fees', './lib/ts', './lib/deep/odds'.";
  it.each([
    ['lib/feess', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['lib/Fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['lib/ts', `Did you mean './lib/ts'? ${WITHOUT}.`],
    ['Lib/fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['libb/fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['lib/deep/odd', `Did you mean './lib/deep/odds'? ${WITHOUT}.`],
    ['lib/odds', `Did you mean './lib/deep/odds'? ${WITHOUT}.`],
    ['lib/deep/util', `${inLib} ${WITHOUT}, and none called 'lib' is installed.`],
    ['lib/deep', `In the folder './lib' there is './lib/deep/odds'. ${WITHOUT}, and none called 'lib' is installed.`],
    ['lib', `${inLib} ${WITHOUT}, and none called 'lib' is installed.`],
    ['@lib', `${inLib} ${WITHOUT}, and none called '@lib' is installed.`],
    ['@lib/deep/nothing', `${inLib} ${WITHOUT}, and none called '@lib/deep' is installed.`],
    ['@lib/feess', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['#lib/fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['@/fess', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['@utils', `Did you mean './utils'? ${WITHOUT}.`],
    ['@utils/fees', `Did you mean './utils'? ${WITHOUT}.`],
    ['utils/fees', `Did you mean './utils'? ${WITHOUT}.`],
    ['data/x', "There is a folder './data', which holds no module, and no package 'data' is installed."],
    ['https://esm.sh/@lib/fees', `Node.js imports nothing from addresses. Did you mean './lib/fees'? ${WITHOUT}.`],
    ['npm:@lib/fees', `Cells import a package by its own name, without 'npm:'. Did you mean './lib/fees'? ${WITHOUT}.`],
    ['jsr:@lib/fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    [
      './lib',
      "Cannot find the module './lib': it is a folder without an index.ts. There are './lib/fees', './lib/ts', './lib/deep/odds'.",
    ],
    [
      './lbi/fees',
      "Cannot find the module './lbi/fees': looked for fees.ts, fees.js and fees/index.ts from the importing file's folder. Did you mean './lib/fees'?",
    ],
  ])('%s', async (specifier, says) => {
    expect(await saysOf(notebook, specifier)).toBe(says);
  });

  it('takes a folder of data for none of the packages of its name', async () => {
    expect(await saysOf(notebook, '@duckdb/node-api')).toMatch(/npm install @duckdb\/node-api$/);
  });

  it('says so of what CommonJS files require, and names the file', async () => {
    for (const code of ['import "./old.cjs"', 'require("./old.cjs")'])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: {
          message: expect.stringMatching(
            /^Cannot find 'left-pad\/x', which \.\/old\.cjs imports\. The project has no /,
          ),
        },
      });
    expect((await notebook.run('import "./older"')).outcome).toMatchObject({
      fault: {
        message: `Cannot find 'lib/feess', which ./older.js imports. Did you mean './lib/fees'? ${WITHOUT}.`,
      },
    });
  });

  it('finds what it says', async () => {
    for (const each of ['./lib/fees', './lib/ts', './lib/deep/odds', './utils'])
      expect(await saysOf(notebook, each)).toBe('found');
  });
});

describe('imports that begin as paths of a tsconfig.json do', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('lib/fees.ts', 'export const fee = 1;');
    notebook.write('lib/deep/odds.ts', 'export const x = 1;');
    notebook.write('utils/index.ts', 'export const x = 1;');
    notebook.write('utils/fees.ts', 'export const x = 1;');
    notebook.write(
      'tsconfig.json',
      '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "@utils": ["./utils/index.ts"], "@gone": ["./gone.ts"] } } }',
    );
    notebook.write('package.json', '{ "name": "study" }');
  });
  afterAll(() => notebook.close());

  const stands = (path: string) => `By paths of tsconfig.json it stands for ${path}, where there is no module.`;
  it.each([
    ['@lib/feess', `${stands('./lib/feess')} Did you mean '@lib/fees'?`],
    ['@lib/deep/nothing', `${stands('./lib/deep/nothing')} There are '@lib/fees', '@lib/deep/odds'.`],
    ['@lib/deep', `${stands('./lib/deep')} There is '@lib/deep/odds'.`],
    ['@lib', "Of such names, paths of tsconfig.json have only '@lib/*'. There are '@lib/fees', '@lib/deep/odds'."],
    ['@utils/fees', `Did you mean './utils/fees'? ${WITHOUT}.`],
    ['@utils/x', "Of such names, paths of tsconfig.json have only '@utils'."],
    ['@gone', stands('./gone.ts')],
    ['@gone/a', "Of such names, paths of tsconfig.json have only '@gone'."],
    ['@libs/fees', "Did you mean '@lib/fees'?"],
    ['@utls', "Did you mean '@utils'?"],
    ['https://esm.sh/@lib/fees', "Node.js imports nothing from addresses. Did you mean '@lib/fees'?"],
    ['study/lib/fees', `Did you mean './lib/fees'? ${WITHOUT}.`],
    ['study/nope', "That is this project's own name, and its package.json exports no such thing."],
    ['study', "That is this project's own name, and its package.json exports no such thing."],
  ])('%s', async (specifier, says) => {
    expect(await saysOf(notebook, specifier)).toBe(says);
    if (!specifier.includes(':'))
      expect((await notebook.run(`require(${JSON.stringify(specifier)})`)).outcome).toMatchObject({
        fault: { message: `Cannot find '${specifier}'. ${says}` },
      });
  });

  it('follows those that there are', async () => {
    for (const each of ['@lib/fees', '@lib/deep/odds', '@utils']) expect(await saysOf(notebook, each)).toBe('found');
  });
});

describe('imports that begin with a scheme, or that no package can be called', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('node_modules/lodash/index.js', '');
  });
  afterAll(() => notebook.close());

  it.each([
    [
      'npm:lodahs',
      "Cells import a package by its own name, without 'npm:'. Did you mean 'lodash', which is installed?",
    ],
    ['npm:lodash@4/fp', "Cells import a package by its own name: 'lodash/fp'."],
    [
      'https://esm.sh/lodash@4',
      "Node.js imports nothing from addresses. Import the package by its own name, 'lodash', or save the file beside the notebook and import that.",
    ],
    ['https://esm.sh/lodahs', "Node.js imports nothing from addresses. Did you mean 'lodash', which is installed?"],
    ['bun:test', "That is a part of Bun. Cells run in Node.js, which has 'node:test'."],
    ['bun:ffi', 'That is a part of Bun. Cells run in Node.js.'],
    ['cloudflare:sockets', "That is a part of Cloudflare's Workers. Cells run in Node.js, which has 'node:net'."],
    ['virtual:pwa', "Node.js has no modules of the kind 'virtual:', only of 'node:'."],
    ['node:fs/promise', "Did you mean 'node:fs/promises'?"],
    ['node:test/reporter', "Did you mean 'node:test/reporters'?"],
    ['test', "Did you mean 'node:test'?"],
    ['@utils', 'No package can be called so.'],
    ['oddslb', "Did you mean 'oddslab', which is installed?"],
    ['oddslab/frame', "The package 'oddslab' has nothing to import by 'oddslab/frame'. Import from 'oddslab' itself."],
  ])('%s', async (specifier, says) => {
    expect(await saysOf(notebook, specifier)).toBe(says);
  });
});

describe('names that a module does not export', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('fees.ts', 'export const fee = 1, size = 2; export type Row = { a: 1 }; export default 3;');
    notebook.write('wants.ts', 'import { fees } from "./fees"; export const total = fees;');
    const names = Array.from({ length: 23 }, (_, at) => `n${at}`);
    notebook.write('many.ts', `export const ${names.map((name) => `${name} = 1`).join(', ')};`);
  });
  afterAll(() => notebook.close());

  it.each([
    [
      'import { fees } from "./fees"; fees',
      "The module './fees' has no export named 'fees'. Did you mean 'fee'? It exports: fee, default, size",
    ],
    [
      'import "./wants"',
      "The module './fees' has no export named 'fees'. Did you mean 'fee'? It exports: fee, size, default",
    ],
    [
      'import { other } from "./many"; other',
      `The module './many' has no export named 'other'. It exports: ${['n0', 'n1', 'n10', 'n11', 'n12', 'n13', 'n14', 'n15', 'n16', 'n17', 'n18', 'n19', 'n2', 'n20', 'n21', 'n22', 'n3', 'n4', 'n5', 'n6'].join(', ')}, … (3 more)`,
    ],
  ])('%s', async (code, message) => {
    expect((await notebook.run(code)).outcome).toMatchObject({ fault: { name: 'SyntaxError', message } });
  });

  it('says of what every cell has that it needs no import', async () => {
    const says = 'display needs no import: every cell has it.';
    expect((await notebook.run("import { display } from './fees'; display(1)")).outcome).toMatchObject({
      fault: { message: `The module './fees' has no export named 'display'. ${says} It exports: default, fee, size` },
    });
    expect((await notebook.run("import { display } from 'jupyter-display'; display(1)")).outcome).toMatchObject({
      fault: { message: expect.stringMatching(`^${says} Cannot find the package 'jupyter-display'`) },
    });
    const { events, outcome } = await notebook.run('display(2)');
    expect([outcome, events.map(({ type }) => type)]).toEqual([{ status: 'ok' }, ['display']]);
  });
});
