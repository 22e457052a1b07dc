import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KernelArgv, OURS } from './kernel-argv.js';

/** A folder where Jupyter finds one kernel and nothing of the machine's user. */
export interface KernelFolder {
  /** The kernelspec's name. */
  name: string;
  /** An empty folder to work in. */
  folder: string;
  /** The environment for Jupyter's programs. */
  env: NodeJS.ProcessEnv;
}

/** The kernel that a kernelspec starts, by default oddslab's, and its environment variables. */
export interface SpecOptions {
  kernel?: KernelArgv;
  env?: Record<string, string>;
}

/** Writes a kernelspec into a folder, and returns how Jupyter finds it. */
export async function writeKernelSpec(
  folder: string,
  { kernel = OURS, env = {} }: SpecOptions = {},
): Promise<KernelFolder> {
  const name = 'oddslab-test';
  const spec = join(folder, 'share/jupyter/kernels', name);
  await mkdir(spec, { recursive: true });
  const { argv, interruptMode } = kernel;
  const content = { argv, display_name: 'Test', language: 'typescript', interrupt_mode: interruptMode, env };
  await writeFile(join(spec, 'kernel.json'), JSON.stringify(content));
  const ofJupyter = {
    HOME: folder,
    JUPYTER_PATH: join(folder, 'share/jupyter'),
    JUPYTER_DATA_DIR: join(folder, 'data'),
    JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
    JUPYTER_CONFIG_DIR: join(folder, 'config'),
    JUPYTER_NO_CONFIG: '1',
  };
  return { name, folder, env: { ...process.env, ...ofJupyter } };
}
