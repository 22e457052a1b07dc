import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { JupyterClient, type KernelOptions } from './jupyter-client.js';
import { OURS } from './kernel-argv.js';

/**
 * Starts a kernel, by default oddslab's, in an empty folder, with an empty history and without type checks,
 * until the current test ends.
 */
export async function startKernel(options: Partial<KernelOptions> = {}): Promise<JupyterClient> {
  const client = await startKernelIn(await temporaryFolder(), options);
  onTestFinished(() => client.close());
  return client;
}

/** Starts such a kernel in a folder; whoever calls this closes it. */
export function startKernelIn(folder: string, options: Partial<KernelOptions> = {}): Promise<JupyterClient> {
  const env = { HOME: folder, JUPYTER_DATA_DIR: folder, ODDSLAB_TYPES: 'off', ...options.env };
  return JupyterClient.start({ ...OURS, cwd: folder, ...options, env });
}
