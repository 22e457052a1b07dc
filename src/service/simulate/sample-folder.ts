import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { makeFolder } from '../../base/whole-file.js';
import { MANIFEST_NAME, type Manifest, readManifest, SAMPLE_FILES } from './manifest.js';

const STAGE = '.simulating-';

/**
 * The folder for a sample. Files are written into a stage, a folder inside it, and moved into place once all are
 * complete, so that nobody reads half a sample and a failure leaves nothing behind.
 */
export class SampleFolder {
  private constructor(
    readonly path: string,
    /** The folder into which files are written first. */
    readonly stage: string,
    /** The topmost folder that was made for this one; undefined if it existed before. */
    private readonly made: string | undefined,
    /** The manifest of an earlier sample in this folder. */
    readonly earlier: Manifest | undefined,
  ) {}

  /**
   * Opens the folder, and makes it if it does not exist.
   *
   * @throws {DataError} If it holds files that do not belong to an earlier sample.
   */
  static async open(path: string): Promise<SampleFolder> {
    const made = await makeFolder(path);
    const earlier = await readManifest(path);
    const ours: string[] = earlier === undefined ? [] : [MANIFEST_NAME, ...SAMPLE_FILES];
    const foreign = (await readdir(path)).filter((name) => !ours.includes(name) && !isAbandoned(name));
    if (foreign.length > 0) {
      throw new DataError(
        `${path} holds ${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ' …' : ''}, which no sample put there; ` +
          'name an empty or new folder, and nothing of yours is overwritten',
      );
    }
    return new SampleFolder(path, join(path, `${STAGE}${process.pid}`), made, earlier);
  }

  /** Makes the stage, and removes those of killed runs. */
  async prepare(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (isAbandoned(name)) await rm(join(this.path, name), { recursive: true, force: true });
    }
    await mkdir(this.stage);
  }

  /** Moves the complete files into place. */
  async commit(): Promise<void> {
    // The old data are removed first, then the new manifest comes before the new data: a run that is killed in between
    // leaves a folder that is recognized as an incomplete sample.
    for (const name of SAMPLE_FILES) await rm(join(this.path, name), { force: true });
    for (const name of [MANIFEST_NAME, ...SAMPLE_FILES]) await rename(join(this.stage, name), join(this.path, name));
    await rmdir(this.stage);
  }

  /** Removes what this run made. */
  async discard(): Promise<void> {
    await rm(this.stage, { recursive: true, force: true });
    if (this.made !== undefined) await rm(this.made, { recursive: true, force: true });
  }
}

/** Whether a name is that of a stage whose process is gone, or of an old one with this process's number. */
function isAbandoned(name: string): boolean {
  if (!name.startsWith(STAGE)) return false;
  const pid = Number(name.slice(STAGE.length));
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
