import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

it('tells its version and its commands on stdout', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const help = await runCommand(['--help']);
  expect([help.code, help.err]).toEqual([0, '']);
  for (const command of ['demo', 'simulate', 'ingest', 'keys', 'serve', 'query', 'run']) {
    expect(help.out).toContain(`\n  ${command}`);
    expect(await runCommand([command, '--help'])).toMatchObject({ code: 0, err: '' });
  }
});

it.each([[[]], [['sreve']], [['--nonsense']], [['keys']], [['keys', 'creat']], [['query']]])(
  'called as %j it ends with 64 and speaks on stderr alone',
  async (words) => {
    const { code, out, err } = await runCommand(words);
    expect([code, out]).toEqual([64, '']);
    expect(err).not.toBe('');
  },
);
