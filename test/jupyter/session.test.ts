import { setTimeout as afterMs } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JupyterClient } from './jupyter-client.js';
import { faultsOf } from './protocol-schema.js';
import { brokenLaws } from './session-laws.js';
import { startKernel } from './start-kernel.js';

const ROUNDS = 7;
const SETTLE_MS = 100;

test('every message of a long session is as the protocol says', async () => {
  const client = await startKernel({ env: { ODDSLAB_TYPES: 'warn' } });
  const unheard = unheardOf(client);
  const late = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    await cells(client, round, late);
    await questions(client, round);
    await oddRequests(client, round);
    await commsAndInput(client, round);
    await abortedQueue(client, round);
    if (round % 4 === 0) await interrupts(client);
    await burst(client, round);
  }
  const shutdown = await client.shutdown({ restart: true });
  expect(shutdown.content).toEqual({ status: 'ok', restart: true });
  expect(client.faults).toEqual([]);
  expect(client.received.flatMap(faultsOf)).toEqual([]);
  const sent = client.sent.filter(({ header }) => !unheard.has(header.msg_id));
  const received = client.received.filter(({ parent_header }) => !unheard.has(parent_header.msg_id ?? ''));
  expect(brokenLaws(sent, received, late)).toEqual([]);
  expect(client.sent.length).toBeGreaterThan(500);
}, 120_000);

/** Ids of the first requests, of which iopub told nothing: they reached the kernel before the subscription did. */
function unheardOf({ sent, received }: JupyterClient): Set<string> {
  const heard = new Set(received.filter(({ channel }) => channel === 'iopub').map((each) => each.parent_header.msg_id));
  return new Set(sent.map(({ header }) => header.msg_id).filter((id) => !heard.has(id)));
}

/** Cells with every kind of output and of end. */
async function cells(client: JupyterClient, round: number, late: Set<string>): Promise<void> {
  const codes = [
    `const shared = ${round}; console.log('round', shared)`,
    `console.error('to stderr'); shared + 1`,
    `display.html('<b>${round}</b>'); display.svg('<svg xmlns="http://www.w3.org/2000/svg"/>'); display({ shared })`,
    `display.markdown('*a*', { id: 'a${round}' }); display.update('a${round}', 'b')`,
    `display('shown', { id: 'b${round}' }); display.clear(); display.clear({ wait: true }); display.json({ a: [1, null] })`,
    `display.page('for the pager')`,
    `const bar = display.progress(3, 'work'); for (let i = 1; i <= 3; i++) { bar.update(i); await null }`,
    `throw new RangeError('on purpose')`,
    `throw 'a text'`,
    `const = 1`,
    `nowhere.at.all`,
    `const wrong: number = 'text'`,
    `function later(): Promise<string> { return new Promise((done) => setTimeout(() => done('late'), 5)) }; await later()`,
    ``,
    `   `,
    `// nothing but a comment`,
    `import { basename } from 'node:path'; basename('/a/b')`,
    `new Map([['k', [1n, new Date(0), /x/]]])`,
    `[undefined, null, NaN, -0, Symbol('s')]`,
    `'x'.repeat(100_000)`,
    `process.stdout.write('no line end'); undefined`,
    `setTimeout(() => console.log('after the cell'), 1); 'timer'`,
    `setTimeout(() => { throw new Error('in a timer') }, 1); 'timer that throws'`,
    `Promise.reject(new Error('not awaited')); 'rejection'`,
  ];
  for (const code of codes) {
    const { request } = await client.execute(code);
    late.add(request.header.msg_id);
  }
  await client.execute('shared', { silent: true });
  await client.execute('shared', { store_history: false });
  const { reply } = await client.execute(`const done = 1`, {
    user_expressions: { good: 'shared + 1', bad: 'nowhere', picture: '({ a: 1 })', syntax: ')' },
  });
  expect(Object.keys(Object(reply.content.user_expressions))).toEqual(['good', 'bad', 'picture', 'syntax']);
}

/** Requests that ask about code and history. */
async function questions(client: JupyterClient, round: number): Promise<void> {
  await client.request('shell', 'kernel_info_request');
  await client.request('control', 'kernel_info_request');
  for (const code of ['Math.ma', 'shared.to', '', '😀; sha', 'const x = {', 'no.such.thing.']) {
    await client.request('shell', 'complete_request', { code, cursor_pos: [...code].length });
    const detail = { code, cursor_pos: [...code].length, detail_level: round % 2 };
    await client.request('shell', 'inspect_request', detail);
    await client.request('shell', 'is_complete_request', { code });
    await client.request(round % 2 ? 'shell' : 'control', 'diagnostics_request', { code });
    await client.request('shell', 'signature_request', { code: `Math.max(${code}`, cursor_pos: [...code].length });
  }
  const asked = { output: round % 2 === 0, raw: true };
  await client.request('shell', 'history_request', { ...asked, hist_access_type: 'tail', n: 5 });
  const range = { hist_access_type: 'range', session: 0, start: 1, stop: 4 };
  await client.request('shell', 'history_request', { ...asked, ...range });
  const search = { hist_access_type: 'search', pattern: '*shared*', n: 3, unique: true };
  await client.request('shell', 'history_request', { ...asked, ...search });
}

/** Requests that lack fields, or hold wrong ones: each still gets its reply. */
async function oddRequests(client: JupyterClient, round: number): Promise<void> {
  await client.request('shell', 'complete_request', { code: 'abc', cursor_pos: 1000 + round });
  await client.request('shell', 'inspect_request', { code: 'abc', cursor_pos: -1 });
  await client.request('shell', 'history_request', { hist_access_type: 'tail' });
  await client.request('shell', 'is_complete_request', { code: '\0' });
}

/** Comms that the front end and the kernel open, and lines that are asked for. */
async function commsAndInput(client: JupyterClient, round: number): Promise<void> {
  const target = `echo${round}`;
  await client.execute(
    `comms.on('${target}', (comm) => { comm.onMessage((data) => comm.send({ back: data })) }); 'ready'`,
  );
  const comm_id = `comm-${round}`;
  await client.send('shell', 'comm_open', { comm_id, target_name: target, data: {} });
  await client.request('shell', 'comm_info_request', { target_name: target });
  const back = client.waitFor(({ header, content }) => header.msg_type === 'comm_msg' && content.comm_id === comm_id);
  await client.send('shell', 'comm_msg', { comm_id, data: { n: round } });
  expect((await back).content.data).toEqual({ back: { n: round } });
  await client.send('shell', 'comm_close', { comm_id, data: {} });
  await client.send('shell', 'comm_open', { comm_id: `${comm_id}-x`, target_name: 'nobody', data: {} });
  await client.request('shell', 'comm_info_request', {});
  const onInput = (prompt: string, isPassword: boolean) => `${prompt}${isPassword}`;
  const asked = await client.execute(`[await input('name? '), await password('secret? ')]`, { onInput });
  expect(asked.result).toBe("[ 'name? false', 'secret? true' ]");
  const refused = await client.execute(`await input('nobody there')`);
  expect(refused.status).toBe('error');
}

/** A failing cell with others behind it: those that may not run are aborted. */
async function abortedQueue(client: JupyterClient, round: number): Promise<void> {
  const outcomes = await Promise.all([
    client.execute(`await new Promise((done) => setTimeout(done, 20)); throw new Error('stop ${round}')`),
    client.execute(`'aborted'`),
    client.execute(`'aborted too'`),
    client.request('shell', 'kernel_info_request'),
  ]);
  expect(outcomes.map(({ reply }) => reply.content.status)).toEqual(['error', 'aborted', 'aborted', 'ok']);
  const allowed = await Promise.all([
    client.execute(`throw new Error('go on')`, { stop_on_error: false }),
    client.execute(`'runs'`),
  ]);
  expect(allowed.map(({ reply }) => reply.content.status)).toEqual(['error', 'ok']);
}

async function interrupts(client: JupyterClient): Promise<void> {
  for (const code of ['for (;;) {}', 'await new Promise(() => {})']) {
    const running = client.execute(`console.log('runs'); ${code}`);
    await client.waitFor(({ header }) => header.msg_type === 'execute_input');
    await afterMs(SETTLE_MS);
    await client.interrupt();
    expect((await running).status).toBe('error');
  }
  await client.interrupt();
}

/** Many requests at once. */
async function burst(client: JupyterClient, round: number): Promise<void> {
  const answers = Array.from({ length: 10 }, (_, i) => client.execute(`console.log(${i}); ${round * 10 + i}`));
  const results = (await Promise.all(answers)).map(({ result }) => result);
  expect(results).toEqual(Array.from({ length: 10 }, (_, i) => String(round * 10 + i)));
}
