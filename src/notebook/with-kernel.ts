import type { Notebook } from './document.js';

const KERNELSPEC = { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' };

/** A program without a header of its own as a notebook for our kernel: without one, Jupyter would take it for Python. */
export function withKernel(notebook: Notebook): Notebook {
  const metadata = Object(notebook.metadata);
  return metadata.kernelspec ? notebook : { ...notebook, metadata: { kernelspec: KERNELSPEC, ...metadata } };
}
