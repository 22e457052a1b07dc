import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isComplete } from '../../src/kernel/session/is-complete.js';
import { plainCell } from '../../src/kernel/transform/cell-source.js';
import { openTypeService } from '../../src/kernel/types/open-type-service.js';
import { TestNotebook } from './run-cells.js';

const SAVES =
  "import { readCsv, recordsOf } from 'oddslab'; import { writeFileSync } from 'node:fs'; writeFileSync('p.csv', 'k,v\\na,1\\nb,2\\na,3\\n'); const pnl = await readCsv('p.csv'); pnl.shape";

describe('cells that begin with a language or a magic', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it('runs SQL over the frames of the session, and keeps the result by a name', async () => {
    expect(await notebook.value(SAVES)).toBe('[ 3, 2 ]');
    const { events, outcome } = await notebook.run(
      "%%sql\nSELECT k, sum(v) AS v FROM pnl WHERE k <> 'from' GROUP BY k ORDER BY k -- in order",
    );
    expect(outcome).toEqual({ status: 'ok' });
    expect(events.at(-1)).toMatchObject({ type: 'result', data: { 'text/html': expect.stringContaining('<table') } });
    expect(await notebook.value('%%sql daily\nSELECT count(*) AS n FROM pnl', 'recordsOf(daily)')).toBe('[ { n: 3 } ]');
    expect(await notebook.value('#!sql more\nSELECT n + 1 AS n FROM daily', 'recordsOf(more)')).toBe('[ { n: 4 } ]');
    const failed = await notebook.run('%%sql\nSELECT * FROM pln');
    expect(failed.outcome).toMatchObject({
      fault: { name: 'UsageError', message: expect.stringContaining('SELECT * FROM pln') },
    });
    expect(await notebook.value('%%sql upper\nSELECT count(*) AS n FROM PNL', 'recordsOf(upper)')).toBe('[ { n: 3 } ]');
    expect((await notebook.run('const recs = [{ p: 1 }]\nrecs')).outcome).toEqual({ status: 'ok' });
    expect((await notebook.run('%%sql\nSELECT p FROM recs')).outcome).toMatchObject({
      fault: { message: expect.stringContaining('"recs" must be a DataFrame, but is an array: make one of records') },
    });
    const own = '%%sql own\nWITH recs AS (SELECT 7 AS n) SELECT n FROM recs';
    expect(await notebook.value(own, 'recordsOf(own)')).toBe('[ { n: 7 } ]');
    expect((await notebook.run('%%sql a-b\nSELECT 1')).outcome).toMatchObject({
      fault: { message: "%%sql takes the name of a constant, not 'a-b'." },
    });
  });

  it.each(['%%sql\n', '%sql '])('names the frames of the session where a table is missing: %j', async (magic) => {
    const fresh = new TestNotebook();
    const said = async (sql: string) => {
      const { outcome } = await fresh.run(`${magic}${sql}`);
      return outcome.status === 'error' ? outcome.fault.message.split('\n')[0] : undefined;
    };
    try {
      expect(await said('SELECT * FROM trades')).toBe(
        'The query names a table "trades" that does not exist: the session has no frame yet. A cell such as const trades = … makes one.',
      );
      const frames =
        'const tt = new DataFrame([{ a: 1 }]); let cat = tt; const n = 1, rows = [{ a: 1 }], later = null;';
      await fresh.value(`import { DataFrame } from 'oddslab'; ${frames}`);
      await fresh.run("const broken = (() => { throw new Error('no') })()");
      expect(await said('SELECT * FROM trades')).toBe(
        'The query names a table "trades" that does not exist: the frames are tt, cat.',
      );
      expect(await said('SELECT * FROM cat JOIN ttt USING (a)')).toBe(
        'The query names a table "ttt" that does not exist: the frames are tt, cat. Did you mean "tt"?',
      );
      // A call of one's own has the frames that were given to it.
      const { outcome } = await fresh.run("await (await import('oddslab')).query('SELECT * FROM trades')");
      expect(outcome).toMatchObject({ fault: { message: expect.stringContaining('no frame was given') } });
    } finally {
      await fresh.close();
    }
  });

  it('runs a query of one line', async () => {
    expect(await notebook.value('%sql SELECT 5 AS n')).toContain('5');
    const { events } = await notebook.run('%sql select count(*) as n from pnl;');
    expect(events.at(-1)).toMatchObject({ type: 'result', data: { 'text/html': expect.stringContaining('<table') } });
  });

  it.each([
    ['git + status', 'git is not defined'],
    ['const head = 1; head tail', 'Expected'],
    ['!missing && 1', 'missing is not defined'],
    ['!missing(1)', 'missing is not defined'],
    ['map.set("a", 1)', 'map is not defined'],
    ['[1].map(list)', 'list is not defined'],
    ['[min, 1]', 'min is not defined'],
  ])('gives no advice for another place on %j', async (code, message) => {
    const { outcome } = await notebook.run(code);
    expect(outcome).toMatchObject({ fault: { message: expect.stringContaining(message) } });
    expect(outcome).toMatchObject({
      fault: { message: expect.not.stringMatching(/Cells run|In TypeScript|Of a list/) },
    });
  });

  it.each([
    ['%%html\n<b>1 < 2</b>', 'text/html', '<b>1 < 2</b>'],
    ['\n%%markdown\n# Title\n$x$', 'text/markdown', '# Title\n$x$'],
    ['#!markdown\n*a*', 'text/markdown', '*a*'],
    ['%%latex\n$x^2$', 'text/latex', '$x^2$'],
  ])('shows %j', async (code, type, shown) => {
    expect((await notebook.run(code)).events).toMatchObject([{ type: 'display', data: { [type]: shown } }]);
  });

  it.each([
    ['%%typescript\nconst n: number = 5; n', '5'],
    ['%%js\n5 * 2', '10'],
    ['{ a: 1 }', '{ a: 1 }'],
    ['!n', 'false'],
    ['n?', '5'],
    ['new Promise(() => {})', 'Promise { <pending> } (a promise: await it)'],
  ])('runs %j', async (code, expected) => expect(await notebook.value(code)).toBe(expected));

  it.each([
    ['%%time\nconst slow = 1;\nslow + 1', /^It took [\d.]+ (s|ms|µs|ns)\.\n$/],
    ['%time slow + 1', /^It took [\d.]+ (s|ms|µs|ns)\.\n$/],
    [
      '%timeit slow + 1',
      /^[\d.]+ (s|ms|µs|ns) ± [\d.]+ (s|ms|µs|ns) \(mean and deviation of 7 rounds of [\d,]+ calls?\)\n$/,
    ],
    ['%timeit await null', /^[\d.]+ (s|ms|µs|ns) ± /],
    ['%%timeit\nlet sum = 0;\nfor (let i = 0; i < 1000; i++) sum += i;', /^[\d.]+ (s|ms|µs|ns) ± /],
    ['%%time\n%%sql\nSELECT 1', /^It took [\d.]+ (s|ms|µs|ns)\.\n$/],
    ['%%typescript\n%%time\nslow', /^It took [\d.]+ (s|ms|µs|ns)\.\n$/],
    ['%who', /\bpnl\b.*\bslow\b/],
  ])('measures or tells by %j', async (code, printed) => {
    const { events, outcome } = await notebook.run(code);
    expect(outcome).toEqual({ status: 'ok' });
    expect(events[0]).toMatchObject({ type: 'stream', name: 'stdout', text: expect.stringMatching(printed) });
    if (code.startsWith('%%time\nconst'))
      expect(events[1]).toMatchObject({ type: 'result', data: { 'text/plain': '2' } });
  });

  it('tells the names that have a value, once each, and none that the code has which is run in their place', async () => {
    const own = new TestNotebook();
    onTestFinished(() => own.close());
    for (const code of [
      'const URL = 1; using gone = { [Symbol.dispose]() {} }; await using late = null;',
      'for (using each of []) {} let _own = 1; _own = 2; const URL = 3;',
      'throw new Error("x"); const never = 1;',
    ])
      await own.run(code);
    const { events } = await own.run('%who');
    expect(events).toMatchObject([{ text: 'URL  _own  gone  late\n' }]);
  });

  it('keeps places where the first line is only taken away', async () => {
    const { outcome } = await notebook.run('%%time\nconst a = 1;\n  missing');
    expect(outcome).toMatchObject({ fault: { name: 'ReferenceError', at: { line: 3, column: 3 } } });
  });

  const EXEC = "import { execSync } from 'node:child_process'; execSync('ls', { encoding: 'utf8' })";
  it.each([
    ['%%python\nprint(1)', 'Cells in python do not run here. Cells hold TypeScript or JavaScript;'],
    ['%%csharp\nvar a = 1;', 'Cells in csharp do not run here.'],
    ['%%bash\nls', `Cells in bash do not run here. Run commands from a cell: ${EXEC}`],
    ['%timeit -n 10 1 + 1', '%timeit has no options'],
    ['%%timeit -n 100\n1 + 1', '%%timeit has no options'],
    ['%time\n1 + 1', '%time, %timeit, %sql and %who, each as a whole cell'],
    ['%%sql const\nSELECT 1', "%%sql takes the name of a constant, not 'const'."],
    ['%load_ext autoreload\n%autoreload 2', '%time, %timeit, %sql and %who'],
    ['console.log(1)\n%time 1 + 1', '%time, %timeit, %sql and %who'],
    ['const n1 = 1\n!ls -l', "Cells run no commands by '!'."],
    ['const files = !ls -l', "Cells run no commands by '!'."],
    ['%matplotlib inline', 'There is no %matplotlib here. %time, %timeit, %sql and %who are.'],
    [
      '%pip install x',
      "There is no %pip here. Packages come from npm: run npm install in a terminal in the notebook's folder.",
    ],
    ['%cd /tmp', "There is no %cd here. Change the folder by: process.chdir('/tmp')"],
    ['%env KEY=a b', "There is no %env here. Variables of the environment: process.env.KEY = 'value'"],
    [
      '%system ls -l',
      `There is no %system here. Cells run no commands. List a folder by: import { readdirSync } from 'node:fs'; readdirSync('.')`,
    ],
    ['!ls', `ls is not defined. Cells run no commands by '!'. Run one by: ${EXEC}`],
    ['!pip install pandas', 'Packages come from npm: run npm install in a terminal'],
    ['Deno.readTextFile("a")', 'Deno is not defined. Cells run in Node.js: Deno.readTextFile is readFile'],
    ['$$.html("a")', '$$ is not defined. $$ is of another kernel: here display(…)'],
    [
      'document.body',
      'document is not defined. Cells run in Node.js, which has no page: show HTML by display.html(…).',
    ],
    ['print(1)', 'print is not defined. In TypeScript: console.log(…).'],
    ...[
      ['import pandas as pd', "import { DataFrame } from 'oddslab'"],
      ['from numpy import array', "import { DataFrame } from 'oddslab'"],
      ['import os', "import * as os from '…'"],
      ['import os.path as p', "import * as p from '…'"],
      ['from math import sqrt, pi', "import { sqrt, pi } from '…'"],
      ['for i in range(10):\n  i', 'for (let i = 0; i < 10; i += 1) { … }'],
      ['for i in range(3): print(i)', 'for (let i = 0; i < 3; i += 1) { … }'],
      ['for k, v in pairs.items():\n  k', 'for (const [k, v] of pairs.items()) { … }'],
      ['def f(x):\n  return x', 'function f(x) { … }'],
      ['def f(x, y): return x', 'function f(x, y) { … }'],
      ['if x == 5:\n  x', 'if (…) { … }'],
      ['with open("a") as f:\n  f', 'try { … } catch (error) { … } finally { … }'],
      ['try:\n  1', 'try { … } catch (error) { … } finally { … }'],
      ['[x for x in rows]', 'rows.map((row) => …)'],
      ['lambda x: x', '(x) => …'],
      ['# a comment\n1', '// …'],
      ['1 and 2', 'a && b'],
      ["const both = x > 1 and y == 'a'", 'a && b'],
      ['1 or 2', 'a || b'],
      ['not true', '!a'],
      ['1 not in [2]', '!list.includes(x)'],
      ['const gone = x is None', 'x === null'],
      ['const there = x is not None', 'x !== null'],
      ['const least = 1 if 2 > 1 else 3', 'test ? a : b'],
      ['if (1 > 2) { 1 }\nelif (2 > 1) { 2 }', 'else if (…) { … }'],
      ['if (1 > 2) { 1 } elif (2 > 1) { 2 }', 'else if (…) { … }'],
      ['class Odds(Base):\n  pass', 'class Odds { … }'],
      ['async def f(x):\n  return x', 'function f(x) { … }'],
      ['print 5', 'console.log(…)'],
      ['raise ValueError("x")', "throw new Error('…')"],
      ['del rows[0]', 'delete record.name, or list.splice(at, 1)'],
      ['const a = f"{b}"', ['`$', '{name}`, in backquotes'].join('')],
      ['rows[1:2]', 'list.slice(1, 2)'],
      ['rows[:-1]', 'list.slice(0, -1)'],
      ['rows[n:]', 'list.slice(n)'],
      ['rows[::-1]', '[...list].reverse()'],
      ['sum(x for x in rows)', 'rows.map((row) => …)'],
      ['assert n == 5, "five"', "if (!(…)) throw new Error('…')"],
      ['"""Of the day."""', '/** … */ before a function, or a text of several lines in backquotes'],
      ["const sql = '''\nSELECT 1\n'''", '/** … */ before a function, or a text of several lines in backquotes'],
    ].map(([code = '', instead]) => [code, `This looks like Python. In TypeScript: ${instead}`]),
    ['flow %>% filter(x > 1)', 'This looks like R. In TypeScript, each step is a call: sortBy('],
    ['double <- function(x) x * 2', 'This looks like R. In TypeScript: (x) => …'],
    ['arrowed <- c(1, 2)', 'arrowed is not defined. This looks like R. In TypeScript: let arrowed = …'],
    ['library(dplyr)', "library is not defined. In TypeScript: import … from '…'."],
    ['using DataFrames, Dates', "This looks like Julia. In TypeScript: import … from '…'"],
    ['SELECT * FROM trades', 'This looks like SQL. Its first line is to be %%sql.'],
    [
      '-- won\nselect pnl from trades\nwhere pnl > 0 and note is not null',
      'This looks like SQL. Its first line is to be %%sql.',
    ],
    ['with t as (select 1 as n) select n from t where n in (1) or n is not null', 'This looks like SQL'],
    ['with open("a.txt") as f:\n    rows = f', 'This looks like Python'],
    ['```ts\nconst fenced = 1\n```', 'This is a block of code as Markdown has it: leave out its lines of ```.'],
    ['```\nconst fenced = `1`\n```', 'This is a block of code as Markdown has it: leave out its lines of ```.'],
    ["json.loads('[1]')", 'json is not defined. In TypeScript: JSON.parse(text) and JSON.stringify(value).'],
    ["pd.read_csv('a.csv')", "pd is not defined. 'oddslab' has frames: import { DataFrame, readCsv } from 'oddslab'"],
    ['np.linalg.norm([1])', 'np is not defined. In TypeScript: Math for numbers, and map,'],
    ['plt.plot([1])', "plt is not defined. 'oddslab' draws charts: import { Chart } from 'oddslab';"],
    ['round(1.5, 1)', 'round is not defined. In TypeScript: Math.round(x), or x.toFixed(2) for a text.'],
    ['abs(-1)', 'abs is not defined. In TypeScript: Math.abs(x).'],
    ['type(1)', 'type is not defined. In TypeScript: typeof x, or x.constructor for the class of an object.'],
    ["open('f')", "open is not defined. In TypeScript: readFileSync('a.txt', 'utf8'), of 'node:fs'."],
    ['assert(1)', "assert is not defined. In TypeScript: import assert from 'node:assert'."],
    [
      'sum([1])',
      "sum is not defined. Of a list: list.reduce((total, x) => total + x, 0). As a measure for rollup: import { sum } from 'oddslab'",
    ],
    ['const tall = TRUE', 'TRUE is not defined. In TypeScript: true.'],
    ["(', ' as any).join([1])", "join is not a function. In TypeScript: list.join(', ')."],
    ["const d2: any = { a: 1 }; d2.get('b', 0)", 'd2.get is not a function. In TypeScript: record.name ?? otherwise.'],
    ['const no = not (1 > 2)', 'not is not defined. In TypeScript: !x.'],
    ['const f1 = () => { pass }; f1()', 'pass is not defined. In TypeScript: an empty block, { }.'],
    ['const l1 = [1]; (l1 as any).append(2)', 'append is not a function. In TypeScript: list.push(x).'],
    ['("a" as any).upper()', 'upper is not a function. In TypeScript: text.toUpperCase().'],
    ['const d1: any = { a: 1 }; d1.items()', 'd1.items is not a function. In TypeScript: Object.entries(record).'],
    ['len([1])', 'len is not defined. In TypeScript: rows.length.'],
    ['const none = None', 'None is not defined. In TypeScript: null.'],
    ['const yes = True', 'True is not defined. In TypeScript: true.'],
    ['range(3)', 'range is not defined. In TypeScript: for (let i = 0; i < 3; i += 1) { … }'],
    ['$$html`<b>1</b>`', '$$html is not defined. $$ is of another kernel: here display(…)'],
    ['%sql', '%sql stands before a query on its line, %%sql before one of several lines.'],
    [
      'git status',
      "Cells run no commands by themselves. Run one by: import { execSync } from 'node:child_process'; execSync('git status', { encoding: 'utf8' })",
    ],
    ['const n2 = 1;\ngit log --oneline', "execSync('git log --oneline', { encoding: 'utf8' })"],
    ['npm install d3', "Packages are installed in a terminal, in the notebook's folder: npm install d3"],
    ['pip install pandas', 'Packages come from npm: run npm install in a terminal'],
    ['cd ..', "Change the folder by: process.chdir('..')"],
    ['cd data/raw', "Change the folder by: process.chdir('data/raw')"],
    [
      'ls',
      "ls is not defined. Cells run no commands. List a folder by: import { readdirSync } from 'node:fs'; readdirSync('.')",
    ],
    ['ls -la', "List a folder by: import { readdirSync } from 'node:fs'; readdirSync('.')"],
    ['ls data', "List a folder by: import { readdirSync } from 'node:fs'; readdirSync('data')"],
    ['pwd', 'pwd is not defined. The folder is: process.cwd()'],
    ['cat rows.csv', "Read a file by: import { readFileSync } from 'node:fs'; readFileSync('rows.csv', 'utf8')"],
    ['curl -s http://127.0.0.1/a', "execSync('curl -s http://127.0.0.1/a', { encoding: 'utf8' })"],
    ...['.help', '.exit', '.load a.js'].map((code) => [code, "Cells have no commands of Node's prompt: name? tells"]),
    ['exit', 'exit is not defined. A cell ends by itself; restarting the kernel starts anew.'],
    ['undeclared = 5', 'undeclared is not defined. Declare it: let undeclared = …'],
    [
      'const fixed = 1; fixed = 2',
      'Assignment to constant variable. Declare it again, as const or as let, which can be assigned.',
    ],
    ['!npm install "lodash"', `execSync('npm install \\"lodash\\"', { encoding: 'utf8' })`],
    ['Deno.jupyter.html`a`', 'Here display(value), display.html(…)'],
    [
      'new Worker("a.js")',
      "Worker is not defined. Node.js has it in a module: import { Worker } from 'node:worker_threads'",
    ],
  ])('says of %j what to do', async (code, message) => {
    expect((await notebook.run(code)).outcome).toMatchObject({
      status: 'error',
      fault: { message: expect.stringContaining(message) },
    });
  });

  it.each([
    'let x = ; // this and that, or not now',
    "const text = 'a is not b' 'c and d'",
    'const = 1; /* a if b else c */',
    'let y = = `one or two`',
    'type Both = { not: 1; and: 2 } &',
    'if (x) return else y',
    'const class_: = 1',
    'label: for (const a of [1]) { break label',
    'interface A { readonly is: boolean; or',
    'type Rows = [first: number, rest: string[]]; let = 1',
    'const list = [1]; list[1 ? 0 : 1] list',
  ])('does not take %j for Python', async (code) => {
    const { outcome } = await notebook.run(code);
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError' } });
    expect(outcome.status === 'error' && outcome.fault.message).not.toContain('Python');
  });

  it.each([
    ['const set: any = new Set(); set.find(1)', 'set.find is not a function'],
    ["const store: any = {}; store.get('a')", 'store.get is not a function'],
    ['px + 1', 'px is not defined'],
    ['const twice = (math.price + 1) * 2', 'math is not defined'],
    ['below < -5', 'below is not defined'],
  ])('says nothing of what is JavaScript’s: %s', async (code, message) => {
    expect((await notebook.run(code)).outcome).toMatchObject({ fault: { message } });
  });
});

describe('everything that reads cells reads the same', () => {
  const folder = new TestNotebook();
  const types = openTypeService({ folder: folder.folder });
  beforeEach(() => types.reset());
  afterAll(async () => {
    await types.close();
    await folder.close();
  });
  const CELLS = [
    '%%sql daily\nSELECT 1',
    '%%time\n%%sql\nSELECT 1',
    '%%typescript\n%%time\n1 + 1',
    '%time rows?',
    '%%html\n<b>',
    '%%time\n1 + 1',
    '%time 1',
    '%timeit 1',
    '%%timeit\n1',
    '%who',
    'rows?',
    '?rows.length',
    '%%python\nx =',
    '%foo',
  ];

  it.each(CELLS)('%j is complete, and its types are right', async (code) => {
    types.add('const rows = [1]', 'cell 1');
    expect(await isComplete(code)).toEqual({ status: 'complete' });
    expect(await types.add(code, 'cell 2').diagnostics).toEqual([]);
    if (code.startsWith('%%sql')) {
      const [wrong] = await types.add('daily.hed()', 'cell 3').diagnostics;
      expect(wrong?.message).toContain("Did you mean 'head'?");
    }
  });

  it('leaves everything else as it is', () => {
    for (const code of [
      '#!/usr/bin/env node\n1',
      'a % b',
      '`%%html`',
      '// %%html',
      'a ? b : c',
      '!a',
      '"?x"',
      'x ?? y',
    ])
      expect(plainCell(code)).toBe(code);
  });
});
