import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { JupyterClient, type KernelOptions } from './jupyter-client.js';
import { OURS } from './kernel-argv.js';

/**
 * Starts a kernel, by default oddslab's, in an empty folder, with an empty history and without type checks,
 * until the current test ends.
 */
export async function startKernel(options: Partial<KernelOptions> = {}): Promise<JupyterClient> {
  const folder = await temporaryFolder();
  const env = { HOME: folder, JUPYTER_DATA_DIR: folder, ODDSLAB_TYPES: 'off', ...options.env };
  const client = await JupyterClient.start({ ...OURS, cwd: folder, ...options, env });
  onTestFinished(() => client.close());
  return client;
}
