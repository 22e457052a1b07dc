import { InputError } from '../../base/errors.js';
import { Database } from '../store/database.js';
import { AS_IT_IS, fileLiteral } from './file-literal.js';

/**
 * Verifies the checksums of a zstd file, which {@link contentOf} does not do: the engine reads all of it, as lines of
 * one column.
 *
 * @param path The input's name in messages.
 * @throws {InputError} If it is damaged, or compressed with a window of more than 128 MB.
 */
export async function checkZstd(path: string, file: string): Promise<void> {
  const db = await Database.open(':memory:', { threads: 1 });
  try {
    await db.run(`SELECT count(*) FROM read_csv(${fileLiteral(file)}, compression = 'zstd', auto_detect = false,
      header = false, columns = {line: 'VARCHAR'}, delim = '\u0001', quote = '', escape = '', strict_mode = false,
      ignore_errors = true, ${AS_IT_IS})`);
  } catch (cause) {
    const [, why] = /^IO Error: (.*)/.exec(cause instanceof Error ? cause.message : '') ?? [];
    if (why === undefined) throw cause;
    if (/too much memory/.test(why)) {
      throw new InputError(`${path} is packed with a window of more than 128 MB: unpack it first (zstd -d --long=31).`);
    }
    throw new InputError(`${path} is no zstd as it was written (${why}): it is damaged. Fetch it again.`, { cause });
  } finally {
    db.close();
  }
}
