import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { Dealer } from 'zeromq';
import { MessageCodec } from '../../../src/kernel/protocol/message.js';
import { makeConnection, writeConnection } from '../../jupyter/connection-file.js';
import { JupyterClient } from '../../jupyter/jupyter-client.js';
import { OURS } from '../../jupyter/kernel-argv.js';
import { isRunning, processTree } from '../../jupyter/process-tree.js';
import { isAbsent } from '../../support/is-absent.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-process-'));
const env = { ODDSLAB_HISTORY: 'off', ODDSLAB_TYPES: 'off', JPY_PARENT_PID: undefined };
/** The kernel of all tests that do not end theirs. */
let client: JupyterClient;

beforeAll(async () => {
  process.env.ODDSLAB_HISTORY = 'off';
  client = await JupyterClient.start({ ...OURS, cwd: folder, env });
});
beforeEach(() => {
  client.received.length = 0;
  client.process.said = '';
});
afterAll(async () => {
  await client?.close();
  rmSync(folder, { recursive: true });
});

const framesOf = (code: string): Buffer[] =>
  client.sockets.codec.encode('shell', 'execute_request', { code }).frames.map((frame) => Buffer.from(frame));

async function saidInLog(text: string): Promise<void> {
  while (!client.process.said.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('refuses what is wrongly signed, unsigned, replayed or no message, without an answer, and lives on', async () => {
  await client.execute('var runs = 0');
  const changed = framesOf('runs += 1');
  changed[changed.length - 1] = Buffer.from('{"code":"runs += 10"}');
  const unsigned = framesOf('runs += 100').map((frame, at) => (at === 1 ? Buffer.alloc(0) : frame));
  const replayed = framesOf('runs += 1000');
  const before = client.received.length;
  for (const frames of [changed, unsigned, ['nonsense'], [''], ['<IDS|MSG>', 'a', '{', '{}', '{}', '{}']]) {
    await client.sockets.send('shell', frames);
    await client.sockets.send('control', frames);
    await client.sockets.send('stdin', frames);
  }
  await client.sockets.send('shell', replayed);
  await client.sockets.send('shell', replayed);
  await saidInLog('its signature was used before');
  expect((await client.execute('runs')).result).toBe('1000');
  const answered = client.received.slice(before).filter(({ header }) => header.msg_type === 'execute_reply');
  expect(answered.length).toBe(2);
  const lines = client.process.said.trimEnd().split('\n');
  expect(new Set(lines)).toEqual(
    new Set(
      ['shell', 'control', 'stdin'].flatMap((channel) => [
        `[oddslab] Refused a message on ${channel}: its signature is wrong.`,
        `[oddslab] Refused a message on ${channel}: it is not signed.`,
        `[oddslab] Refused a message on ${channel}: it lacks the parts that each message has.`,
        ...(channel === 'shell' ? ['[oddslab] Refused a message on shell: its signature was used before.'] : []),
      ]),
    ),
  );
});

it('carries a large message in and out', async () => {
  const { result, stdout } = await client.execute(
    `const big = '${'é'.repeat(5_000_000)}'; process.stdout.write(big); big.length`,
  );
  expect(result).toBe('5000000');
  expect(stdout === 'é'.repeat(5_000_000)).toBe(true);
});

it('carries the buffers of comm messages both ways', async () => {
  await client.execute(`comms.on('sums', (comm, data, metadata, [first]) => {
    comm.send({ opened: first.length }, {}, [first.buffer]);
    comm.onMessage((_, __, buffers) => {
      const sums = buffers.map(({ buffer }) => new Float64Array(buffer).reduce((sum, each) => sum + each, 0));
      comm.send({ sums }, { of: buffers.length }, [Float64Array.from(sums), new DataView(new ArrayBuffer(2), 1)]);
    });
    comm.onClose((_, __, buffers) => comms.open('farewell', {}, {}, buffers));
  })`);
  const heard: unknown[] = [];
  const sent = async (kind: string, content: object, ...lists: number[][]): Promise<void> => {
    const buffers = lists.map((list) => Buffer.from(Float64Array.from(list).buffer));
    const { header } = await client.send('shell', `comm_${kind}`, { comm_id: 'c', data: {}, ...content }, buffers);
    const answer = await client.waitFor(
      (each) => each.parent_header.msg_id === header.msg_id && /^comm_/.test(each.header.msg_type),
      { past: true },
    );
    heard.push([answer.content.data, answer.metadata, answer.buffers.map((buffer) => [...buffer])]);
  };
  const bytesOf = (number: number): number[] => [...Buffer.from(Float64Array.of(number).buffer)];
  await sent('open', { target_name: 'sums' }, [1]);
  await sent('msg', {}, [1, 2], [], [0.5]);
  await sent('close', {}, [7]);
  expect(heard).toEqual([
    [{ opened: 8 }, {}, [bytesOf(1)]],
    [{ sums: [3, 0, 0.5] }, { of: 3 }, [[...bytesOf(3), ...bytesOf(0), ...bytesOf(0.5)], [0]]],
    [{}, {}, [bytesOf(7)]],
  ]);
});

it('answers on each channel, and heartbeats while a cell loops', async () => {
  await client.heartbeat();
  const loop = client.execute('console.log("loops"); await new Promise(setImmediate); for (;;);');
  await client.waitFor(({ content }) => content.text === 'loops\n', { past: true });
  await client.heartbeat();
  expect((await client.request('control', 'kernel_info_request')).reply.channel).toBe('control');
  await client.interrupt();
  expect((await loop).error?.ename).toBe('Interrupted');
  expect((await client.execute('await input("name? ")', { onInput: (prompt) => `${prompt}me` })).result).toBe(
    "'name? me'",
  );
});

it('takes SIGINT as an interrupt', async () => {
  const loop = client.execute('console.log("waits"); await new Promise(() => {});');
  await client.waitFor(({ content }) => content.text === 'waits\n', { past: true });
  client.process.signal('SIGINT');
  expect((await loop).error?.ename).toBe('Interrupted');
  expect((await client.execute('1 + 1')).result).toBe('2');
});

it.each(['shutdown_request', 'SIGTERM'])('ends on %s and leaves nothing behind', async (how) => {
  const own = await JupyterClient.start({ ...OURS, cwd: folder, env });
  onTestFinished(() => own.close());
  await own.execute('setInterval(() => {}, 10); require("node:http").createServer().listen(0);');
  const processes = processTree(own.process.pid);
  expect(processes.length).toBeGreaterThan(1);
  if (how === 'SIGTERM') own.process.signal('SIGTERM');
  else await own.shutdown();
  expect(await own.process.ended).toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
});

it('ends when Jupyter has ended without a word', async () => {
  const jupyter = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)']);
  const second = await JupyterClient.start({
    ...OURS,
    cwd: folder,
    env: { ...env, JPY_PARENT_PID: String(jupyter.pid) },
  });
  const processes = processTree(second.process.pid);
  expect((await second.execute('1')).result).toBe('1');
  jupyter.kill('SIGKILL');
  expect(await second.process.ended).toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
  await second.close();
});

it('says what is wrong where it cannot start', async () => {
  const endOf = async (...words: string[]): Promise<unknown> => {
    const child = spawn(OURS.argv[0] ?? '', [OURS.argv[1] ?? '', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
  };
  expect(await endOf()).toEqual({
    code: 1,
    said: 'Jupyter starts this program, with the path of a connection file. Try: oddslab lab\n',
  });
  const taken = join(folder, 'taken.json');
  writeFileSync(taken, JSON.stringify(client.connection));
  expect(await endOf(taken)).toEqual({
    code: 1,
    said: expect.stringMatching(/^The kernel cannot listen at tcp:\/\/.*: start it anew\.\n$/),
  });
  const elsewhere = join(folder, 'elsewhere.json');
  writeFileSync(elsewhere, JSON.stringify({ ...client.connection, ip: '192.0.2.1' }));
  expect(await endOf(elsewhere)).toEqual({
    code: 1,
    said: expect.stringMatching(/: its connection file must name an address of this machine\.\n$/),
  });
});

it.skipIf(process.platform === 'win32')('ends with word of it where too few files may be open', async () => {
  // Each version of Node has other files open itself: some of these are too few for the sockets of the kernel.
  const endings = [26, 23, 20].map(async (limit) => {
    const file = join(folder, `few-${limit}.json`);
    writeFileSync(file, JSON.stringify(await makeConnection()));
    const kernel = spawn('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...OURS.argv.slice(0, 2), file]);
    onTestFinished(() => void kernel.kill('SIGKILL'));
    let said = '';
    kernel.stderr.on('data', (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => kernel.once('close', resolve));
    expect(said).not.toContain('fault of its own');
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^too many files are open\./) });
  });
  await Promise.any(endings);
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

it.skipIf(!hasIpv6)('listens at an address of IPv6', async () => {
  const file = join(folder, 'ipv6.json');
  const connection = { ...(await makeConnection()), ip: '::1', key: '' };
  writeFileSync(file, JSON.stringify(connection));
  expect(await replyOfShutdown(file, `tcp://[::1]:${connection.control_port}`)).toEqual({
    status: 'ok',
    restart: false,
  });
});

const SETPRIV = '/usr/bin/setpriv';

/** Lets another user read what root may read, and no more if this process may pass that on alone. */
function mayRead(): string[] {
  const bounds = /^CapBnd:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const right = BigInt(`0x${bounds}`) & 4n ? 'dac_read_search' : 'dac_override';
  // Without that bit of security, access(2) would not heed the right.
  return ['--securebits=+no_setuid_fixup', `--inh-caps=+${right}`, `--ambient-caps=+${right}`];
}

it.skipIf(process.getuid?.() !== 0 || isAbsent(SETPRIV, 'a kernel without a home folder'))(
  'runs without a home folder, as a user whom nobody entered anywhere',
  async () => {
    const open = mkdtempSync(join(tmpdir(), 'oddslab-homeless-'));
    chmodSync(open, 0o777);
    const file = join(open, 'ipc.json');
    const ports = { shell_port: 1, control_port: 2, iopub_port: 3, stdin_port: 4, hb_port: 5 };
    writeFileSync(file, JSON.stringify({ ...ports, transport: 'ipc', ip: join(open, 'kernel'), key: '' }));
    // The program may lie below a folder that only root may enter, such as a container's home.
    const words = ['--reuid', '54321', '--clear-groups', ...mayRead(), 'env', '-i', ...OURS.argv.slice(0, 2), file];
    const kernel = spawn(SETPRIV, words, { cwd: open, stdio: 'ignore' });
    const ended = new Promise((resolve) => kernel.once('exit', resolve));
    const codec = new MessageCodec('');
    const dealer = new Dealer({ linger: 0, receiveTimeout: 60_000 });
    dealer.connect(`ipc://${join(open, 'kernel')}-1`);
    const ask = async (type: string, content: object): Promise<unknown> => {
      await dealer.send(codec.encode(codec.nextId(), { type, content }));
      const reply = codec.decode(await dealer.receive());
      return 'refused' in reply ? reply : reply.content;
    };
    expect(await ask('execute_request', { code: '1 + 1' })).toMatchObject({ status: 'ok', execution_count: 1 });
    expect(await ask('history_request', {})).toEqual({ status: 'ok', history: [[expect.any(Number), 1, '1 + 1']] });
    expect(await ask('shutdown_request', {})).toEqual({ status: 'ok', restart: false });
    expect(await ended).toBe(0);
    dealer.close();
    rmSync(open, { recursive: true });
  },
);

it('lives on though code nests deeper than its parser can follow', async () => {
  const second = await JupyterClient.start({ ...OURS, cwd: folder, env: { ...env, ODDSLAB_TYPES: 'warn' } });
  const deep = '('.repeat(50_000);
  const ask = async (type: string, content: object): Promise<Record<string, unknown>> =>
    (await second.request('shell', type, { ...content })).reply.content;
  expect(await ask('is_complete_request', { code: deep })).toEqual({ status: 'unknown' });
  expect(await ask('complete_request', { code: deep, cursor_pos: 9 })).toMatchObject({ status: 'ok', matches: [] });
  expect(await ask('inspect_request', { code: deep, cursor_pos: 9 })).toMatchObject({ status: 'ok', found: false });
  expect((await second.execute(deep)).status).toBe('error');
  expect((await second.execute('1 + 1')).result).toBe('2');
  await second.close();
});

it('finds local modules in its folder, wherever the notebook lies from the root of the server', async () => {
  writeFileSync(join(folder, 'mine.ts'), 'export const mine: number = 7;');
  const second = await JupyterClient.start({
    ...OURS,
    cwd: folder,
    env: { ...env, JPY_SESSION_NAME: 'some/where/study.ipynb' },
  });
  expect((await second.execute("import { mine } from './mine.js'; mine")).result).toBe('7');
  expect((await second.execute('import.meta.filename')).result).toBe(`'${join(folder, 'study.ipynb')}'`);
  await second.close();
});

it('carries streams that take turns in a handful of messages', async () => {
  const { stdout, stderr, outputs } = await client.execute(
    "for (let at = 0; at < 20_000; at++) { process.stdout.write('o'); process.stderr.write('e'); }",
  );
  expect([stdout === 'o'.repeat(20_000), stderr === 'e'.repeat(20_000)]).toEqual([true, true]);
  expect(outputs.length).toBeLessThan(500);
});

it('listens at ipc paths, unsigned where there is no key', async () => {
  const path = join(folder, 'kernel');
  const ports = { shell_port: 1, control_port: 2, iopub_port: 3, stdin_port: 4, hb_port: 5 };
  const file = join(folder, 'ipc.json');
  writeFileSync(
    file,
    JSON.stringify({ ...ports, transport: 'ipc', ip: path, key: '', signature_scheme: 'hmac-sha256' }),
  );
  expect(await replyOfShutdown(file, `ipc://${path}-2`)).toEqual({ status: 'ok', restart: false });
});

/** Starts a kernel by a connection file without a key, and has it end through its control channel. */
async function replyOfShutdown(file: string, address: string): Promise<unknown> {
  const kernel = spawn(OURS.argv[0] ?? '', [OURS.argv[1] ?? '', file], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  const dealer = new Dealer({ linger: 0, ipv6: address.includes('['), receiveTimeout: 60_000 });
  dealer.connect(address);
  const codec = new MessageCodec('');
  await dealer.send(codec.encode(codec.nextId(), { type: 'shutdown_request', content: { restart: false } }));
  const ended = new Promise((resolve) => kernel.once('exit', resolve));
  const reply = codec.decode(await dealer.receive());
  await ended;
  dealer.close();
  return 'refused' in reply ? reply : reply.content;
}

it.skipIf(process.platform === 'win32')('says that the folder is gone in which it is started', async () => {
  const path = join(folder, 'connection.json');
  await writeConnection(path, await makeConnection());
  const start = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const argv = OURS.argv.map((word) => (word === '{connection_file}' ? path : word));
  const { status, stderr } = spawnSync('sh', ['-c', start, 'sh', ...argv], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^the folder that this was started in is gone\. .*\n$/)]);
});
