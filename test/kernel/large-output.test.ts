import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

describe('large outputs', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it('come whole, in parts, though they be longer in JSON than any text can be', async () => {
    let length = 0;
    let longest = 0;
    const outcome = await notebook.runner.execute("process.stdout.write('\\0'.repeat(90e6))", {
      onOutput: (event) => {
        if (event.type !== 'stream') return;
        length += event.text.length;
        longest = Math.max(longest, event.text.length);
      },
    });
    expect(outcome).toEqual({ status: 'ok' });
    expect(length).toBe(90e6);
    expect(longest).toBeLessThan(10e6);
  });

  it('are not cut within a character', async () => {
    const texts: string[] = [];
    await notebook.runner.execute("process.stdout.write('a' + '😀'.repeat(3e6))", {
      onOutput: (event) => event.type === 'stream' && texts.push(event.text),
    });
    expect(texts.every((text) => !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(text))).toBe(true);
    expect(texts.join('').length).toBe(6e6 + 1);
  });

  it('of blank lines, written to a stream directly, come at once', async () => {
    const { outcome, events } = await notebook.run(
      "(await import('node:child_process')).execSync('yes \"\" | head -c 1000000 >&2', { stdio: 'inherit' }); 1",
    );
    expect(outcome).toEqual({ status: 'ok' });
    const text = events.map((event) => (event.type === 'stream' && event.name === 'stderr' ? event.text : '')).join('');
    expect(text).toBe('\n'.repeat(1_000_000));
  });

  it.each([
    "display.html('x'.repeat(150e6))",
    "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/html': 'x'.repeat(150e6) }) })",
  ])('that are displayed fail with what to do: %s', async (code) => {
    expect((await notebook.run(code)).outcome).toMatchObject({
      fault: {
        name: 'InputError',
        message:
          'What is shown here has 143 MB of text; up to 100 MB can be shown at once. Show a part of it, or write it to a file.',
      },
    });
  });

  it('that are longer in JSON than any text can be are replaced by word of that', async () => {
    const { outcome, events } = await notebook.run("display.html('\\0'.repeat(90e6)); 1");
    expect(outcome).toEqual({ status: 'ok' });
    expect(events).toMatchObject([
      { type: 'stream', name: 'stderr', text: expect.stringContaining('too large to be sent') },
      { type: 'result' },
    ]);
  });

  it('of an error with many blank lines, as a value, come at once', async () => {
    const { outcome, result } = await notebook.run("new Error('a' + '\\n'.repeat(300_000) + 'b')");
    expect(outcome).toEqual({ status: 'ok' });
    expect(result).toMatch(/^Error: a\n{300000}b\n {4}at cell \d+:1:1$/);
  });

  it('of errors are clipped', async () => {
    const { outcome } = await notebook.run("throw new Error('x'.repeat(3e6))");
    expect(outcome).toMatchObject({ fault: { message: expect.stringMatching(/… \(2000000 characters more\)$/) } });
  });
});
