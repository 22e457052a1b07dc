import { join, resolve } from 'node:path';
import { DataError } from '../../base/errors.js';
import { writeFailure } from '../../base/whole-file.js';
import { checkParameters, type SampleParameters } from './check-parameters.js';
import { isCurrent, type Manifest, SAMPLE_FILES } from './manifest.js';
import { SampleFolder } from './sample-folder.js';
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
  manifest: Manifest;
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
    throw isSystemError(error) ? new DataError(describe(out, error), { cause: error }) : error;
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

function describe(out: string, error: unknown): string {
  return `The sample cannot be written to ${out}: ${writeFailure(error)}.`;
}
