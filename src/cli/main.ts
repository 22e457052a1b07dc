import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { OddslabError, UsageError } from '../errors.js';
import { packageRoot } from '../package-root.js';
import { addDemoCommand } from './demo.js';
import { addIngestCommand } from './ingest.js';
import { addKeysCommand } from './keys.js';
import { addQueryCommand } from './query.js';
import { addRunCommand } from './run.js';
import { addServeCommand } from './serve.js';
import { addSimulateCommand } from './simulate.js';

/** Exit code of a command that was called wrongly, as sysexits has it. */
const EXIT_USAGE = 64;

/** The `oddslab` command with everything that it can do. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const program = new Command('oddslab')
    .description('A lab for prediction-market data: query service, typed DataFrames, charts and notebooks.')
    .version(version)
    .showHelpAfterError('(add --help to see what there is)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nStart here:\n  $ oddslab demo      # a sample market, the service, and the notebooks run on it',
    );
  addDemoCommand(program);
  addSimulateCommand(program);
  addIngestCommand(program);
  addKeysCommand(program);
  addServeCommand(program);
  addQueryCommand(program);
  addRunCommand(program);
  return program;
}

/**
 * Runs the command line and says what went wrong in one message.
 *
 * @returns The exit code: 0 done, 1 failed, 64 called wrongly.
 */
export async function main(words: readonly string[]): Promise<number> {
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
