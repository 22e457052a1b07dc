import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../base/whole-file.js';
import { hashFile } from './hash-file.js';
import { type FileRecord, MANIFEST, readManifest } from './manifest.js';
import { isVersionName, versionPath } from './read-version.js';

/** What is wrong with one file of a version. */
export interface FileDamage {
  /** Its name within the version's folder. */
  file: string;
  /** What is wrong with it, as the rest of a sentence. */
  problem: string;
}

/**
 * Reads every byte of a version and compares it with what was written.
 *
 * @returns What is wrong with each file; empty if nothing is.
 */
export async function verifyVersion(folder: string, name: string): Promise<FileDamage[]> {
  if (!isVersionName(name)) return [{ file: 'current', problem: 'names no version' }];
  const path = versionPath(folder, name);
  const manifest = await readManifest(path).catch((error: unknown) => String((error as Error).message));
  if (typeof manifest === 'string') return [{ file: MANIFEST, problem: manifest.replace(`${MANIFEST} `, '') }];
  const damages: FileDamage[] = [];
  for (const [file, expected] of Object.entries(manifest.files)) {
    const problem = await problemOf(join(path, file), expected);
    if (problem !== undefined) damages.push({ file, problem });
  }
  const strangers = (await readdir(path)).filter((file) => file !== MANIFEST && !(file in manifest.files));
  return [...damages, ...strangers.map((file) => ({ file, problem: 'does not belong there: remove it' }))];
}

async function problemOf(path: string, expected: FileRecord): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await hashFile(path);
    if (bytes !== expected.bytes) return `has ${bytes} bytes instead of ${expected.bytes}`;
    return sha256 === expected.sha256 ? undefined : 'holds other bytes than were written';
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? 'is not there' : `cannot be read: ${(error as Error).message}`;
  }
}
