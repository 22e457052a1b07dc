import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heldExamples } from '../support/held-examples.js';
import { isAbsent } from '../support/is-absent.js';
import { areLibrariesAbsent, linkLibraries } from '../support/libraries.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { notebookOf, runByNbclient } from './run-by-nbclient.js';
import { askPython } from './run-python.js';

const LATE = `setTimeout(() => console.log('late'), 80)`;

/** What cells may hold, and what each shows. */
const CELLS: [code: string, shown: string[]][] = [
  [
    'const twice = (f: any, _: any) => function (this: any, x: number) { return 2 * f.call(this, x); };\n' +
      'class Fee { @twice of(x: number) { return 10 * x } }\nnew Fee().of(1)',
    ['20'],
  ],
  [
    '@((C: any, c: any) => { console.log(c.kind, C.name) }) class Box { accessor size = 3 }\nnew Box().size',
    ['class Box\n', '3'],
  ],
  ['{ a: 1, b: 2 }', ['{ a: 1, b: 2 }']],
  ['_.b + 1', ['3']],
  ['_ * 2;', []],
  ['_', ['3']],
  ['import { jsx } from "react/jsx-runtime";\n<p title="a">{_}</p>', ['<p title="a">3</p>']],
  [
    `import { spawn } from 'node:child_process';\nconst child = spawn(process.execPath, ['-e', ${JSON.stringify(LATE)}], { stdio: 'inherit' });\nconst over = new Promise((resolve) => child.on('close', resolve));`,
    [],
  ],
  ['console.log("mine"); await over; await new Promise((resolve) => setTimeout(resolve, 50));', ['mine\n']],
  ['import test from "node:test";\nconst first = test("first", () => {}); await first;', ['ok 1 - first']],
  ['await test("second", () => { throw new Error("not the first") });', ['not ok 2 - second']],
];

const BY_NBCLIENT = 'cells by nbclient';

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'nbclient'), BY_NBCLIENT) || areLibrariesAbsent(BY_NBCLIENT))(
  'what cells may hold, by nbclient',
  async () => {
    const kernel = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    linkLibraries(kernel.folder, ['react', 'react-dom', '@types/react']);
    const { cells, error } = await runByNbclient(kernel, notebookOf(CELLS.map(([code]) => code)));
    expect(error).toBe(null);
    const shown = cells.map(({ outputs }) => {
      // However it was cut into messages, which nbclient does not join.
      const printed = outputs.map(({ text }) => String(text ?? '')).join('');
      const tests = /^# Subtest|^TAP/.test(printed) ? (printed.match(/^(?:not )?ok.*/gm) ?? []) : undefined;
      const values = outputs.flatMap(({ data }) => (data ? [String(Object(data)['text/plain'])] : []));
      return [...(tests ?? (printed === '' ? [] : [printed])), ...values];
    });
    expect(shown).toEqual(CELLS.map(([, each]) => each));
    const html = Object(cells[6]?.outputs[0]?.data)['text/html'];
    expect(html).toBe('<p title="a">3</p>');
  },
  120_000,
);

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'nbclient'), BY_NBCLIENT) || areLibrariesAbsent(BY_NBCLIENT))(
  'the cells of the page "What a cell may hold", by nbclient, with types on',
  async () => {
    const kernel = await kernelFolder();
    linkLibraries(kernel.folder, ['react', 'react-dom', '@types/react']);
    const examples = heldExamples();
    for (const { name, text } of examples.flatMap(({ files }) => files)) writeFileSync(join(kernel.folder, name), text);
    const { cells, error } = await runByNbclient(kernel, notebookOf(examples.map(({ code }) => code)));
    expect(error).toBe(null);
    const shown = cells.map(({ outputs }) =>
      outputs.map(({ text, data }) => String(text ?? Object(data)['text/plain']).trimEnd()).join('\n'),
    );
    // Here a question shows what is known of a name, not its value.
    const asked = examples.findIndex(({ code }) => code.endsWith('?'));
    expect(shown[asked]).toContain('shape');
    expect(shown.toSpliced(asked, 1)).toEqual(examples.map((each) => each.shown).toSpliced(asked, 1));
  },
  120_000,
);

test.skipIf(isAbsent(join(PYTHON_PACKAGES, 'jupyter_client'), 'cells by jupyter_client'))(
  'an interrupt ends the command for which a cell waits, and nothing else',
  async () => {
    const { name, folder, env } = await kernelFolder({ env: { ODDSLAB_TYPES: 'off' } });
    expect(await askPython('cells-test.py', [name], { env, cwd: folder })).toEqual([
      { shown: [], error: null },
      { shown: ['ready\n'], error: 'Interrupted' },
      { shown: ['[ 2, null, null ]'], error: null },
      { shown: [], error: 'SyntaxError' },
      { shown: ['{ a: 1, b: 2 }'], error: null },
      { shown: ['2'], error: null },
      { shown: [], error: null },
      { shown: ['2'], error: null },
    ]);
  },
  120_000,
);
