import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DataError } from '../../base/errors.js';
import { makeFolder, writeFailure } from '../../base/whole-file.js';
import {
  checkParameters,
  isCurrent,
  readSampleManifest,
  SAMPLE_FILES,
  SAMPLE_MANIFEST,
  type SampleManifest,
  type SampleParameters,
} from './sample-manifest.js';
import { writeSample } from './write-sample.js';

/** What to simulate, and where. The defaults are 2,000 markets, 500 wallets, 200,000 fills and seed 1. */
export interface SimulateOptions extends Partial<SampleParameters> {
  /** The folder to write to: new, empty, or with an earlier sample, which is replaced. */
  out: string;
  /** Called every few megabytes. */
  onProgress?: (progress: { fills: number; of: number }) => void;
  /** Stops the run, which then throws the signal's reason and leaves nothing behind. */
  signal?: AbortSignal;
}

/** A sample on disk. */
export interface Sample {
  /** Whether the folder held the sample already, so that nothing was written. */
  reused: boolean;
  /** Absolute paths of `markets.json`, `trades.json` and `activity.json`, as `ingest` takes them. */
  files: string[];
  manifest: SampleManifest;
}

/**
 * Simulates nine months of a prediction market's public records: markets as Gamma gives them, trades and activity as
 * the Data API does. Equal parameters give equal bytes on every platform. Each match has one transaction hash; its
 * taker's row comes first, then those of its makers. A market's `volume` is the sum of its takers' dollars. Memory does
 * not grow with `fills`.
 *
 * @throws {UsageError} If a parameter is out of range, or they do not go together.
 * @throws {DataError} If the folder cannot be written, or holds files that are no sample.
 * @example const { files } = await simulate({ out: 'sample', fills: 1_000_000 });
 */
export async function simulate(options: SimulateOptions): Promise<Sample> {
  const parameters = checkParameters(options);
  const out = resolve(options.out);
  options.signal?.throwIfAborted();
  try {
    const folder = await SampleFolder.open(out);
    const files = SAMPLE_FILES.map((name) => join(out, name));
    if (folder.earlier !== undefined && (await isCurrent(out, folder.earlier, parameters))) {
      return { reused: true, files, manifest: folder.earlier };
    }
    return { reused: false, files, manifest: await writeInto(folder, parameters, options) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DataError(`The sample cannot be written to ${out}: ${writeFailure(error)}.`, { cause: error });
  }
}

async function writeInto(folder: SampleFolder, parameters: SampleParameters, options: SimulateOptions) {
  const { onProgress, signal } = options;
  try {
    await folder.prepare();
    const manifest = await writeSample(folder.stage, parameters, (fills) => {
      signal?.throwIfAborted();
      onProgress?.({ fills, of: parameters.fills });
    });
    signal?.throwIfAborted();
    await folder.commit();
    onProgress?.({ fills: parameters.fills, of: parameters.fills });
    return manifest;
  } catch (error) {
    // The error matters more than a stage that cannot be removed.
    await folder.discard().catch(() => undefined);
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const STAGE = '.simulating-';

/**
 * The folder for a sample. Files are written into a stage, a folder inside it, and moved into place once all are
 * complete, so that nobody reads half a sample and a failure leaves nothing behind.
 */
class SampleFolder {
  private constructor(
    readonly path: string,
    /** The folder into which files are written first. */
    readonly stage: string,
    /** The topmost folder that was made for this one; undefined if it existed before. */
    private readonly made: string | undefined,
    /** The manifest of an earlier sample in this folder. */
    readonly earlier: SampleManifest | undefined,
  ) {}

  /**
   * Opens the folder, and makes it if it does not exist.
   *
   * @throws {DataError} If it holds files that do not belong to an earlier sample.
   */
  static async open(path: string): Promise<SampleFolder> {
    const made = await makeFolder(path);
    const earlier = await readSampleManifest(path);
    const ours: string[] = earlier === undefined ? [] : [SAMPLE_MANIFEST, ...SAMPLE_FILES];
    const foreign = (await readdir(path)).filter((name) => !ours.includes(name) && !isAbandoned(name));
    if (foreign.length > 0) {
      throw new DataError(
        `${path} holds ${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ' …' : ''}, which no sample put there; ` +
          'name an empty or new folder, and nothing of yours is overwritten',
      );
    }
    return new SampleFolder(path, join(path, `${STAGE}${process.pid}`), made, earlier);
  }

  /** Makes the stage, and removes those of killed runs. */
  async prepare(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (isAbandoned(name)) await rm(join(this.path, name), { recursive: true, force: true });
    }
    await mkdir(this.stage);
  }

  /** Moves the complete files into place. */
  async commit(): Promise<void> {
    // The old data are removed first, then the new manifest comes before the new data: a run that is killed in between
    // leaves a folder that is recognized as an incomplete sample.
    for (const name of SAMPLE_FILES) await rm(join(this.path, name), { force: true });
    for (const name of [SAMPLE_MANIFEST, ...SAMPLE_FILES]) await rename(join(this.stage, name), join(this.path, name));
    await rmdir(this.stage);
  }

  /** Removes what this run made. */
  async discard(): Promise<void> {
    await rm(this.stage, { recursive: true, force: true });
    if (this.made !== undefined) await rm(this.made, { recursive: true, force: true });
  }
}

/** Whether a name is that of a stage whose process is gone, or of an old one with this process's number. */
function isAbandoned(name: string): boolean {
  if (!name.startsWith(STAGE)) return false;
  const pid = Number(name.slice(STAGE.length));
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
