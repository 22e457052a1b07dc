import { join } from 'node:path';
import { type Manifest, SCHEMA } from '../folder/manifest.js';
import type { Version } from '../folder/read-version.js';
import { Database, type DatabaseOptions } from '../store/database.js';
import { buildResults } from './build.js';
import type { DoubtReport } from './doubt-report.js';
import { doubtfulEvents } from './doubts.js';
import { loadRaw } from './load-raw.js';
import type { ReadInputs } from './read-inputs.js';

/** Options for building a version. */
export interface BuildOptions {
  /** The version to build on, if there is one. */
  previous: Version | undefined;
  read: ReadInputs;
  /** A folder for files that are needed only while building. */
  scratch: string;
  engine: DatabaseOptions;
  doubts: DoubtReport;
  signal: AbortSignal | undefined;
}

/** Builds the database of a version in its draft folder, from the previous version and the inputs that were read. */
export async function buildVersion(
  draft: string,
  { previous, read, scratch, engine, doubts, signal }: BuildOptions,
): Promise<Manifest> {
  const db = await Database.open(join(draft, 'lab.duckdb'), engine);
  try {
    const doubtful = await loadRaw(db, previous?.database, read.staged);
    signal?.throwIfAborted();
    const built = await buildResults(db, scratch);
    signal?.throwIfAborted();
    const all = { ...doubtful, ...built.doubtful };
    const wanted = Object.keys(all).filter((reason) => doubts.wants(reason));
    await doubts.add(doubtfulEvents(db, wanted, doubts.each));
    // Everything goes into one file, which is then immutable: every reader would replay a log beside it.
    await db.run('CHECKPOINT');
    const inputs = [...(previous?.manifest.inputs ?? []), ...read.reports];
    return { schema: SCHEMA, created: new Date().toISOString(), inputs, ...built, doubtful: all };
  } finally {
    db.close();
  }
}
