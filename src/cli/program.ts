import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageRoot } from '../base/packages.js';
import { addConvertCommand } from './convert.js';
import { addDataCommand } from './data.js';
import { addDemoCommand } from './demo.js';
import { addIngestCommand } from './ingest.js';
import { addKernelCommand } from './kernel.js';
import { addKeysCommand } from './keys.js';
import { addLabCommand } from './lab.js';
import { addQueryCommand } from './query.js';
import { refuseMisgiven } from './refuse-misgiven.js';
import { addRunCommand } from './run.js';
import { addServeCommand } from './serve.js';
import { addSimulateCommand } from './simulate.js';
import { addSnapshotCommand } from './snapshot.js';

/** The `oddslab` command with all its subcommands. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const program = new Command('oddslab')
    .description('A lab for prediction-market data: query service, typed DataFrames, charts and notebooks.')
    .version(version)
    .showHelpAfterError('(add --help to see all commands and options)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nStart here:\n  $ oddslab demo      # simulates a sample market, serves it and runs the notebooks',
    );
  addDemoCommand(program);
  addLabCommand(program);
  addSimulateCommand(program);
  addIngestCommand(program);
  addDataCommand(program);
  addKeysCommand(program);
  addServeCommand(program);
  addQueryCommand(program);
  addRunCommand(program);
  addConvertCommand(program);
  addKernelCommand(program);
  addSnapshotCommand(program);
  return refuseMisgiven(program);
}
