import type { Notebook } from '../../src/notebook/format/nbformat.js';
import { type NbclientRun, runByNbclient } from '../jupyter/run-by-nbclient.js';
import type { KernelFolder } from '../jupyter/write-kernel-spec.js';
import { TOO_EARLY } from './too-early.js';

/** Runs a notebook in stock tslab, and again if tslab failed to start. */
export async function runInTslab(
  tslab: KernelFolder,
  notebook: Notebook,
  options: { allowErrors?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<NbclientRun> {
  const run = () => runByNbclient(tslab, notebook, options);
  return run().catch((error: unknown) => {
    if (!String(error).includes(TOO_EARLY)) throw error;
    console.warn('tslab did not start; trying once more');
    return run();
  });
}
