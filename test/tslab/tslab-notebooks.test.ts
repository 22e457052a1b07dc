import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PYTHON_PACKAGES } from '../jupyter/kernel-argv.js';
import { notebookOf } from '../jupyter/run-by-nbclient.js';
import { TestNotebook } from '../kernel/run-cells.js';
import { isAbsent } from '../support/is-absent.js';
import { runInTslab } from './run-in-tslab.js';
import { shownCells } from './shown-cells.js';
import { TSLAB_COMMAND, tslabFolder } from './tslab-folder.js';

const notebook = new TestNotebook();
afterAll(() => notebook.close());

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function eventsOf(code: string) {
  const { events, outcome } = await notebook.run(code);
  expect(outcome).toEqual({ status: 'ok' });
  return events;
}

const shown = (type: string, part: unknown) => ({ type: 'display', data: { [type]: part }, metadata: {} });

test('a notebook written for tslab shows in our kernel what it shows there', async () => {
  expect(await eventsOf("import * as tslab from 'tslab';\nimport { display, newDisplay } from 'tslab';")).toEqual([]);
  const code = `display.html('<b>bold</b>');
    display.markdown('# Title');
    tslab.display.latex('$x$');
    tslab.display.svg('${SVG}');
    display.png(Buffer.from('${PNG}', 'base64'));
    display.gif(Uint8Array.of(71, 73));
    display.jpeg(Uint8Array.of(255, 216));
    display.pdf(Uint8Array.of(37, 80));
    display.javascript('alert(1)');
    display.text('plain');
    display.raw('application/json', { a: [1] });`;
  expect(await eventsOf(code)).toEqual([
    shown('text/html', '<b>bold</b>'),
    shown('text/markdown', '# Title'),
    shown('text/latex', '$x$'),
    shown('image/svg+xml', SVG),
    shown('image/png', PNG),
    shown('image/gif', 'R0k='),
    shown('image/jpeg', '/9g='),
    shown('application/pdf', 'JVA='),
    shown('text/javascript', 'alert(1)'),
    shown('text/plain', 'plain'),
    shown('application/json', { a: [1] }),
  ]);
});

test('a new display replaces what it showed', async () => {
  const events = await eventsOf(
    "const bar = newDisplay(); bar.text('1'); bar.html('<i>2</i>'); newDisplay().text('x');",
  );
  const [first, second, other] = events;
  const id = first && 'id' in first ? first.id : undefined;
  expect(id).toMatch(/^tslab-./);
  expect([first, second]).toEqual([
    { id, ...shown('text/plain', '1') },
    { id, ...shown('text/html', '<i>2</i>'), type: 'update' },
  ]);
  expect(other).not.toHaveProperty('id', id);
});

test('versions tell tslab’s interface, TypeScript and Node', async () => {
  expect(await notebook.value('tslab.versions.tslab + " " + tslab.versions.node')).toBe(`'1.0.22 ${process.version}'`);
  expect(await notebook.value('/^7\\./.test(tslab.versions.typescript)')).toBe('true');
});

test('it is there for local modules and for import() too', async () => {
  notebook.write('chart.ts', "import { display } from 'tslab';\nexport const draw = () => display.text('drawn');");
  expect(await eventsOf("import { draw } from './chart.ts'; draw()")).toEqual([shown('text/plain', 'drawn')]);
  expect(await eventsOf("(await import('tslab')).display.text('1')")).toEqual([shown('text/plain', '1')]);
});

test('raw refuses what has no type', async () => {
  const { outcome } = await notebook.run("tslab.display.raw('html', '<b>')");
  expect(outcome).toMatchObject({
    status: 'error',
    fault: {
      name: 'UsageError',
      message: `tslab's display.raw(type, content) takes a MIME type and what to show; got the text "html" and the text "<b>".`,
    },
  });
});

const isSkipped =
  isAbsent(join(PYTHON_PACKAGES, 'nbclient'), 'cells in tslab') || isAbsent(TSLAB_COMMAND, 'cells in tslab');

test.skipIf(isSkipped)(
  'in tslab the first cell can show a value, others are printed, and types are checked',
  async () => {
    const tslab = await tslabFolder();
    const cells = [
      "import { Chart, DataFrame, column } from 'oddslab';\nconst frame = new DataFrame([{ pnl: 1.5 }]);\nframe",
      'column(frame, "pnl")[0]',
      "await Promise.resolve();\nnew Chart({ mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { x: { field: 'a' } } })",
      "({ [Symbol.for('Jupyter.display')]: async () => { throw new Error('cannot be drawn'); } })",
      'column(frame, "pnll")',
    ];
    const { cells: ran } = await runInTslab(tslab, notebookOf(cells), { allowErrors: true });
    const [frame, number, chart, failing, mistyped] = shownCells(ran);
    expect(frame).toEqual({
      printed: '',
      errors: '',
      pictures: [{ 'text/html': expect.stringContaining('<table'), 'text/plain': expect.stringContaining('pnl') }],
    });
    expect(number).toEqual({ printed: '1.5\n', errors: '', pictures: [] });
    expect(chart?.pictures).toEqual([
      {
        'application/vnd.vegalite.v5+json': expect.objectContaining({ mark: 'bar' }),
        'image/svg+xml': expect.stringMatching(/^<svg[\s\S]*<\/svg>$/),
        'text/plain': 'Chart: without a title',
      },
    ]);
    expect(failing).toEqual({ printed: '', errors: expect.stringContaining('cannot be drawn'), pictures: [] });
    expect(mistyped?.errors).toContain(`Argument of type '"pnll"'`);
  },
  60_000,
);
