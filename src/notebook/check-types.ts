import { dirname } from 'node:path';
import { codeCells, type Notebook } from './format/nbformat.js';

/** What a type check found in a notebook, as text for a reader; an empty string where it found nothing. */
export interface TypeFindings {
  /** The first cell that could not be checked, and why. */
  unchecked: string;
  /** The cells that are too large to be checked, which block no run: a sentence for each. */
  large: string;
  /** The errors that stop a run that type errors may block, each with a code frame. */
  wrong: string;
  /** All findings: those of `wrong`, and warnings. */
  all: string;
}

/**
 * Checks the types of all cells that a run would execute, each in the context of those before it. Runs none of them.
 *
 * @param file Full path of the notebook: imports resolve from its folder.
 * @param signal Ends the check: no further cell is checked.
 */
export async function checkTypes(notebook: Notebook, file: string, signal?: AbortSignal): Promise<TypeFindings> {
  const { openTypeService } = await import('../kernel/types/open-type-service.js');
  const { blockingDiagnostics, largeText, TOO_LARGE } = await import('../kernel/types/type-service.js');
  const { diagnosticsText } = await import('../kernel/types/cell-diagnostics.js');
  const service = openTypeService({ folder: dirname(file) });
  const stop = (): void => void service.close();
  signal?.addEventListener('abort', stop);
  try {
    const checked = codeCells(notebook.cells).map(({ code, name }) => ({ code, name, ...service.add(code, name) }));
    const wrong: string[] = [];
    const all: string[] = [];
    const large: string[] = [];
    let unchecked = '';
    // What a function uses may come with any later cell.
    for (const { diagnostics } of checked) await diagnostics;
    for (const { code, name, diagnostics, obstacle, unmet } of checked) {
      const found = [...(await diagnostics), ...unmet()];
      wrong.push(diagnosticsText(blockingDiagnostics(found), code, name).trimEnd());
      all.push(diagnosticsText(found, code, name).trimEnd());
      const why = await obstacle;
      if (why === TOO_LARGE) large.push(largeText(name));
      else if (why !== undefined) unchecked ||= `${name}: ${why}`;
    }
    return { unchecked, large: large.join('\n'), wrong: paragraphs(wrong), all: paragraphs(all) };
  } finally {
    signal?.removeEventListener('abort', stop);
    await service.close();
  }
}

function paragraphs(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
