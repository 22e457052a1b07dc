import { afterEach, expect, it } from 'vitest';
import { diagnosticsText } from '../../../src/kernel/types/cell-diagnostics.js';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { TypesMode } from '../../../src/kernel/types/type-service.js';
import { TestSession } from './test-session.js';

let kernel: TestSession;
let opened: number;
afterEach(() => kernel.close());

/** Starts a session with TypeScript's own language server. */
function start(mode: TypesMode = 'warn'): void {
  opened = 0;
  kernel = new TestSession({
    mode,
    open: async () => {
      opened += 1;
      return { service: openTypeService({ folder: kernel.folder }), describe: diagnosticsText };
    },
  });
}

it('tells what a cell would be warned of, in code points', async () => {
  start();
  await kernel.run("const size = 3; const word = '😀';");
  const code = "'😀😀'; const n: number = word;\n'😀'; size.length";
  expect(await kernel.ask('diagnostics_request', { code })).toEqual({
    status: 'ok',
    diagnostics: [
      {
        from: 12,
        to: 13,
        severity: 'error',
        code: 2322,
        message: "Type 'string' is not assignable to type 'number'.",
      },
      {
        from: 40,
        to: 46,
        severity: 'error',
        code: 2339,
        message: "Property 'length' does not exist on type '3'.",
      },
    ],
  });
  expect([...code].slice(40, 46).join('')).toBe('length');
  expect(await kernel.ask('diagnostics_request', { code: '' })).toEqual({ status: 'ok', diagnostics: [] });
});

it('tells while typing what it then warns of, word for word', async () => {
  start();
  const code = "'😀'; const n: number = 'a'; try { nowhere.at; } catch {} [1].map((x) => x.y)";
  const reply = await kernel.ask('diagnostics_request', { code });
  await kernel.run(code);
  await kernel.seen('TS2339');
  const told = kernel.said.map(({ content }) => content.text).find((text) => String(text).includes('TS2339'));
  const heads = (reply.diagnostics as { severity: string; code: number; message: string }[]).map(
    ({ severity, code, message }) => `${severity} TS${code}: ${message}`,
  );
  expect(heads).toHaveLength(3);
  expect(String(told).match(/(error|warning) TS\d+: .*/g)).toEqual(heads);
});

it('tells the call around the cursor, in code points, its documentation as text', async () => {
  start();
  await kernel.run('/** Adds **both**.\n * @param a The `first`. */\nfunction add(a: number, 𝐛: string) {}');
  const code = "'😀'; add(1, ) /* after */";
  // On a busy machine the first question may end before the types are read.
  await expect
    .poll(() => kernel.ask('signature_request', { code, cursor_pos: 12 }))
    .toEqual({
      status: 'ok',
      found: true,
      active: 0,
      parameter: 1,
      signatures: [
        {
          label: 'add(a: number, 𝐛: string): void',
          documentation: 'Adds both.',
          parameters: [
            { from: 4, to: 13, documentation: 'The first.' },
            { from: 15, to: 24, documentation: '' },
          ],
        },
      ],
    });
  const none = { status: 'ok', found: false, signatures: [], active: 0, parameter: null };
  expect(await kernel.ask('signature_request', { code, cursor_pos: 2 })).toEqual(none);
});

it('answers while a cell runs', async () => {
  start();
  const cell = kernel.post('execute_request', { code: 'const late = await input("wait")' });
  await kernel.until(() => kernel.said.some(({ type }) => type === 'input_request'));
  const { diagnostics } = await kernel.ask('diagnostics_request', { code: 'late.at(0); late.none' });
  expect(diagnostics).toMatchObject([{ code: 2339, from: 17, to: 21 }]);
  kernel.post('input_reply', { value: 'x' }, 'stdin');
  expect(cell).toBeDefined();
});

it('drops an older request for the newer one of the same cell of the same front end alone', async () => {
  start();
  const ask = (code: string, session: string, cellId?: string) =>
    kernel.post('diagnostics_request', { code }, 'shell', undefined, { session, metadata: cellId ? { cellId } : {} });
  const ids = [
    ask('one', 'a', '1'),
    ask('two', 'a', '2'),
    ask('three', 'b', '1'),
    ask('four', 'a', '1'),
    ask('five', 'c'),
    ask('six', 'c'),
  ];
  const replies = await Promise.all(
    ids.map(async (id) => (await kernel.idle(id)).find(({ type }) => type === 'diagnostics_reply')?.content),
  );
  expect(replies.map((content) => content?.status)).toEqual(['aborted', 'ok', 'ok', 'ok', 'aborted', 'ok']);
});

it('says nothing of a huge text, and nothing at all where types are off', async () => {
  start();
  expect(await kernel.ask('diagnostics_request', { code: `nowhere; /* ${'x'.repeat(50_000)} */` })).toEqual({
    status: 'ok',
    diagnostics: [],
  });
  const many = Array.from({ length: 300 }, (_, at) => `nowhere${at};`).join('\n');
  expect((await kernel.ask('diagnostics_request', { code: many })).diagnostics).toHaveLength(100);
  await kernel.close();
  start('off');
  expect(await kernel.ask('diagnostics_request', { code: 'nowhere' })).toEqual({ status: 'ok', diagnostics: [] });
  expect(opened).toBe(0);
});

it('refuses a request without code', async () => {
  start();
  for (const type of ['diagnostics_request', 'signature_request'])
    expect(await kernel.ask(type, { code: 3 })).toMatchObject({
      status: 'error',
      evalue: 'The field "code" of the request must be a text.',
    });
});

it('forgets what was known with the process that ran it', async () => {
  start();
  await kernel.run('const gone = 1');
  expect((await kernel.ask('diagnostics_request', { code: 'gone' })).diagnostics).toEqual([]);
  await kernel.run('process.exit(0)');
  expect((await kernel.ask('diagnostics_request', { code: 'gone' })).diagnostics).toMatchObject([{ code: 2304 }]);
});
