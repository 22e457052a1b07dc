import { afterEach, expect, test, vi } from 'vitest';
import { writeFrames } from '../../src/cli/write-frames.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const RAISED = '\u001b]0;pwned\u0007Will\u009b2J it\tbe\r\u007fso?';

/** What is printed of a frame. */
async function printed(
  form: 'csv' | 'json' | 'ndjson',
  isTTY: boolean,
  columns: Record<string, readonly (string | number)[]> = { question: [RAISED, 'é'] },
): Promise<string> {
  const written: string[] = [];
  const write = (piece: Uint8Array | string, done: () => void) => {
    written.push(Buffer.from(piece).toString());
    done();
  };
  vi.stubGlobal('process', { ...process, stdout: { isTTY, write } });
  const frame = new DataFrame(columns);
  await writeFrames(
    (async function* () {
      yield frame;
    })(),
    form,
    { format: form, gzip: false },
  );
  return written.join('');
}

test('records drive no terminal, and go to a pipe as they are', async () => {
  expect(await printed('csv', true)).toBe('question\n" ]0;pwned Will 2J it be so?"\né\n');
  expect(await printed('csv', false)).toBe(`question\n"${RAISED}"\né\n`);
  for (const form of ['json', 'ndjson'] as const) {
    expect(await printed(form, true)).not.toMatch(/[^\P{Cc}\n]/u);
    expect(await printed(form, false)).toContain('\u009b');
  }
});

test.each([
  ['an escape', { question: ['Will it?\u001b'], pnl: [-150.5], wallet: ['end'] }, 'Will it? ,-150.5,end'],
  ['a colour', { question: ['Will it?\u001b['], pnl: [-150.5], wallet: ['end'] }, 'Will it? [,-150.5,end'],
  ['a command', { question: ['\u001b]0;x'], pnl: [-150.5], wallet: ['\u0007end'] }, ' ]0;x,-150.5, end'],
])('%s that a field leaves open takes nothing of the next ones', async (_, columns, row) => {
  expect(await printed('csv', true, columns)).toBe(`question,pnl,wallet\n${row}\n`);
});

test('JSON that is printed on a terminal stays JSON', async () => {
  const columns = { q: ['\u009b1;', '\u007f'], id: ['victim', '\u202eid'] };
  const records = [
    { q: ' 1;', id: 'victim' },
    { q: ' ', id: ' id' },
  ];
  expect(JSON.parse(await printed('json', true, columns))).toEqual(records);
});
