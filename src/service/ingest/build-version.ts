import { join } from 'node:path';
import type { Manifest, Version } from '../folder/versions.js';
import { SCHEMA } from '../folder/versions.js';
import { Database, type DatabaseOptions } from '../store/database.js';
import { buildResults } from './build.js';
import type { DoubtReport } from './doubt-report.js';
import { doubtfulEvents } from './doubts.js';
import { loadRaw } from './load-raw.js';
import type { ReadInputs } from './read-inputs.js';

/** What a version is built from. */
export interface BuildOptions {
  /** The version before, if there is one. */
  previous: Version | undefined;
  read: ReadInputs;
  /** A folder for what is needed only while building. */
  scratch: string;
  engine: DatabaseOptions;
  doubts: DoubtReport;
  signal: AbortSignal | undefined;
}

/** Builds the database of a version in its draft folder, from the version before and what was read now. */
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
    // Into the one file, which is then immutable: a log beside it would be replayed by every reader.
    await db.run('CHECKPOINT');
    const inputs = [...(previous?.manifest.inputs ?? []), ...read.reports];
    return { schema: SCHEMA, created: new Date().toISOString(), inputs, ...built, doubtful: all };
  } finally {
    db.close();
  }
}
