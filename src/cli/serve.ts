import type { Command } from 'commander';
import { dataOption } from './data-folder.js';
import { wholeNumber } from './whole-number.js';

interface Flags {
  data: string;
  host: string;
  port: number;
  open: boolean;
}

/** Adds `oddslab serve`, which prints its address once it is ready and runs until it is told to stop. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .summary('run the query service over a data folder')
    .description(
      'Run the query service over a data folder. Its address is printed once it is ready. Requests carry a key of\n' +
        '"oddslab keys create", unless it is open. What is ingested meanwhile is served within a second. Ctrl-C ends it.',
    )
    .addOption(dataOption())
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', wholeNumber('--port', 0, 65_535), 8787)
    .option('--open', 'answer without a key; on loopback alone', false)
    .addHelpText('after', '\nExample:\n  $ oddslab serve --data data --open --port 0')
    .action(runServe);
}

async function runServe({ data, host, port, open }: Flags): Promise<void> {
  const { serve } = await import('../service/serve.js');
  const service = await serve({ folder: data, host, port, open, onError: logError });
  process.stdout.write(`${service.url}\n`);
  if (process.stderr.isTTY) process.stderr.write('Ready; Ctrl-C ends it.\n');
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
    // Started by openLab(): ends with the process that started it, however that ended.
    if (process.channel) process.once('disconnect', () => stop());
  });
  await service.close();
  // An open channel to a parent would keep this process alive.
  if (process.connected) process.disconnect();
}

function logError(error: unknown, requestId: string): void {
  process.stderr.write(`request ${requestId} failed: ${error instanceof Error ? error.stack : error}\n`);
}
