import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { DataError, InputError, messageOf } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { packageRoot } from '../base/packages.js';
import { shellWord } from '../base/texts.js';
import { makeFolder, writeFailure } from '../base/whole-file.js';
import type { Version } from '../service/folder/version.js';
import type { Service } from '../service/serve-folder.js';
import type { Status } from './terminal-output.js';

/** What the user asked to be prepared. */
export interface LabRequest {
  /** The folder to open, or a notebook in it. */
  readonly dir: string;
  /** The data folder, and where its name comes from: `cli`, `env` or `default`. */
  readonly data: string;
  readonly dataSource: string;
  /** Whether the sample market is made in a named data folder that holds nothing. */
  readonly sample: boolean;
}

/** The folder and data for the notebooks. */
export interface Lab {
  /** Full path of the folder to open. */
  readonly folder: string;
  /** The name of the notebook in it that is shown first, if one was named. */
  readonly shown?: string | undefined;
  /** Full path of the data folder; undefined if the environment names a service. */
  readonly data: string | undefined;
  /** The folder of the example notebooks, if they were copied just now. */
  readonly examples: string | undefined;
}

/**
 * Prepares what notebooks need: the data, else the sample market; the folder; the example notebooks, which it may lack
 * where nothing can be written.
 *
 * @throws {InputError} If a notebook is named that does not exist; nothing is made then.
 * @throws {DataError} If a folder that was named holds no data, or the folder to open cannot be made.
 */
export async function prepareLab(
  { dir, data, dataSource, sample }: LabRequest,
  steps: Status,
  signal: AbortSignal,
): Promise<Lab> {
  const isNotebook = namesNotebook(dir);
  const isElsewhere = dataSource !== 'cli' && Boolean(process.env.ODDSLAB_URL);
  if (isElsewhere) steps.done('notebooks use the service that ODDSLAB_URL names');
  else await readyData(data, { makes: sample || dataSource === 'default', steps, signal });
  const folder = resolve(isNotebook ? dirname(dir) : dir);
  await makeFolder(folder).catch((cause) => {
    throw new DataError(`Cannot open the folder ${dir}: ${writeFailure(cause)}.`, { cause });
  });
  const examples = await copyExamples(folder).catch((error: unknown) => {
    steps.note(`${messageOf(error)} What you change in a folder that cannot be written is not saved either.`);
    return undefined;
  });
  if (examples) steps.done(`put the example notebooks into ${examples}`);
  return {
    folder,
    shown: isNotebook ? basename(dir) : undefined,
    data: isElsewhere ? undefined : resolve(data),
    examples,
  };
}

/** Whether a notebook is named to be opened, and not a folder, which may be called so, too. */
function namesNotebook(dir: string): boolean {
  if (!dir.endsWith('.ipynb')) return false;
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found) return found.isFile();
  const beside = existsSync(dirname(dir)) ? readdirSync(dirname(dir)).filter((name) => name.endsWith('.ipynb')) : [];
  const near = nearest(basename(dir), beside);
  const hint = near === undefined ? '' : ` Did you mean "${join(dirname(dir), near)}"?`;
  throw new InputError(`There is no notebook ${dir}: name one that exists, or the folder to open.${hint}`);
}

async function readyData(
  data: string,
  { makes, steps, signal }: { makes: boolean; steps: Status; signal: AbortSignal },
): Promise<void> {
  const { hasCurrentVersion } = await import('../service/folder/sealed-version.js');
  if (await hasCurrentVersion(data)) return;
  if (!makes) throw lacksData(data);
  await sampleData(data, steps, signal);
}

function lacksData(data: string): DataError {
  return new DataError(
    `The data folder ${data} holds no data yet: fetch yours with "oddslab fetch wallet 0x… --data ${shellWord(data)}", load ` +
      `files with "oddslab ingest --data ${shellWord(data)} FILE…", or let --sample make the sample market there.`,
  );
}

/**
 * Starts the query service over a data folder for notebooks of this machine.
 *
 * @param listener Whose place it takes; by default it listens on a free port.
 */
export async function startService(folder: string, listener?: Server): Promise<Service> {
  const { serve } = await import('../service/serve-folder.js');
  return serve({
    folder,
    port: 0,
    listener,
    open: true,
    onError: (error, id) =>
      process.stderr.write(`request ${id} failed: ${error instanceof Error ? error.stack : error}\n`),
  });
}

/** The environment for the notebooks of a data folder and its service. They run in their own folders, so relative paths are made absolute. */
export async function notebookEnvironment(
  data: string | undefined,
  service: Pick<Service, 'url'> | undefined,
): Promise<NodeJS.ProcessEnv> {
  const { ODDSLAB_SNAPSHOT: snapshot, ODDSLAB_WALLETS: wallets } = process.env;
  const own = data && !wallets ? await ownWallets(data) : [];
  return {
    ...process.env,
    ...(snapshot ? { ODDSLAB_SNAPSHOT: resolve(snapshot) } : {}),
    ...(data ? { ODDSLAB_DATA: data } : {}),
    // A key for another service must not be sent to this one.
    ...(service ? { ODDSLAB_URL: service.url, ODDSLAB_API_KEY: '' } : {}),
    ...(service && own.length > 0 ? { ODDSLAB_WALLETS: own.join(',') } : {}),
  };
}

/**
 * Copies the example notebooks into `examples` below a folder. Does nothing if that exists already, or if the folder
 * itself holds an example notebook.
 *
 * @returns The new folder, or undefined if nothing was copied.
 * @throws {DataError} If it cannot be written; no part of it is left behind.
 */
export async function copyExamples(folder: string): Promise<string | undefined> {
  const source = join(packageRoot(), 'notebooks');
  const names = readdirSync(source).filter((name) => name.endsWith('.ipynb'));
  const target = join(folder, 'examples');
  if (existsSync(target) || names.some((name) => existsSync(join(folder, name)))) return undefined;
  const beside = `${target}.${randomBytes(6).toString('hex')}.part`;
  try {
    await mkdir(beside);
    for (const name of names) await copyFile(join(source, name), join(beside, name));
    await rename(beside, target);
    return target;
  } catch (cause) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    throw new DataError(`Cannot write the examples to ${target}: ${writeFailure(cause)}.`, { cause });
  }
}

/**
 * Makes the sample market in a data folder and ingests it. A sample made before that has not changed is used again.
 *
 * @returns The current version of the data.
 * @throws {DataError} If the folder cannot be written, another ingest is writing to it, or it holds data of one's own,
 *   among which the invented ones would stand.
 */
export async function sampleData(data: string, steps: Status, signal: AbortSignal): Promise<Version> {
  if (existsSync(join(data, 'current')) && !existsSync(join(data, 'sample'))) {
    throw new DataError(
      `${data} holds data of your own, and the simulated market would stand among them: name another folder, such as ` +
        '--data sample-data.',
    );
  }
  const { simulate } = await import('../service/sample/simulate-sample.js');
  const sample = await simulate({
    out: join(data, 'sample'),
    signal,
    onProgress: ({ fills, of }) => steps.show(`simulating the sample market: ${Math.floor((100 * fills) / of)}%`),
  });
  const { counts } = sample.manifest;
  steps.done(
    `${sample.reused ? 'reused' : 'simulated'} the sample market: ${counts.markets} markets, ${counts.fills} fills`,
  );
  const { ingest } = await import('../service/ingest/ingest-inputs.js');
  const onProgress = (doing: string) => steps.show(doing);
  const { version, reports } = await ingest({ folder: data, inputs: sample.files, onProgress, signal });
  steps.done(`${reports.length > 0 ? 'ingested' : 'reused'} the data of ${data} (version ${version.name})`);
  return version;
}

/**
 * The wallets of a data folder for notebooks that are given none: those that were fetched, else the busiest.
 *
 * @returns An empty list for the sample, whose wallets the example notebooks know, and for a folder without data.
 */
export async function ownWallets(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, 'current'))) return [];
  const { currentVersion } = await import('../service/folder/current-version.js');
  const { fetched, busiest = [] } = (await currentVersion(folder).catch(() => undefined))?.manifest ?? {};
  return fetched ?? (existsSync(join(folder, 'sample', 'trades.json')) ? [] : busiest);
}
