import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const FOLDER = new URL('../golden/charts/', import.meta.url);

/**
 * Compares a text with a file of `test/golden/charts`. If they differ, it writes the text beside that file with
 * `-changed` in its name, to look at; rename it to accept it.
 */
export function expectGolden(name: string, text: string): void {
  const changed = new URL(name.replace(/(\.\w+)$/, '-changed$1'), FOLDER);
  const golden = readGolden(name);
  if (golden === text) {
    rmSync(changed, { force: true });
    return;
  }
  writeFileSync(changed, text);
  expect.fail(`${name} has changed: compare it with ${changed.pathname}`);
}

function readGolden(name: string): string {
  try {
    return readFileSync(new URL(name, FOLDER), 'utf8');
  } catch {
    return '';
  }
}
