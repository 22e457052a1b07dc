import { UsageError } from '../../errors.js';

/**
 * Checks a kernel's name: lower-case letters, digits, dots, dashes and underscores, the first a letter or a digit.
 *
 * @throws {UsageError} If it is none, with what would be right.
 */
export function checkKernelName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return;
  throw new UsageError(
    `${JSON.stringify(name)} is no name for a kernel: take lower-case letters a–z, digits, and . _ - between them, ` +
      'such as oddslab-strict.',
  );
}
