import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { TYPES_MODES, type TypesMode } from '../kernel/types/type-service.js';
import type { GivenParameter } from '../notebook/parameters/given-parameters.js';
import { dataOption, helpLines, numberOption, seconds, wholeNumber } from './command-options.js';
import { EXIT_CODES, interruptible, WORST_FIRST } from './exit-code.js';
import { type NotebookRunOptions, readInput, STDIN } from './notebook-input.js';
import { runNotebooks } from './run-notebooks.js';
import { CellProgress } from './terminal-output.js';

/** No notebook ends with the code of a query. */
const WORST_NOTEBOOK = WORST_FIRST.filter((code) => code !== 5);

const EXAMPLES = `
Examples:
  $ oddslab run notebooks/*.ipynb --out out --html
  $ oddslab run report.ipynb --help-notebook
  $ oddslab run report.ipynb -p days=90 -p wallet=0x12ab --out reports
  $ echo 'await Promise.resolve(6 * 7)' | oddslab run - > answer.ipynb
  $ oddslab run notebooks/*.ipynb --check --tolerance 1e-6 --jobs 4 --timeout 60

Exit codes; of several notebooks the worst counts, in the order ${WORST_NOTEBOOK.join(', ')}:`;

const EXIT_MEANINGS = Object.entries(EXIT_CODES).map(([code, meaning]) => [code.padStart(2), meaning] as const);

/** Registers `oddslab run NOTEBOOK…`. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .argument('<notebook...>', '.ipynb, or .ts, .mts, .js, .mjs in percent format; - reads one from stdin')
    .option('-p, --param <name=value>', 'set a parameter; may be repeated. Lists and objects are JSON', collect)
    .option('--params <file>', 'set the parameters in a YAML or JSON file that maps names to values; -p wins over it')
    .option('--help-notebook', "print the notebooks' parameters with types, defaults and meanings; run nothing")
    .option('-o, --out <dir>', 'folder for the results; without it, a notebook from stdin goes to stdout', 'out')
    .option('--html', 'also export each notebook as a self-contained page')
    .option('--no-code', 'leave the code out of the pages of --html: prose, tables and charts alone')
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
    .addOption(dataOption())
    .option('--jobs <n>', 'how many notebooks run at once', wholeNumber('--jobs', 1, 64), 1)
    .addHelpText('after', ({ command }) => `${EXAMPLES}\n${helpLines(command).items(EXIT_MEANINGS)}`)
    .action(async (paths: string[], flags: RunFlags, command: Command) => {
      if (flags.helpNotebook) return printParameters(paths);
      const isOutGiven = command.getOptionValueSource('out') !== 'default';
      const isDataGiven = command.getOptionValueSource('data') === 'cli';
      const options = await runFlagsOptions(flags, isOutGiven, isDataGiven);
      await runAndTell(paths, paths.includes(STDIN) && !isOutGiven ? toStdout(paths, options) : options);
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

/** The options of a run whose one notebook comes from stdin and goes to stdout. */
function toStdout(paths: string[], { out, html, ...options }: NotebookRunOptions): NotebookRunOptions {
  if (paths.length > 1) throw new UsageError('- stands alone: name a folder for the results of several by --out.');
  if (html) throw new UsageError('--html needs a folder where the notebook comes from stdin: name it by --out.');
  const write = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  return { ...options, ...(out === undefined ? {} : { onResult: write }) };
}

interface RunFlags {
  param?: string[];
  params?: string;
  helpNotebook?: boolean;
  out: string;
  html?: boolean;
  code: boolean;
  check?: boolean;
  tolerance?: string;
  sanitize?: string[];
  timeout?: number;
  allowErrors?: boolean;
  types: TypesMode;
  jobs: number;
  data: string;
}

/** Converts flags to the options of a run; `--check` writes nothing unless the user gave `out`. */
async function runFlagsOptions(
  flags: RunFlags,
  isOutGiven: boolean,
  isDataGiven: boolean,
): Promise<NotebookRunOptions> {
  const { out, data, html = false, code, timeout, allowErrors = false, types, jobs } = flags;
  const check = await checkOptions(flags);
  const writes = !check || isOutGiven;
  if (!code && !html) throw new UsageError('--no-code is about the pages of --html: give --html too.');
  if (html && !writes) throw new UsageError('--html needs a folder where --check is given: name it by --out.');
  return {
    ...(writes ? { out } : {}),
    ...(check ? { check } : {}),
    ...(isDataGiven ? { env: overFolder(data) } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...{ html, code, allowErrors, types, jobs },
    parameters: await givenParameters(flags),
  };
}

/**
 * The environment of notebooks that ask the data of a folder, wherever ODDSLAB_URL points.
 *
 * @throws {UsageError} If there is no such folder.
 */
function overFolder(folder: string): NodeJS.ProcessEnv {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(
      `--data ${folder}: there is no such folder; make it by oddslab ingest --data ${shellWord(folder)} FILES.`,
    );
  }
  return { ODDSLAB_DATA: resolve(folder), ODDSLAB_URL: '' };
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
