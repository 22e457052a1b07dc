import { type Command, Option } from 'commander';
import { TYPES_MODES } from '../kernel/types/type-service.js';
import { CellProgress } from './cell-progress.js';
import { EXIT_CODES } from './exit-code.js';
import { helpLines } from './help-lines.js';
import { interruptible } from './interruptible.js';
import { WORST_FIRST } from './joined-errors.js';
import { readInput } from './read-input.js';
import { type RunFlags, runFlagsOptions } from './run-flags.js';
import { runNotebooks } from './run-notebooks.js';
import type { RunOptions } from './run-options.js';
import { seconds } from './seconds.js';
import { wholeNumber } from './whole-number.js';

const EXAMPLES = `
Examples:
  $ oddslab run notebooks/*.ipynb --out out --html
  $ oddslab run report.ipynb --help-notebook
  $ oddslab run report.ipynb -p days=90 -p wallet=0x12ab --out reports
  $ oddslab run notebooks/*.ipynb --check --tolerance 1e-6 --jobs 4 --timeout 60

Exit codes; of several notebooks the worst counts, in the order ${WORST_FIRST.join(', ')}:`;

const EXIT_MEANINGS = Object.entries(EXIT_CODES).map(([code, meaning]) => [code.padStart(2), meaning] as const);

/** Registers `oddslab run NOTEBOOK…`. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .summary('run notebooks without Jupyter and write the results')
    .description(
      'Run notebooks, or programs in percent format, from top to bottom without ' +
        'Jupyter or Python, and write the executed notebooks into a folder. A cell that ' +
        'fails ends its notebook, which is written up to there with the error in it. If a ' +
        'notebook fails or cannot be read, the others still run; if a file is missing, none ' +
        'does. Cells find the folder for their exports in ODDSLAB_OUT.\n\n' +
        'Parameters are the variables of the cell tagged "parameters". Those that you set ' +
        'are declared again in a cell right after it, tagged "injected-parameters". A cell ' +
        'tagged "skip-execution" is not run; one tagged "raises-exception" may fail.',
    )
    .argument('<notebook...>', '.ipynb, or .ts, .mts, .js, .mjs in percent format')
    .option('-p, --param <name=value>', 'set a parameter; may be repeated. Lists and objects are JSON', collect)
    .option('--params <file>', 'set the parameters in a YAML or JSON file that maps names to values; -p wins over it')
    .option('--help-notebook', "print the notebooks' parameters with types, defaults and meanings; run nothing")
    .option('--out <dir>', 'folder for the results', 'out')
    .option('--html', 'also export each notebook as a self-contained page')
    .option('--check', 'compare the outputs with those stored in the notebooks; write results only if --out is given')
    .option(
      '--tolerance <number>',
      'how far apart numbers may be under --check, relative to the larger (default: 1e-9, and whole numbers equal)',
    )
    .option(
      '--sanitize <rule>',
      'what may differ under --check: dates, times, durations, uuids or s/REGEX/TEXT/; may be repeated',
      collect,
    )
    .option('--timeout <seconds>', 'time limit for one cell', seconds('--timeout'))
    .option(
      '--allow-errors',
      'continue after a cell that fails; the exit code is then 0, or 4 if a cell ran out of time',
    )
    .addOption(typesOption())
    .option('--jobs <n>', 'how many notebooks run at once', wholeNumber('--jobs', 1, 64), 1)
    .addHelpText('after', ({ command }) => `${EXAMPLES}\n${helpLines(command).items(EXIT_MEANINGS)}`)
    .action(async (paths: string[], flags: RunFlags, command: Command) => {
      if (flags.helpNotebook) return printParameters(paths);
      const isOutGiven = command.getOptionValueSource('out') !== 'default';
      await runAndTell(paths, await runFlagsOptions(flags, isOutGiven));
    });
}

function typesOption(): Option {
  const option = new Option(
    '--types <mode>',
    'check types: warn reports errors, block also does not run a notebook that has any',
  )
    .choices(TYPES_MODES)
    .env('ODDSLAB_TYPES')
    .default('off');
  const { parseArg } = option;
  // An empty variable counts as unset.
  return option.argParser((mode, previous: string) => (mode === '' ? 'off' : (parseArg?.(mode, previous) ?? mode)));
}

function collect(word: string, words: string[] = []): string[] {
  return [...words, word];
}

async function printParameters(paths: string[]): Promise<void> {
  const { notebookParameters } = await import('../notebook/parameters/notebook-parameters.js');
  const { describeParameters } = await import('../notebook/parameters/notebook-parameters.js');
  const inputs = await Promise.all(paths.map(readInput));
  const texts = await Promise.all(
    inputs.map(async ({ path, notebook }) => describeParameters(path, await notebookParameters(notebook, path))),
  );
  process.stdout.write(texts.join('\n'));
}

async function runAndTell(paths: string[], options: RunOptions): Promise<void> {
  const progress = new CellProgress(process.stderr);
  const say = (stream: NodeJS.WriteStream, text: string): void => {
    progress.finish();
    stream.write(`${text}\n`);
  };
  try {
    await interruptible((signal) =>
      runNotebooks(paths, {
        ...options,
        signal,
        onProgress: (...shown) => progress.show(...shown),
        onOver: (path) => progress.done(path),
        onWritten: (path) => say(process.stdout, path),
        onNote: (text) => say(process.stderr, text),
      }),
    );
  } finally {
    progress.finish();
  }
}
