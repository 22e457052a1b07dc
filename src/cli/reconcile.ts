import { type Command, Option } from 'commander';
import { dataOption } from './command-options.js';
import { interruptible } from './exit-code.js';
import { type SourceFlags, withSourceFlags } from './fetch-flags.js';

/** The flags of `oddslab reconcile`. */
export interface ReconcileFlags extends SourceFlags {
  data: string;
  url?: string;
  offline?: true;
  all?: true;
  csv?: true;
  json?: true;
}

/** Adds `oddslab reconcile`, which puts our figures of wallets beside the source's. */
export function addReconcileCommand(program: Command): void {
  withSourceFlags(program.command('reconcile'))
    .argument('<address...>', 'proxy wallets: 0x and 40 hex digits')
    .addOption(dataOption())
    .addOption(new Option('--url <address>', 'query service with our figures').env('ODDSLAB_URL'))
    .option('--offline', "ask no source: take the figures that the last comparison kept beside the wallet's fetch")
    .option('--all', 'print the figures by market and by token that agree, too')
    .option('--csv', 'print all figures as CSV with a header')
    .addOption(new Option('--json', 'print all figures as a JSON list').conflicts('csv'))
    .action((addresses: string[], flags: ReconcileFlags, command: Command) =>
      interruptible(async (signal) =>
        (await import('./reconcile-wallets.js')).reconcileAll(addresses, flags, command, signal),
      ),
    );
}
