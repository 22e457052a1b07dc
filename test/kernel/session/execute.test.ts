import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { onceOver } from '../../support/once-over.js';
import { inShort, TestSession } from './test-session.js';

let kernel: TestSession;

const contentOf = async (code: string, options: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
  const said = await kernel.run(code, options);
  return said.find(({ type }) => type === 'execute_reply')?.content ?? {};
};

describe('cells in a session of their own', () => {
  beforeEach(() => {
    const own = new TestSession();
    kernel = own;
    onTestFinished(() => own.close());
  });

  it('says everything of a cell in its order', async () => {
    const said = await kernel.run('console.log("a"); console.error("b"); 1 + 1');
    expect(inShort(said)).toEqual([
      'status busy',
      'execute_input 1',
      'stream a\n',
      'stream b\n',
      'execute_result 2',
      'execute_reply ok',
      'status idle',
    ]);
    const { channel, content } = said[5] ?? {};
    expect({ channel, content }).toEqual({
      channel: 'shell',
      content: { status: 'ok', execution_count: 1, user_expressions: {}, payload: [] },
    });
  });

  it('runs a cell in the language that the metadata note which JupyterLab sends with it', async () => {
    const answers = [];
    for (const [code, metadata] of [
      ['6 * 7', { vscode: { languageId: 'typescript' } }],
      ['SELECT 1 + 1 AS n', { polyglot_notebook: { kernelName: 'sql' } }],
      ['total = 7 // 2', { vscode: { languageId: 'python' } }],
    ] as const) {
      const said = await kernel.idle(kernel.post('execute_request', { code }, 'shell', undefined, { metadata }));
      const contents = said.filter(({ type }) => /^(execute_input|execute_result|error)$/.test(type));
      answers.push(
        contents.map(({ content: { code: sent, data, evalue } }) => sent ?? evalue ?? Object.keys(Object(data))),
      );
    }
    expect(answers).toEqual([
      ['6 * 7', ['text/plain']],
      ['SELECT 1 + 1 AS n', expect.arrayContaining(['text/html'])],
      ['total = 7 // 2', expect.stringMatching(/^Cells in python do not run here\. /)],
    ]);
  });

  it('counts only what is to be kept', async () => {
    const counts = [];
    for (const [code, options] of [
      ['1', {}],
      ['2', { silent: true }],
      ['3', { store_history: false }],
      ['  \n', {}],
      ['4', {}],
    ] as const) {
      counts.push((await contentOf(code, options)).execution_count);
    }
    expect(counts).toEqual([1, 1, 1, 1, 2]);
    const { history } = await kernel.ask('history_request', { hist_access_type: 'tail', n: 9, output: true });
    expect(history).toEqual([
      [expect.any(Number), 1, ['1', '1']],
      [expect.any(Number), 2, ['4', '4']],
    ]);
  });

  it('aborts what waits behind an error, and nothing that is sent after its reply', async () => {
    const failing = kernel.post('execute_request', { code: 'throw new RangeError("no")' });
    const behind = ['1', '2'].map((code) => kernel.post('execute_request', { code }));
    expect(inShort(await kernel.idle(failing)).slice(1)).toEqual([
      'execute_input 1',
      'error RangeError',
      'execute_reply error',
      'status idle',
    ]);
    for (const id of behind) {
      expect(inShort(await kernel.idle(id))).toEqual(['status busy', 'execute_reply aborted', 'status idle']);
    }
    expect(inShort(await kernel.run('3'))[2]).toBe('execute_result 3');
  });

  it('aborts what was sent before the reply and comes after it', async () => {
    const sent = Date.now();
    const code = 'await new Promise((go) => setTimeout(go, 30)); throw 1';
    await kernel.idle(kernel.post('execute_request', { code }, 'shell', new Date(sent).toISOString()));
    // Its date lies right behind that of the failing cell, as that of a message which the network held up.
    const held = kernel.post('execute_request', { code: '5' }, 'shell', new Date(sent + 5).toISOString());
    expect(inShort(await kernel.idle(held))).toEqual(['status busy', 'execute_reply aborted', 'status idle']);
    expect(inShort(await kernel.run('6'))[2]).toBe('execute_result 6');
  });

  it.each([
    ['of whole seconds', () => new Date().toISOString().replace(/\.\d+/, '')],
    ['that never change', () => '2026-01-01T00:00:00.000Z'],
  ])('aborts nothing that is sent after the reply by a front end with dates %s', async (_, date) => {
    const post = (code: string): string => kernel.post('execute_request', { code }, 'shell', date());
    for (let round = 0; round < 3; round += 1) {
      await kernel.idle(post('throw 1'));
      expect(inShort(await kernel.idle(post('2')))[2]).toBe('execute_result 2');
    }
  });

  it('answers a malformed request with an error and lives on', async () => {
    expect(await contentOf('', { code: 3 })).toMatchObject({
      status: 'error',
      ename: 'InputError',
      evalue: 'The field "code" of the request must be a text.',
    });
    expect(await kernel.ask('complete_request', { cursor_pos: 1 })).toMatchObject({ status: 'error' });
    await kernel.idle(kernel.post('comm_open', { comm_id: 4 }));
    await kernel.idle(kernel.post('no_such_request', {}));
    expect(inShort(await kernel.run('1'))[2]).toBe('execute_result 1');
    expect(kernel.logged).toEqual([
      'A message of type "comm_open" on shell was malformed.',
      'Messages of type "no_such_request" on shell are ignored: the kernel does not know them.',
    ]);
  });
});

describe('cells after others, in one session', () => {
  beforeAll(() => {
    kernel = new TestSession();
  });
  beforeEach(() => {
    // What a test before said, or a first try of the same, is none of this one's.
    kernel.said.length = 0;
  });
  afterAll(() => kernel.close());

  it('is quiet where it should be, yet answers', async () => {
    expect(inShort(await kernel.run('console.log(1); var kept = 3; kept', { silent: true }))).toEqual([
      'status busy',
      'execute_reply ok',
      'status idle',
    ]);
    expect(inShort(await kernel.run('throw new Error("x")', { silent: true }))).toEqual([
      'status busy',
      'execute_reply error',
      'status idle',
    ]);
    expect(inShort(await kernel.run('kept'))[2]).toBe('execute_result 3');
  });

  it('evaluates expressions beside a cell', async () => {
    const { user_expressions } = await contentOf('const x = 4', { user_expressions: { good: 'x * 2', bad: 'y' } });
    expect(user_expressions).toEqual({
      good: { status: 'ok', data: expect.objectContaining({ 'text/plain': '8' }), metadata: {} },
      bad: { status: 'error', ename: 'ReferenceError', evalue: 'y is not defined', traceback: expect.any(Array) },
    });
  });

  it('awaits the value of an expression beside a cell', async () => {
    const user_expressions = {
      good: 'new Promise((resolve) => setTimeout(resolve, 20, 42))',
      bad: 'Promise.reject(new RangeError("no"))',
    };
    expect((await contentOf('1', { user_expressions })).user_expressions).toEqual({
      good: { status: 'ok', data: expect.objectContaining({ 'text/plain': '42' }), metadata: {} },
      bad: { status: 'error', ename: 'RangeError', evalue: 'no', traceback: expect.any(Array) },
    });
  });

  it('goes on behind an error where it should not stop', async () => {
    kernel.post('execute_request', { code: 'throw 1', stop_on_error: false });
    expect(inShort(await kernel.run('2'))[2]).toBe('execute_result 2');
  });

  it('publishes what comes late under the cell that caused it', async () => {
    const first = kernel.post('execute_request', { code: 'setTimeout(() => console.log("late"), 50)' });
    await kernel.idle(first);
    const second = kernel.post('execute_request', { code: 'await new Promise((go) => setTimeout(go, 100)); "done"' });
    await kernel.idle(second);
    await kernel.seen('late');
    expect(kernel.said.find(({ content }) => content.text === 'late\n')?.parent).toBe(first);
  });

  it('shows an error that no cell awaits under the cell that caused it', async () => {
    const first = kernel.post('execute_request', { code: onceOver('throw new Error("stray");') });
    await kernel.idle(first);
    await kernel.seen('stray');
    const stray = kernel.said.find(({ content }) => String(content.text).includes('stray'));
    expect({ name: stray?.content.name, parent: stray?.parent }).toEqual({ name: 'stderr', parent: first });
    expect(inShort(await kernel.run('1'))[2]).toBe('execute_result 1');
  });

  it('joins a hundred thousand lines into a handful of messages and loses none', async () => {
    const said = await kernel.run('for (let at = 0; at < 100_000; at++) console.log("line", at)');
    const streams = said.filter(({ type }) => type === 'stream');
    expect(streams.length).toBeLessThanOrEqual(20);
    const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join('');
    expect(streams.map(({ content }) => content.text).join('') === lines).toBe(true);
  });
});
