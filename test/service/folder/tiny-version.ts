import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { draftVersion, publishVersion } from '../../../src/service/folder/current-version.js';
import { SCHEMA } from '../../../src/service/folder/sealed-version.js';
import type { Version, VersionManifest } from '../../../src/service/folder/version.js';

/** Publishes a version whose two files each hold a text: code that manages versions never reads them. */
export async function publishTiny(folder: string, text: string, keep?: number): Promise<Version> {
  const draft = await draftVersion(folder);
  await writeFile(join(draft, 'lab.duckdb'), text);
  await writeFile(join(draft, 'wallets.bin'), `wallets of ${text}`);
  return publishVersion(folder, draft, tinyManifest(text), keep === undefined ? {} : { keep });
}

/** A manifest that names one input. */
export function tinyManifest(file: string): VersionManifest {
  const input = { file, sha256: '', format: 'text', rows: 3, kept: 2, skipped: { odd: 1 }, doubtful: {} };
  const created = '2026-01-01T00:00:00.000Z';
  return { schema: SCHEMA, created, inputs: [input], totals: { markets: 1 }, busiest: [], doubtful: {} };
}
