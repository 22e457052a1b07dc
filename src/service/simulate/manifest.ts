import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampleParameters } from './check-parameters.js';

/** The name of the file that describes a sample. */
export const MANIFEST_NAME = 'sample.json';

/** The files for `ingest`, in the order in which to name them. */
export const SAMPLE_FILES = ['markets.json', 'trades.json', 'activity.json'] as const;

/**
 * The version of the generator: raised with every change of the bytes that equal parameters give, to reuse no old
 * sample.
 */
const VERSION = 1;

/** The content of `sample.json`, which describes the files beside it. */
export interface Manifest {
  generator: 'oddslab simulate';
  version: number;
  parameters: SampleParameters;
  /** The number of records in each file. */
  counts: { markets: number; fills: number; activity: number };
  /** Each file's size in bytes and SHA-256 in hexadecimal. */
  files: { name: string; size: number; sha256: string }[];
}

/** Makes a manifest of this version of the generator. */
export function writeManifest(content: Pick<Manifest, 'parameters' | 'counts' | 'files'>): Manifest {
  return { generator: 'oddslab simulate', version: VERSION, ...content };
}

/** Reads a folder's manifest; undefined if there is none, or the file is not from `oddslab simulate`. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(join(folder, MANIFEST_NAME), 'utf8'));
    return isManifest(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the folder holds the sample of these parameters, with each file as large as its manifest says. */
export async function isCurrent(folder: string, manifest: Manifest, parameters: SampleParameters): Promise<boolean> {
  if (manifest.version !== VERSION || manifest.files.length !== SAMPLE_FILES.length) return false;
  const names = ['markets', 'wallets', 'fills', 'seed'] as const;
  if (names.some((name) => manifest.parameters[name] !== parameters[name])) return false;
  const sizes = await Promise.all(
    manifest.files.map((file) =>
      stat(join(folder, file.name)).then(
        ({ size }) => size === file.size,
        () => false,
      ),
    ),
  );
  return sizes.every(Boolean);
}

function isManifest(content: unknown): content is Manifest {
  if (typeof content !== 'object' || content === null) return false;
  return (
    'generator' in content &&
    content.generator === 'oddslab simulate' &&
    'parameters' in content &&
    typeof content.parameters === 'object' &&
    content.parameters !== null &&
    'files' in content &&
    Array.isArray(content.files)
  );
}
