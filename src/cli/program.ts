import { Command, type Option } from 'commander';
import { OddslabError, UsageError } from '../base/errors.js';
import { readAsset, versionOf } from '../base/packages.js';
import { addConvertCommand } from './convert.js';
import { addDataCommand } from './data.js';
import { addDemoCommand } from './demo.js';
import { addFetchCommand } from './fetch.js';
import { addIngestCommand } from './ingest.js';
import { addKernelCommand } from './kernel.js';
import { addKeysCommand } from './keys.js';
import { addLabCommand } from './lab-command.js';
import { addQueryCommand } from './query.js';
import { addReconcileCommand } from './reconcile.js';
import { addRunCommand } from './run.js';
import { addServeCommand } from './serve.js';
import { addSimulateCommand } from './simulate.js';
import { addSnapshotCommand } from './snapshot.js';

/** The `oddslab` command with all its subcommands. */
export function createProgram(): Command {
  const program = new Command('oddslab')
    .description('A lab for prediction-market data: query service, typed DataFrames, charts and notebooks.')
    .version(versionOf('oddslab'))
    .showHelpAfterError('(add --help to see all commands and options)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nStart here:\n  $ oddslab fetch wallet 0x…   # your own record on Polymarket, with its profit\n  $ oddslab demo               # simulates a sample market, serves it and runs the notebooks',
    );
  addFetchCommand(program);
  addReconcileCommand(program);
  addDemoCommand(program);
  addLabCommand(program);
  addSimulateCommand(program);
  addIngestCommand(program);
  addDataCommand(program);
  addKeysCommand(program);
  addServeCommand(program);
  addQueryCommand(program);
  addRunCommand(program);
  addConvertCommand(program);
  addKernelCommand(program);
  addSnapshotCommand(program);
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
  for (const option of command.options) if (option.required) refuseOption(command, option);
  for (const each of command.commands) refuseMisgiven(each);
  return command;
}

function refuseOption(command: Command, option: Option): void {
  const name = option.long ?? option.name();
  let isGiven = false;
  command.on(`option:${option.name()}`, (value: string) => {
    if (value === '') throw new UsageError(`${name} is empty: give it a value, or leave it out.`);
    const collects = Array.isArray(command.getOptionValue(option.attributeName()));
    if (isGiven && !collects) throw new UsageError(`${name} is given twice: give it once.`);
    isGiven = true;
  });
}
