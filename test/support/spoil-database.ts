import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A database that was spoilt. */
export interface Spoilt {
  /** Puts the bytes back that were there before. */
  mend(): Promise<void>;
}

/**
 * Makes the database of a version unreadable, in its full size, and leaves the files beside it as they are.
 *
 * @param from The first byte to change, under whoever has the file open. By default another file takes its place, which
 *   cannot be opened; who has the one before open reads on.
 */
export async function spoilDatabase(folder: string, version: string, from?: number): Promise<Spoilt> {
  const path = join(folder, 'versions', version, 'lab.duckdb');
  const bytes = await readFile(path);
  const put = async (content: Buffer) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };
  if (from === undefined) await put(Buffer.alloc(bytes.length, 0xa5));
  else {
    await chmod(path, 0o644);
    await writeFile(path, Buffer.from(bytes).fill(0xa5, from));
  }
  return { mend: () => put(bytes) };
}
