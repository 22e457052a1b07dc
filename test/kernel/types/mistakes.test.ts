import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typesWithPackages } from './explorations.js';

const { types } = typesWithPackages();

/** What is said may begin some characters before the place that is named, or after it: at an operand, a call, a member. */
const NEAR = 40;

interface Mistake {
  title: string;
  cells: string[];
  cell: number;
  line: number;
  column: number;
}

/** The notebooks of the Markdown files beside this one: `## title`, cells as blocks of code, the place of the mistake. */
function mistakes(): Mistake[] {
  const texts = join(import.meta.dirname, 'mistakes');
  return readdirSync(texts).flatMap((file) =>
    readFileSync(join(texts, file), 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((text) => {
        const [, cell = 0, line = 0, column = 0] = (/^Mistake: (\d+):(\d+):(\d+)/m.exec(text) ?? []).map(Number);
        const cells = [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code);
        return { title: `${file.replace('.md', '')}: ${text.split('\n')[0]}`, cells, cell, line, column };
      }),
  );
}

describe('tells a mistake whatever the cells do to other objects', () => {
  it('has at least 100 notebooks', () => expect(mistakes().length).toBeGreaterThanOrEqual(100));

  it.each(mistakes())('$title', async ({ cells, cell, line, column }) => {
    const said: { cell: number; line: number; column: number }[] = [];
    for (const [at, code] of cells.entries())
      for (const { start } of await types.add(code, 'cell').diagnostics) said.push({ cell: at + 1, ...start });
    expect(said.filter((each) => each.cell !== cell)).toEqual([]);
    const near = said.filter((each) => each.line === line && Math.abs(each.column - column) <= NEAR);
    expect(near).not.toEqual([]);
  });
});
