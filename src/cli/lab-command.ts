import type { Command } from 'commander';
import { OddslabError, UsageError } from '../base/errors.js';
import { dataOption, wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { type LabRequest, notebookEnvironment, prepareLab, startService } from './prepare-lab.js';
import { Status } from './terminal-output.js';

interface Flags {
  readonly data: string;
  readonly sample: boolean;
  readonly port?: number;
  readonly browser: boolean;
  readonly idle?: number;
  /** The command that opens Jupyter, or true to look for one; undefined for the page. */
  readonly jupyter?: string | true;
}

/** Adds `oddslab lab`, which opens the notebook page, or Jupyter, with the service and the example notebooks. */
export function addLabCommand(program: Command): void {
  program
    .command('lab')
    .argument('[dir]', 'folder to open, created if it is missing, or a notebook in it', '.')
    .addOption(dataOption())
    .option('--sample', 'make the sample market in the named data folder if it holds no data yet', false)
    .option(
      '--port <n>',
      'port of the page; 0 takes a free one (default: 8888 or the next free one)',
      wholeNumber('--port', 0, 65_535),
    )
    .option('--no-browser', 'print the address instead of opening a browser')
    .option(
      '--idle <minutes>',
      'end the kernel of a notebook that has computed nothing for so long and is open in no page (default: never)',
      wholeNumber('--idle', 1, 100_000),
    )
    .option(
      '--jupyter [command]',
      "open Python's Jupyter instead of the page: by that command, else jupyter-lab or jupyter-notebook",
    )
    .action(async (dir: string, { data, sample, ...flags }: Flags, command: Command) => {
      const request = { dir, data, sample, dataSource: command.getOptionValueSource('data') ?? 'default' };
      await (flags.jupyter === undefined ? openOwnPage(request, flags) : openJupyterIn(request, flags));
    });
}

/** The flags that say how something is opened, not what. */
type Opening = Omit<Flags, 'data' | 'sample'>;

/** Opens the page and stays until it is told to end. */
async function openOwnPage(request: LabRequest, { port, browser, idle }: Opening): Promise<void> {
  const { openPage, preparePage } = await import('./lab-page.js');
  const [lab, frontEnd] = await withSteps((steps, signal) => preparePage(request, steps, signal));
  await openPage(lab, { frontEnd, port, browser, idle });
}

/** Opens Jupyter on this terminal until it ends; the exit code is then Jupyter's. */
async function openJupyterIn(request: LabRequest, { jupyter: given, port, browser, idle }: Opening): Promise<void> {
  if (idle !== undefined) throw new UsageError('--idle is about the page: leave it out with --jupyter.');
  const { findJupyter, givenJupyter, withoutJupyter } = await import('./find-jupyter.js');
  const jupyter = typeof given === 'string' ? givenJupyter(given) : await findJupyter();
  const { ensureKernel, openJupyter } = await import('./open-jupyter.js');
  const { folder, data } = await withSteps(async (steps, signal) => {
    steps.done(await ensureKernel());
    return prepareLab(request, steps, signal);
  });
  if (!jupyter) throw new OddslabError(withoutJupyter({ platform: process.platform, folder, data }));
  const service = data === undefined ? undefined : await startService(data);
  let code: number;
  try {
    const where = service ? `, with the data in ${data} at ${service.url}` : '';
    process.stderr.write(`✓ opening ${folder} in ${jupyter.title}${where}\n`);
    if (process.getuid?.() === 0) process.stderr.write('  You are root: Jupyter is told so by --allow-root.\n');
    code = await openJupyter(jupyter, { folder, env: await notebookEnvironment(data, service), port, browser });
  } finally {
    await service?.close();
  }
  if (code !== 0) process.exit(code);
}

/** Does what can be interrupted, telling its steps. */
function withSteps<T>(work: (steps: Status, signal: AbortSignal) => Promise<T>): Promise<T> {
  const steps = new Status();
  return interruptible((signal) => work(steps, signal).finally(() => steps.clear()));
}
