import { dirname } from 'node:path';
import { codeCells } from './code-cells.js';
import type { Notebook } from './document.js';

/**
 * Checks the types of all cells that a run would execute, each together with those before it, without running any.
 *
 * @param file Full path of the notebook: imports resolve from its folder.
 * @param signal Ends the check: nothing is found from then on.
 * @returns What is wrong, a code frame each, for a reader; empty where nothing is.
 */
export async function checkTypes(notebook: Notebook, file: string, signal?: AbortSignal): Promise<string> {
  const { openTypeService } = await import('../kernel/types/open-type-service.js');
  const { diagnosticsText } = await import('../kernel/types/diagnostics-text.js');
  const service = openTypeService({ folder: dirname(file) });
  const stop = (): void => void service.close();
  signal?.addEventListener('abort', stop);
  try {
    const checked = codeCells(notebook.cells).map(({ code, name }) => ({ code, name, ...service.add(code, name) }));
    const texts: string[] = [];
    for (const { code, name, diagnostics } of checked) {
      const errors = (await diagnostics).filter(({ severity }) => severity === 'error');
      if (errors.length > 0) texts.push(diagnosticsText(errors, code, name).trimEnd());
    }
    return texts.join('\n\n');
  } finally {
    signal?.removeEventListener('abort', stop);
    await service.close();
  }
}
