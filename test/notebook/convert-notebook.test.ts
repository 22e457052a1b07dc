import { expect, it } from 'vitest';
import { updateFromPercent } from '../../src/notebook/convert-notebook.js';
import type { Cell, Notebook } from '../../src/notebook/format/nbformat.js';

function notebook(minor: number, ...cells: Cell[]): Notebook {
  return { cells, metadata: { a: 1, language_info: {} }, nbformat: 4, nbformat_minor: minor };
}

function code(source: string, fields: Record<string, unknown>): Cell {
  return { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source, ...fields };
}

it('keeps what cells of the same source have, and takes the rest from the program', () => {
  const outputs = [{ output_type: 'stale' }];
  const kept = { attachments: {}, execution_count: 3, id: 'cell-2', outputs };
  const existing = notebook(
    5,
    code('gone', { id: 'x', outputs }),
    code('same', { ...kept, metadata: { execution: { t: 1 }, tags: ['old'] } }),
  );
  const program = {
    ...notebook(5, code('same', { id: 'cell-1', metadata: { tags: ['new'] } }), code('added', { id: 'cell-2' })),
    metadata: { a: 2 },
  };
  expect(updateFromPercent(existing, program)).toEqual({
    kept: 1,
    notebook: {
      ...notebook(
        5,
        code('same', { ...kept, metadata: { execution: { t: 1 }, tags: ['new'] } }),
        code('added', { id: 'cell-2-2' }),
      ),
      metadata: { a: 2, language_info: {} },
    },
  });
});

it('gives no ids to a notebook of a format without', () => {
  const { notebook: updated } = updateFromPercent(notebook(4), notebook(5, code('1', { id: 'cell-1' })));
  expect(updated).toEqual({ ...notebook(4), cells: [code('1', {})] });
});

it('does not take another kind of cell for the same', () => {
  const prose: Cell = { cell_type: 'markdown', id: 'm', metadata: {}, source: 'x' };
  const { kept } = updateFromPercent(notebook(5, prose), notebook(5, code('x', { id: 'c' })));
  expect(kept).toBe(0);
});
