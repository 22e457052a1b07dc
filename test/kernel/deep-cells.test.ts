import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

const repeat = (text: string, times: number): string => text.repeat(times);

describe('cells whose parts lie deep within each other', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each([
    ['a long sum', `let sum = ${Array(5000).fill('1').join('+')}; sum`, '5000'],
    ['a long chain', `let text = 'a'${repeat('.trim()', 3000)}; text`, "'a'"],
    ['brackets', `${repeat('[', 1000)}${repeat(']', 1000)}.length`, '1'],
  ])('runs %s', async (_, code, result) => {
    expect(await notebook.value(code)).toBe(result);
  });

  it.each([
    ['arrays', `${repeat('[', 4000)}${repeat(']', 4000)}`],
    ['open brackets', repeat('(', 50_000)],
    ['functions', `${repeat('x=>', 50_000)}1`],
    ['statements', `${repeat('if(1)', 50_000)};`],
  ])('refuses %s that nobody can read, and keeps the state', async (_, code) => {
    await notebook.value('let kept = 1');
    expect((await notebook.run(code)).outcome).toMatchObject({
      fault: { name: 'SyntaxError', message: expect.stringContaining('too deep within each other') },
    });
    expect(await notebook.value('kept')).toBe('1');
  });
});
