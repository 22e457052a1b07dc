import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { UsageError } from '../../base/errors.js';

/** The name of the file that describes a sample. */
export const SAMPLE_MANIFEST = 'sample.json';

/** The files for `ingest`, in the order in which to name them. */
export const SAMPLE_FILES = ['markets.json', 'trades.json', 'activity.json'] as const;

/**
 * The version of the generator: raised with every change of the bytes that equal parameters give, to reuse no old
 * sample.
 */
const VERSION = 2;

/** The content of `sample.json`, which describes the files beside it. */
export interface SampleManifest {
  generator: 'oddslab simulate';
  version: number;
  parameters: SampleParameters;
  /** The number of records in each file. */
  counts: { markets: number; fills: number; activity: number };
  /** Each file's size in bytes and SHA-256 in hexadecimal. */
  files: { name: string; size: number; sha256: string }[];
}

/** Makes a manifest of this version of the generator. */
export function makeSampleManifest(content: Pick<SampleManifest, 'parameters' | 'counts' | 'files'>): SampleManifest {
  return { generator: 'oddslab simulate', version: VERSION, ...content };
}

/** Reads a folder's manifest; undefined if there is none, or the file is not from `oddslab simulate`. */
export async function readSampleManifest(folder: string): Promise<SampleManifest | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(join(folder, SAMPLE_MANIFEST), 'utf8'));
    return isManifest(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What tells a sample from any other, if a file is one of its files as the manifest beside it describes them, by name
 * and size; undefined if it is none.
 *
 * @param unpacked The content of a compressed file, which may have one more ending than the file that it was made of. It
 *   is read only if the manifest describes a file of that name.
 * @throws Whatever reading the content throws.
 * @example await sampleOf('sample/trades.json'); // '2-2000-500-200000-1'
 */
export async function sampleOf(path: string, unpacked?: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const manifest = await readSampleManifest(dirname(path));
  const names = unpacked ? [basename(path), parse(path).name] : [basename(path)];
  const described = manifest?.files.find(({ name }) => names.includes(name));
  if (!manifest || !described) return undefined;
  const size = unpacked ? await sizeUpTo(described.size, unpacked) : (await stat(path)).size;
  if (size !== described.size) return undefined;
  return [manifest.version, ...NAMES.map((name) => manifest.parameters[name])].join('-');
}

/** The bytes of a content; of one that is larger, any number above the most that is asked for. */
async function sizeUpTo(most: number, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const block of content) {
    size += block.length;
    if (size > most) break;
  }
  return size;
}

/** Whether the folder holds the sample of these parameters, with each file as large as its manifest says. */
export async function isCurrent(
  folder: string,
  manifest: SampleManifest,
  parameters: SampleParameters,
): Promise<boolean> {
  if (manifest.version !== VERSION || manifest.files.length !== SAMPLE_FILES.length) return false;
  if (NAMES.some((name) => manifest.parameters[name] !== parameters[name])) return false;
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

function isManifest(content: unknown): content is SampleManifest {
  const { generator, parameters, files } = Object(content) as Partial<Record<keyof SampleManifest, unknown>>;
  return generator === 'oddslab simulate' && parameters instanceof Object && Array.isArray(files);
}

/** What determines a sample: equal parameters give equal bytes. */
export interface SampleParameters {
  markets: number;
  wallets: number;
  /** The number of rows of `trades.json`: each match gives one for the taker and one for each maker. */
  fills: number;
  seed: number;
}

/** The default, the lowest and the highest value of each parameter. */
const RANGES: Readonly<Record<keyof SampleParameters, readonly [number, number, number]>> = {
  markets: [2_000, 1, 1_000_000],
  wallets: [500, 2, 1_000_000],
  fills: [200_000, 2, 100_000_000],
  seed: [1, 0, 4_294_967_295],
};
const NAMES = ['markets', 'wallets', 'fills', 'seed'] as const;

/**
 * Fills in default parameters and checks that all of them go together.
 *
 * @throws {UsageError} If a parameter is not a whole number in its range, or there are too few fills for the markets or
 *   wallets.
 * @example checkParameters({ fills: 1e6 }); // { markets: 2000, wallets: 500, fills: 1000000, seed: 1 }
 */
export function checkParameters(given: Partial<SampleParameters>): SampleParameters {
  const parameters: SampleParameters = { markets: 0, wallets: 0, fills: 0, seed: 0 };
  for (const name of NAMES) {
    const [usual, low, high] = RANGES[name];
    const value = given[name] ?? usual;
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new UsageError(`${name} is ${value}; it must be a whole number from ${low} to ${high}`);
    }
    parameters[name] = value;
  }
  const { markets, wallets, fills } = parameters;
  if (fills < 2 * markets) {
    throw new UsageError(
      `${fills} fills are too few for ${markets} markets: every market trades, and a trade has two sides; ` +
        `ask for at least ${2 * markets} fills, or for at most ${Math.floor(fills / 2)} markets`,
    );
  }
  if (fills < wallets) {
    throw new UsageError(
      `${fills} fills are too few for ${wallets} wallets: every wallet trades at least once; ` +
        `ask for at least ${wallets} fills, or for at most ${fills} wallets`,
    );
  }
  return parameters;
}
