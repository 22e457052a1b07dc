import { expect, it } from 'vitest';
import { walkPages } from '../../src/fetch/walk-pages.js';

/** Walks through pages of these records, each with a new cursor; after the last one they begin again if `forEver`. */
async function walk(pages: readonly string[], forEver: boolean) {
  const given: string[] = [];
  const ask = async (cursor = '0') => {
    const at = Number(cursor);
    const texts = [...(pages[at % pages.length] ?? '')];
    const isLast = !forEver && at === pages.length - 1;
    return {
      records: texts.map((text) => ({ value: {}, text })),
      next: isLast ? undefined : String(at + 1),
      place: 'A source',
    };
  };
  try {
    for await (const { records } of walkPages(ask)) given.push(records.map(({ text }) => text).join(''));
    return { given };
  } catch (error) {
    return { given, error: String(error) };
  }
}

it.each([[['abc', 'def']], [['abc', 'def', 'ghi', '']], [['ab', 'cd']], [['a', '', 'b']], [['a']]])(
  'gives each page of %j once, where they come for ever in turn under new cursors',
  async (pages) => {
    const { given, error } = await walk(pages, true);
    expect(given).toEqual(pages);
    expect(error).toMatch(/A source gave a page that it had given before/);
  },
);

it('takes a short page that comes again for chance, where another one follows or nothing', async () => {
  const pages = ['ab', 'ab', 'cd', 'e', '', 'e'];
  expect(await walk(pages, false)).toEqual({ given: pages });
});
