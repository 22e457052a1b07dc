import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inShort, type Said, TestSession } from './test-session.js';

let kernel: TestSession;
const said = (): readonly Said[] => kernel.said;
const asked = (): Said[] => said().filter(({ type }) => type === 'input_request');

describe('what ends with its cell, in one session', () => {
  beforeAll(() => {
    kernel = new TestSession();
  });
  beforeEach(() => {
    // What a test before said, or a first try of the same, is none of this one's.
    kernel.said.length = 0;
  });
  afterAll(() => kernel.close());

  it('asks for lines one at a time, and takes answers with and without parent', async () => {
    const cell = kernel.post('execute_request', { code: 'await Promise.all([input("a "), password("b ")])' });
    await kernel.until(() => asked().length === 1);
    expect(asked()[0]).toEqual({
      channel: 'stdin',
      type: 'input_request',
      parent: cell,
      content: { prompt: 'a ', password: false },
    });
    kernel.post('input_reply', { value: 'first' }, 'stdin');
    await kernel.until(() => asked().length === 2);
    kernel.post('input_reply', { value: 'second' }, 'stdin');
    expect(inShort(await kernel.idle(cell))).toContain("execute_result [ 'first', 'second' ]");
    expect(asked()[1]?.content).toEqual({ prompt: 'b ', password: true });
  });

  it('shows what the cell has printed before it asks', async () => {
    const pause = 'await new Promise((resolve) => setTimeout(resolve, 20));';
    const cell = kernel.post('execute_request', {
      code: `console.log("Reading."); ${pause} console.log("1: Ann"); await input("Which? ")`,
    });
    await kernel.until(() => asked().length === 1);
    kernel.post('input_reply', { value: '1' }, 'stdin');
    const types = (await kernel.idle(cell)).map(({ type }) => type);
    expect(types.lastIndexOf('stream')).toBeLessThan(types.indexOf('input_request'));
  });

  it.each(['x', 'display(x); 0'])('asks for what a value needs in order to be shown: %s', async (code) => {
    await kernel.run(`const x = {
    async [Symbol.for('Jupyter.display')]() { return { 'text/plain': 'from ' + (await input('Which? ')) }; },
  }`);
    const cell = kernel.post('execute_request', { code: `console.log('before'); ${code}` });
    await kernel.until(() => asked().length === 1);
    kernel.post('input_reply', { value: 'Ann' }, 'stdin');
    const said = inShort(await kernel.idle(cell));
    expect(said.indexOf('stream before\n')).toBeLessThan(said.indexOf('input_request'));
    expect(said.join()).toMatch(/(execute_result|display_data) from Ann/);
  });

  it('asks for what a value needs once it has printed the choice', async () => {
    const cell = kernel.post('execute_request', {
      code: `display({ async [Symbol.for('Jupyter.display')]() {
    await null;
    console.log('1: Ann');
    return { 'text/plain': await input('Which? ') };
  } })`,
    });
    await kernel.until(() => asked().length === 1);
    kernel.post('input_reply', { value: '1' }, 'stdin');
    const said = inShort(await kernel.idle(cell));
    expect(said.indexOf('stream 1: Ann\n')).toBeGreaterThan(-1);
    expect(said.indexOf('stream 1: Ann\n')).toBeLessThan(said.indexOf('input_request'));
  });

  it('asks about a picture once it is shown', async () => {
    const cell = kernel.post('execute_request', {
      code: `display({ [Symbol.for('Jupyter.display')]: async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { 'text/plain': 'picture' };
  } }); await input('Nice? ')`,
    });
    await kernel.until(() => asked().length === 1);
    kernel.post('input_reply', { value: 'y' }, 'stdin');
    const types = (await kernel.idle(cell)).map(({ type }) => type);
    expect(types.indexOf('display_data')).toBeLessThan(types.indexOf('input_request'));
  });

  it('fails in the cell where nobody can be asked', async () => {
    const said = await kernel.run('await input("a ")', { allow_stdin: false });
    expect(asked()).toEqual([]);
    expect(String(said.find(({ type }) => type === 'error')?.content.evalue)).toMatch(/nobody can be asked/);
  });

  it('asks for a cell that runs though one that is over waits for an answer', async () => {
    await kernel.run("setTimeout(async () => { console.log('late:', await input('late ')); }, 10)");
    await kernel.until(() => asked().length === 1);
    const cell = kernel.post('execute_request', { code: 'await input("mine ")' });
    await kernel.until(() => asked().length === 2);
    kernel.post('input_reply', { value: 'now' }, 'stdin');
    expect(inShort(await kernel.idle(cell))).toContain("execute_result 'now'");
    kernel.post('input_reply', { value: 'at last' }, 'stdin');
    await kernel.seen('late: at last');
  });

  it('keeps the question of a cell that is over, asked while it ran', async () => {
    await kernel.run('var got = input("early "); await new Promise((resolve) => setTimeout(resolve, 50)); 0');
    expect(asked()).toHaveLength(1);
    kernel.post('input_reply', { value: 'answered' }, 'stdin');
    expect(inShort(await kernel.run('await got'))).toContain("execute_result 'answered'");
  });

  it('drops the question of a cell that was interrupted', async () => {
    const cell = kernel.post('execute_request', { code: 'await input("a ")' });
    await kernel.until(() => asked().length === 1);
    kernel.session.interrupt();
    await kernel.idle(cell);
    kernel.post('input_reply', { value: 'too late' }, 'stdin');
    const next = kernel.post('execute_request', { code: 'await input("b ")' });
    await kernel.until(() => asked().length === 2);
    kernel.post('input_reply', { value: 'in time' }, 'stdin');
    expect(inShort(await kernel.idle(next))).toContain("execute_result 'in time'");
  });

  it('carries comms both ways', async () => {
    await kernel.run(
      'comms.on("echo", (comm, data) => { comm.send({ opened: data }); comm.onMessage((d) => comm.send({ back: d })); })',
    );
    kernel.post('comm_open', { comm_id: 'c1', target_name: 'echo', data: { a: 1 } });
    kernel.post('comm_msg', { comm_id: 'c1', data: 'hello' });
    const messages = (): unknown[] =>
      said()
        .filter(({ type }) => type === 'comm_msg')
        .map(({ content }) => content);
    await kernel.until(() => messages().length === 2);
    expect(messages()).toEqual([
      { comm_id: 'c1', data: { opened: { a: 1 } } },
      { comm_id: 'c1', data: { back: 'hello' } },
    ]);
    expect(await kernel.ask('comm_info_request', { target_name: 'echo' })).toEqual({
      status: 'ok',
      comms: { c1: { target_name: 'echo' } },
    });
    expect(await kernel.ask('comm_info_request', { target_name: 'other' })).toEqual({ status: 'ok', comms: {} });
    kernel.post('comm_close', { comm_id: 'c1', data: {} });
    expect(await kernel.ask('comm_info_request')).toEqual({ status: 'ok', comms: {} });
  });

  it('opens comms from a cell', async () => {
    const said = await kernel.run('const comm = comms.open("widget", { a: 1 }); comm.send({ b: 2 }); comm.close(); 0');
    const { comm_id } = said.find(({ type }) => type === 'comm_open')?.content ?? {};
    expect(said.filter(({ type }) => type.startsWith('comm_')).map(({ type, content }) => ({ type, content }))).toEqual(
      [
        { type: 'comm_open', content: { comm_id, target_name: 'widget', data: { a: 1 } } },
        { type: 'comm_msg', content: { comm_id, data: { b: 2 } } },
        { type: 'comm_close', content: { comm_id, data: {} } },
      ],
    );
  });
});

describe('what lasts, in a session of its own', () => {
  beforeEach(() => {
    const own = new TestSession();
    kernel = own;
    onTestFinished(() => own.close());
  });

  it('shows what a handler of a comm has printed before it asks', async () => {
    await kernel.run(`comms.on("t", async () => {
    console.log("Reading.");
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log("1: Ann");
    await input("Which? ");
  })`);
    kernel.post('comm_open', { comm_id: 'c', target_name: 't', data: {} });
    await kernel.until(() => asked().length === 1);
    const shown = kernel.said.filter(({ type }) => type === 'stream' || type === 'input_request');
    expect(shown.map(({ content }) => content.text ?? content.prompt).join('')).toBe('Reading.\n1: Ann\nWhich? ');
  });

  it('asks about a picture once it is shown, also after an interrupt of a display that a comm began', async () => {
    await kernel.run(`const own = Symbol.for('Jupyter.display');
  const loop = { [own]() { for (;;); } };
  const slow = { [own]: () => new Promise((resolve) => setTimeout(() => resolve({ 'text/plain': 'slow' }), 30)) };
  comms.on('t', () => { console.log('began'); display(loop); })`);
    kernel.post('comm_open', { comm_id: 'c', target_name: 't', data: {} });
    await kernel.seen('began');
    kernel.session.interrupt();
    await kernel.seen('Interrupted');
    const cell = kernel.post('execute_request', { code: "display(slow); await input('Nice? ')" });
    await kernel.until(() => asked().length === 1);
    kernel.post('input_reply', { value: 'y' }, 'stdin');
    const types = (await kernel.idle(cell)).map(({ type }) => type);
    expect(types.indexOf('display_data')).toBeLessThan(types.indexOf('input_request'));
  });

  it('is done with a comm message whose display is late, and shows that when it comes', async () => {
    await kernel.run(`let draw = () => {}; comms.on("t", () => {
    display({ [Symbol.for('Jupyter.display')]: () => new Promise((resolve) => { draw = () => resolve({ 'text/plain': 'late' }); }) });
  })`);
    const opened = kernel.post('comm_open', { comm_id: 'c', target_name: 't', data: {} });
    expect(inShort(await kernel.idle(opened))).toEqual(['status busy', 'status idle']);
    await kernel.run('draw()');
    expect(inShort(kernel.said.filter(({ parent }) => parent === opened)).at(-1)).toBe('display_data late');
  });

  it('forgets what a process asked for that is gone', async () => {
    await kernel.run('setTimeout(() => void input("late "), 10)');
    await kernel.until(() => asked().length === 1);
    await kernel.run('process.exit(1)');
    await kernel.run('setTimeout(async () => console.log("got", await input("b ")), 10)');
    await kernel.until(() => asked().length === 2);
    kernel.post('input_reply', { value: 'b' }, 'stdin');
    await kernel.seen('got b');
  });

  it('runs the handlers of a comm message between its busy and its idle, beside the cell that runs', async () => {
    await kernel.run(
      'comms.on("t", (comm) => comm.onMessage((d) => { console.log(d); comm.send(d); throw new Error("H"); }))',
    );
    await kernel.idle(kernel.post('comm_open', { comm_id: 'c', target_name: 't', data: {} }));
    const cell = kernel.post('execute_request', { code: 'await new Promise((go) => setTimeout(go, 300)); "mine"' });
    const next = kernel.post('execute_request', { code: '"next"' });
    const heard = await kernel.idle(kernel.post('comm_msg', { comm_id: 'c', data: 'hello' }));
    expect(inShort(heard)).toEqual([
      'status busy',
      'stream hello\n',
      'comm_msg',
      expect.stringMatching(/^stream Error: H\n/),
      'status idle',
    ]);
    expect(inShort(await kernel.idle(cell)).slice(-3)).toEqual([
      "execute_result 'mine'",
      'execute_reply ok',
      'status idle',
    ]);
    expect(inShort(await kernel.idle(next))).toContain("execute_result 'next'");
  });

  it('opens a comm for a target that a waiting cell registers', async () => {
    await kernel.run('0');
    kernel.post('execute_request', { code: 'await new Promise((go) => setTimeout(go, 300))' });
    kernel.post('execute_request', {
      code: 'comms.on("t", (comm, data) => { comm.send({ data }); comm.onMessage((d) => comm.send({ back: d })); })',
    });
    kernel.post('comm_open', { comm_id: 'c', target_name: 't', data: 1 });
    kernel.post('comm_msg', { comm_id: 'c', data: 2 });
    kernel.post('comm_open', { comm_id: 'none', target_name: 'none', data: {} });
    const ofComms = (): unknown[] =>
      kernel.said.filter(({ type }) => type.startsWith('comm_')).map(({ type, content }) => [type, content]);
    await kernel.until(() => ofComms().length === 3);
    expect(ofComms().sort()).toEqual([
      ['comm_close', { comm_id: 'none', data: {} }],
      ['comm_msg', { comm_id: 'c', data: { data: 1 } }],
      ['comm_msg', { comm_id: 'c', data: { back: 2 } }],
    ]);
    expect(await kernel.ask('comm_info_request')).toEqual({ status: 'ok', comms: { c: { target_name: 't' } } });
  });

  it('closes a comm that is for nobody', async () => {
    const closed = (id: string): boolean =>
      kernel.said.some(({ type, content }) => type === 'comm_close' && content.comm_id === id);
    kernel.post('comm_open', { comm_id: 'early', target_name: 'none', data: {} });
    await kernel.until(() => closed('early'));
    await kernel.run('1');
    kernel.post('comm_open', { comm_id: 'later', target_name: 'none', data: {} });
    await kernel.until(() => closed('later'));
    kernel.post('comm_msg', { comm_id: 'never', data: {} });
    await kernel.until(() => closed('never'));
    expect(await kernel.ask('comm_info_request')).toEqual({ status: 'ok', comms: {} });
  });
});
