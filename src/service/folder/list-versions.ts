import { earlierVersions } from './earlier-versions.js';
import { currentName, readVersion, type Version, versionNames } from './read-version.js';

/** A version in short. */
export interface VersionSummary {
  name: string;
  /** Whether it is the one that is to be served. */
  current: boolean;
  /** Whether it was rolled back from: neither the current one nor one that the current one was built on. */
  rejected: boolean;
  /** The version that it was built on; null where there is none, or it does not say. */
  base: string | null;
  /** When it was made, in ISO 8601; this and all below are null where the version is damaged. */
  created: string | null;
  /** Input files that it was made from. */
  inputs: number | null;
  /** Raw rows of them that were kept. */
  rows: number | null;
  /** Size of all of its files but the manifest. */
  bytes: number | null;
  /** What is wrong with it, by a look at names and sizes; null where nothing is. */
  problem: string | null;
}

/**
 * Every version that a data folder has, oldest first; none before the first ingest. Their files are not read.
 *
 * @throws {DataError} If the folder cannot be read.
 */
export async function listVersions(folder: string): Promise<VersionSummary[]> {
  const [current, names] = [await currentName(folder), await versionNames(folder)];
  const missing = current !== undefined && !names.includes(current) ? [current] : [];
  const line = new Set([current, ...(await earlierVersions(folder, current))]);
  const list: VersionSummary[] = [];
  for (const name of [...names, ...missing]) {
    const version = await readVersion(folder, name).catch((error: unknown) => (error as Error).message);
    list.push({ name, current: name === current, rejected: !line.has(name), ...summaryOf(version) });
  }
  return list;
}

function summaryOf(version: Version | string): Omit<VersionSummary, 'name' | 'current' | 'rejected'> {
  if (typeof version === 'string') {
    return { base: null, created: null, inputs: null, rows: null, bytes: null, problem: version };
  }
  const { created, inputs, base = null } = version.manifest;
  return {
    base,
    created,
    inputs: inputs.length,
    rows: inputs.reduce((sum, { kept }) => sum + kept, 0),
    bytes: Object.values(version.files).reduce((sum, file) => sum + file.bytes, 0),
    problem: null,
  };
}
