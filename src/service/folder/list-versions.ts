import { earlierVersions } from './earlier-versions.js';
import { currentName, readVersion, type Version, versionNames } from './read-version.js';

/** The summary of a version. */
export interface VersionSummary {
  name: string;
  /** Whether it is the one to serve. */
  current: boolean;
  /** Whether it was rolled back from: neither the current one nor one that the current one was built on. */
  rejected: boolean;
  /** The version that it was built on; null if there is none, or if it is not stated. */
  base: string | null;
  /** When it was made, in ISO 8601; null, like the next three, if the version is damaged. */
  created: string | null;
  /** The number of input files that it was made from. */
  inputs: number | null;
  /** The number of raw rows kept from them. */
  rows: number | null;
  /** The size of its files without the manifest. */
  bytes: number | null;
  /** What is wrong with it, judged by the names and sizes of its files; null if nothing is. */
  problem: string | null;
}

/**
 * Lists the versions of a data folder, oldest first; none before the first ingest. Only their manifests are read.
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
