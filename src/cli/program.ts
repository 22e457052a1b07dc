import { Command, type Option } from 'commander';
import { OddslabError, UsageError } from '../base/errors.js';
import { readAsset, versionOf } from '../base/packages.js';

/** Each command's name, in the order of the help, and what adds it; its code is loaded when it is needed. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  fetch: async () => (await import('./fetch.js')).addFetchCommand,
  reconcile: async () => (await import('./reconcile.js')).addReconcileCommand,
  demo: async () => (await import('./demo.js')).addDemoCommand,
  lab: async () => (await import('./lab-command.js')).addLabCommand,
  simulate: async () => (await import('./simulate.js')).addSimulateCommand,
  ingest: async () => (await import('./ingest.js')).addIngestCommand,
  data: async () => (await import('./data.js')).addDataCommand,
  keys: async () => (await import('./keys.js')).addKeysCommand,
  accounts: async () => (await import('./accounts-command.js')).addAccountsCommand,
  serve: async () => (await import('./serve.js')).addServeCommand,
  query: async () => (await import('./query.js')).addQueryCommand,
  tearsheet: async () => (await import('./tearsheet.js')).addTearsheetCommand,
  run: async () => (await import('./run.js')).addRunCommand,
  convert: async () => (await import('./convert.js')).addConvertCommand,
  kernel: async () => (await import('./kernel.js')).addKernelCommand,
  snapshot: async () => (await import('./snapshot.js')).addSnapshotCommand,
};

/**
 * The `oddslab` command with its subcommands.
 *
 * @param name The subcommand that will run, if it is known: the others are then left out. Any other text means all.
 */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('oddslab')
    .description('A lab for prediction-market data: query service, typed DataFrames, charts and notebooks.')
    .version(versionOf('oddslab'))
    .showHelpAfterError('(add --help to see all commands and options)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nStart here:\n  $ oddslab fetch wallet 0x…   # your own record on Polymarket, with its profit\n  $ oddslab demo               # simulates a sample market, serves it and runs the notebooks',
    );
  const names = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const add of await Promise.all(names.map((each) => COMMANDS[each]?.()))) add?.(program);
  describe(program, textsOf(readAsset('cli/help.md')));
  return refuseMisgiven(program);
}

/** The texts of a command's help. */
interface HelpTexts {
  readonly summary: string;
  readonly description: string;
  /** What follows the options; empty for nothing. */
  readonly examples: string;
}

/** Reads help.md, in which each command has a section: its summary behind its name, its description, its examples. */
function textsOf(help: string): Map<string, HelpTexts> {
  const sections = help.split(/^# /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [, name = '', summary = '', text = ''] = /^([^:\n]*): ([^\n]*)\n(.*)$/s.exec(section) ?? [];
      const [description = '', examples = ''] = text.split(/^(?=Examples?:$)/m);
      return [name, { summary, description: description.trim(), examples: examples.trim() }];
    }),
  );
}

/** Gives the subcommands of a command their texts. */
function describe(command: Command, texts: ReadonlyMap<string, HelpTexts>, path = ''): void {
  for (const each of command.commands) {
    const name = `${path}${each.name()}`;
    const { summary, description, examples } = texts.get(name) ?? missing(name);
    each.summary(summary).description(description);
    if (examples !== '') each.addHelpText('after', `\n${examples}`);
    describe(each, texts, `${name} `);
  }
}

function missing(name: string): never {
  throw new OddslabError(`help.md has no section of the command ${name}.`);
}

/**
 * Makes a command and its subcommands refuse an option with an empty value, as from an unset variable, and an option
 * that is repeated without collecting its values. Otherwise the default or the last value would be taken silently. Call
 * it once the commands have all their options.
 */
function refuseMisgiven(command: Command): Command {
  for (const option of command.options) if (option.required || option.optional) refuseOption(command, option);
  for (const each of command.commands) refuseMisgiven(each);
  return command;
}

function refuseOption(command: Command, option: Option): void {
  const name = option.long ?? option.name();
  let isGiven = false;
  command.on(`option:${option.name()}`, (value: string | null) => {
    if (value === '') throw new UsageError(`${name} is empty: give it a value, or leave it out.`);
    const collects = Array.isArray(command.getOptionValue(option.attributeName()));
    if (isGiven && !collects) throw new UsageError(`${name} is given twice: give it once.`);
    isGiven = true;
  });
}
