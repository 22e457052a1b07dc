import { messageOf } from '../../base/errors.js';
import { shellWord } from '../../base/texts.js';
import { currentName, isVersionName, versionPath } from './folder-layout.js';
import { versionNames } from './sealed-version.js';
import { readManifest, readVersion, type Version } from './version.js';

/** The summary of a version. */
export interface VersionSummary {
  name: string;
  current: boolean;
  /** Whether it was rolled back from: neither the current one nor one that the current one was built on. */
  rejected: boolean;
  /** The version that it was built on; null if there is none, or if it is not stated. */
  base: string | null;
  /** When it was made, in ISO 8601; null, like the next three, if the version is damaged. */
  created: string | null;
  inputs: number | null;
  /** The number of raw rows kept from them. */
  rows: number | null;
  /** The size of its files without the manifest. */
  bytes: number | null;
  /** What is wrong with it, judged by the names and sizes of its files; null if nothing is. */
  problem: string | null;
}

/**
 * Lists the versions of a data folder by their manifests, oldest first; none before the first ingest.
 *
 * @throws {DataError} If the folder cannot be read.
 */
export async function listVersions(folder: string): Promise<VersionSummary[]> {
  const [current, names] = [await currentName(folder), await versionNames(folder)];
  const missing = current !== undefined && !names.includes(current) ? [current] : [];
  const line = new Set([current, ...(await earlierVersions(folder, current))]);
  const list: VersionSummary[] = [];
  for (const name of [...names, ...missing]) {
    const version = await readVersion(folder, name).catch(messageOf);
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

/**
 * The versions that a version was built on, newest first: those to which one can go back from it. Versions that were
 * rolled back from are not among them, even if their numbers lie between. If a version does not name its base, or the
 * base is gone, the nearest older number counts as its base.
 *
 * @param name The version, which may be damaged or gone. If it is no version's name, all start from the newest.
 * @returns The names of existing versions, damaged or not; empty for the first version.
 * @throws {DataError} If the folder cannot be read.
 */
export async function earlierVersions(folder: string, name: string | undefined): Promise<string[]> {
  const names = (await versionNames(folder)).reverse();
  const earlier: string[] = [];
  let next = name !== undefined && isVersionName(name) ? await before(folder, name, names) : names[0];
  while (next !== undefined) {
    earlier.push(next);
    next = await before(folder, next, names);
  }
  return earlier;
}

async function before(folder: string, name: string, newestFirst: readonly string[]): Promise<string | undefined> {
  const { base } = await readManifest(versionPath(folder, name)).catch(() => ({ base: undefined }));
  if (base === null) return undefined;
  return newestFirst.find((other) => (base === undefined ? other < name : other <= base && other < name));
}

/**
 * Advice for when the current version cannot be served: which version to switch to. Those that were rolled back from
 * are only advised if there is no other.
 *
 * @param damaged Versions known to be damaged, besides those whose summary has a problem.
 * @returns Undefined if no other version is undamaged.
 */
export function wayBack(folder: string, versions: readonly VersionSummary[], damaged: readonly string[]) {
  const whole = versions.filter(({ name, problem, current }) => !problem && !current && !damaged.includes(name));
  const to = whole.filter(({ rejected }) => !rejected).at(-1) ?? whole.at(-1);
  return to && `Switch to a whole one by "oddslab data rollback ${to.name} --data ${shellWord(folder)}".`;
}
