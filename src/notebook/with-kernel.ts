import type { Notebook } from './document.js';

const KERNELSPEC = { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' };

/** Names this kernel in a notebook that names none, since Jupyter would otherwise take it for Python. */
export function withKernel(notebook: Notebook): Notebook {
  const metadata = Object(notebook.metadata);
  return metadata.kernelspec ? notebook : { ...notebook, metadata: { kernelspec: KERNELSPEC, ...metadata } };
}
