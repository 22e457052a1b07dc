import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as afterMs } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PageRefusal } from '../../src/page/refusal.js';
import { serveKernels } from './kernel-server.js';
import { connectTo } from './kernel-socket.js';

test('a notebook gets a session with a kernel, whose cells run in its folder', async () => {
  const { ask, url, folder } = await serveKernels();
  await mkdir(join(folder, 'deep'));
  const begun = await ask('POST', '/api/sessions', {
    path: 'deep/a.ipynb',
    type: 'notebook',
    name: 'a.ipynb',
    kernel: {},
  });
  expect(begun.status).toBe(201);
  expect(begun.headers.get('location')).toBe(`/api/sessions/${begun.json.id}`);
  const { kernel } = begun.json;
  expect(begun.json).toEqual({
    id: expect.stringMatching(/^[\da-f]{8}-/),
    path: 'deep/a.ipynb',
    name: 'a.ipynb',
    type: 'notebook',
    notebook: { path: 'deep/a.ipynb', name: 'a.ipynb' },
    kernel: {
      id: expect.stringMatching(/^[\da-f]{8}-/),
      name: 'oddslab',
      last_activity: expect.stringMatching(/^\d{4}-.*Z$/),
      execution_state: 'starting',
      connections: 0,
    },
  });
  expect((await ask('POST', '/api/sessions', { path: 'deep/a.ipynb', type: 'notebook' })).json.id).toBe(begun.json.id);
  const socket = await connectTo(url, kernel.id);
  const id = socket.run("console.log(process.cwd(), import.meta.url.split('/').at(-1)); 6 * 7");
  expect((await socket.over(id)).content).toMatchObject({ status: 'ok', execution_count: 1 });
  expect(socket.text(id)).toBe(`${join(folder, 'deep')} a.ipynb\n`);
  expect((await ask('GET', '/api/kernels')).json).toMatchObject([
    { id: kernel.id, execution_state: 'idle', connections: 1 },
  ]);
  expect((await ask('DELETE', `/api/sessions/${begun.json.id}`)).status).toBe(204);
  expect((await ask('GET', '/api/kernels')).json).toEqual([]);
  expect((await ask('GET', '/api/sessions')).json).toEqual([]);
  await expect.poll(() => socket.code).toBe(1001);
});

test('a notebook that a page is about to open has its process before its kernel, and none that names another kernel', async () => {
  const { ask, url, folder, kernels } = await serveKernels();
  // Processes are numbered as they start; when they began by their own clock depends on how busy the machine is.
  const numberOf = async (path: string) => {
    const { json } = await ask('POST', '/api/sessions', { path, type: 'notebook' });
    const socket = await connectTo(url, json.kernel.id);
    const id = socket.run('console.log(process.pid)');
    await socket.over(id);
    return Number(socket.text(id));
  };
  for (const [file, name] of Object.entries({ 'ours.ipynb': 'oddslab', 'theirs.ipynb': 'python3' })) {
    const metadata = { kernelspec: { name, display_name: 'a kernel' } };
    await writeFile(join(folder, file), JSON.stringify({ cells: [], metadata, nbformat: 4, nbformat_minor: 5 }));
    await kernels.expect(file);
  }
  expect((await ask('GET', '/api/kernels')).json).toEqual([]);
  // Their kernels are asked for in another order.
  const theirs = await numberOf('theirs.ipynb');
  expect(await numberOf('ours.ipynb')).toBeLessThan(theirs);
  expect(await numberOf('other.ipynb')).toBeGreaterThan(theirs);
});

test('what is asked wrongly is refused with what would be right', async () => {
  const { ask } = await serveKernels();
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await ask(method, path, body);
    return `${status} ${json.message}`;
  };
  const gone = '00000000-0000-0000-0000-000000000000';
  expect(await refused('GET', `/api/kernels/${gone}`)).toBe(`404 Kernel does not exist: ${gone}`);
  expect(await refused('POST', `/api/kernels/${gone}/restart`)).toBe(`404 Kernel does not exist: ${gone}`);
  expect(await refused('DELETE', `/api/sessions/${gone}`)).toBe(`404 Session not found: ${gone}`);
  expect(await refused('POST', '/api/sessions', { type: 'notebook' })).toBe('400 Missing field in JSON data: path');
  expect(await refused('POST', '/api/sessions', { path: 'a' })).toBe('400 Missing field in JSON data: type');
  expect(await refused('POST', '/api/sessions', '[')).toBe('400 The body of the request must be a JSON object.');
  expect(await refused('POST', '/api/kernels', { path: 7 })).toBe(
    '400 The field "path" of the request must be a text.',
  );
  expect(await refused('POST', '/api/sessions', { path: 'a', type: 'notebook', kernel: { name: 'python3' } })).toBe(
    '501 There is no kernel "python3" here. Choose "oddslab", or open the notebook in the Jupyter that has it: ' +
      'oddslab lab --jupyter',
  );
  expect((await ask('GET', '/api/sessions')).json).toEqual([]);
});

test('a notebook is renamed while it runs, changes its kernel, and restarts', async () => {
  const { ask, url, folder } = await serveKernels();
  const { json: session } = await ask('POST', '/api/sessions', { path: 'a.ipynb', type: 'notebook' });
  const socket = await connectTo(url, session.kernel.id);
  await socket.over(socket.run('const kept = 1'));
  await mkdir(join(folder, 'other'));
  const renamed = await ask('PATCH', `/api/sessions/${session.id}`, { path: 'other/b.ipynb', name: 'b.ipynb' });
  expect(renamed.json).toMatchObject({ id: session.id, path: 'other/b.ipynb', name: 'b.ipynb' });
  expect(renamed.json.kernel.id).toBe(session.kernel.id);
  const id = socket.run('console.log(kept)');
  await socket.over(id);
  expect(socket.text(id)).toBe('1\n');
  const before = socket.seen.length;
  expect((await ask('POST', `/api/kernels/${session.kernel.id}/restart`)).json.id).toBe(session.kernel.id);
  const after = socket.run("console.log(typeof kept, process.cwd(), import.meta.url.split('/').at(-1))");
  expect((await socket.over(after)).content.execution_count).toBe(1);
  expect(socket.text(after)).toBe(`undefined ${join(folder, 'other')} b.ipynb\n`);
  const states = socket.seen.slice(before).flatMap(({ content }) => content.execution_state ?? []);
  expect(states[0]).toBe('starting');
  expect(states).not.toContain('restarting');
  const changed = await ask('PATCH', `/api/sessions/${session.id}`, { kernel: { name: 'oddslab' } });
  expect(changed.json.kernel.id).not.toBe(session.kernel.id);
  expect((await ask('GET', '/api/kernels')).json).toHaveLength(1);
  expect((await ask('GET', '/api/sessions')).json).toMatchObject([{ id: session.id, path: 'other/b.ipynb' }]);
  await expect.poll(() => socket.code).toBe(1001);
});

test('interrupts, ends of the process, questions and a folder that is gone reach the page', async () => {
  const { ask, url, folder } = await serveKernels();
  await mkdir(join(folder, 'deep'));
  const { json: kernel } = await ask('POST', '/api/kernels', { path: 'deep' });
  const socket = await connectTo(url, kernel.id);
  const loop = socket.run('console.log("on"); for (;;);');
  await socket.until(({ parent_header, content }) => parent_header.msg_id === loop && content.text === 'on\n');
  expect((await ask('POST', `/api/kernels/${kernel.id}/interrupt`)).status).toBe(204);
  expect((await socket.over(loop)).content).toMatchObject({ status: 'error', ename: 'Interrupted' });
  const asking = socket.run('console.log(await input("Name? "))');
  const question = await socket.until(({ channel }) => channel === 'stdin');
  expect(question.content).toEqual({ prompt: 'Name? ', password: false });
  socket.send('input_reply', { value: 'Ada', status: 'ok' }, { channel: 'stdin', parent: question.header });
  await socket.over(asking);
  expect(socket.text(asking)).toBe('Ada\n');
  const ended = await socket.over(socket.run('process.exit(3)'));
  expect(ended.content).toMatchObject({ status: 'error', ename: 'ProcessExit' });
  expect((await socket.over(socket.run('1'))).content.status).toBe('ok');
  await rm(join(folder, 'deep'), { recursive: true });
  await ask('POST', `/api/kernels/${kernel.id}/restart`);
  const lost = await socket.over(socket.run('1'));
  expect(lost.content).toMatchObject({ status: 'error', ename: 'ProcessCrash' });
  expect(lost.content.evalue).toContain(`folder ${join(folder, 'deep')} is gone`);
  socket.send('shutdown_request', { restart: false }, { channel: 'control' });
  await expect.poll(async () => (await ask('GET', '/api/kernels')).json).toEqual([]);
});

test('what is asked to run while the kernel restarts runs in the new one, or is answered', async () => {
  const { ask, url } = await serveKernels();
  const { json: kernel } = await ask('POST', '/api/kernels', {});
  const [socket, other] = [await connectTo(url, kernel.id), await connectTo(url, kernel.id)];
  await socket.over(socket.run('const kept = 1'));
  const loop = other.run('for (;;);');
  await other.until(
    ({ header, parent_header }) => parent_header.msg_id === loop && header.msg_type === 'execute_input',
  );
  const restarted = ask('POST', `/api/kernels/${kernel.id}/restart`);
  // The one that runs is ended, and who has sent it is told.
  const ids: string[] = [];
  for (let at = 0; at < 40; at++) {
    ids.push(socket.run(`typeof kept + ${at}`));
    await afterMs(2);
  }
  expect((await restarted).status).toBe(200);
  expect((await other.over(loop)).content.status).toMatch(/aborted|error/);
  const replies = await Promise.all(ids.map((id) => socket.over(id)));
  const states = replies.map(({ content }) => content.status);
  expect(states.join(' ')).toMatch(/^((aborted|error) )*(ok ?)+$/);
});

test('a session that cannot be changed as asked is not changed, and none is left behind', async () => {
  const inside = async (path: string) => {
    if (/(^|\/)\./.test(path)) throw new PageRefusal(404, `${path} is hidden`);
    return join(tmpdir(), path);
  };
  let startOf: Promise<void> | undefined;
  const env = async () => {
    await startOf;
    return { ...process.env, ODDSLAB_HISTORY: 'off' };
  };
  const { ask, kernels } = await serveKernels({ locate: inside, env });
  const { json: session } = await ask('POST', '/api/sessions', { path: 'a.ipynb', type: 'notebook' });
  expect((await ask('PATCH', `/api/sessions/${session.id}`, { path: '.hidden/x.ipynb' })).status).toBe(404);
  const hidden = { path: '../../x', type: 'notebook', kernel: { id: session.kernel.id } };
  expect((await ask('POST', '/api/sessions', hidden)).status).toBe(404);
  expect((await ask('GET', '/api/sessions')).json).toMatchObject([{ path: 'a.ipynb' }]);
  let go = () => {};
  startOf = new Promise((done) => {
    go = done;
  });
  const changing = kernels.changeSession(session.id, { kernelName: 'oddslab' });
  await kernels.endSession(session.id);
  go();
  await expect(changing).rejects.toThrow('Session not found');
  expect((await ask('GET', '/api/kernels')).json).toEqual([]);
});

test('a cell whose kernel is ended is not told of a new process', async () => {
  const { ask, url } = await serveKernels();
  const { json: kernel } = await ask('POST', '/api/kernels', {});
  const socket = await connectTo(url, kernel.id);
  const loop = socket.run('console.log("on"); for (;;);');
  await socket.until(({ content }) => content.text === 'on\n');
  expect((await ask('DELETE', `/api/kernels/${kernel.id}`)).status).toBe(204);
  await expect.poll(() => socket.code).toBe(1001);
  expect(JSON.stringify(socket.seen.map(({ content }) => content))).not.toContain('A new process');
  expect(socket.text(loop)).toBe('on\n');
});
