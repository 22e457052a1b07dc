import { existsSync } from 'node:fs';

/**
 * Whether something that a test needs is not on this machine; if so, says which test is skipped.
 *
 * @throws If it is a program, a package or the built notebook page and `REQUIRE_PROGRAMS` is set, as in CI, which installs
 *   or builds them.
 */
export function isAbsent(path: string, test: string): boolean {
  const absent = !existsSync(path);
  const isProgram = path.startsWith('/usr/') || /node_modules|page.front.built/.test(path);
  if (absent && isProgram && process.env.REQUIRE_PROGRAMS) {
    throw new Error(`${test}: there is no ${path} here, and REQUIRE_PROGRAMS is set`);
  }
  if (absent) console.warn(`skipped: ${test}: there is no ${path} here`);
  return absent;
}
