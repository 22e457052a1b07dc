import { existsSync } from 'node:fs';

/** Whether something outside the repository that a test needs is not here; says so, as a test is then skipped. */
export function isAbsent(path: string, test: string): boolean {
  const absent = !existsSync(path);
  if (absent) console.warn(`skipped: ${test}: there is no ${path} here`);
  return absent;
}
