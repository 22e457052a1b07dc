import { setTimeout as afterMs } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { liveBytes } from '../support/live-bytes.js';
import { put } from '../support/temporary-folder.js';
import { serveKernels } from './kernel-server.js';
import type { KernelSocket, Seen } from './kernel-socket.js';
import { connectTo } from './kernel-socket.js';

const MB = 1024 * 1024;

/** A cell that prints the numbers below `count`, one every few milliseconds. */
const counting = (count: number, everyMs: number) =>
  `for (let i = 0; i < ${count}; i++) { console.log(i); await new Promise((done) => setTimeout(done, ${everyMs})); }`;

/** Code that waits until the test writes a file, however slow the machine is. */
const until = (file: string) =>
  `while (!require('node:fs').existsSync('${file}')) await new Promise((done) => setTimeout(done, 10));`;

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i}\n`).join('');

async function startKernel() {
  const server = await serveKernels();
  const { json: session } = await server.ask('POST', '/api/sessions', { path: 'a.ipynb', type: 'notebook' });
  return { ...server, session, id: session.kernel.id as string };
}

/** What a page that has opened the notebook anew is told of its cells. */
async function executionsFor(socket: KernelSocket) {
  return (await socket.ask('executions_request', {}, { channel: 'control' })).content.executions;
}

interface Shown {
  msg_type: string;
  content: { name?: string; text?: string };
}

const textIn = (messages: Shown[], name = 'stdout') =>
  messages.map(({ content }) => (content.name === name ? content.text : '')).join('');

describe('a front end whose connection is cut', () => {
  test('gets, when it connects again, all that it missed, in order and once', async () => {
    const { url, id } = await startKernel();
    const texts: string[] = [];
    const seen: Seen[] = [];
    let socket = await connectTo(url, id, { session: 'page' });
    const cell = socket.run(counting(120, 5));
    for (let round = 0; round < 6; round++) {
      await afterMs(60);
      await socket.cut();
      texts.push(socket.text(cell));
      seen.push(...socket.seen);
      await afterMs(30);
      socket = await connectTo(url, id, { session: 'page' });
    }
    await socket.over(cell);
    texts.push(socket.text(cell));
    seen.push(...socket.seen);
    const ids = seen.map(({ header }) => header.msg_id);
    // What was under way when the connection was cut may come again; whoever gets it knows it by its id.
    const once = seen.filter(({ header }, index) => ids.indexOf(header.msg_id) === index);
    const stdout = once.filter(({ content }) => content.name === 'stdout').map(({ content }) => content.text);
    expect(stdout.join('')).toBe(numbers(120));
    expect(once.filter(({ header }) => header.msg_type === 'execute_reply')).toHaveLength(1);
  });

  test('finds what it was sent before in its place, if that came', async () => {
    const { url, id } = await startKernel();
    const first = await connectTo(url, id, { session: 'page' });
    let asked = 0;
    first.socket.on('ping', (count) => {
      asked = Number(count.toString());
    });
    await first.over(first.run('console.log("before")'));
    // The server asks, after a moment, whether all of it has come, and reads the answer before the next request.
    await expect.poll(() => asked).toBeGreaterThanOrEqual(first.seen.length);
    await first.ask('kernel_info_request');
    await first.cut();
    const second = await connectTo(url, id, { session: 'page' });
    await second.over(second.run('console.log("after")'));
    const stdout = second.seen.filter(({ content }) => content.name === 'stdout').map(({ content }) => content.text);
    expect(stdout).toEqual(['after\n']);
  });

  test('gets at most so much, and is told what is missing, and where', async () => {
    const { url, id, folder } = await startKernel();
    const first = await connectTo(url, id, { session: 'page' });
    const go = `${until('go')} const part = 'x'.repeat(1023) + '\\n';`;
    const cell = first.run(
      `${go} for (let i = 0; i < 60 * 1024; i++) process.stdout.write(part); console.error('end')`,
    );
    await first.until(({ header }) => header.msg_type === 'execute_input');
    await first.cut();
    await put(folder, 'go', '');
    await expect.poll(async () => (await ask(url, id)).execution_state).toBe('idle');
    const second = await connectTo(url, id, { session: 'page' });
    await second.over(cell);
    const stdout = second.text(cell).length / MB;
    expect(stdout).toBeGreaterThan(20);
    expect(stdout).toBeLessThanOrEqual(32);
    const [, missing] = /(\d+) MB of output are missing here: no page/.exec(second.text(cell, 'stderr')) ?? [];
    expect(Math.abs(60 - stdout - Number(missing))).toBeLessThan(1.5);
  });
});

test('where much is kept for front ends that are away, the first of them is forgotten, and the last is not', async () => {
  const { url, id, folder } = await startKernel();
  for (const at of [0, 1, 2, 3]) {
    const socket = await connectTo(url, id, { session: `page-${at}` });
    const cell = socket.run(
      `${until(`go${at}`)} for (let i = 0; i < 40; i++) console.log('${at}'.repeat(1024 * 1024))`,
    );
    await socket.until(
      ({ header, parent_header }) => parent_header.msg_id === cell && header.msg_type === 'execute_input',
    );
    await socket.cut();
    await put(folder, `go${at}`, '');
    await expect.poll(async () => (await ask(url, id)).execution_state, { timeout: 20_000 }).toBe('idle');
  }
  const [first, last] = [
    await connectTo(url, id, { session: 'page-0' }),
    await connectTo(url, id, { session: 'page-3' }),
  ];
  await first.over(first.run('1'));
  await last.over(last.run('1'));
  const stdout = ({ seen }: KernelSocket) =>
    seen.reduce((sum, { content }) => sum + (content.name === 'stdout' ? content.text.length : 0), 0);
  expect(stdout(first)).toBe(0);
  expect(stdout(last)).toBeGreaterThan(20 * MB);
});

test('a flood of outputs that are cleared again is kept for nobody', async () => {
  const { url, id, folder } = await startKernel();
  const first = await connectTo(url, id, { session: 'page' });
  const cell = first.run(`${until('go')} display.html('<b>old</b>');
    for (let i = 0; i < 20_000; i++) { display.clear({ wait: i % 2 === 0 }); console.log(i); } display.clear({ wait: true })`);
  await first.until(({ header }) => header.msg_type === 'execute_input');
  await first.cut();
  await put(folder, 'go', '');
  await expect.poll(async () => (await ask(url, id)).execution_state, { timeout: 20_000 }).toBe('idle');
  const second = await connectTo(url, id, { session: 'page' });
  await second.over(cell);
  const types = second.seen.filter(({ parent_header }) => parent_header.msg_id === cell);
  const last = types.slice(types.findIndex(({ header }) => header.msg_type === 'clear_output'));
  expect(last.map(({ header, content }) => content.text ?? header.msg_type)).toEqual([
    'clear_output',
    '19999\n',
    'clear_output',
    ...(last[3]?.header.msg_type === 'execute_reply' ? ['execute_reply', 'status'] : ['status', 'execute_reply']),
  ]);
  expect(types.length).toBeLessThan(12);
});

async function ask(url: string, id: string) {
  return (await fetch(`${url}/api/kernels/${id}`)).json() as Promise<{ execution_state: string }>;
}

/** What a page sends to save a notebook with one cell. */
function savedCell(id: string, source: string, execution_count: number | null, outputs: object[]) {
  const cells = [{ cell_type: 'code', id, metadata: {}, source, execution_count, outputs }];
  return { type: 'notebook', content: { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 } };
}

describe('a page that opens the notebook anew', () => {
  test('is told of code that ran until the notebook is saved with it, or by a page that knew of it', async () => {
    const { url, id, ask } = await startKernel();
    const first = await connectTo(url, id);
    const run = async (code: string, cellId: string) => {
      const cell = first.run(code, { cellId });
      first.send('execution_place', { msg_id: cell, above: ['b', 'a'] }, { channel: 'control' });
      await first.over(cell);
    };
    await run('1', 'one');
    await run('2', 'two');
    const other = await connectTo(url, id);
    const codes = async () =>
      (await executionsFor(other)).map((each: { cell_id: string; code?: string }) => `${each.cell_id}: ${each.code}`);
    // By a page that has never heard of these runs.
    await ask('PUT', '/api/contents/a.ipynb', savedCell('one', 'old', null, []));
    expect(await codes()).toEqual(['one: 1', 'two: 2']);
    expect((await executionsFor(other))[0].above).toEqual(['b', 'a']);
    await ask('PUT', '/api/contents/a.ipynb', savedCell('one', '1', null, []));
    expect(await codes()).toEqual(['one: undefined', 'two: 2']);
    first.send('notebook_saving', {}, { channel: 'control' });
    await run('3', 'three');
    // Changed or removed since it ran: on purpose.
    await ask('PUT', '/api/contents/a.ipynb', savedCell('two', 'changed', null, []));
    expect(await codes()).toEqual(['one: undefined', 'two: undefined', 'three: 3']);
  });

  test('takes over a cell that runs: what it has shown, what it goes on to show, and its reply', async () => {
    const { url, id, folder } = await startKernel();
    const first = await connectTo(url, id);
    const cell = first.run(`${counting(30, 5)} ${until('go')} for (let i = 30; i < 60; i++) console.log(i)`, {
      cellId: 'one',
    });
    const waiting = first.run('console.log("two")', { cellId: 'two' });
    await first.until(({ content }) => /^\d/.test(content.text));
    await first.close();
    await afterMs(100);
    const second = await connectTo(url, id);
    const [one, two, ...others] = await executionsFor(second);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      msg_id: cell,
      cell_id: 'one',
      state: 'running',
      is_tail: false,
      session: first.session,
    });
    expect(two).toMatchObject({ msg_id: waiting, cell_id: 'two', state: 'waiting', messages: [] });
    await put(folder, 'go', '');
    const from = second.seen.findIndex(({ header }) => header.msg_type === 'executions_reply');
    expect((await second.reply(cell)).content).toMatchObject({ status: 'ok', execution_count: 1 });
    await second.over(waiting);
    const later = second.seen.slice(from).filter((each) => each.parent_header.msg_id === cell);
    const shown = later.map(({ header, content }) => ({ msg_type: header.msg_type, content }));
    expect(textIn(one.messages) + textIn(shown)).toBe(numbers(60));
  });

  test('is told of what ended meanwhile until the notebook is saved with it, then of what comes later', async () => {
    const { url, id, ask, folder } = await startKernel();
    const first = await connectTo(url, id);
    const late = `void (async () => { ${until('late')} console.log('late'); })()`;
    const cell = first.run(`console.log('shown'); ${late}; 6 * 7`, { cellId: 'one' });
    await first.over(cell);
    await first.close();
    const second = await connectTo(url, id);
    const [ended] = await executionsFor(second);
    expect(ended).toMatchObject({ state: 'done', reply: { content: { status: 'ok', execution_count: 1 } } });
    expect(ended.messages.map(({ msg_type }: Shown) => msg_type)).toEqual([
      'execute_input',
      'stream',
      'execute_result',
    ]);
    const outputs = [
      { output_type: 'stream', name: 'stdout', text: 'shown\n' },
      { output_type: 'execute_result', execution_count: 1, data: { 'text/plain': '42' }, metadata: {} },
    ];
    const whole = savedCell('one', ended.code, 1, outputs);
    // Too soon after the output to hold it surely.
    await ask('PUT', '/api/contents/a.ipynb', whole);
    expect(await executionsFor(second)).toHaveLength(1);
    await afterMs(2100);
    await ask('PUT', '/api/contents/other.ipynb', whole);
    // By a page that has not got the run, or not all that it shows.
    await ask('PUT', '/api/contents/a.ipynb', savedCell('one', ended.code, null, []));
    await ask('PUT', '/api/contents/a.ipynb', savedCell('one', ended.code, 1, outputs.slice(1)));
    expect(await executionsFor(second)).toHaveLength(1);
    await ask('PUT', '/api/contents//a.ipynb', whole);
    expect(await executionsFor(second)).toEqual([]);
    await put(folder, 'late', '');
    await second.until(({ content }) => content.text === 'late\n');
    expect(await executionsFor(second)).toMatchObject([
      { msg_id: cell, cell_id: 'one', is_tail: true, messages: [{ content: { name: 'stdout', text: 'late\n' } }] },
    ]);
  });

  test('is told of many small outputs as they were updated, and of no more than so many', async () => {
    const { url, id } = await startKernel();
    const socket = await connectTo(url, id);
    const displays = 5000;
    await socket.over(
      socket.run(`for (let i = 0; i < ${displays}; i++) display('', { id: 'd' + i })`, { cellId: 'a' }),
    );
    const updates = `for (let i = 0; i < 600; i++) display.update('d' + i % 3, 'at ' + i)`;
    await socket.over(socket.run(updates, { cellId: 'b' }));
    const [{ messages }] = await executionsFor(socket);
    const texts = messages
      .slice(1, 4)
      .map(({ content }: { content: { data: object } }) => JSON.stringify(content.data));
    for (const at of [0, 1, 2]) expect(texts[at]).toContain(`at ${597 + at}`);
    expect(messages).toHaveLength(displays + 1);
    await socket.over(socket.run(`for (let i = 0; i < 70_000; i++) display('')`, { cellId: 'c' }));
    const [, , { messages: most }] = await executionsFor(socket);
    expect(messages.length + most.length).toBeLessThan(68_000);
    expect(textIn(most, 'stderr')).toMatch(/MB of output are missing here/);
  });

  test('gets outputs as they are in the end: cleared, updated, of the last run', async () => {
    const { url, id } = await startKernel();
    const socket = await connectTo(url, id);
    await socket.over(socket.run('console.log("old")', { cellId: 'one' }));
    const cell = `console.log('gone'); display.clear(); display('first', { id: 'd' });
      for (let i = 0; i < 50; i++) display.update('d', 'step ' + i);
      console.log('a'); console.log('b'); console.error('c')`;
    await socket.over(socket.run(cell, { cellId: 'one' }));
    await socket.over(socket.run('console.log("x"); display.clear({ wait: true })', { cellId: 'two' }));
    const [one, two] = await executionsFor(socket);
    expect(
      one.messages.map(({ msg_type, content }: Shown & { content: { data?: object } }) => [
        msg_type,
        content.text ?? content.data ?? '',
      ]),
    ).toEqual([
      ['execute_input', ''],
      ['display_data', expect.objectContaining({ 'text/plain': expect.stringContaining('step 49') })],
      ['stream', 'a\nb\n'],
      ['stream', 'c\n'],
    ]);
    expect(two.messages.at(-1)).toMatchObject({ msg_type: 'clear_output', content: { wait: true } });
  });

  test('is asked what a cell asked the page before', async () => {
    const { url, id } = await startKernel();
    const first = await connectTo(url, id);
    const cell = first.run('const [a, b] = [await input("A? "), await input("B? ")]; console.log(a + b)', {
      cellId: 'c',
    });
    await first.until(({ channel }) => channel === 'stdin');
    await first.close();
    const second = await connectTo(url, id);
    const [{ question }] = await executionsFor(second);
    expect(question.content).toEqual({ prompt: 'A? ', password: false });
    second.send('input_reply', { value: '1', status: 'ok' }, { channel: 'stdin', parent: question.header });
    const next = await second.until(({ channel }) => channel === 'stdin');
    expect(next.content.prompt).toBe('B? ');
    second.send('input_reply', { value: '2', status: 'ok' }, { channel: 'stdin', parent: next.header });
    await second.over(cell);
    expect(second.text(cell)).toBe('12\n');
    expect((await executionsFor(second))[0].question).toBeUndefined();
  });
});

test('each front end gets its own replies alone, and all get what cells show', async () => {
  const { url, id } = await startKernel();
  const [a, b] = [await connectTo(url, id), await connectTo(url, id)];
  const cell = a.run('console.log("for all")');
  await a.over(cell);
  await b.until(({ content }) => content.execution_state === 'idle' && content);
  await b.ask('kernel_info_request');
  expect(b.text(cell)).toBe('for all\n');
  expect(b.seen.filter(({ channel, parent_header }) => channel === 'shell' && parent_header.msg_id === cell)).toEqual(
    [],
  );
});

describe('a page that does not read', () => {
  const FLOOD_MB = 200;
  const flood = `const part = 'y'.repeat(64 * 1024 - 1) + '\\n'; for (let i = 0; i < ${FLOOD_MB * 16}; i++) process.stdout.write(part);`;

  test('has its cell wait, neither filling the memory nor stopping another notebook', async () => {
    const { url, id, ask } = await startKernel();
    const socket = await connectTo(url, id);
    await socket.over(socket.run('1'));
    const before = liveBytes();
    socket.socket.pause();
    const cell = socket.run(flood);
    const { json: other } = await ask('POST', '/api/sessions', { path: 'b.ipynb', type: 'notebook' });
    const neighbour = await connectTo(url, other.kernel.id);
    for (let round = 0; round < 10; round++) {
      const quick = neighbour.run(`console.log(${round})`);
      await neighbour.over(quick);
      expect(neighbour.text(quick)).toBe(`${round}\n`);
      await afterMs(100);
    }
    expect((await ask('GET', `/api/kernels/${id}`)).json.execution_state).toBe('busy');
    // What both ends of the connection, which are in this process, have taken in, many times over.
    expect((liveBytes() - before) / MB).toBeLessThan(0.75 * FLOOD_MB);
    socket.socket.resume();
    await socket.over(cell);
    const length = socket.text(cell).length;
    expect(length).toBe(FLOOD_MB * MB);
  });

  test('can interrupt the cell, and restart and end the kernel', async () => {
    const { url, id, ask } = await startKernel();
    const socket = await connectTo(url, id);
    await socket.over(socket.run('1'));
    socket.socket.pause();
    const cell = socket.run(flood.replace(`${FLOOD_MB * 16}`, '1e9'));
    await afterMs(1000);
    await ask('POST', `/api/kernels/${id}/interrupt`);
    await expect.poll(async () => (await ask('GET', `/api/kernels/${id}`)).json.execution_state).toBe('idle');
    socket.socket.resume();
    expect((await socket.over(cell)).content).toMatchObject({ status: 'error', ename: 'Interrupted' });
    socket.socket.pause();
    socket.run(flood.replace(`${FLOOD_MB * 16}`, '1e9'));
    await afterMs(500);
    await ask('POST', `/api/kernels/${id}/restart`);
    socket.socket.resume();
    expect((await socket.over(socket.run('2'))).content).toMatchObject({ status: 'ok', execution_count: 1 });
    socket.socket.pause();
    socket.run(flood);
    await afterMs(500);
    expect((await ask('DELETE', `/api/kernels/${id}`)).status).toBe(204);
  });
});

test('a kernel that nobody uses is ended on request, but not one that runs or has a page', async () => {
  const { url, ask, logged } = await serveKernels({ idleMs: 1000 });
  const begin = async (name: string): Promise<string> => {
    const { json } = await ask('POST', '/api/sessions', { path: `${name}.ipynb`, type: 'notebook' });
    return json.kernel.id;
  };
  /** Begins a notebook and connects, anew if the machine was so slow that its kernel was ended before. */
  const open = async (name: string): Promise<{ id: string; socket: KernelSocket }> => {
    const id = await begin(name);
    const socket = await connectTo(url, id).catch(() => undefined);
    return socket ? { id, socket } : open(name);
  };
  const used = await open('used');
  const running = await open('running');
  running.socket.run('await new Promise((done) => setTimeout(done, 3000))');
  await running.socket.until(({ header }) => header.msg_type === 'execute_input');
  await running.socket.close();
  const idle = await begin('idle');
  const ids = async () => (await ask('GET', '/api/kernels')).json.map(({ id }: { id: string }) => id);
  await expect.poll(ids).not.toContain(idle);
  await expect.poll(ids).toEqual([used.id]);
  expect(logged.slice(-2)).toEqual([
    'The kernel of idle.ipynb was idle and is ended.',
    'The kernel of running.ipynb was idle and is ended.',
  ]);
});
