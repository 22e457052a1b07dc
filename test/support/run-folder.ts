import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for what a whole run of the tests shares, known as `TESTS_FOLDER` to its processes; removed at the end. */
export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-tests-'));
  process.env.TESTS_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
