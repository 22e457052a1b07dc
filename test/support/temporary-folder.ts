import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder, removed when the current test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a folder, text and bytes unchanged, other values as JSON, and returns its path. */
export async function put(folder: string, name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  const raw = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(path, raw ? content : JSON.stringify(content));
  return path;
}
