import { UsageError } from '../../base/errors.js';

/**
 * Checks a kernel's name: lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit.
 *
 * @throws {UsageError} If it is not allowed; says what is.
 */
export function checkKernelName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return;
  throw new UsageError(
    `${JSON.stringify(name)} is no name for a kernel: take lower-case letters a–z, digits, and . _ - between them, ` +
      'such as oddslab-strict.',
  );
}
