import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DataError, messageOf } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { readRecorded } from './read-recorded.js';
import { answerName, readManifest, type SnapshotManifest } from './snapshot-manifest.js';

/** The result of checking a snapshot. */
export interface SnapshotCheck {
  readonly queries: number;
  /** Number of answer files; equal answers share one. */
  readonly answers: number;
  readonly records: number;
  /** What is wrong, one sentence each; empty if the snapshot is whole. */
  readonly faults: readonly string[];
}

/** Files that people may put beside a manifest. */
const WELCOME = /^(\.git(ignore|attributes|keep)|README(\.\w+)?|LICENSE(\.\w+)?)$/;

/**
 * Checks that a snapshot is whole: its manifest can be read, each answer is there with the bytes, SHA-256 and records
 * that the manifest states, and there are no other files.
 *
 * @throws {DataError} If there is no such folder.
 */
export async function verifySnapshot(folder: string): Promise<SnapshotCheck> {
  const files = await filesOf(folder);
  let manifest: SnapshotManifest | undefined;
  try {
    manifest = await readManifest(folder);
  } catch (error) {
    return { queries: 0, answers: 0, records: 0, faults: [messageOf(error)] };
  }
  if (!manifest) {
    const fault = `${folder} holds no manifest.json: it is no snapshot, or nothing has been recorded into it yet.`;
    return { queries: 0, answers: 0, records: 0, faults: [fault] };
  }
  const entries = [...manifest.values()];
  const named = new Set(entries.map(({ sha256 }) => answerName(sha256)));
  return {
    queries: entries.length,
    answers: named.size,
    records: entries.reduce((sum, { records }) => sum + records, 0),
    faults: [...(await answerFaults(folder, manifest)), ...strays(folder, files, named)],
  };
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found.filter((each) => !each.isDirectory()).map((each) => join(each.parentPath, each.name));
    return files.map((path) => path.slice(join(folder, sep).length).replaceAll(sep, '/')).sort();
  } catch (cause) {
    const why = systemErrorCode(cause) === 'ENOENT' ? 'there is no such folder' : messageOf(cause);
    throw new DataError(`Cannot read the snapshot ${folder}: ${why}.`, { cause });
  }
}

async function answerFaults(folder: string, manifest: SnapshotManifest): Promise<string[]> {
  const faults: string[] = [];
  const whole = new Set<string>();
  for (const entry of manifest.values()) {
    const claim = `${entry.sha256} ${entry.bytes} ${entry.records}`;
    if (whole.has(claim)) continue;
    try {
      for await (const _ of readRecorded(folder, entry));
      whole.add(claim);
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  return faults;
}

function strays(folder: string, files: readonly string[], named: ReadonlySet<string>): string[] {
  const odd = files.filter((file) => file !== 'manifest.json' && !named.has(file) && !WELCOME.test(file));
  return odd.map((file) => {
    const why = /\.part$|\.lock|^\.refresh-/.test(file)
      ? 'was left by a recording that is under way or was cut short; delete it unless one is running'
      : 'is named by no query; delete it';
    return `The file ${join(folder, file)} ${why}.`;
  });
}
