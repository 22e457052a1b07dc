import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Cell, type Notebook, parseNotebook, serializeNotebook } from '../../src/notebook/format/nbformat.js';
import { makeNotebook } from '../notebook/make-notebook.js';
import { runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';

describe('oddslab run', () => {
  let folder: string;
  let out: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-run-'));
    out = join(folder, 'out');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Saves a notebook; a cell's source may begin with its tag: `[parameters] const a = 1`. */
  const save = (name: string, ...sources: string[]): string => {
    const notebook = makeNotebook(...sources);
    notebook.cells = notebook.cells.map((cell): Cell => {
      const [, tag, source = ''] = /^\[([\w-]+)\] ([\s\S]*)$/.exec(String(cell.source)) ?? [];
      const metadata = tag ? { tags: [tag] } : {};
      return { ...cell, metadata, source: tag ? source : cell.source, ...(cell.outputs ? { outputs: [] } : {}) };
    });
    const path = join(folder, name);
    writeFileSync(path, serializeNotebook(notebook));
    return path;
  };
  const read = (name: string): Notebook => parseNotebook(readFileSync(join(out, name), 'utf8'), name);
  const run = (...words: string[]) => runHere(['run', ...words, '--out', out]);
  /** For some of what ends with each exit code: that the process does. */
  const spawned = (...words: string[]) => runCommand(['run', ...words, '--out', out]);
  const PARAMETERS = "[parameters] const days: number = 7; // to look back\nlet id = 'x';\nconst tags = ['a'];";

  it('sets parameters by text and by file, the text last', async () => {
    const path = save('a.ipynb', PARAMETERS, 'console.log(days, id, tags)');
    writeFileSync(join(folder, 'p.yaml'), 'days: 1\ntags: [b, c]\n');
    const ended = await spawned(path, '--params', join(folder, 'p.yaml'), '-p', 'days=30', '-p', 'id=007');
    expect(ended).toEqual({ code: 0, out: `${join(out, 'a.ipynb')}\n`, err: '' });
    const { cells, metadata } = read('a.ipynb');
    expect(cells[1]?.source).toEqual([
      '// Parameters\n',
      'const days: number = 30;\n',
      'const tags = ["b", "c"];\n',
      'let id = "007";',
    ]);
    expect(cells[2]?.outputs).toMatchObject([{ text: ["30 007 [ 'b', 'c' ]\n"] }]);
    expect(metadata).toMatchObject({ papermill: { parameters: { days: 30, id: '007', tags: ['b', 'c'] } } });
    const first = readFileSync(join(out, 'a.ipynb'), 'utf8');
    await run(path, '--params', join(folder, 'p.yaml'), '-p', 'days=30', '-p', 'id=007');
    expect(readFileSync(join(out, 'a.ipynb'), 'utf8')).toBe(first);
  });

  it('fails by what an unawaited main() throws, and tells of work that it does not wait for', async () => {
    const sleep = 'await new Promise((resolve) => setTimeout(resolve, 300))';
    const main = save('a.ipynb', `async function main() { ${sleep}; throw new Error('failed'); } main();`);
    const failed = await spawned(main);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('a.ipynb: cell 1, line 1:');
    const path = save('b.ipynb', '1', 'setTimeout(() => {}, 60_000); 0');
    const err = `${path}: work of cell 2 was left unfinished at the end: await it.\n`;
    expect(await run(path)).toEqual({ code: 0, out: `${join(out, 'b.ipynb')}\n`, err });
    const loop = save('c.ipynb', 'setTimeout(() => { for (;;); }, 50); 0');
    const left = `${loop}: code that a cell left running at the end did not give way, and was ended: await it, or end it.\n`;
    expect(await run(loop, '--timeout', '1')).toEqual({ code: 0, out: `${join(out, 'c.ipynb')}\n`, err: left });
    const exits = await run(save('d.ipynb', 'setTimeout(() => process.exit(3), 100); 0'));
    expect(exits.code).toBe(1);
    expect(exits.err).toContain('process.exit(3)');
  });

  it('says where cells are counted as in an error, if one with parameters was put before them', async () => {
    const path = save('a.ipynb', PARAMETERS, 'nope()');
    const out2 = join(out, 'a.ipynb');
    const counted = `\nCells are counted as in ${out2}: cell 2 there sets the parameters.\n`;
    const failed = await run(path, '-p', 'days=30');
    expect(failed.err).toMatch(/a\.ipynb: cell 3, line 1:1\nReferenceError: nope is not defined\n/);
    expect(failed.err.endsWith(`\n${counted}`)).toBe(true);
    expect((await run(path, '-p', 'days=30', '--allow-errors')).err).toContain(counted);
    // This file has that cell already.
    const again = await runHere(['run', out2, '-p', 'days=31', '--check']);
    expect(again.err).toContain('a.ipynb: cell 3, line 1:1\n');
    expect(again.err).not.toContain('counted');
    expect((await run(path)).err).not.toContain('counted');
    expect((await runHere(['run', path, '-p', 'days=30', '--check'])).err).toContain(
      'Cells are counted as in the notebook as it was run: cell 2 there sets the parameters.',
    );
  });

  it.each([
    ['-p', 'days=abc', 'days must be a number; got "abc".'],
    ['-p', 'dais=1', '-p: dais is no parameter of PATH. Did you mean days?'],
    ['-p', 'days', '-p takes name=value, such as -p days=30; got "days".'],
    ['--timeout', '0', '--timeout must be a number of seconds above 0 and up to 2000000, such as 30; got "0".'],
    ['--timeout', '3e6', '--timeout must be a number of seconds above 0 and up to 2000000, such as 30; got "3e6".'],
    ['--tolerance', '0.1', '--tolerance says how outputs are compared: give --check too.'],
    ['--sanitize', 'dates', '--sanitize says how outputs are compared: give --check too.'],
    ['--jobs', 'x', '--jobs must be a whole number from 1 to 64; got "x".'],
  ])('called with %s %s it says what is wrong, and runs nothing', async (option, value, message) => {
    const path = save('a.ipynb', PARAMETERS);
    const err = `oddslab: ${message.replace('PATH', path)}\n`;
    expect(await run(path, option, value)).toEqual({ code: 64, out: '', err });
    expect(existsSync(out)).toBe(false);
  });

  it('refuses a parameter that -p gives twice', async () => {
    const err = 'oddslab: -p gives days twice: give it once.\n';
    const ended = await run(save('a.ipynb', PARAMETERS), '-p', 'days=1', '-p', 'id=2', '-p', 'days=3');
    expect(ended).toEqual({ code: 64, out: '', err });
  });

  it.each(['ts', 'mts', 'js', 'mjs'])('runs a .%s program, not over the notebook beside it', async (extension) => {
    const path = join(folder, `p.${extension}`);
    writeFileSync(path, '// %%\nconsole.log(1 + 1);\n');
    expect(await run(path)).toMatchObject({ code: 0, out: `${join(out, 'p.ipynb')}\n` });
    const beside = save('p.ipynb', '"mine"');
    const before = readFileSync(beside, 'utf8');
    const refused = await runHere(['run', path, '--out', folder]);
    expect([refused.code, refused.err.split(',')[0]]).toEqual([64, `oddslab: ${beside} is there already`]);
    expect(readFileSync(beside, 'utf8')).toBe(before);
    const none = await runHere(['run', path, '--out', '']);
    expect(none).toMatchObject({ code: 64, err: expect.stringContaining('--out is empty: give it a value') });
  });

  it('says that a value could not be checked', async () => {
    const path = save('a.ipynb', '[parameters] let a = JSON.parse("1")');
    const { code, err } = await run(path, '-p', 'a=2');
    expect([code, err]).toEqual([
      0,
      `${path}: a is set unchecked: its type, that of its default, is known to the type checker alone (--types).\n`,
    ]);
  });

  it('says that what is given may be without effect where no cell is tagged', async () => {
    const path = save('a.ipynb', 'const days = 7; days');
    const { code, err } = await run(path, '-p', 'days=30');
    expect(code).toBe(0);
    expect(err).toContain(`${path}: no cell is tagged "parameters".`);
    expect((await run(path)).err).toBe('');
  });

  it('has notebooks ask the data of a folder that --data names, wherever ODDSLAB_URL points', async () => {
    const path = join(folder, 'where.ts');
    writeFileSync(path, 'console.log(process.env.ODDSLAB_DATA, JSON.stringify(process.env.ODDSLAB_URL));');
    const env = { ODDSLAB_URL: 'http://odds.invalid', ODDSLAB_DATA: '/elsewhere' };
    const run = await runHere(['run', path, '--out', out, '--data', folder], env);
    expect([run.code, run.err]).toEqual([0, expect.any(String)]);
    const text = readFileSync(join(out, 'where.ipynb'), 'utf8');
    expect(text).toContain(JSON.stringify(`${folder} ""\n`));
    const missing = await runHere(['run', path, '--data', join(folder, 'none')]);
    expect([missing.code, missing.err]).toEqual([64, expect.stringContaining('there is no such folder')]);
  });

  it('prints the parameters of notebooks', async () => {
    const paths = [save('a.ipynb', PARAMETERS), save('b.ipynb', '1')];
    expect(await runHere(['run', ...paths, '--help-notebook'])).toEqual({
      code: 0,
      out: `${paths[0]}
  days: number = 7        to look back
  id: string = 'x'
  tags: string[] = ['a']

${paths[1]}
  no parameters: none of its cells has the tag "parameters"
`,
      err: '',
    });
  });

  it('ends with 4 where a cell does not end in its time, and keeps the part before', async () => {
    const path = save('slow.ipynb', '"a"', 'const b = 1;\nfor (;;) {}', '"c"');
    const { code, err } = await spawned(path, '--timeout', '0.5', '--allow-errors');
    expect(code).toBe(4);
    expect(err).toMatch(
      /^oddslab: .*slow\.ipynb: cell 2.*\nCellTimeout: The cell did not end within 0\.5 s and was interrupted\.\n/,
    );
    expect(read('slow.ipynb').cells.map(({ outputs }) => (outputs as unknown[]).length)).toEqual([1, 1, 1]);
  });

  it('goes on after errors where they are allowed, and tells of them', async () => {
    const path = save('bad.ipynb', 'nope()', 'console.log("on")');
    const { code, out: written, err } = await run(path, '--allow-errors');
    expect([code, written]).toEqual([0, `${join(out, 'bad.ipynb')}\n`]);
    expect(err).toMatch(/^.*bad\.ipynb: cell 1, line 1:1\nReferenceError: nope is not defined\n/);
    expect(read('bad.ipynb').cells[1]?.outputs).toMatchObject([{ text: ['on\n'] }]);
  });

  it('runs several at once, tells in order, and ends with the worst failure once all are over', async () => {
    const paths = [
      save('a.ipynb', 'await new Promise((resolve) => setTimeout(resolve, 500))'),
      save('b.ipynb', 'await new Promise((resolve) => setTimeout(resolve, 1e6))'),
      save('c.ipynb', 'throw new Error("c")'),
      save('d.ipynb', '1'),
    ];
    const ended = await run(...paths, '--jobs', '4', '--timeout', '3');
    expect([ended.code, ended.out]).toEqual([
      1,
      ['a', 'b', 'c', 'd'].map((name) => `${join(out, `${name}.ipynb`)}\n`).join(''),
    ]);
    expect(ended.err).toMatch(/^oddslab: .*b\.ipynb: cell 1[\s\S]*\n\n.*c\.ipynb: cell 1, line 1:7\nError: c\n/);
    expect(ended.err).toMatch(/\n\n2 of 4 notebooks failed\.\n$/);
  });

  it('checks outputs: 0 where they are as stored, 2 where not, and writes nothing', async () => {
    const path = save('a.ipynb', 'require("fs").writeFileSync(process.env.ODDSLAB_OUT + "/x", "")', '1 + 1');
    await run(path);
    const stored = join(out, 'a.ipynb');
    const before = readFileSync(stored, 'utf8');
    const ended = await runHere(['run', stored, '--check'], {});
    expect(ended).toEqual({ code: 0, out: '', err: `${stored}: outputs are as stored\n` });
    writeFileSync(stored, before.replace('"2"', '"3"'));
    const drifted = await runCommand(['run', stored, '--check']);
    expect([drifted.code, drifted.out]).toEqual([2, '']);
    expect(drifted.err).toMatch(/^oddslab: .*a\.ipynb: 1 output is not as stored\n\ncell 2: 1 \+ 1\n/);
    expect(await runHere(['run', stored, '--check', '--tolerance', '0.5'])).toMatchObject({ code: 0 });
    expect(await runHere(['run', stored, '--check', '--sanitize', 's/\\d/N/'])).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(['a.ipynb', 'x']);
    const both = await runHere(['run', stored, '--check', '--html']);
    expect([both.code, both.err]).toEqual([
      64,
      'oddslab: --html needs a folder where --check is given: name it by --out.\n',
    ]);
  });

  it('leaves the code out of pages', async () => {
    const path = save('a.ipynb', 'const secret = 40;', 'secret + 2');
    expect(await run(path, '--html', '--no-code')).toMatchObject({ code: 0, err: '' });
    const page = readFileSync(join(out, 'a.html'), 'utf8');
    expect([page.includes('42'), page.includes('secret')]).toEqual([true, false]);
    const alone = await run(path, '--no-code');
    expect([alone.code, alone.err]).toEqual([
      64,
      'oddslab: --no-code is about the pages of --html: give --html too.\n',
    ]);
  });

  it('checks types: off by default, told of by warn, in the way under block', async () => {
    const path = save('typed.ipynb', 'const a = 1', 'require("fs").writeFileSync("ran", "");\nconst b: string = a;');
    expect(await run(path)).toMatchObject({ code: 0, err: '' });
    const unset = await runHere(['run', path, '--out', out], { ODDSLAB_TYPES: '' });
    expect(unset).toMatchObject({ code: 0, err: '' });
    const warned = await run(path, '--types', 'warn');
    expect(warned.code).toBe(0);
    expect(warned.err).toMatch(
      /^.*typed\.ipynb: its types are wrong\ncell 2:2:7 - error TS2322: .*\n\n[\s\S]*> 2 \| const b/,
    );
    rmSync(join(folder, 'ran'));
    const blocked = await run(path, '--types', 'block');
    expect(blocked.code).toBe(3);
    expect(blocked.err).toMatch(/^oddslab: .*so it did not run \(--types block\)\ncell 2:2:7 - error TS2322: /);
    expect(await runHere(['run', path, '--out', out], { ODDSLAB_TYPES: 'block' })).toEqual(blocked);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    const large = save('large.ipynb', `const text = '${'x'.repeat(1_000_000)}'`, 'const b: string = 1;');
    const both = await run(large, '--types', 'block');
    expect(both.code).toBe(3);
    expect(both.err).toMatch(/^cell 2:1:7 - error TS2322: [\s\S]*\n\ncell 1 is not checked, and its names are any\. /m);
  });

  it('does not run what cannot be checked under block, and tells of it under warn', async () => {
    const path = save('typed.ipynb', "const a: number = 'a'");
    const hiding = join(folder, 'hiding.cjs');
    const hide = "if (name.startsWith('@typescript/')) throw new Error('Cannot find module ' + name);";
    writeFileSync(
      hiding,
      `const modules = require('node:module');
      const resolve = modules._resolveFilename;
      modules._resolveFilename = function (name, ...rest) { ${hide} return resolve.call(this, name, ...rest); };`,
    );
    const checked = (mode: string) =>
      runCommand(['run', path, '--out', out, '--types', mode], { NODE_OPTIONS: `--require=${hiding}` });
    const blocked = await checked('block');
    const missing = 'cell 1: typescript cannot be loaded on ';
    expect([blocked.code, blocked.out]).toEqual([3, '']);
    expect(blocked.err).toContain(
      `oddslab: ${path}: its types could not be checked, so it did not run (--types block)\n${missing}`,
    );
    const warned = await checked('warn');
    expect(warned.code).toBe(0);
    expect(warned.err).toContain(`${path}: its types could not be checked\n${missing}`);
  });

  it('runs what is only doubtful, or what the run says better, under block', async () => {
    const doubtful = await run(
      save('doubtful.ipynb', '1, 2', 'const isOn = () => true; if (isOn) 1'),
      '--types',
      'block',
    );
    expect(doubtful.code).toBe(0);
    expect(doubtful.err).toMatch(
      /^.*doubtful\.ipynb: its types are doubtful\ncell 1:1:1 - warning TS2695: [\s\S]*\n\ncell 2:1:30 - warning TS2774/,
    );
    const missing = await run(save('missing.ipynb', 'import x from "not-installed"'), '--types', 'block');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('npm install not-installed')]);
    const broken = await run(save('broken.ipynb', 'function'), '--types', 'block');
    expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('SyntaxError')]);
  });

  it('runs a program in percent format and writes it as a notebook', async () => {
    const path = join(folder, 'program.ts');
    writeFileSync(path, '// %% [markdown]\n// # Title\n\n// %%\nconst a: number = 1;\n\n// %%\na + 1\n');
    expect(await run(path)).toEqual({ code: 0, out: `${join(out, 'program.ipynb')}\n`, err: '' });
    const { cells } = read('program.ipynb');
    expect(cells.map(({ cell_type }) => cell_type)).toEqual(['markdown', 'code', 'code']);
    expect(cells[2]?.outputs).toMatchObject([{ data: { 'text/plain': ['2'] } }]);
    const checked = await runHere(['run', path, '--check']);
    expect([checked.code, checked.err]).toEqual([
      64,
      `oddslab: ${path} holds no outputs that --check could compare with: check a notebook.\n`,
    ]);
  });

  it('refuses a notebook that is given twice before it runs any; one that cannot run keeps no other from it', async () => {
    const path = save('a.ipynb', 'require("fs").writeFileSync("ran", "")');
    expect(await run(path, join(folder, '.', 'a.ipynb'))).toMatchObject({ code: 64 });
    mkdirSync(join(folder, 'sub'));
    const python = join(folder, 'sub', 'p.ipynb');
    const other = { ...makeNotebook('1'), metadata: { kernelspec: { language: 'python' } } };
    writeFileSync(python, serializeNotebook(other));
    const message = 'p.ipynb is for python; cells here are TypeScript (or JavaScript).';
    expect(await run(python)).toEqual({ code: 1, out: '', err: `oddslab: ${message}\n` });
    writeFileSync(python, serializeNotebook({ ...other, metadata: { kernelspec: { name: 'python3' } } }));
    expect((await run(python)).err).toBe(`oddslab: ${message.replace('python', 'python3')}\n`);
    expect([existsSync(join(folder, 'ran')), existsSync(out)]).toEqual([false, false]);
    const none = join(folder, 'none.ipynb');
    writeFileSync(none, '[1');
    const ended = await run(python, path, none);
    expect([ended.code, ended.out, existsSync(join(folder, 'ran'))]).toEqual([1, `${join(out, 'a.ipynb')}\n`, true]);
    expect(ended.err).toMatch(
      /^oddslab: p\.ipynb is for python.*\n\n.*none\.ipynb[\s\S]*\n\n2 of 3 notebooks failed\.\n$/,
    );
  });

  it('keeps every byte that was not executed', async () => {
    const path = join(folder, 'odd.ipynb');
    const odd = `{"nbformat_minor":2,"nbformat":4,"metadata":{"x":1.0,"language_info":{"name":"typescript"}},
"cells":[{"cell_type":"markdown","metadata":{},"source":"caf\\u00e9"}]}`;
    writeFileSync(path, odd);
    expect(await run(path)).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'odd.ipynb'), 'utf8')).toBe(odd);
  });
});
