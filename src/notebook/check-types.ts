import { dirname } from 'node:path';
import { codeCells } from './code-cells.js';
import type { Notebook } from './document.js';

/** What is said of the types of a notebook, for a reader; empty where nothing is. */
export interface TypeFindings {
  /** Which cell could not be checked, the first of them, and why. */
  unchecked: string;
  /** What keeps it from running where types block, a code frame each. */
  wrong: string;
  /** That and what is doubtful. */
  all: string;
}

/**
 * Checks the types of all cells that a run would execute, each together with those before it, without running any.
 *
 * @param file Full path of the notebook: imports resolve from its folder.
 * @param signal Ends the check: from then on no cell is checked.
 */
export async function checkTypes(notebook: Notebook, file: string, signal?: AbortSignal): Promise<TypeFindings> {
  const { openTypeService } = await import('../kernel/types/open-type-service.js');
  const { blockingDiagnostics } = await import('../kernel/types/blocking-diagnostics.js');
  const { diagnosticsText } = await import('../kernel/types/diagnostics-text.js');
  const service = openTypeService({ folder: dirname(file) });
  const stop = (): void => void service.close();
  signal?.addEventListener('abort', stop);
  try {
    const checked = codeCells(notebook.cells).map(({ code, name }) => ({ code, name, ...service.add(code, name) }));
    const wrong: string[] = [];
    const all: string[] = [];
    let unchecked = '';
    for (const { code, name, diagnostics, obstacle } of checked) {
      const found = await diagnostics;
      wrong.push(diagnosticsText(blockingDiagnostics(found), code, name).trimEnd());
      all.push(diagnosticsText(found, code, name).trimEnd());
      const why = await obstacle;
      if (why !== undefined) unchecked ||= `${name}: ${why}`;
    }
    return { unchecked, wrong: paragraphs(wrong), all: paragraphs(all) };
  } finally {
    signal?.removeEventListener('abort', stop);
    await service.close();
  }
}

function paragraphs(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
