import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning, processTree } from '../jupyter/process-tree.js';
import { connectTo, type KernelSocket } from '../page/kernel-socket.js';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { COMMAND, endOf, firstLineOf, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const EXAMPLES = readdirSync('notebooks').sort();
const TOKEN = 'token-of-the-command-tests';

interface Opened {
  readonly child: ChildProcess;
  readonly ended: ReturnType<typeof endOf>;
  /** The address that was printed first. */
  readonly address: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Starts a kernel for a notebook of the folder and connects to it. */
  connect(): Promise<KernelSocket>;
}

async function setUp({ loaded = true } = {}) {
  const folder = await temporaryFolder();
  const [data, study] = [join(folder, 'data'), join(folder, 'study')];
  if (loaded) {
    mkdirSync(data);
    await ingestSmall(data);
  }
  const env = { HOME: folder, XDG_DATA_HOME: '', JUPYTER_DATA_DIR: join(folder, 'jupyter'), ODDSLAB_LAB_TOKEN: TOKEN };
  return { folder, data, study, env, words: ['lab', study, '--data', data, '--no-browser', '--port', '0'] };
}

/** Starts the command and waits until the page can be reached. */
async function open(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Opened> {
  const child = startCommand(words, env);
  onTestFinished(() => void child.kill('SIGKILL'));
  return opened(child);
}

async function opened(child: ChildProcess): Promise<Opened> {
  const ended = endOf(child);
  const address = await firstLineOf(child);
  const { origin } = new URL(address);
  const headers = { authorization: `token ${TOKEN}`, 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { ...init, headers });
  const connect = async () => {
    const session = { path: 'mine.ipynb', name: 'mine', type: 'notebook', kernel: { name: 'oddslab' } };
    const made = await ask('/api/sessions', { method: 'POST', body: JSON.stringify(session) });
    const { kernel } = (await made.json()) as { kernel: { id: string } };
    return connectTo(origin, kernel.id, { headers: { authorization: headers.authorization } });
  };
  return { child, ended, address, ask, connect };
}

/** Runs a cell and resolves to what it printed. */
async function printed(socket: KernelSocket, code: string): Promise<string> {
  const id = socket.run(code);
  await socket.over(id);
  const streams = socket.seen.filter(({ parent_header, header }) => {
    return parent_header.msg_id === id && header.msg_type === 'stream';
  });
  return streams.map(({ content }) => content.text).join('');
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 50));
}

describe.skipIf(isAbsent('src/page/front/built', 'oddslab lab'))('oddslab lab', () => {
  it('opens the page by the printed address, once, with the data and the examples, and installs no kernel', async () => {
    const { folder, data, study, env, words } = await setUp();
    const { child, ended, address, ask, connect } = await open(words, env);
    const first = await fetch(address);
    expect([first.status, first.headers.getSetCookie().length]).toEqual([200, 1]);
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await fetch(address)).status).toBe(403);
    const page = await fetch(new URL('/lab', address), { headers: { cookie } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('jupyter-config-data')]);
    const { content } = (await (await ask('/api/contents/examples')).json()) as { content: { name: string }[] };
    expect(content.map(({ name }) => name).sort()).toEqual(EXAMPLES);
    // Their outputs show themselves.
    const example = (await (await ask(`/api/contents/examples/${EXAMPLES[0]}`)).json()) as {
      content: { cells: { cell_type: string; metadata: { trusted?: boolean } }[] };
    };
    const code = example.content.cells.filter(({ cell_type }) => cell_type === 'code');
    expect(code.map(({ metadata }) => metadata.trusted)).toEqual(code.map(() => true));
    const { starters } = (await (await ask('/oddslab/api/data')).json()) as { starters: { title: string }[] };
    expect(starters.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Wallet tear sheet', 'Which markets drew the most money, and who earned on them?']),
    );
    const socket = await connect();
    const cell = `const { ODDSLAB_URL, ODDSLAB_DATA, ODDSLAB_WALLETS, ODDSLAB_LAB_TOKEN } = process.env;
const body = JSON.stringify({ agent_id: 574, params: {}, pagination: { limit: 1, offset: 0 } });
const headers = { 'content-type': 'application/json' };
const { status } = await fetch(ODDSLAB_URL + '/query', { method: 'POST', headers, body });
console.log(JSON.stringify([status, ODDSLAB_DATA, ODDSLAB_WALLETS?.slice(0, 2), ODDSLAB_LAB_TOKEN ?? 'unseen']));`;
    expect(JSON.parse(await printed(socket, cell))).toEqual([200, data, '0x', 'unseen']);
    const tree = processTree(child.pid ?? 0);
    expect(tree.length).toBeGreaterThan(1);
    child.kill('SIGINT');
    const { code: exit, out, err } = await ended;
    expect([exit, tree.filter(isRunning)]).toEqual([0, []]);
    // A code that was used is followed by another one.
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => new URL(line).origin),
    ).toEqual(Array(2).fill(new URL(address).origin));
    expect(err).toContain(`✓ the page shows ${study}, with the data in ${data}`);
    expect(err + out).not.toContain(TOKEN);
    expect(existsSync(join(folder, 'jupyter'))).toBe(false);
    expect(statSync(join(folder, '.local', 'share', 'oddslab', 'lab')).mode & 0o777).toBe(0o700);
  });

  it('ends whole by each signal, also while a cell computes, and at once by a second one', async () => {
    const { env, words } = await setUp();
    for (const signals of [['SIGTERM'], ['SIGHUP'], ['SIGINT', 'SIGINT']] as const) {
      const { child, ended, connect } = await open(words, env);
      const socket = await connect();
      socket.run("console.log('in it'); while (true) {}");
      await socket.until(({ content }) => content.text === 'in it\n');
      const tree = processTree(child.pid ?? 0);
      for (const signal of signals) child.kill(signal);
      const { code, err } = await ended;
      if (signals.length === 1) expect(err).toContain('! 1 notebook was computing: mine.ipynb.\n');
      expect([signals, signals.length === 1 ? code : [0, null].includes(code)]).toEqual([
        signals,
        signals.length === 1 ? 0 : true,
      ]);
      await until(() => !tree.some(isRunning));
    }
  });

  it('opens the folder of a notebook that is named, and shows that', async () => {
    const { study, env, words } = await setUp();
    mkdirSync(study);
    const mine = join(study, 'my week.ipynb');
    writeFileSync(mine, JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const { child, ended, address, ask } = await open(['lab', mine, ...words.slice(2)], env);
    expect(new URL(address).pathname).toBe('/lab/tree/my%20week.ipynb');
    expect(await (await fetch(address)).text()).toContain('content="0;url=/lab/tree/my%20week.ipynb"');
    expect((await ask('/api/contents/my%20week.ipynb')).status).toBe(200);
    child.kill('SIGINT');
    expect((await ended).err).toContain(`✓ the page shows ${study}`);
  });

  it('ends with its terminal', async () => {
    const { env, words } = await setUp();
    // A terminal of Python's, whose other end is closed once a line was read from its standard input.
    const inTerminal = `import os, pty, sys
pid, end = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
text = b''
while b'code=' not in text or not text.endswith(b'\\n'): text += os.read(end, 4096)
print(next(line for line in text.decode().splitlines() if 'code=' in line), flush=True)
print(pid, flush=True)
sys.stdin.readline()
os.close(end)
os.waitpid(pid, 0)`;
    const child = spawn('/usr/bin/python3', ['-c', inTerminal, process.execPath, COMMAND, ...words], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { ended, connect } = await opened(child);
    expect(await printed(await connect(), "console.log('there')")).toBe('there\n');
    const tree = processTree(child.pid ?? 0);
    expect(tree.length).toBeGreaterThan(2);
    child.stdin?.end('\n');
    await ended;
    await until(() => !tree.some(isRunning));
  });

  it('copies the examples once, and uses the service that the environment names', async () => {
    const { folder, study, env } = await setUp({ loaded: false });
    const words = ['lab', study, '--no-browser', '--port', '0'];
    const elsewhere = {
      ...env,
      ODDSLAB_URL: 'http://127.0.0.1:9',
      ODDSLAB_API_KEY: 'odl_theirs',
      ODDSLAB_WALLETS: '0xa',
    };
    const { child, ended, connect, ask } = await open(words, elsewhere);
    const told = 'console.log(process.env.ODDSLAB_URL, process.env.ODDSLAB_API_KEY, process.env.ODDSLAB_WALLETS)';
    expect(await printed(await connect(), told)).toBe('http://127.0.0.1:9 odl_theirs 0xa\n');
    expect(await (await ask('/oddslab/api/data')).text()).toContain('const wallet = \\"0xa\\";');
    child.kill('SIGINT');
    expect((await ended).err).toContain('notebooks use the service that ODDSLAB_URL names');
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const mine = join(study, 'examples', EXAMPLES[0] ?? '');
    writeFileSync(mine, 'mine');
    const again = await open(words, elsewhere);
    again.child.kill('SIGINT');
    const { err } = await again.ended;
    expect([readFileSync(mine, 'utf8'), err.includes('put the example')]).toEqual(['mine', false]);
  });

  it('takes the next port where 8888 is in use, and says so where the one that was asked for is', async () => {
    const { data, study, env, words } = await setUp();
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const refused = await runHere([...words.slice(0, -1), String(port)], env);
    expect([refused.code, refused.out]).toEqual([64, '']);
    expect(refused.err).toContain(`Cannot listen on port ${port} of 127.0.0.1: it is in use: take another with --port`);
    const both = ['lab', study, '--data', data, '--no-browser'];
    const [one, other] = [await open(both, env), await open(both, env)];
    const ports = [one, other].map(({ address }) => Number(new URL(address).port));
    expect(ports[0]).toBeGreaterThanOrEqual(8888);
    expect(ports[1]).toBeGreaterThan(ports[0] ?? 0);
    const told = [];
    for (const { child, ended } of [one, other]) {
      child.kill('SIGINT');
      const { code, err } = await ended;
      expect(code).toBe(0);
      told.push(/already shows this folder at (\S+)/.exec(err)?.[1]);
    }
    expect(told).toEqual([undefined, `http://127.0.0.1:${ports[0]}`]);
  });

  it('refuses what cannot be opened in one message, before anything starts', async () => {
    const { folder, data, env } = await setUp();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const lab = (...words: string[]) => runHere(['lab', ...words, '--no-browser', '--port', '0'], env);
    expect(await lab(file, '--data', data)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^oddslab: Cannot open the folder .*file: .+\.\n$/),
    });
    const none = join(folder, 'none');
    expect((await lab(folder, '--data', none)).err).toMatch(/The data folder .*none holds no data yet: fetch yours/);
    const short = await runHere(['lab', folder, '--data', data, '--no-browser'], {
      ...env,
      ODDSLAB_LAB_TOKEN: 'short',
    });
    expect([short.code, short.err.includes('16 or more'), short.err.includes('short\n')]).toEqual([64, true, false]);
    expect(await lab(folder, '--data', data, '--idle', '0')).toMatchObject({ code: 64 });
    // Settings that can be kept nowhere.
    for (const nowhere of ['/dev/null', file, ...(process.platform === 'linux' ? ['/proc'] : [])]) {
      const refused = await runHere(['lab', folder, '--data', data, '--no-browser', '--port', '0'], {
        ...env,
        XDG_DATA_HOME: nowhere,
      });
      expect([nowhere, refused.code, refused.err]).toEqual([
        nowhere,
        1,
        expect.stringMatching(/oddslab: Cannot keep settings in .+\/oddslab\/lab: .+\.\n$/),
      ]);
      expect(refused.err).not.toMatch(/^ +at /m);
    }
  });

  it('opens a folder that nobody can write to without the examples, and says so', async () => {
    const { data, env } = await setUp();
    const { child, ended, ask } = await open(['lab', '/proc/self', '--data', data, '--no-browser', '--port', '0'], env);
    expect((await ask('/api/contents')).status).toBe(200);
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect([code, err.match(/^! .*/gm)]).toEqual([
      0,
      [expect.stringMatching(/Cannot write the examples to .*cannot be written is not saved/)],
    ]);
  });

  it('gives the browser no code on its command line, and goes on where none opens', async () => {
    const { folder, env, words } = await setUp();
    const shown = words.filter((word) => word !== '--no-browser');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const script = (text: string) => writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const desktop = { ...env, DISPLAY: ':0', PATH: [bin, process.env.PATH].join(delimiter) };
    script(`echo "$@" > ${folder}/given; cp "$(echo "$1" | sed s,file://,,)" ${folder}/page.html`);
    const first = await open(shown, desktop);
    await until(() => existsSync(join(folder, 'page.html')) && readFileSync(join(folder, 'page.html'), 'utf8') !== '');
    expect(readFileSync(join(folder, 'given'), 'utf8')).not.toContain('code=');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain(first.address);
    first.child.kill('SIGINT');
    await first.ended;
    const state = join(folder, '.local', 'share', 'oddslab', 'lab');
    expect(readdirSync(state).filter((name) => name.startsWith('open-'))).toEqual([]);
    script('exit 4');
    const second = await open(shown, desktop);
    let said = '';
    second.child.stderr?.on('data', (text) => {
      said += text;
    });
    await until(() => said.includes('No browser opened'));
    expect((await second.ask('/api/contents')).status).toBe(200);
    second.child.kill('SIGINT');
    const { code, err } = await second.ended;
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('! No browser opened: xdg-open ended with 4. Open the address'),
    ]);
  });
});
