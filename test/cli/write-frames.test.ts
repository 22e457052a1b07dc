import { afterEach, expect, test, vi } from 'vitest';
import { writeFrames } from '../../src/cli/write-frames.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const RAISED = '\u001b]0;pwned\u0007Will\u009b2J it\tbe\r\u007fso?';

/** What is printed of a frame with such a question. */
async function printed(form: 'csv' | 'json' | 'ndjson', isTTY: boolean): Promise<string> {
  const written: string[] = [];
  const write = (piece: Uint8Array | string, done: () => void) => {
    written.push(Buffer.from(piece).toString());
    done();
  };
  vi.stubGlobal('process', { ...process, stdout: { isTTY, write } });
  const frame = new DataFrame({ question: [RAISED, 'é'] });
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
  expect(await printed('csv', true)).toBe('question\n"Will it be so?"\né\n');
  expect(await printed('csv', false)).toBe(`question\n"${RAISED}"\né\n`);
  for (const form of ['json', 'ndjson'] as const) {
    expect(await printed(form, true)).not.toMatch(/[^\P{Cc}\n]/u);
    expect(await printed(form, false)).toContain('\u009b');
  }
});
