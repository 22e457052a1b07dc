import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../base/packages.js';
import { shellWord } from '../base/texts.js';
import { dataOption } from './command-options.js';
import { interruptible } from './exit-code.js';
import { sampleData } from './prepare-lab.js';
import { Status } from './terminal-output.js';

interface Flags {
  data: string;
  out: string;
}

/** Variables that the user may have set for another service. */
const OTHERS = ['ODDSLAB_API_KEY', 'ODDSLAB_WALLET', 'ODDSLAB_WALLETS'];

/** Adds `oddslab demo`, which runs the whole lab on a sample market and ends with pages to look at. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .addOption(dataOption())
    .option('--out <dir>', 'folder for the executed notebooks, their HTML pages and the files that they export', 'out')
    .action((flags: Flags) => interruptible((signal) => demo(flags, signal)));
}

async function demo({ data, out }: Flags, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const steps = new Status();
  await sampleData(data, steps, signal);
  const { serve } = await import('../service/serve-folder.js');
  const service = await serve({ folder: data, port: 0, open: true });
  try {
    const notebooks = exampleNotebooks();
    const { runNotebooks } = await import('./run-notebooks.js');
    await runNotebooks(notebooks, {
      out,
      html: true,
      signal,
      // Settings for another service do not apply here, and the notebooks know the sample's wallets.
      env: {
        ...Object.fromEntries(OTHERS.map((name) => [name, ''])),
        ODDSLAB_URL: service.url,
      },
      onProgress: (path, cell, total) => steps.show(`running ${relative('.', path)}: cell ${cell} of ${total}`),
      onWritten: (path) => {
        steps.clear();
        process.stdout.write(`${path}\n`);
      },
    });
    steps.done(`ran ${notebooks.length} notebooks against ${service.url}`);
    process.stderr.write(`\n${summary(out, data, (performance.now() - started) / 1000)}\n`);
  } finally {
    steps.clear();
    await service.close();
  }
}

function exampleNotebooks(): string[] {
  const folder = join(packageRoot(), 'notebooks');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb'));
  return names.sort().map((name) => join(folder, name));
}

/** The text that lists what was made and what to do next. */
function summary(out: string, data: string, seconds: number): string {
  const files = readdirSync(out).sort();
  const list = (ending: string) => files.filter((name) => name.endsWith(ending)).map((name) => `  ${join(out, name)}`);
  return [
    `Done in ${seconds.toFixed(1)} s.`,
    'Look at these pages in a browser:',
    ...list('.html'),
    'Data that the notebooks exported:',
    ...list('.csv'),
    ...list('.parquet'),
    'Next:',
    ...[
      [`npx oddslab lab study --data ${shellWord(data)}`, 'a notebook of your own, in the browser'],
      [`npx oddslab query markets --closed True --data ${shellWord(data)}`, 'the same data from the shell'],
      [`npx oddslab serve --open --data ${shellWord(data)}`, 'the service, for your own code'],
      ['npx oddslab run your-notebook.ipynb --html', 'your own notebook, run the same way'],
      ['npx oddslab fetch wallet 0x… --data mine', 'your own wallet: its whole record, and what is missing'],
    ].map(([command = '', what]) => `  ${command.padEnd(56)}  ${what}`),
  ].join('\n');
}
