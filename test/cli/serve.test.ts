import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLab } from '../../src/lab.js';
import { COMMAND, endOf, firstLineOf, runCommand, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { ask } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

async function start(...words: string[]) {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const child = startCommand(['serve', '--data', folder, ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, folder, url: await firstLineOf(child) };
}

/** Waits until nobody answers at an address, for as long as the test may take. */
async function gone(url: string): Promise<void> {
  while (await fetch(url).then(Boolean, () => false)) await new Promise((done) => setTimeout(done, 20));
}

describe('oddslab serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints its address, answers, and ends well on %s', async (signal) => {
    const { child, url } = await start('--port', '0', '--open');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(url, { agent_id: 574 })).status).toBe(200);
    const ended = endOf(child);
    child.kill(signal);
    const { code, err } = await ended;
    expect([
      code,
      err
        .trim()
        .split('\n')
        .filter((line) => JSON.parse(line).level !== 'info'),
    ]).toEqual([0, []]);
  });

  it('takes a key of "keys create", which prints it alone, until "keys revoke"', async () => {
    const { folder, url } = await start('--port', '0');
    const created = await runCommand(['keys', 'create', '--data', folder, '--name', 'laptop']);
    expect(created.out).toMatch(/^odl_[\w-]{43}\n$/);
    expect(created.err).not.toContain('odl_');
    const listed = await runHere(['keys', 'list', '--data', folder]);
    const [id = '', , name] = listed.out.trim().split('\t');
    expect([listed.code, name]).toEqual([0, 'laptop']);
    const headers = { Authorization: `Bearer ${created.out.trim()}` };
    const status = async () => (await ask(url, { agent_id: 574 }, { headers })).status;
    await expect.poll(status).toBe(200);
    expect(await runHere(['keys', 'revoke', id, '--data', folder])).toMatchObject({ code: 0, out: '' });
    await expect.poll(status).toBe(401);
    expect((await runHere(['keys', 'revoke', 'nope', '--data', folder])).err).toContain('No key nope in');
  });

  it.skipIf(process.platform !== 'linux').each([
    ['no byte', 'exec "$@" > /dev/full'],
    ['a part', 'ulimit -f 1; f=$(mktemp); trap "rm $f" EXIT; head -c 1000 /dev/zero > $f; "$@" >> $f'],
  ])('makes no key that nobody could read, as %s of it can be written', async (_, line) => {
    const folder = await temporaryFolder();
    const words = ['-c', line, 'bash', process.execPath, COMMAND, 'keys', 'create', '--data', folder];
    const { code, err } = await endOf(spawn('bash', words));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^oddslab: Cannot write the key to stdout: .* No key was made\./),
    ]);
    expect((await runHere(['keys', 'list', '--data', folder])).out).toBe('');
  });

  it('takes no key whose name a terminal or a page would show as something else', async () => {
    const folder = await temporaryFolder();
    for (const [name, error] of [
      ['a\nfake\x1b[31mred', 'A name has no control characters.'],
      [' ', 'Give the key a name.'],
      ['x'.repeat(61), 'A name has at most 60 characters.'],
    ] as const) {
      const { code, out, err } = await runHere(['keys', 'create', '--data', folder, '--name', name]);
      expect([code, out, err.trim()]).toEqual([64, '', `oddslab: --name is not right: ${error}`]);
    }
    expect((await runHere(['keys', 'list', '--data', folder])).out).toBe('');
  });

  it('names a port that is in use, a missing folder and a wrong option', async () => {
    const folder = await temporaryFolder();
    await ingestSmall(folder);
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const cases: [string[], number, string][] = [
      // Another start may find it free: a unit tries again.
      [['--data', folder, '--port', port], 1, `port ${port} is in use`],
      [['--data', join(folder, 'none')], 1, 'There is no data folder'],
      [['--data', folder, '--port', '70000'], 64, '--port must be a whole number from 0 to 65535'],
      [['--data', folder, '--prot', '0'], 64, "unknown option '--prot'"],
      [['--data', folder, '--open', '--host', '0.0.0.0'], 64, 'may listen on loopback alone'],
    ];
    for (const [words, code, message] of cases) {
      expect(await runCommand(['serve', ...words])).toMatchObject({
        code,
        out: '',
        err: expect.stringContaining(message),
      });
    }
  });
});

it('the embedded service of openLab ends when its process is killed', async () => {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const library = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
  const script = join(folder, 'script.mjs');
  await writeFile(
    script,
    `import { openLab } from ${JSON.stringify(library)};
     const lab = await openLab({ data: ${JSON.stringify(folder)} });
     console.log(lab.baseUrl, (await lab.markets().frame()).shape[0]);
     setInterval(() => {}, 1000);`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [url = '', rows] = (await firstLineOf(parent)).split(' ');
  expect(rows).toBe('12');
  expect((await ask(url, { agent_id: 574 })).status).toBe(200);
  parent.kill('SIGKILL');
  await gone(url);
  // Answering no more is not being gone: it must not wait for ever for whom its log was for.
  if (process.platform === 'linux') await expect.poll(() => processesWith(folder)).toEqual([]);
});

describe('an embedded service', () => {
  /** Opens a lab whose service runs a script first. */
  async function openWith(code: string) {
    const folder = await temporaryFolder();
    await ingestSmall(folder);
    const script = await put(folder, 'first.cjs', `if (process.argv[2] === 'serve') { ${code} }`);
    vi.stubEnv('NODE_OPTIONS', `--require=${script}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    return openLab({ data: folder });
  }

  it('that ends before it told its address fails the lab', async () => {
    const opening = openWith('process.send = () => process.exit(3);');
    await expect(opening).rejects.toThrow(/^The embedded service over .* did not start: /);
  });

  it('that ends once it told its address lets the lab be closed', async () => {
    const lab = await openWith(
      'const send = process.send.bind(process); process.send = (ready) => send(ready, () => process.exit(0));',
    );
    await lab.close();
  });

  it.each([
    ['printed', `console.log('noise'); console.error('noise');`],
    ['sent', `process.send({ 'watch:require': ['noise'] }); process.send('noise');`],
  ])('may have something else %s first', async (_, code) => {
    const lab = await openWith(code);
    onTestFinished(() => lab.close());
    expect((await lab.markets().frame()).shape[0]).toBe(12);
  });
});

/** Processes whose command line names a text. */
function processesWith(text: string): string[] {
  const lines = readdirSync('/proc').flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) ? [readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
  return lines.filter((line) => line.includes(text));
}
