import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InputError } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';

/** An input and how it was named. */
export interface FoundInput {
  /** Its name in messages and reports: its path as given, or within the folder that was given. */
  path: string;
  /** Whether it was found in a folder. Such files were not named, so they need not be usable. */
  inFolder: boolean;
}

/** The input that stands for stdin. */
export const STDIN = '-';

/**
 * The files that inputs stand for, each once. A folder stands for all files in it and beneath it, sorted by name,
 * except hidden ones.
 *
 * @param data The data folder, whose files are no inputs even if it lies in an input folder.
 * @throws {InputError} If an input does not exist or is the data folder, or a folder holds no file.
 */
export async function findInputs(inputs: readonly string[], data: string): Promise<FoundInput[]> {
  const found = new Map<string, FoundInput>();
  for (const input of inputs) {
    if (input === STDIN || !(await isFolder(input))) {
      found.set(input, { path: input, inFolder: false });
      continue;
    }
    if (resolve(input) === resolve(data)) {
      throw new InputError(`${input} is the data folder itself: name the folder or the files with raw records.`);
    }
    const files = await filesIn(input, resolve(data));
    if (files.length === 0) throw new InputError(`The folder ${input} holds no file: name one with raw records.`);
    for (const path of files) if (!found.has(path)) found.set(path, { path, inFolder: true });
  }
  return [...found.values()];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    const why = systemErrorCode(cause) === 'ENOENT' ? 'no such file' : (systemErrorCode(cause) ?? String(cause));
    throw new InputError(`Cannot read the input ${path}: ${why}.`, { cause });
  }
}

async function filesIn(folder: string, data: string): Promise<string[]> {
  if (resolve(folder) === data) return [];
  const files: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      const info = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
      // Links to folders are not followed: they may lead back to this one.
      if (entry.isDirectory()) files.push(...(await filesIn(path, data)));
      else if (info.isFile()) files.push(path);
    }
  } catch (cause) {
    throw new InputError(`Cannot read the folder ${folder}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  }
  return files.sort();
}
