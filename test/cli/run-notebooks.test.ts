import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotebookError, UsageError } from '../../src/base/errors.js';
import { packageRoot } from '../../src/base/packages.js';
import { runNotebooks } from '../../src/cli/run-notebooks.js';
import { serializeNotebook } from '../../src/notebook/format/nbformat.js';
import { makeNotebook } from '../notebook/make-notebook.js';

/** A cell that is left as it is. No page can show what it holds: that is deeper than JSON can be written, or longer than a text can be. */
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const UNSHOWABLE = `{"cell_type":"code","execution_count":1,"metadata":{"tags":["skip-execution"]},"outputs":[{"output_type":"display_data","data":{"application/json":${DEEP}},"metadata":{}}],"source":"1"}`;

describe('runNotebooks', () => {
  let folder: string;
  let out: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-run-'));
    out = join(folder, 'results', 'out');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const save = (name: string, ...cells: string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, serializeNotebook(makeNotebook(...cells)));
    return path;
  };

  it('writes each notebook, its page, and what the cells write beside it', async () => {
    const first = save('first.ipynb', '# First', 'require("fs").writeFileSync("made.csv", "a\\n"); 1');
    const second = save('second.ipynb', '2', '3');
    const seen: string[] = [];
    const written = await runNotebooks([first, second], {
      out,
      html: true,
      onProgress: (path, cell, total) => seen.push(`${path} ${cell}/${total}`),
    });
    const expected = ['first.ipynb', 'first.html', 'second.ipynb', 'second.html'].map((name) => join(out, name));
    expect(written).toEqual(expected);
    expect(seen).toEqual([`${first} 1/1`, `${second} 1/2`, `${second} 2/2`]);
    expect(readdirSync(out).sort()).toEqual(['first.html', 'first.ipynb', 'second.html', 'second.ipynb']);
    expect(readFileSync(join(folder, 'made.csv'), 'utf8')).toBe('a\n');
  });

  it('tells which notebook has a page that lacks a picture', async () => {
    const path = save('lacking.ipynb', '# A\n![it](https://x.y/c.png)', '1');
    const notes: string[] = [];
    await runNotebooks([path], { out, html: true, onNote: (note) => notes.push(note) });
    expect(notes).toEqual([`${path}: the page lacks the picture https://x.y/c.png: it is no file beside the notebook`]);
  });

  it('writes equal bytes when run again', async () => {
    const path = save('same.ipynb', 'console.log(1); display({ a: 1 })', '[1, 2]');
    await runNotebooks([path], { out });
    const first = readFileSync(join(out, 'same.ipynb'), 'utf8');
    await runNotebooks([path], { out });
    expect(readFileSync(join(out, 'same.ipynb'), 'utf8')).toBe(first);
  });

  it('writes the part before a cell that fails, and says what failed where', async () => {
    const path = save('bad.ipynb', 'const a = 1; a', 'const b: number = a;\nb.c.d');
    const message = `${path}: cell 2, line 2:5
TypeError: Cannot read properties of undefined (reading 'd')

  1 | const b: number = a;
> 2 | b.c.d
    |     ^

    at cell 2:2:5`;
    await expect(runNotebooks([path], { out })).rejects.toEqual(new NotebookError(message));
    const partial = readFileSync(join(out, 'bad.ipynb'), 'utf8');
    expect(partial).toContain('"ename": "TypeError"');
  });

  it('keeps the notebook whose page cannot be made, and says so', async () => {
    const path = join(folder, 'a.ipynb');
    const cells = JSON.stringify(makeNotebook('console.log("costly")').cells).slice(1, -1);
    writeFileSync(path, `{"cells":[${UNSHOWABLE},${cells}],"metadata":{},"nbformat":4,"nbformat_minor":4}`);
    const written: string[] = [];
    const [executed, page] = [join(out, 'a.ipynb'), join(out, 'a.html')];
    const running = runNotebooks([path], { out, html: true, onWritten: (file) => written.push(file) });
    const error = await running.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotebookError);
    expect(error).toMatchObject({
      message: expect.stringMatching(new RegExp(`^Cannot make the page ${page} \\(RangeError: .+\\); the notebook`)),
    });
    expect(readFileSync(executed, 'utf8')).toContain('costly\\n');
    expect([written, readdirSync(out)]).toEqual([[executed], ['a.ipynb']]);
  });

  it('tells of a cell that failed before it tells of a page that is missing', async () => {
    const path = save('a.ipynb', 'throw new Error("cell")');
    mkdirSync(join(out, 'a.html'), { recursive: true });
    await expect(runNotebooks([path], { out, html: true })).rejects.toThrow(
      /cell 1, line 1:7\nError: cell\n[\s\S]*\n\nCannot write .*a\.html: it is a folder; name a file\.$/,
    );
    expect(readFileSync(join(out, 'a.ipynb'), 'utf8')).toContain('"evalue": "cell"');
  });

  it('names the other file in which a cell failed', async () => {
    writeFileSync(join(folder, 'lib.ts'), 'export function f() {\n  throw new Error("lib");\n}');
    const path = save('far.ipynb', 'import { f } from "./lib"; f()');
    await expect(runNotebooks([path], { out })).rejects.toThrow(`${path}: cell 1, in ./lib.ts line 2:9\nError: lib`);
  });

  it('refuses what it cannot read before it runs anything', async () => {
    const good = save('good.ipynb', 'require("fs").writeFileSync("ran", "")');
    const missing = join(folder, 'missing.ipynb');
    const error = new UsageError(`Cannot read the notebook ${missing}: there is no such file.`);
    await expect(runNotebooks([good, missing], { out })).rejects.toEqual(error);
    expect(readdirSync(folder)).toEqual(['good.ipynb']);
  });

  it('refuses to write over the notebook itself, and what is none', async () => {
    const path = save('here.ipynb', '1');
    const before = readFileSync(path, 'utf8');
    const message = `The result of ${path} would overwrite the notebook itself: name another folder by --out.`;
    await expect(runNotebooks([path], { out: folder })).rejects.toEqual(new UsageError(message));
    expect(readFileSync(path, 'utf8')).toBe(before);
    const jsx = join(folder, 'page.tsx');
    writeFileSync(jsx, 'export const page = <b>hi</b>;');
    await expect(runNotebooks([jsx], { out })).rejects.toThrow(
      `${jsx} cannot be run: what can are notebooks (.ipynb) and programs in percent format (.ts, .mts, .js, .mjs).`,
    );
  });

  it('refuses stdout, which several files would run together on', async () => {
    const running = runNotebooks([save('a.ipynb', '1')], { out: '-' });
    await expect(running).rejects.toEqual(
      new UsageError('--out takes a folder, not stdout: name it, such as --out out.'),
    );
  });

  it('refuses two notebooks of one name, and a folder that cannot be one', async () => {
    const path = save('a.ipynb', '1');
    mkdirSync(join(folder, 'sub'));
    const other = save('sub/a.ipynb', '1');
    await expect(runNotebooks([path, other], { out })).rejects.toThrow(UsageError);
    await expect(runNotebooks([path], { out: '/proc/oddslab' })).rejects.toThrow(UsageError);
    await expect(runNotebooks([path], { out: join(path, 'out') })).rejects.toThrow(
      /^Cannot write to the folder .+\(--out names it\)\.$/,
    );
  });

  it('ends by the signal that it gets in an endless loop, without a process left, and keeps what ran', async () => {
    const path = save('loop.ipynb', '"ran"', 'require("fs").writeFileSync("pid", String(process.pid)); for (;;);');
    const main = join(packageRoot(), 'dist', 'cli', 'main.js');
    const command = spawn(process.execPath, [main, 'run', path, '--out', out], { stdio: 'ignore' });
    const ended = once(command, 'exit');
    const pidFile = join(folder, 'pid');
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
    command.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readdirSync(out)).toEqual(['loop.ipynb']);
    const { cells } = JSON.parse(readFileSync(join(out, 'loop.ipynb'), 'utf8'));
    expect(cells[0].outputs).toMatchObject([{ data: { 'text/plain': ["'ran'"] } }]);
    expect(cells[1].outputs).toMatchObject([
      { ename: 'Interrupted', evalue: 'The run was ended while this cell ran.' },
    ]);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
