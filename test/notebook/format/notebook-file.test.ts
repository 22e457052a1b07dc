import { describe, expect, it } from 'vitest';
import { isCode, type Notebook, type Output } from '../../../src/notebook/format/nbformat.js';
import { readNotebookFile } from '../../../src/notebook/format/notebook-file.js';
import fc from '../../support/fast-check.js';

const OUTPUTS: Output[] = [{ name: 'stdout', output_type: 'stream', text: ['é\n', '"2"'] }];

/** As after a run: each code cell has new outputs and a number. */
function executed(notebook: Notebook, outputs: Output[] = OUTPUTS): Notebook {
  let count = 0;
  const cells = notebook.cells.map((cell) => (isCode(cell) ? { ...cell, outputs, execution_count: ++count } : cell));
  return { ...notebook, cells };
}

/** What a run makes of a file. */
function rerun(text: string, outputs?: Output[]): string {
  const file = readNotebookFile(text, 'a.ipynb');
  return file.serialize(executed(file.notebook, outputs));
}

/** As Jupyter writes it, with numbers that JavaScript would spell otherwise. */
const JUPYTER = `{
 "cells": [
  {
   "attachments": {
    "pic.png": {
     "image/png": "AQI="
    }
   },
   "cell_type": "markdown",
   "id": "a1",
   "metadata": {
    "zoom": 1.0,
    "big": 123456789012345678901234567890,
    "far": 1e21,
    "small": -0,
    "tiny": 1E-07
   },
   "source": [
    "# M\\u00e4rkte – 市場\\n",
    "\\/ \\ud83d\\ude00"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "b2",
   "metadata": {},
   "outputs": [],
   "source": [
    "1"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "TypeScript",
   "name": "x"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

/** The same after a run. */
const JUPYTER_RUN = JUPYTER.replace('"execution_count": null', '"execution_count": 1').replace(
  '"outputs": []',
  `"outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "é\\n",
      "\\"2\\""
     ]
    }
   ]`,
);

describe('readNotebookFile', () => {
  it('leaves a file of Jupyter as it is but for outputs and counts', () => {
    expect(rerun(JUPYTER)).toBe(JUPYTER_RUN);
    expect(rerun(JUPYTER_RUN)).toBe(JUPYTER_RUN);
  });

  it('keeps the bytes of a file of VS Code: other indentation, order and end, no ids', () => {
    const text = `{
    "nbformat": 4,
    "nbformat_minor": 2,
    "metadata": { "vscode": {"x": [1.50, 2]} },
    "cells": [
        {
            "cell_type": "code",
            "execution_count": 3,
            "metadata": {"tags": []},
            "outputs": [],
            "source": "f(1)"
        }
    ]
}`;
    const expected = text.replace('"execution_count": 3', '"execution_count": 1').replace(
      '"outputs": []',
      `"outputs": [
                {
                    "name": "stdout",
                    "output_type": "stream",
                    "text": [
                        "é\\n",
                        "\\"2\\""
                    ]
                }
            ]`,
    );
    expect(rerun(text)).toBe(expected);
  });

  it('keeps the bytes of a file of Colab: on one line, with escapes', () => {
    const text =
      '{"nbformat": 4, "nbformat_minor": 0, "metadata": {"colab": {"name": "\\u00fc", "version": "0.3.2", "n": 2.0}}, ' +
      '"cells": [{"cell_type": "code", "source": ["1"], "metadata": {"id": "Q"}, "execution_count": 9, "outputs": []}]}';
    const expected = text
      .replace('"execution_count": 9', '"execution_count": 1')
      .replace(
        '"outputs": []',
        '"outputs": [{"name": "stdout", "output_type": "stream", "text": ["\\u00e9\\n", "\\"2\\""]}]',
      );
    expect(rerun(text)).toBe(expected);
    const tight = text.replace(/([:,]) (?=["[{\d])/g, '$1');
    expect(rerun(tight)).toBe(expected.replace(/([:,]) (?=["[{\d])/g, '$1'));
  });

  it('keeps line ends of Windows, a byte order mark, tabs, and keys that are there twice', () => {
    const text = [
      '\ufeff{',
      '\t"metadata": {"a": 1, "a": 2.0},',
      '\t"nbformat": 4, "nbformat_minor": 4,',
      '\t"cells": [ {"metadata": {}, "cell_type": "code", "outputs": [], "execution_count": 1, "source": []} ]',
      '}',
      '',
      '',
    ].join('\r\n');
    const lines = ['[', '\t\t\t\t{', '\t\t\t\t\t"output_type": "stale"', '\t\t\t\t}', '\t\t\t]'];
    expect(rerun(text, [{ output_type: 'stale' }])).toBe(
      text.replace('"outputs": []', `"outputs": ${lines.join('\r\n')}`),
    );
  });

  it('leaves outputs alone that are the same again, however they are spelled', () => {
    const stored = '{ "output_type": "display_data", "metadata": {}, "data": {"application/json": {"x": 1.0}} }';
    const text = JUPYTER.replace('"outputs": []', `"outputs": [${stored}]`);
    const outputs = [{ data: { 'application/json': { x: 1 } }, metadata: {}, output_type: 'display_data' }];
    expect(rerun(text, outputs)).toBe(text.replace('"execution_count": null', '"execution_count": 1'));
  });

  it('puts a cell and metadata in where they belong', () => {
    const file = readNotebookFile(JUPYTER, 'a.ipynb');
    const added = {
      cell_type: 'code',
      execution_count: null,
      id: 'new',
      metadata: {},
      outputs: [],
      source: '',
    } as const;
    const [first, second] = file.notebook.cells;
    if (!first || !second) throw new Error('It has two cells.');
    const metadata = { ...Object(file.notebook.metadata), added: { b: 1 }, z: [] };
    const changed = { ...file.notebook, metadata, cells: [first, { ...added }, second] };
    const expected = JUPYTER.replace(
      '  {\n   "cell_type": "code"',
      `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "new",
   "metadata": {},
   "outputs": [],
   "source": ""
  },
  {
   "cell_type": "code"`,
    )
      .replace('  "kernelspec"', '  "added": {\n   "b": 1\n  },\n  "kernelspec"')
      .replace('"name": "x"\n  }\n', '"name": "x"\n  },\n  "z": []\n');
    expect(file.serialize(changed)).toBe(expected);
    expect(readNotebookFile(expected, 'b.ipynb').serialize(file.notebook)).toBe(JUPYTER);
  });

  it('writes nothing else than the changed notebook, whatever is in it', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    const source = fc.oneof(fc.string(), fc.array(fc.string()));
    const code = fc.record({
      cell_type: fc.constant('code' as const),
      execution_count: fc.option(fc.nat()),
      metadata: object,
      outputs: fc.array(object.map((fields): Output => ({ ...fields, output_type: 'x' }))),
      source,
    });
    const prose = fc.record({
      cell_type: fc.constantFrom('markdown' as const, 'raw' as const),
      metadata: object,
      source,
    });
    const notebook = fc.record({
      cells: fc.array(fc.oneof(code, prose)),
      metadata: object,
      nbformat: fc.constant(4),
      nbformat_minor: fc.nat(5),
    });
    const indent = fc.constantFrom<[string | number]>([0], [1], [4], ['\t']);
    fc.assert(
      fc.property(notebook, notebook, indent, (old, now, [unit]) => {
        const text = JSON.stringify(old, null, unit);
        const file = readNotebookFile(text, 'a.ipynb');
        expect(file.serialize(file.notebook)).toBe(text);
        const changed = JSON.parse(JSON.stringify(now));
        expect(JSON.parse(file.serialize(changed))).toEqual(changed);
      }),
    );
  });
});
