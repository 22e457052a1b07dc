import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { addSimulateCommand } from '../../src/cli/simulate.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-simulate-cli-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<Command> {
  const program = new Command('oddslab').exitOverride();
  addSimulateCommand(program);
  return program.parseAsync(['simulate', ...args], { from: 'user' });
}

it('prints the paths of the files on stdout and one line on stderr', async () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await run('--out', folder, '--markets', '5', '--wallets', '4', '--fills', '60', '--seed', '3');
  const files = ['markets.json', 'trades.json', 'activity.json'].map((name) => join(folder, name));
  expect(out.mock.calls.flat()).toEqual([`${files.join('\n')}\n`]);
  await run('--out', folder, '--markets', '5', '--wallets', '4', '--fills', '60', '--seed', '3');
  const lines = err.mock.calls.flat().filter((text) => !String(text).startsWith('\r'));
  expect(lines).toEqual([
    expect.stringMatching(/^Simulated 5 markets, 60 fills, [\d,]+ other records\n$/),
    expect.stringMatching(/^Reused 5 markets, 60 fills, [\d,]+ other records\n$/),
  ]);
});

it('refuses a number that is none', async () => {
  await expect(run('--out', folder, '--fills', '1e6')).rejects.toThrow(UsageError);
  await expect(run('--out', folder, '--fills', '1e6')).rejects.toThrow("--fills is '1e6'; it must be a whole number");
});
