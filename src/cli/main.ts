import { CommanderError } from 'commander';
import { DataError, OddslabError } from '../base/errors.js';
import { processFailure, writeFailure } from '../base/whole-file.js';
import { exitCodeOf, paintError } from './exit-code.js';
import { createProgram } from './program.js';

/**
 * Runs the command line and prints any error as one message.
 *
 * @returns The exit code; see `exit-code.ts`.
 */
async function main(words: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(words[0]);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) process.stderr.write(`${shown(error)}\n`);
    return exitCodeOf(error);
  }
}

function shown(error: unknown): string {
  // hasColors also respects NO_COLOR.
  return paintError(`oddslab: ${worded(error)}`, process.stderr.isTTY && process.stderr.hasColors());
}

function worded(error: unknown): string {
  if (error instanceof OddslabError) return error.message;
  return processFailure(error) ?? `unexpected: ${(error as Error)?.stack ?? error}`;
}

// A reader that stops early (`oddslab query … | head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`${shown(new DataError(`Cannot write to stdout: ${writeFailure(error)}.`))}\n`);
  process.exit(1);
});
// What is warned of here is no concern of Node's: without its words of where the warning was created.
const tellers = process.listeners('warning');
if (tellers.length > 0)
  process.removeAllListeners('warning').on('warning', (warning) => {
    if (warning.name === 'OddslabWarning') process.stderr.write(`${warning.message}\n`);
    else for (const tell of tellers) tell(warning);
  });
process.exitCode = await main(process.argv.slice(2));
