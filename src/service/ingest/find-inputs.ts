import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/** Where an input is. */
export interface FoundInput {
  /** Its name in messages and reports: as it was given, or under the folder that was. */
  path: string;
  /** Whether it was found in a folder: what nobody named may be of no use here. */
  inFolder: boolean;
}

/** The input that stands for what comes in on stdin. */
export const STDIN = '-';

/**
 * The files that inputs stand for, each once: a folder for all in it and beneath it, by name, without hidden ones.
 *
 * @param data The data folder: what it holds is no input, where it lies in one.
 * @throws {InputError} If one does not exist, or a folder holds no file.
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
    const why = codeOf(cause) === 'ENOENT' ? 'no such file' : (codeOf(cause) ?? String(cause));
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
      // A folder that a link leads to may hold this one again.
      if (entry.isDirectory()) files.push(...(await filesIn(path, data)));
      else if (info.isFile()) files.push(path);
    }
  } catch (cause) {
    throw new InputError(`Cannot read the folder ${folder}: ${codeOf(cause) ?? cause}.`, { cause });
  }
  return files.sort();
}
