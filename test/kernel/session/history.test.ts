import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContentFields } from '../../../src/kernel/protocol/message.js';
import { appendHistory, globMatches, History, historyPath, readHistory } from '../../../src/kernel/session/history.js';
import fc from '../../support/fast-check.js';

let folder = '';
let path = '';
const logged: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oddslab-history-'));
  path = join(folder, 'deep', 'history.jsonl');
  logged.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): History => new History(path, (line) => logged.push(line));
const ask = (history: History, content: Record<string, unknown>) => history.answer(new ContentFields(content));

it('answers tail, range and search', async () => {
  await appendHistory(path, [{ session: 7, line: 1, code: 'older' }]);
  const history = open();
  const own = history.session;
  history.add(1, '1+1', '2');
  history.add(2, '1+2', '3');
  history.add(3, '1+1', '2');
  expect(await ask(history, { hist_access_type: 'tail', n: 2 })).toEqual([
    [own, 2, '1+2'],
    [own, 3, '1+1'],
  ]);
  expect(await ask(history, { hist_access_type: 'tail', n: 9, output: true })).toEqual([
    [7, 1, ['older', null]],
    [own, 1, ['1+1', '2']],
    [own, 2, ['1+2', '3']],
    [own, 3, ['1+1', '2']],
  ]);
  expect(await ask(history, { hist_access_type: 'range', session: 0, start: 2, stop: 3 })).toEqual([[own, 2, '1+2']]);
  expect(await ask(history, { hist_access_type: 'range', session: -1 })).toEqual([[7, 1, 'older']]);
  expect(await ask(history, { hist_access_type: 'range', session: own, start: 3 })).toEqual([[own, 3, '1+1']]);
  expect(await ask(history, { hist_access_type: 'range', session: 5 })).toEqual([]);
  expect(await ask(history, { hist_access_type: 'search', pattern: '1?1' })).toEqual([
    [own, 1, '1+1'],
    [own, 3, '1+1'],
  ]);
  expect(await ask(history, { hist_access_type: 'search', pattern: '1*', unique: true })).toEqual([
    [own, 2, '1+2'],
    [own, 3, '1+1'],
  ]);
  expect(await ask(history, { hist_access_type: 'search', pattern: '1*', n: 1 })).toEqual([[own, 3, '1+1']]);
  expect(await ask(history, { hist_access_type: 'search', pattern: 'none' })).toEqual([]);
});

it('keeps cells from one kernel to the next, of several at once', async () => {
  const histories = Array.from({ length: 8 }, (_, kernel) => ({ kernel, history: open() }));
  for (let line = 1; line <= 50; line++)
    for (const { kernel, history } of histories) history.add(line, `${kernel}: ${line}`, undefined);
  await Promise.all(histories.map(({ history }) => history.saved()));
  const codes = (await readHistory(path)).map(({ code }) => code);
  expect(codes.sort()).toEqual(
    histories.flatMap(({ kernel }) => Array.from({ length: 50 }, (_, at) => `${kernel}: ${at + 1}`)).sort(),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(logged).toEqual([]);
});

it('leaves out damaged lines and never grows without end', async () => {
  await appendHistory(path, [{ session: 1, line: 1, code: 'first' }]);
  writeFileSync(path, 'no json\n{"session":1}\n', { flag: 'a' });
  await appendHistory(path, [{ session: 1, line: 2, code: 'second', output: '2' }]);
  expect(await readHistory(path)).toEqual([
    { session: 1, line: 1, code: 'first' },
    { session: 1, line: 2, code: 'second', output: '2' },
  ]);
  const large = 'x'.repeat(1_100_000);
  for (let line = 1; line <= 12; line++) await appendHistory(path, [{ session: 2, line, code: large }]);
  expect(readdirSync(join(folder, 'deep')).sort()).toEqual(['history.jsonl', 'history.older.jsonl']);
  const kept = (await readHistory(path)).map(({ line }) => line);
  expect(kept).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
});

it('keeps no output or cell that is very large', async () => {
  const history = open();
  history.add(1, 'a', 'x'.repeat(300_000));
  history.add(2, 'x'.repeat(300_000), 'b');
  expect(await ask(history, { hist_access_type: 'tail', output: true })).toEqual([[history.session, 1, ['a', null]]]);
  expect((await readHistory(path)).map(({ line, output }) => ({ line, output }))).toEqual([
    { line: 1, output: undefined },
  ]);
});

it('keeps the latest cells in memory, and finds those before them in the file', async () => {
  const [written, unwritten] = [open(), new History(undefined, () => {})];
  for (const history of [written, unwritten])
    for (let line = 1; line <= 50; line++) history.add(line, `${line}`, 'x'.repeat(100_000));
  const lines = async (history: History, content: Record<string, unknown>) =>
    (await ask(history, content)).map(([, line]) => line);
  const latest = Array.from({ length: 39 }, (_, at) => at + 12);
  expect(await lines(unwritten, { hist_access_type: 'tail' })).toEqual(latest);
  expect(await lines(unwritten, { hist_access_type: 'range', start: 10, stop: 14 })).toEqual([12, 13]);
  expect(await lines(written, { hist_access_type: 'tail' })).toEqual(
    [...Array(11).keys()].map((at) => at + 1).concat(latest),
  );
  expect(await lines(written, { hist_access_type: 'range', start: 10, stop: 14 })).toEqual([10, 11, 12, 13]);
  expect(await lines(written, { hist_access_type: 'search', pattern: '?' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('refuses a kind of access that it does not know', async () => {
  await expect(ask(open(), { hist_access_type: 'all' })).rejects.toThrow('must be "tail", "range" or "search"');
});

it('says once that it cannot write, and goes on', async () => {
  writeFileSync(join(folder, 'deep'), 'a file');
  const history = open();
  history.add(1, 'a', undefined);
  await history.saved();
  expect(logged).toEqual([expect.stringContaining('cannot be written (')]);
  expect(await ask(history, { hist_access_type: 'tail', n: 1 })).toEqual([[history.session, 1, 'a']]);
});

it('keeps nothing where the user wants none', async () => {
  expect(historyPath({ ODDSLAB_HISTORY: 'off' })).toBeUndefined();
  expect(historyPath({ ODDSLAB_HISTORY: '/a/b.jsonl' })).toBe('/a/b.jsonl');
  expect(historyPath({})).toMatch(/oddslab.history\.jsonl$/);
  const history = new History(undefined, () => {});
  history.add(1, 'a', 'b');
  expect(await ask(history, { hist_access_type: 'tail', output: true })).toEqual([[history.session, 1, ['a', 'b']]]);
});

it('matches as SQLite does', () => {
  const matching = ['1?2*', '*', 'x*', '*[a-c]', '*[^0-9]', '1+2 // ab[c]'];
  expect(matching.filter((pattern) => globMatches(pattern, '1+2 // abc'))).toEqual([
    '1?2*',
    '*',
    '*[a-c]',
    '*[^0-9]',
    '1+2 // ab[c]',
  ]);
  expect(globMatches('open?ab*', 'openLab()\nmore')).toBe(true);
  expect(globMatches('a[]]b', 'a]b')).toBe(true);
  expect(globMatches('a[b', 'a[b')).toBe(true);
  expect(globMatches('', '')).toBe(true);
  expect(globMatches('', 'a')).toBe(false);
});

it('agrees with a regular expression', () => {
  const unit = fc.constantFrom('a', 'b', '*', '?');
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 }),
      (glob, text) => {
        const expression = new RegExp(`^${glob.replace(/\*+/g, '.*').replace(/\?/g, '.')}$`, 's');
        expect(globMatches(glob, text)).toBe(expression.test(text));
      },
    ),
  );
});
