import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, SCHEMA } from '../../../src/service/folder/manifest.js';
import type { Version } from '../../../src/service/folder/read-version.js';
import { draftVersion, publishVersion } from '../../../src/service/folder/versions.js';

/** Publishes a version whose two files each hold a text: code that manages versions never reads them. */
export async function publishTiny(folder: string, text: string, keep?: number): Promise<Version> {
  const draft = await draftVersion(folder);
  await writeFile(join(draft, 'lab.duckdb'), text);
  await writeFile(join(draft, 'wallets.bin'), `wallets of ${text}`);
  return publishVersion(folder, draft, tinyManifest(text), keep === undefined ? {} : { keep });
}

/** A manifest that names one input. */
export function tinyManifest(file: string): Manifest {
  const input = { file, sha256: '', format: 'text', rows: 3, kept: 2, skipped: { odd: 1 }, doubtful: {} };
  const created = '2026-01-01T00:00:00.000Z';
  return { schema: SCHEMA, created, inputs: [input], totals: { markets: 1 }, busiest: [], doubtful: {} };
}
