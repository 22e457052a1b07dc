import type { Notebook } from './document.js';

const KERNELSPEC = { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' };
const LANGUAGE_INFO = { file_extension: '.ts', mimetype: 'text/typescript', name: 'typescript' };

/**
 * Names this kernel in a notebook that names none, and its language where this is the kernel: Jupyter and nbconvert
 * would otherwise take the cells for Python or plain text. What the notebook says of either stays.
 */
export function withKernel(notebook: Notebook): Notebook {
  const { kernelspec, ...metadata } = Object(notebook.metadata);
  if (kernelspec && kernelspec.name !== KERNELSPEC.name) return notebook;
  return {
    ...notebook,
    metadata: { kernelspec: kernelspec || KERNELSPEC, language_info: LANGUAGE_INFO, ...metadata },
  };
}
