import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { endOf, runCommand, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { runningCommands } from '../support/running-commands.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const EXAMPLES = readdirSync('notebooks').sort();

/** Stands in for Jupyter where a test is about what it is given: writes that down, and ends as it is told. */
const STAND_IN = `#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
const { ODDSLAB_URL: url, ODDSLAB_API_KEY: key, ODDSLAB_DATA: data, ODDSLAB_WALLETS: wallets } = process.env;
const answer = await fetch(url + '/query', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ agent_id: 574, params: {}, pagination: { limit: 1, offset: 0 } }),
}).catch(String);
const given = { cwd: process.cwd(), words: process.argv.slice(2), url, key, data, wallets, status: answer.status };
writeFileSync(process.env.GIVEN, JSON.stringify(given));
if (process.env.WAIT) setTimeout(() => {}, 1e6);
else process.exitCode = Number(process.env.CODE);
`;

async function setUp({ code = '0', wait = '', loaded = true } = {}) {
  const folder = await temporaryFolder();
  const [data, study, given, jupyter] = ['data', 'study', 'given.json', 'jupyter.mjs'].map((name) =>
    join(folder, name),
  );
  if (!data || !study || !given || !jupyter) throw new Error('four paths');
  if (loaded) {
    mkdirSync(data);
    await ingestSmall(data);
  }
  writeFileSync(jupyter, STAND_IN, { mode: 0o755 });
  const env = { HOME: folder, JUPYTER_DATA_DIR: join(folder, 'jupyter'), GIVEN: given, CODE: code, WAIT: wait };
  return {
    ...{ folder, data, study, given, jupyter, env },
    words: ['lab', study, '--data', data, '--jupyter', jupyter],
    read: () => JSON.parse(readFileSync(given, 'utf8')),
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 50));
}

/** Waits until nothing answers there any more, for as long as the test may take. */
async function gone(url: string): Promise<void> {
  while (await fetch(url).then(Boolean, () => false)) await new Promise((done) => setTimeout(done, 50));
}

describe('oddslab lab --jupyter', () => {
  it('makes all ready, hands it to Jupyter, ends with its exit code and leaves nothing running, and overwrites nothing the second time', async () => {
    const { folder, data, study, words, env, read } = await setUp({ code: '7' });
    const ended = await runCommand([...words, '--port', '8999', '--no-browser'], env);
    expect(ended, ended.err).toMatchObject({ code: 7, out: '' });
    expect(ended.err).toContain(`installed the kernel "TypeScript (Oddslab)" in ${join(folder, 'jupyter')}`);
    const { url, ...given } = read();
    const root = process.getuid?.() === 0 ? ['--allow-root'] : [];
    expect(given).toEqual({
      cwd: study,
      words: ['--port=8999', '--no-browser', ...root],
      key: '',
      data,
      wallets: expect.stringMatching(/^0x[0-9a-f]{40}/),
      status: 200,
    });
    await gone(url);
    expect(readdirSync(join(study, 'examples')).sort()).toEqual(EXAMPLES);
    expect(readdirSync(join(folder, 'jupyter', 'kernels'))).toEqual(['oddslab']);
    expect(runningCommands().filter((line) => line.includes(folder))).toEqual([]);

    const mine = join(study, 'examples', EXAMPLES[0] ?? '');
    writeFileSync(mine, 'mine');
    const { code, err } = await runHere(words, { ...env, CODE: '0', ODDSLAB_WALLETS: '0xmine' });
    expect([code, readFileSync(mine, 'utf8')]).toEqual([0, 'mine']);
    expect(err).toContain('found the kernel in');
    expect(err).not.toContain('example');
  });

  it('renews a kernel that would not start', async () => {
    const { folder, words, env } = await setUp();
    await runHere(['kernel', 'install', '--types', 'block'], env);
    const file = join(folder, 'jupyter', 'kernels', 'oddslab', 'kernel.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace(/"[^"]*main\.cjs"/, '"/gone/main.js"'));
    expect((await runHere(words, env)).err).toContain('renewed the kernel in');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('uses the service that the environment names, unless a data folder is named', async () => {
    const { folder, study, jupyter, env, read } = await setUp({ loaded: false });
    const elsewhere = { ...env, ODDSLAB_URL: 'http://127.0.0.1:9', ODDSLAB_API_KEY: 'odl_theirs' };
    const { code, err } = await runHere(['lab', study, '--jupyter', jupyter], elsewhere);
    expect(code, err).toBe(0);
    expect(err).not.toContain('odl_theirs');
    expect(read()).toMatchObject({ url: 'http://127.0.0.1:9', key: 'odl_theirs' });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('does not invent data in a folder that was named, and makes the sample where it is asked to', async () => {
    const { data, study, words, env, read } = await setUp({ loaded: false });
    const refused = await runHere(words, env);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The data folder ${data} holds no data yet`),
    });
    expect([existsSync(data), existsSync(study)]).toEqual([false, false]);
    const made = await runHere([...words, '--sample'], env);
    expect(made.code, made.err).toBe(0);
    expect(made.err).toContain('simulated the sample market: 2000 markets, 200000 fills');
    expect(read()).toMatchObject({ status: 200 });
  });

  it('refuses a notebook that does not exist, and makes nothing', async () => {
    const { folder, data, study, words, env } = await setUp({ loaded: false });
    const named = (name: string) => ['lab', join(study, name), ...words.slice(2), '--sample'];
    const missing = await runHere(named('typo.ipynb'), env);
    expect(missing.code).toBeGreaterThan(0);
    expect(missing.err).toContain(
      `There is no notebook ${join(study, 'typo.ipynb')}: name one that exists, or the folder to open.`,
    );
    expect([existsSync(study), existsSync(data)]).toEqual([false, false]);
    mkdirSync(study);
    writeFileSync(join(study, 'types.ipynb'), '{}');
    expect((await runHere(named('typs.ipynb'), env)).err).toContain(`Did you mean "${join(study, 'types.ipynb')}"?`);
    expect(readdirSync(study)).toEqual(['types.ipynb']);
    expect(existsSync(join(folder, 'typs.ipynb'))).toBe(false);
  });

  it('ends Jupyter and the service when it is told to end', async () => {
    const { folder, given, words, env, read } = await setUp({ wait: 'yes' });
    const child = startCommand(words, env);
    const ended = endOf(child);
    await until(() => existsSync(given) && readFileSync(given, 'utf8').endsWith('}'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 128 + 15 });
    await gone(read().url);
    expect(runningCommands().filter((line) => line.includes(folder))).toEqual([]);
  });

  it('leaves nothing half-made where it is ended while it prepares', async () => {
    const { folder, data, words, env } = await setUp({ loaded: false });
    const child = startCommand([...words, '--sample'], env);
    const ended = endOf(child);
    await until(() => existsSync(join(data, 'sample')));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ err: expect.stringContaining('nothing half-made was left behind') });
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.part'))).toEqual([]);
  });

  it('says what cannot be started', async () => {
    const { folder, data, study, env } = await setUp();
    for (const command of [join(folder, 'none'), 'no-such-jupyter']) {
      const { code, err } = await runHere(['lab', study, '--data', data, '--jupyter', command], env);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`Cannot start ${command}: there is no`) });
    }
    const plain = join(data, 'current');
    const { err } = await runHere(['lab', study, '--data', data, '--jupyter', plain], env);
    expect(err).toContain(`Cannot start ${plain}: it is no program that may be run.`);
    const idle = await runHere(['lab', study, '--data', data, '--jupyter', '--idle', '5'], env);
    expect(idle).toMatchObject({ code: 64, err: expect.stringContaining('--idle is about the page') });
    for (const given of [
      ['--jupyter', ''],
      ['--jupyter', '--jupyter'],
    ]) {
      expect(await runHere(['lab', study, '--data', data, ...given], env)).toMatchObject({ code: 64 });
    }
    // Nothing was made ready for it.
    expect([study, join(folder, 'jupyter')].filter(existsSync)).toEqual([]);
  });

  it('does not open notebooks with a kernel that only has our name', async () => {
    const { folder, study, words, env } = await setUp();
    const theirs = join(folder, 'jupyter', 'kernels', 'oddslab');
    mkdirSync(theirs, { recursive: true });
    writeFileSync(join(theirs, 'kernel.json'), '{"argv": ["deno"], "display_name": "Deno", "language": "typescript"}');
    const { code, err } = await runHere(words, env);
    expect([code, existsSync(study), readdirSync(theirs)]).toEqual([64, false, ['kernel.json']]);
    expect(err).toContain(`${theirs} holds another program's kernel under our name`);
  });
});

describe.skipIf(isAbsent('/usr/bin/jupyter-notebook', 'oddslab lab with Jupyter itself'))('with Jupyter itself', () => {
  it('serves the folder, the examples and the kernel', async () => {
    const { data, study, env } = await setUp();
    const port = await freePort();
    const words = ['lab', study, '--data', data, '--no-browser', '--port', String(port), '--jupyter'];
    const child = startCommand(words, { ...env, JUPYTER_TOKEN: 'loopback' });
    onTestFinished(() => void child.kill('SIGTERM'));
    const ended = endOf(child);
    const at = `http://127.0.0.1:${port}/api`;
    const read = (path: string) => fetch(`${at}/${path}?token=loopback`).then((answer) => answer.json());
    while (!(await fetch(at).then(Boolean, () => false))) await new Promise((done) => setTimeout(done, 100));
    const { content } = await read('contents/examples');
    expect(content.map(({ name }: { name: string }) => name).sort()).toEqual(EXAMPLES);
    expect((await read('kernelspecs')).kernelspecs.oddslab.spec.display_name).toBe('TypeScript (Oddslab)');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(runningCommands().filter((line) => line.includes(study) || line.includes(`=${port}`))).toEqual([]);
  });
});
