import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { DATASETS } from '../../src/contract/dataset.js';

const NAMES = /^(demo|simulate|ingest|query|run|keys.*|data( list| verify| rollback)?)$/;

function helpOf(command: Command, width: number): string {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => width });
  command.outputHelp();
  return help;
}

const commands = (await createProgram()).commands
  .flatMap((command) => [command, ...command.commands])
  .map((command) => [command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name(), command])
  .filter(([name]) => NAMES.test(String(name)));

it.each(commands as [string, Command][])('help of %s fits its width and breaks nowhere else', (_, command) => {
  const [narrow, wide] = [helpOf(command, 80), helpOf(command, 10_000)];
  expect(narrow.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(narrow.replace(/\s+/g, ' ')).toBe(wide.replace(/\s+/g, ' '));
  // A sentence, an item, a line of an example or of JSON begins each line; none goes on with the one before.
  const begun = /^(\S+:$|[A-Z]| {2})/;
  expect(wide.split('\n').filter((line) => line !== '' && !begun.test(line))).toEqual([]);
});

it('names the data folder in which commands work unless told otherwise', () => {
  const withData = commands.filter(([, command]) => (command as Command).options.some(({ long }) => long === '--data'));
  expect(withData.length).toBeGreaterThan(5);
  for (const [, command] of withData) {
    expect(helpOf(command as Command, 200)).toContain('data folder (default: ./data, env: ODDSLAB_DATA)');
  }
});

it('names every dataset that a query takes, and says which filters are dates', () => {
  const query = commands.find(([name]) => name === 'query')?.[1] as Command;
  const lines = helpOf(query, 10_000).split('\n');
  const argument = lines.find((line) => /^ +dataset +/.test(line));
  for (const { name } of DATASETS) expect(argument).toContain(name);
  const start = lines.find((line) => line.includes('First day of the range.'));
  expect(start).toMatch(/--start-time .* As a date \(\d{4}-\d{2}-\d{2}\)\.$/);
});
