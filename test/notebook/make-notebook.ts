import type { Cell, Notebook } from '../../src/notebook/format/nbformat.js';

/** A notebook of code cells; sources that begin with `#` become Markdown cells. */
export function makeNotebook(...sources: string[]): Notebook {
  const cells = sources.map((source): Cell => {
    if (source.startsWith('#')) return { cell_type: 'markdown', metadata: {}, source };
    return {
      cell_type: 'code',
      execution_count: 99,
      metadata: { tags: ['kept'] },
      outputs: [{ output_type: 'stale' }],
      source,
    };
  });
  return {
    cells,
    metadata: { kernelspec: { language: 'typescript', name: 'oddslab' } },
    nbformat: 4,
    nbformat_minor: 4,
  };
}
