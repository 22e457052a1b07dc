import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError } from '../../base/errors.js';
import { systemErrorCode, writeWhole } from '../../base/whole-file.js';

const counts = z.record(z.string(), z.number());

const inputReport = z.object({
  file: z.string(),
  sha256: z.string(),
  format: z.string(),
  /** The id of the format and, below, the kind of its records; absent in manifests of earlier releases. */
  format_id: z.string().optional(),
  records: z.enum(['markets', 'events', 'blocks']).optional(),
  rows: z.number(),
  kept: z.number(),
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
  doubtful: counts,
};

const fileRecord = z.object({ bytes: z.number(), sha256: z.string() });

/** The report of one input: rows read and kept, and the numbers of skipped and doubtful rows by reason. */
export type InputReport = z.output<typeof inputReport>;

/** The size in bytes and the SHA-256, in hexadecimal, of one file of a version. */
export type FileRecord = z.output<typeof fileRecord>;

/** The layout number of a version's files. Other numbers are refused. */
export const SCHEMA = 3;

const manifestSchema = z.object({ schema: z.literal(SCHEMA), ...stated });
const sealedSchema = manifestSchema.extend({ files: z.record(z.string(), fileRecord), seal: z.string() });

/** What a version was built from, and what doubts remain; stored beside its tables. */
export type Manifest = z.output<typeof manifestSchema>;

/** A manifest as it is stored: with a record of every other file, by name, and a seal over its own text. */
export type SealedManifest = z.output<typeof sealedSchema>;

/** The name of the manifest file within a version. */
export const MANIFEST = 'manifest.json';

/** Writes a version's manifest, sealed, read-only and flushed to disk. @throws {DataError} If it cannot be written. */
export async function writeManifest(
  version: string,
  manifest: Manifest,
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
  const text = await readFile(join(version, MANIFEST), 'utf8').catch((cause: unknown) => {
    const why =
      systemErrorCode(cause) === 'ENOENT' ? 'is not there' : `cannot be read (${systemErrorCode(cause) ?? cause})`;
    throw new DataError(`${MANIFEST} ${why}`, { cause });
  });
  const value = parse(text);
  const { schema, seal } = (value ?? {}) as { schema?: unknown; seal?: unknown };
  if (typeof schema === 'number' && schema !== SCHEMA) {
    throw new DataError(`another release wrote it (layout ${schema}, this one reads ${SCHEMA})`);
  }
  const manifest = sealedSchema.safeParse(value);
  if (!manifest.success || sealOf(text.replace(`"seal": "${seal}"`, UNSEALED)) !== seal) {
    throw new DataError(`${MANIFEST} is not what was written`, { cause: manifest.error });
  }
  return manifest.data;
}

const UNSEALED = '"seal": ""';

function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
