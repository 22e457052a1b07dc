import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/base/packages.js';
import { JupyterClient } from '../test/jupyter/jupyter-client.js';
import { IPYKERNEL, type KernelArgv, OURS, PYTHON_PACKAGES, TSLAB } from '../test/jupyter/kernel-argv.js';
import { TOO_EARLY } from '../test/tslab/too-early.js';
import { type Contender, Unavailable } from './benchmark.js';

const TIMEOUT_MS = 20_000;

/** A kernel to measure. */
export interface KernelPeer {
  name: string;
  language: 'typescript' | 'python';
  /**
   * The command that starts it.
   *
   * @throws {Unavailable} If it is not installed here.
   */
  spec(): KernelArgv;
  env?: NodeJS.ProcessEnv;
}

/** Oddslab's kernel without type checks, for benchmarks of running cells alone. */
export const ours: KernelPeer = {
  name: 'oddslab',
  language: 'typescript',
  spec: () => OURS,
  env: { ODDSLAB_TYPES: 'off' },
};

/** Oddslab's kernel with its default settings. */
export const oursWithTypes: KernelPeer = { ...ours, env: { ODDSLAB_TYPES: 'warn' } };

export const tslab: KernelPeer = {
  name: 'tslab',
  language: 'typescript',
  spec() {
    if (!existsSync(TSLAB.argv[1] ?? '')) throw new Unavailable('tslab is not installed where its tests expect it');
    return TSLAB;
  },
};

export const deno: KernelPeer = { name: 'Deno', language: 'typescript', spec: denoSpec };

export const ipykernel: KernelPeer = {
  name: 'ipykernel',
  language: 'python',
  spec() {
    if (!existsSync(join(PYTHON_PACKAGES, 'ipykernel'))) {
      throw new Unavailable('Debian package python3-ipykernel is not installed');
    }
    return IPYKERNEL;
  },
};

function denoSpec(): KernelArgv {
  const folder = join(packageRoot(), 'bench/peers/node_modules/@deno');
  const [platform] = existsSync(folder) ? readdirSync(folder) : [];
  if (platform === undefined) throw new Unavailable('deno is not installed: npm run bench:peers');
  const program = join(folder, platform, 'deno');
  return { argv: [program, 'jupyter', '--kernel', '--conn', '{connection_file}'], interruptMode: 'message' };
}

/** Starts a kernel in the package's folder, with its own home folder; `end` stops it. */
export async function startPeer(peer: KernelPeer): Promise<{ client: JupyterClient; end(): Promise<void> }> {
  const spec = peer.spec();
  const home = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  const env = { HOME: home, JUPYTER_DATA_DIR: home, ...peer.env };
  const options = { ...spec, cwd: packageRoot(), env, keep: false, timeoutMs: TIMEOUT_MS };
  const client = await JupyterClient.start(options).catch((error: unknown) => {
    if (!String(error).includes(TOO_EARLY)) throw error;
    return JupyterClient.start(options);
  });
  const end = async () => {
    await client.close();
    await rm(home, { recursive: true, force: true });
  };
  return { client, end };
}

/** How a kernel is prepared for a measurement. */
interface Preparation {
  ready?: (client: JupyterClient) => Promise<unknown>;
  name?: string;
  /** Whether each measurement starts a new kernel. Default for tslab, which loses messages after some hundreds. */
  anew?: boolean;
}

/** A contender that measures a started kernel repeatedly; unavailable if a first try fails. */
export function kernelContender(
  peer: KernelPeer,
  measure: (client: JupyterClient, peer: KernelPeer) => Promise<number>,
  { ready, name = peer.name, anew = peer === tslab }: Preparation = {},
): Contender {
  const start = async () => {
    const started = await startPeer(peer);
    try {
      await ready?.(started.client);
      return { ...started, first: await measure(started.client, peer) };
    } catch (cause) {
      await started.end();
      throw new Unavailable(`it does not get through: ${String(cause).slice(0, 200)}`, { cause });
    }
  };
  const measureAnew = async () => {
    const { first, end } = await start();
    await end();
    return first;
  };
  return {
    name,
    async prepare() {
      if (anew) {
        await measureAnew();
        return { measure: measureAnew };
      }
      const { client, end } = await start();
      return { measure: () => measure(client, peer), end };
    },
  };
}

/** A fixed goal as a contender, to reach whatever the peers do. */
export function goal(value: number): { contender: Contender; target: number } {
  return {
    contender: { name: `the goal of ${value}`, prepare: async () => ({ measure: async () => value }) },
    target: 1,
  };
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
