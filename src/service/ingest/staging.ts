import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder, writeWhole } from '../../base/whole-file.js';
import { hashFile } from '../folder/version.js';
import type { Format, Staged } from './stage.js';

/** The version of the staged files' layout. Inputs that were staged under another number are read again. */
const LAYOUT = 6;

const PART = '.part';

/** Whether a name in the staging folder is that of an input that was not read to its end. */
function isHalfStaged(name: string): boolean {
  return name.endsWith(PART);
}

const reportSchema = z.object({
  staged: z.object({
    format: z.string(),
    rows: z.number(),
    kept: z.number(),
    skipped: z.record(z.string(), z.number()),
  }),
  /** The hash of the Parquet file. */
  sha256: z.string(),
});

/** An input that was read, and the Parquet file that holds its rows. */
interface StagedInput {
  staged: Staged;
  parquet: string;
}

/**
 * A folder of inputs that were read into Parquet, keyed by their content, so that the ingest after an interrupted one
 * does not read them again. Each is there completely or not at all.
 */
export class Staging {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Finds what was staged of a content before; undefined if nothing was, or its file has changed. */
  async find(sha256: string, format: Format): Promise<StagedInput | undefined> {
    const place = this.#place(sha256, format);
    try {
      const report = reportSchema.parse(JSON.parse(await readFile(join(place, 'report.json'), 'utf8')));
      const parquet = join(place, 'rows.parquet');
      const { sha256: found } = await hashFile(parquet);
      return found === report.sha256 ? { staged: report.staged, parquet } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stages a content; `write` is given the path of the Parquet file to write. */
  async put(sha256: string, format: Format, write: (parquet: string) => Promise<Staged>): Promise<StagedInput> {
    const place = this.#place(sha256, format);
    const part = `${place}${PART}`;
    await rm(part, { recursive: true, force: true });
    await makeFolder(part);
    try {
      const staged = await write(join(part, 'rows.parquet'));
      const rows = await open(join(part, 'rows.parquet'), 'r');
      await rows.sync().finally(() => rows.close());
      const report: z.infer<typeof reportSchema> = {
        staged,
        sha256: (await hashFile(join(part, 'rows.parquet'))).sha256,
      };
      await writeWhole(join(part, 'report.json'), JSON.stringify(report), { durable: true });
      await rm(place, { recursive: true, force: true });
      await rename(part, place);
      return { staged, parquet: join(place, 'rows.parquet') };
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  }

  /** Removes a content: one without rows, or one left by an ingest that was killed right after its switch. */
  async remove(sha256: string, format: Format): Promise<void> {
    await rm(this.#place(sha256, format), { recursive: true, force: true });
  }

  #place(sha256: string, { id }: Format): string {
    const key = createHash('sha256').update(`${LAYOUT} ${id} ${sha256}`).digest('hex');
    return join(this.#folder, key.slice(0, 32));
  }
}

const SCRATCH = '.scratch-';

export async function makeScratch(staging: string): Promise<string> {
  await removeScratch(staging);
  await makeFolder(staging);
  const scratch = await mkdtemp(join(staging, SCRATCH));
  await makeFolder(join(scratch, 'spill'));
  return scratch;
}

/**
 * Removes scratch and half-staged inputs, which a killed ingest may leave, and the folder if nothing is staged there.
 */
export async function removeScratch(staging: string): Promise<void> {
  for (const name of await readdir(staging).catch(() => [])) {
    // This may fail while the engine still writes after an abort; the next ingest removes the rest.
    if (!name.startsWith(SCRATCH) && !isHalfStaged(name)) continue;
    await rm(join(staging, name), { recursive: true, force: true }).catch(() => {});
  }
  await rmdir(staging).catch(() => {});
}
