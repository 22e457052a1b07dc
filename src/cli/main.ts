import { CommanderError } from 'commander';
import { OddslabError, UsageError } from '../errors.js';
import { createProgram } from './program.js';

/** Exit code of a command that was called wrongly, as sysexits has it. */
const EXIT_USAGE = 64;

/**
 * Runs the command line and says what went wrong in one message.
 *
 * @returns The exit code: 0 done, 1 failed, 64 called wrongly.
 */
async function main(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const isOurs = error instanceof OddslabError;
    process.stderr.write(`oddslab: ${isOurs ? error.message : `unexpected: ${(error as Error)?.stack ?? error}`}\n`);
    return error instanceof UsageError ? EXIT_USAGE : 1;
  }
}

// A reader that has seen enough (`oddslab query … | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
