import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { NotSeenError, UsageError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { dataOption, placeToAsk } from './command-options.js';
import { interruptible } from './exit-code.js';
import { OF_SERVICE } from './sheet-maker.js';

interface Flags {
  out?: string;
  title?: string;
  startTime?: string;
  endTime?: string;
  url?: string;
  data: string;
}

/** Adds `oddslab tearsheet`, which writes a wallet's record as a page. */
export function addTearsheetCommand(program: Command): void {
  program
    .command('tearsheet')
    .argument('<wallets...>', 'the address of a wallet, or up to six to compare')
    .option('--out <file>', 'the page to write, .html, or - for stdout (default: tearsheet-ADDRESS.html, here)')
    .option('--title <text>', 'the heading instead of the question')
    .option('--start-time <day>', 'first day of the period, such as 2026-01-01 (default: that of the first event)')
    .option('--end-time <day>', 'last day of the period, itself included (default: that of the last event)')
    .addOption(new Option('--url <address>', 'query service to ask').env('ODDSLAB_URL'))
    .addOption(dataOption())
    .action(runTearsheet);
}

async function runTearsheet(given: string[], flags: Flags, command: Command): Promise<void> {
  // Only a process with a channel to its parent can be the one of a service.
  if (given[0] === OF_SERVICE && process.channel !== undefined) {
    const { makeSheetsOfService } = await import('./sheet-process.js');
    return makeSheetsOfService();
  }
  const wallets = given.flatMap((word) => word.split(',')).filter(Boolean);
  const out = flags.out ?? defaultName(wallets);
  if (out !== '-' && !/\.html?$/i.test(out)) {
    throw new UsageError(`--out names a page, so it must end in .html, or be - for stdout; got ${out}.`);
  }
  checkPeriod(flags);
  const [{ openLab }, { tearSheet, MOST_WALLETS }] = await Promise.all([
    import('../lab.js'),
    import('../report/tear-sheet.js'),
  ]);
  const count = new Set(wallets.map((wallet) => wallet.toLowerCase())).size;
  if (count > MOST_WALLETS) {
    throw new UsageError(`oddslab tearsheet compares up to ${MOST_WALLETS} wallets; got ${count} addresses.`);
  }
  const { title, startTime, endTime } = flags;
  const place = placeToAsk(flags, command);
  // Each query of a sheet warns.
  const warnings = new Set<string>();
  const onWarning = (text: string) => {
    if (warnings.has(text)) return;
    warnings.add(text);
    process.stderr.write(`${text}\n`);
  };
  const sheet = await interruptible(async () => {
    const lab = await openLab({ ...place, progress: false, onWarning });
    try {
      return await tearSheet(lab, wallets, {
        ...(title !== undefined && { title }),
        ...(startTime !== undefined && { startTime }),
        ...(endTime !== undefined && { endTime }),
      });
    } finally {
      await lab.close();
    }
  });
  // A page of which every wallet is unknown would hold nothing.
  if (sheet.unseen.length < sheet.wallets.length) {
    if (out === '-') process.stdout.write(sheet.toHtml());
    else {
      await sheet.save(out);
      process.stdout.write(`${resolve(out)}\n`);
    }
    if (process.stderr.isTTY) process.stderr.write(`${String(sheet)}\n`);
  }
  if (sheet.unseen.length > 0) throw new NotSeenError(sheet.unseen.map((each) => unseenText(each, place)).join('\n'));
}

/** @throws {UsageError} If an end of the period is no day, or the first is after the last. */
function checkPeriod({ startTime, endTime }: Flags): void {
  for (const [flag, given] of [
    ['--start-time', startTime],
    ['--end-time', endTime],
  ] as const) {
    if (given === undefined || isDay(given)) continue;
    throw new UsageError(`${flag} must be a day such as 2026-01-01; got ${given === '' ? 'nothing' : given}.`);
  }
  if (startTime !== undefined && endTime !== undefined && Date.parse(startTime) > Date.parse(endTime)) {
    throw new UsageError(`--start-time ${startTime} is after --end-time ${endTime}: give the earlier day first.`);
  }
}

/** Whether a text is a day that there is, or a time of it. */
function isDay(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  return new Date(day).toISOString().startsWith(day);
}

function unseenText(wallet: string, { data }: { readonly data?: string }): string {
  const into = data === undefined || data === 'data' ? '' : ` --data ${shellWord(data)}`;
  const advice = data === undefined ? '' : ` (run: npx oddslab fetch wallet ${wallet}${into})`;
  return `not seen: no record mentions ${wallet}${advice}`;
}

/** The name of a page in the working folder: the wallet's address, or how many are compared. */
function defaultName(wallets: readonly string[]): string {
  const [first = ''] = wallets;
  // What is no address is refused later, with words of its own.
  return `tearsheet-${wallets.length > 1 ? `${wallets.length}-wallets` : first.replaceAll(/[^\w-]/g, '').slice(0, 42)}.html`;
}
