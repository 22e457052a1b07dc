import { stat } from 'node:fs/promises';
import { DataError } from '../../base/errors.js';
import { shellWord } from '../shell-word.js';

/** Checks that a data folder exists. @throws {DataError} If it does not; the message says what to do. */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new DataError(
    found
      ? `The data folder ${folder} is a file: name the folder that "oddslab ingest" wrote.`
      : `There is no data folder ${folder}: check its name, or load your own data with "oddslab ingest --data ${shellWord(folder)} ` +
          `FILE…", or make the sample market there with "oddslab demo --data ${shellWord(folder)}".`,
  );
}
