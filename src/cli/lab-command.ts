import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { DataError, OddslabError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { makeFolder, writeFailure } from '../base/whole-file.js';
import type { Version } from '../service/folder/version.js';
import type { Service } from '../service/serve-folder.js';
import { dataOption, wholeNumber } from './command-options.js';
import { interruptible, SIGNALS } from './exit-code.js';
import { findJupyter, givenJupyter, type Jupyter, withoutJupyter } from './find-jupyter.js';
import { copyExamples, ensureKernel, ownWallets, sampleData } from './prepare-lab.js';
import { Status } from './terminal-output.js';

interface Flags {
  readonly data: string;
  readonly sample: boolean;
  readonly port?: number;
  readonly browser: boolean;
  readonly jupyter?: string;
}

/** The folder and data for the notebooks. */
interface Prepared {
  readonly folder: string;
  /** The data folder; undefined if the environment names a service. */
  readonly data: { readonly folder: string } | undefined;
}

/** Adds `oddslab lab`, which opens Jupyter with the kernel, the service and the example notebooks. */
export function addLabCommand(program: Command): void {
  program
    .command('lab')
    .argument('[dir]', 'folder to open; created if it is missing', '.')
    .addOption(dataOption())
    .option('--sample', 'make the sample market in the named data folder if it holds no data yet', false)
    .option(
      '--port <n>',
      "Jupyter's port (default: its own, 8888 or the next free one)",
      wholeNumber('--port', 1, 65_535),
    )
    .option('--no-browser', 'print the address instead of opening a browser')
    .option('--jupyter <command>', 'the command that opens Jupyter (default: jupyter-lab, else jupyter-notebook)')
    .action(async (dir: string, flags: Flags, command: Command) => {
      await lab(dir, flags, command.getOptionValueSource('data') ?? 'default');
    });
}

async function lab(dir: string, flags: Flags, source: string): Promise<void> {
  const jupyter = flags.jupyter === undefined ? await findJupyter() : givenJupyter(flags.jupyter);
  const prepared = await interruptible((signal) => prepare(dir, flags, { source, signal }));
  if (!jupyter) {
    const { folder, data } = prepared;
    throw new OddslabError(withoutJupyter({ platform: process.platform, folder, data: data?.folder }));
  }
  const code = await open(jupyter, prepared, flags);
  // Everything is closed by now, and the exit code is Jupyter's.
  if (code !== 0) process.exit(code);
}

/** Prepares what remains after Jupyter ends: the kernelspec, the data and the folder. */
async function prepare(
  dir: string,
  { data, sample }: Flags,
  { source, signal }: { source: string; signal: AbortSignal },
): Promise<Prepared> {
  const folder = resolve(dir);
  const steps = new Status();
  try {
    steps.done(await ensureKernel());
    const isElsewhere = source !== 'cli' && Boolean(process.env.ODDSLAB_URL);
    if (isElsewhere) steps.done('notebooks use the service that ODDSLAB_URL names');
    const makes = sample || source === 'default';
    const version = isElsewhere ? undefined : await readyData(data, { makes, steps, signal });
    await makeFolder(folder).catch((cause) => {
      throw new DataError(`Cannot open the folder ${dir}: ${writeFailure(cause)}.`, { cause });
    });
    const examples = await copyExamples(folder);
    if (examples) steps.done(`put the example notebooks into ${examples}`);
    return { folder, data: version && { folder: resolve(data) } };
  } finally {
    steps.clear();
  }
}

async function readyData(
  data: string,
  { makes, steps, signal }: { makes: boolean; steps: Status; signal: AbortSignal },
): Promise<Version> {
  const { currentVersion } = await import('../service/folder/current-version.js');
  const version = await currentVersion(data);
  if (version) return version;
  if (makes) return sampleData(data, steps, signal);
  throw new DataError(
    `The data folder ${data} holds no data yet: fetch yours with "oddslab fetch wallet 0x… --data ${shellWord(data)}", load ` +
      `files with "oddslab ingest --data ${shellWord(data)} FILE…", or let --sample make the sample market there.`,
  );
}

async function open(jupyter: Jupyter, { folder, data }: Prepared, flags: Flags): Promise<number> {
  const service = data && (await startService(data.folder));
  try {
    const where = service ? `, with the data in ${data?.folder} at ${service.url}` : '';
    process.stderr.write(`✓ opening ${folder} in ${jupyter.title}${where}\n`);
    if (process.getuid?.() === 0) process.stderr.write('  You are root: Jupyter is told so by --allow-root.\n');
    return await openJupyter(jupyter, flags, { cwd: folder, env: await notebookEnvironment(data, service) });
  } finally {
    await service?.close();
  }
}

async function startService(folder: string): Promise<Service> {
  const { serve } = await import('../service/serve-folder.js');
  return serve({
    folder,
    port: 0,
    open: true,
    onError: (error, id) =>
      process.stderr.write(`request ${id} failed: ${error instanceof Error ? error.stack : error}\n`),
  });
}

/** The environment for the notebooks. They run in their own folders, so relative paths are made absolute. */
async function notebookEnvironment(data: Prepared['data'], service: Service | undefined): Promise<NodeJS.ProcessEnv> {
  const { ODDSLAB_SNAPSHOT: snapshot, ODDSLAB_WALLETS: wallets, ODDSLAB_FILLS: fills } = process.env;
  const sampleFills = join(data?.folder ?? '', 'sample', 'trades.json');
  const isSample = data !== undefined && existsSync(sampleFills);
  const own = data && !wallets ? await ownWallets(data.folder) : [];
  return {
    ...process.env,
    ...(snapshot ? { ODDSLAB_SNAPSHOT: resolve(snapshot) } : {}),
    ...(data ? { ODDSLAB_DATA: data.folder } : {}),
    // A key for another service must not be sent to this one.
    ...(service ? { ODDSLAB_URL: service.url, ODDSLAB_API_KEY: '' } : {}),
    ...(service && !fills && isSample ? { ODDSLAB_FILLS: sampleFills } : {}),
    ...(service && own.length > 0 ? { ODDSLAB_WALLETS: own.join(',') } : {}),
  };
}

/** Opens Jupyter on this terminal until it ends; returns its exit code, or 128 plus the number of a signal. */
async function openJupyter(
  jupyter: Jupyter,
  { port, browser }: Flags,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const given = [
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(browser ? [] : ['--no-browser']),
    // Whoever runs this as root has accepted that.
    ...(process.getuid?.() === 0 ? ['--allow-root'] : []),
  ];
  const child = spawn(jupyter.command, [...jupyter.args, ...given], { ...options, stdio: 'inherit' });
  const release = passSignals(child);
  try {
    return await new Promise<number>((done, fail) => {
      child.once('error', (cause) => {
        fail(new OddslabError(`Cannot start ${jupyter.command}: ${reasonOf(cause)}`, { cause }));
      });
      child.once('close', (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    release();
  }
}

function reasonOf(cause: NodeJS.ErrnoException): string {
  if (cause.code === 'ENOENT') return 'there is no such command. Without --jupyter, lab looks for Jupyter itself.';
  return cause.code === 'EACCES' ? 'it is no program that may be run.' : `${cause.message}.`;
}

/**
 * Passes signals on to Jupyter, as SIGTERM. A terminal itself sends Ctrl-C to both processes, and Jupyter then asks for
 * confirmation, which a second SIGINT would give.
 */
function passSignals(child: ChildProcess): () => void {
  let isSecond = false;
  const pass = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(isSecond ? 'SIGKILL' : 'SIGTERM');
    isSecond = true;
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
}
