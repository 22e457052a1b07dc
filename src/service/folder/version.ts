import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../base/errors.js';
import { writeWhole } from '../../base/whole-file.js';
import { isVersionName, versionPath } from './folder-layout.js';
import {
  damage,
  MANIFEST,
  readSealed,
  requireFiles,
  SCHEMA,
  sealOf,
  UNSEALED,
  unlikeWritten,
} from './sealed-version.js';

/** One immutable version of the data: a folder with its files and its manifest. */
export interface Version {
  /** Its number, such as `000012`. */
  name: string;
  /** Its name and a part of its seal, such as `000012-1b9f03ac`: unique even if the folder is made anew. */
  id: string;
  path: string;
  database: string;
  manifest: VersionManifest;
  /** The size and SHA-256 of each of its files except the manifest, by name. */
  files: SealedManifest['files'];
}

/**
 * Reads a version's manifest and checks that all files exist in their full size; {@link verifyVersion} also reads them.
 *
 * @param mayLack Whether files may be missing or have another size. Default false.
 * @throws {DataError} If it is missing, damaged, or of another release.
 */
export async function readVersion(folder: string, name: string, mayLack = false): Promise<Version> {
  const path = versionPath(folder, name);
  try {
    if (!isVersionName(name)) throw new DataError('"current" names no version');
    const { files, seal, ...manifest } = await readManifest(path);
    if (!mayLack) await requireFiles(path, files);
    return { name, id: `${name}-${seal.slice(0, 8)}`, path, database: join(path, 'lab.duckdb'), manifest, files };
  } catch (cause) {
    throw damage(folder, name, cause);
  }
}

const counts = z.record(z.string(), z.number());

const inputReport = z.object({
  file: z.string(),
  sha256: z.string(),
  format: z.string(),
  /** The id of the format and, below, the kind of its records; absent in manifests of earlier releases. */
  format_id: z.string().optional(),
  records: z.enum(['markets', 'events', 'blocks', 'tokens', 'resolutions']).optional(),
  /** The fetch whose events it states; absent if none wrote it. */
  origin: z.string().optional(),
  /** When the run of that fetch began whose events took the place of these; absent if they count. */
  replaced: z.string().optional(),
  rows: z.number(),
  kept: z.number(),
  /** Rows among those kept that are no trading profit, and their micro-USD; absent if there is none. */
  income: z.object({ rows: z.number(), usd: z.number() }).optional(),
  skipped: counts,
  doubtful: counts,
});

const stated = {
  created: z.string(),
  /** The version that it was built on, null for none; absent in manifests of earlier releases. */
  base: z.string().nullable().optional(),
  inputs: z.array(inputReport),
  totals: counts,
  busiest: z.array(z.string()),
  /** Wallets that `oddslab fetch wallet` fetched, the last one first, at most 20; absent if there are none. */
  fetched: z.array(z.string()).optional(),
  doubtful: counts,
  /** How many events the last ingest dropped because overlapping downloads hold them, by reason; absent if none. */
  merged: counts.optional(),
};

const fileRecord = z.object({ bytes: z.number(), sha256: z.string() });

/** The report of one input: rows read and kept, and the numbers of skipped and doubtful rows by reason. */
export type InputReport = z.output<typeof inputReport>;

/** The size in bytes and the SHA-256, in hexadecimal, of one file of a version. */
export type FileRecord = z.output<typeof fileRecord>;

const manifestSchema = z.object({ schema: z.literal(SCHEMA), ...stated });
const sealedSchema = manifestSchema.extend({ files: z.record(z.string(), fileRecord), seal: z.string() });

/** What a version was built from, and what doubts remain; stored beside its tables. */
export type VersionManifest = z.output<typeof manifestSchema>;

/** A manifest as it is stored: with a record of every other file, by name, and a seal over its own text. */
type SealedManifest = z.output<typeof sealedSchema>;

/** Writes a version's manifest, sealed, read-only and flushed to disk. @throws {DataError} If it cannot be written. */
export async function writeManifest(
  version: string,
  manifest: VersionManifest,
  files: Readonly<Record<string, FileRecord>>,
): Promise<void> {
  const text = `${JSON.stringify({ ...manifest, files, seal: '' }, null, 1)}\n`;
  const sealed = text.replace(UNSEALED, `"seal": "${sealOf(text)}"`);
  await writeWhole(join(version, MANIFEST), sealed, { durable: true, mode: 0o444 });
}

/**
 * Reads a version's manifest.
 *
 * @throws {DataError} If it is missing, was changed after it was written, or is of another release. The message is part
 *   of a sentence.
 */
export async function readManifest(version: string): Promise<SealedManifest> {
  const manifest = sealedSchema.safeParse(await readSealed(version));
  if (!manifest.success) throw unlikeWritten(manifest.error);
  return manifest.data;
}

/** Reads a file for its size and SHA-256. @throws An error of the system if it cannot be read. */
export async function hashFile(path: string): Promise<FileRecord> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
