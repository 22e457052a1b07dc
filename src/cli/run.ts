import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { TYPES_MODES, type TypesMode } from '../kernel/types/type-service.js';
import type { GivenParameter } from '../notebook/parameters/given-parameters.js';
import { helpLines, numberOption, seconds, wholeNumber } from './command-options.js';
import { EXIT_CODES, interruptible, WORST_FIRST } from './exit-code.js';
import { type NotebookRunOptions, readInput } from './notebook-input.js';
import { runNotebooks } from './run-notebooks.js';
import { CellProgress } from './terminal-output.js';

/** No notebook ends with the code of a query. */
const WORST_NOTEBOOK = WORST_FIRST.filter((code) => code !== 5);

const EXAMPLES = `
Examples:
  $ oddslab run notebooks/*.ipynb --out out --html
  $ oddslab run report.ipynb --help-notebook
  $ oddslab run report.ipynb -p days=90 -p wallet=0x12ab --out reports
  $ oddslab run notebooks/*.ipynb --check --tolerance 1e-6 --jobs 4 --timeout 60

Exit codes; of several notebooks the worst counts, in the order ${WORST_NOTEBOOK.join(', ')}:`;

const EXIT_MEANINGS = Object.entries(EXIT_CODES).map(([code, meaning]) => [code.padStart(2), meaning] as const);

/** Registers `oddslab run NOTEBOOK…`. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
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
  const { describeParameters, notebookParameters } = await import('../notebook/parameters/notebook-parameters.js');
  const inputs = await Promise.all(paths.map(readInput));
  const texts = await Promise.all(
    inputs.map(async ({ path, notebook }) => describeParameters(path, await notebookParameters(notebook, path))),
  );
  process.stdout.write(texts.join('\n'));
}

async function runAndTell(paths: string[], options: NotebookRunOptions): Promise<void> {
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

interface RunFlags {
  param?: string[];
  params?: string;
  helpNotebook?: boolean;
  out: string;
  html?: boolean;
  check?: boolean;
  tolerance?: string;
  sanitize?: string[];
  timeout?: number;
  allowErrors?: boolean;
  types: TypesMode;
  jobs: number;
}

/** Converts flags to the options of a run; `--check` writes nothing unless the user gave `out`. */
async function runFlagsOptions(flags: RunFlags, isOutGiven: boolean): Promise<NotebookRunOptions> {
  const { out, html = false, timeout, allowErrors = false, types, jobs } = flags;
  const check = await checkOptions(flags);
  const writes = !check || isOutGiven;
  if (html && !writes) throw new UsageError('--html needs a folder where --check is given: name it by --out.');
  return {
    ...(writes ? { out } : {}),
    ...(check ? { check } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...{ html, allowErrors, types, jobs },
    parameters: await givenParameters(flags),
  };
}

async function checkOptions({ check, tolerance, sanitize = [] }: RunFlags): Promise<NotebookRunOptions['check']> {
  const stray = tolerance === undefined ? sanitize.length > 0 && '--sanitize' : '--tolerance';
  if (!check && stray) throw new UsageError(`${stray} says how outputs are compared: give --check too.`);
  if (!check) return undefined;
  const { parseSanitizer } = await import('../notebook/check/sanitizer.js');
  return {
    sanitize: sanitize.flatMap(parseSanitizer),
    ...(tolerance === undefined ? {} : { tolerance: toleranceOf(tolerance) }),
    isColoured: process.stderr.isTTY && process.stderr.hasColors(),
  };
}

const toleranceOf = numberOption(
  '--tolerance',
  /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  (value) => value >= 0 && value <= 1,
  'a number from 0 to 1, such as 1e-6',
);

async function givenParameters({ param = [], params }: RunFlags): Promise<GivenParameter[]> {
  if (param.length === 0 && params === undefined) return [];
  const { givenByText, readParameterFile } = await import('../notebook/parameters/given-parameters.js');
  const byText = param.map(givenByText);
  const names = byText.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`-p gives ${twice} twice: give it once.`);
  return [...(params === undefined ? [] : await readParameterFile(params)), ...byText];
}
