import type { Command } from 'commander';
import { UsageError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import { interruptible } from './exit-code.js';
import { Status } from './terminal-output.js';

interface Flags {
  out: string;
  markets?: number;
  wallets?: number;
  fills?: number;
  seed?: number;
}

/** Adds `oddslab simulate`, which writes the raw records of a sample market and prints the paths of the files. */
export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .requiredOption('--out <dir>', 'folder to write to: new, empty, or holding an earlier sample')
    .option('--markets <n>', 'how many markets (default: 2000)', wholeNumber('--markets'))
    .option('--wallets <n>', 'how many wallets trade (default: 500)', wholeNumber('--wallets'))
    .option('--fills <n>', 'how many fills, up to 100000000 (default: 200000)', wholeNumber('--fills'))
    .option('--seed <s>', 'random seed; another seed gives another sample (default: 1)', wholeNumber('--seed'))
    .action(runSimulate);
}

async function runSimulate(flags: Flags): Promise<void> {
  const { simulate } = await import('../service/sample/simulate-sample.js');
  const status = new Status();
  const onProgress = ({ fills, of }: { fills: number; of: number }) => {
    status.show(`Simulating ${Math.floor((100 * fills) / of)}% (${shown(fills)} of ${shown(of)} fills)`);
    if (fills === of) status.clear();
  };
  const sample = await interruptible((signal) => simulate({ ...flags, signal, onProgress }));
  const { markets, fills, activity } = sample.manifest.counts;
  const made = sample.reused ? 'Reused' : 'Simulated';
  process.stderr.write(
    `${made} ${counted(markets, 'market')}, ${counted(fills, 'fill')}, ${counted(activity, 'other record')}\n`,
  );
  process.stdout.write(`${sample.files.join('\n')}\n`);
}

function shown(value: number): string {
  return value.toLocaleString('en-US');
}

function wholeNumber(flag: string): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text)) throw new UsageError(`${flag} is '${text}'; it must be a whole number, such as 1000`);
    return Number(text);
  };
}
