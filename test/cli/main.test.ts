import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND, endOf, runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

it('tells its version and its commands on stdout', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const help = await runCommand(['--help']);
  expect([help.code, help.err]).toEqual([0, '']);
  for (const command of ['demo', 'simulate', 'ingest', 'keys', 'serve', 'query', 'run']) {
    expect(help.out).toContain(`\n  ${command}`);
    expect(await runHere([command, '--help'])).toMatchObject({ code: 0, err: '' });
  }
});

it.each([[[]], [['sreve']], [['--nonsense']], [['keys']], [['keys', 'creat']], [['query']]])(
  'called as %j it ends with 64 and speaks on stderr alone',
  async (words) => {
    const { code, out, err } = await runHere(words);
    expect([code, out]).toEqual([64, '']);
    expect(err).not.toBe('');
  },
);

it.each([[['--version']], [['sreve']], [['keys', 'list', '--data', '/nowhere']]])(
  'called as %j it ends its process as it ends here, where most tests run it',
  async (words) => {
    expect(await runCommand(words)).toEqual(await runHere(words));
  },
);

describe('an option that takes a value', () => {
  it.each([
    [['ingest', '--data', '', 'f.json'], '--data is empty: give it a value, or leave it out.'],
    [['keys', 'create', '--data='], '--data is empty: give it a value, or leave it out.'],
    [['query', 'markets', '--url', ''], '--url is empty: give it a value, or leave it out.'],
    [['run', 'f.ipynb', '--out', 'a', '--out', 'b'], '--out is given twice: give it once.'],
    [['ingest', '--data', 'a', 'f.json', '--data', 'b'], '--data is given twice: give it once.'],
    [['keys', 'create', '--name', 'a', '--name=a'], '--name is given twice: give it once.'],
    [['serve', '--port', '1', '--port', '2'], '--port is given twice: give it once.'],
  ])('is refused as %j gives it', async (words, said) => {
    expect(await runHere(words)).toEqual({ code: 64, out: '', err: `oddslab: ${said}\n` });
  });

  it('may be given more than once where it collects values', async () => {
    const { err } = await runHere(['run', 'absent.ipynb', '-p', 'a=1', '--param', 'b=2']);
    expect(err).toContain('there is no such file');
  });

  it('has its default where its variable is empty', async () => {
    const env = { ...process.env, ODDSLAB_DATA: '' };
    const child = spawn(process.execPath, [COMMAND, 'keys', 'list'], { cwd: await temporaryFolder(), env });
    expect((await endOf(child)).err).toContain('no data folder data');
  });
});

it.skipIf(process.platform === 'win32').each([
  ['simulate', ['--out', 'sample']],
  ['lab', ['--no-browser']],
])('says that the folder is gone in which %s is started, and makes nothing', async (name, options) => {
  const cwd = await temporaryFolder();
  const start = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const words = ['-c', start, 'sh', process.execPath, COMMAND, name, ...options];
  const err = 'oddslab: the folder that this was started in is gone. Go to one that is there, and start it again.\n';
  const env = { ...process.env, JUPYTER_DATA_DIR: join(cwd, 'jupyter') };
  expect(await endOf(spawn('sh', words, { cwd, env }))).toEqual({ code: 1, out: '', err });
  expect(await readdir(cwd)).toEqual([]);
});

it('warns in one line, without words about Node', async () => {
  const file = join(await temporaryFolder(), 't.csv');
  writeFileSync(file, 'a,b\n"1,5",x\n"2,5",y\n');
  const { code, err } = await runCommand(['convert', file, '--to', 'ndjson']);
  expect(code).toBe(0);
  expect(err).toMatch(/^Columns of [^\n]+ are text, but look like numbers\.[^\n]+\n$/);
});
