import { type Command, Option } from 'commander';
import type { Log } from '../service/operation/log.js';
import type { Service } from '../service/serve-folder.js';
import type { WorkersService } from '../service/serve-workers.js';
import {
  defaultOf,
  FILE_VARIABLE,
  flagOf,
  SETTING_NAMES,
  settingOf,
  variableOf,
} from '../service/settings/setting-names.js';
import type { SettingName, Settings } from '../service/settings/settings.js';
import { helpLines } from './command-options.js';
import { toldToStop } from './exit-code.js';

/** Adds `oddslab serve`, which prints its address once it is ready and runs until it is stopped. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .option(
      '--config <file>',
      'JSON file with settings, such as {"port": 8080, "maxQueued": 100} [ODDSLAB_SERVE_CONFIG]',
    );
  addServeOptions(command)
    .action(runServe)
    .addHelpText('after', () => secretsText(command));
}

/** Names the settings without a flag, which the options therefore do not show. */
function secretsText(command: Command): string {
  const secrets = SETTING_NAMES.filter((name) => settingOf(name).secret);
  const lines = helpLines(command);
  const items = secrets.map(
    (name) => [variableOf(name), `${settingOf(name).meaning} ("${name}" in the file)`] as const,
  );
  return `\n${lines.paragraph('Secrets, by variable or file alone:')}\n${lines.items(items)}`;
}

async function runServe({ config, ...flags }: { config?: string }): Promise<void> {
  if (await isWorker()) {
    const { runWorker } = await import('../service/run-worker.js');
    return runWorker(await sheetMaker());
  }
  const { readSettings } = await import('../service/settings/read-settings.js');
  const file = config ?? (process.env[FILE_VARIABLE] || undefined);
  const settings = await readSettings({ flags: givenFlags(flags), env: process.env, file });
  const { logWarnings, openLog } = await import('../service/operation/log.js');
  const log = openLog({ level: settings.logLevel });
  logWarnings(log);
  try {
    await serveUntilStopped(settings, log);
  } finally {
    await log.end();
    // An open channel to a parent would keep this process alive.
    if (process.connected) process.disconnect();
  }
}

async function serveUntilStopped(settings: Settings, log: Log): Promise<void> {
  const service = await start(settings, log);
  process.send?.({ url: service.url, doubts: await doubtsOf(settings.data) });
  process.stdout.write(`${service.url}\n`);
  if (process.stderr.isTTY) process.stderr.write(`${ready(service.url)}\n`);
  try {
    await Promise.race([toldToStop(), ...('failure' in service ? [service.failure] : [])]);
  } finally {
    await service.close();
  }
}

/** A warning about the data for the process that started this one; an empty string if there is nothing to warn of. */
async function doubtsOf(folder: string): Promise<string> {
  const [{ currentVersion }, { missingMarkets }] = await Promise.all([
    import('../service/folder/current-version.js'),
    import('./ingest-report.js'),
  ]);
  // If the data are missing or damaged, the service itself reports it.
  const version = await currentVersion(folder).catch(() => undefined);
  return version ? missingMarkets(version.manifest).join('\n') : '';
}

/** Starts the service in this process or, with several workers, in processes of their own. */
async function start(settings: Settings, log: Log): Promise<Service | WorkersService> {
  const options = { log, isTerminal: process.stderr.isTTY === true };
  if (settings.workers > 1) {
    const { serveWorkers } = await import('../service/serve-workers.js');
    return serveWorkers(settings, options);
  }
  const { serveLogged } = await import('../service/serve-folder.js');
  return serveLogged(settings, { ...options, sheets: await sheetMaker() });
}

/** What makes the wallets' pages of the dashboard: the toolkit, in a process of its own. */
async function sheetMaker() {
  return (await import('./sheet-maker.js')).openSheetMaker();
}

/** Whether this process is a worker of a service; only a process with a channel to its parent can be one. */
async function isWorker(): Promise<boolean> {
  return process.channel !== undefined && (await import('node:cluster')).default.isWorker;
}

function ready(url: string): string {
  return `Ready; Ctrl-C ends it. In a browser: API keys at ${url}/, documentation at ${url}/docs`;
}

/** Adds a flag for every setting of the service that has one. Their values are checked later, all at once. */
function addServeOptions(command: Command): Command {
  for (const name of SETTING_NAMES) {
    const flag = flagOf(name);
    if (flag !== undefined) command.addOption(optionOf(name, flag));
  }
  return command;
}

/** The flags that were given, by setting, with the values that commander read. */
function givenFlags(options: Readonly<Record<string, unknown>>): Partial<Record<SettingName, string | boolean>> {
  const given = SETTING_NAMES.map((name) => [name, options[name]] as const);
  return Object.fromEntries(
    // Commander also reports switches that are on by default and were not given.
    given.filter(([name, value]) => value !== undefined && value !== settingOf(name).default),
  );
}

function optionOf(name: SettingName, flag: string): Option {
  const { kind, meaning } = settingOf(name);
  const variable = `[${variableOf(name)}]`;
  if (kind.placeholder === undefined) {
    return new Option(flag, `${flag.startsWith('--no-') ? 'do not ' : ''}${meaning} ${variable}`);
  }
  const usual = defaultOf(name);
  const text = usual === '–' ? meaning : `${meaning} (default: ${usual})`;
  return new Option(`${flag} <${kind.placeholder}>`, `${text} ${variable}`);
}
