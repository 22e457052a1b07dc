import type { Command } from 'commander';
import { addServeOptions, givenFlags } from './serve-options.js';

/** Adds `oddslab serve`, which prints its address once it is ready and runs until it is told to stop. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .summary('run the query service over a data folder')
    .description(
      'Run the query service over a data folder. Its address is printed once it is ready. Requests carry a key of ' +
        '"oddslab keys create", unless it is open. What is ingested meanwhile is served within a second. Ctrl-C ends ' +
        'it.\n\nEvery setting can be a flag, an environment variable (in brackets below) or a member of a JSON file: ' +
        'the flag wins, then the environment, then the file. Secrets have no flag: ODDSLAB_SERVE_SMTP_URL, ' +
        'ODDSLAB_SERVE_METRICS_TOKEN.',
    )
    .option(
      '--config <file>',
      'JSON file with settings, such as {"port": 8080, "maxQueued": 100} [ODDSLAB_SERVE_CONFIG]',
    );
  addServeOptions(command)
    .addHelpText('after', '\nExample:\n  $ oddslab serve --data data --open --port 0')
    .action(runServe);
}

async function runServe({ config, ...flags }: { config?: string }): Promise<void> {
  const { readSettings } = await import('../service/operation/settings/read-settings.js');
  const file = config ?? (process.env.ODDSLAB_SERVE_CONFIG || undefined);
  const { data, logLevel, ...settings } = await readSettings({ flags: givenFlags(flags), env: process.env, file });
  const [{ serve }, { openLog }] = await Promise.all([
    import('../service/serve.js'),
    import('../service/operation/log.js'),
  ]);
  const log = openLog({ level: logLevel });
  const service = await serve({
    ...settings,
    folder: data,
    onError: log.failure,
    onRequest: log.request,
    onData: log.data,
    // A link lets in whoever reads it: on a terminal alone, never into a log that is kept.
    showLink: process.stderr.isTTY ? showLink : undefined,
  });
  process.stdout.write(`${service.url}\n`);
  if (process.stderr.isTTY) process.stderr.write(`${ready(service.url)}\n`);
  await toldToStop();
  await service.close();
  await log.end();
  // An open channel to a parent would keep this process alive.
  if (process.connected) process.disconnect();
}

function showLink(address: string, link: string): void {
  process.stderr.write(`Sign-in link for ${address}:\n  ${link}\n`);
}

async function toldToStop(): Promise<void> {
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
    // Started by openLab(): ends with the process that started it, however that ended.
    if (process.channel) process.once('disconnect', () => stop());
  });
}

function ready(url: string): string {
  return `Ready; Ctrl-C ends it. In a browser: API keys at ${url}/, documentation at ${url}/docs`;
}
