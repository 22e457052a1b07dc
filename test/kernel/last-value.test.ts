import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

describe('a semicolon at the end', () => {
  const notebook = new TestNotebook();
  afterAll(() => notebook.close());

  it.each([
    '1 + 1;',
    '1 + 1 ; // told',
    '(1);\n\n/* told */',
    '"a;"\n;',
    'const x: number = 1;\nx as number;',
    'enum E { A = 1 }\nE.A;',
    'await Promise.resolve(1);',
    '({ a: 1 });',
  ])('silences %s', async (code) => {
    const { events, outcome } = await notebook.run(code);
    expect([events, outcome.status]).toEqual([[], 'ok']);
  });

  it.each([
    ['1 + 1 // ;', '2'],
    ['"a;"', "'a;'"],
    ['const y = 1;\ny /* ; */', '1'],
    ['[1].map((x) => { return x; })', '[ 1 ]'],
    ['`;`', "';'"],
  ])('does not stand in %s', async (code, shown) => expect(await notebook.value(code)).toBe(shown));

  it('silences no output and no error', async () => {
    const { events } = await notebook.run('console.log(1); display(2);');
    expect(events.map(({ type }) => type)).toEqual(['stream', 'display']);
    expect((await notebook.run('missing;')).outcome.status).toBe('error');
  });
});

describe('_', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    notebook.write('node_modules/lodash/index.js', 'module.exports = { chunk: () => "chunked", own: typeof _ };');
  });
  afterAll(() => notebook.close());

  it('is the last value that was shown', async () => {
    expect(await notebook.value('typeof _')).toBe("'undefined'");
    expect(await notebook.value('6 * 7', '_ + 1')).toBe('43');
    expect(
      await notebook.value('_', 'undefined', 'let other = 1', '7;', '(() => { throw 1 }).name; undefined', '_'),
    ).toBe('43');
    await notebook.run('throw new Error()');
    expect(await notebook.value('const later = () => _; [1, 2]', 'later().length')).toBe('2');
    expect(await notebook.value('[[1, 2]].map(([_, second]) => _)')).toBe('[ 1 ]');
    expect(await notebook.value('({ _ })')).toBe('{ _: [ 1 ] }');
  });

  it('cannot be assigned to without being declared', async () => {
    for (const code of ['_ = 5', '[_] = [5]', '_++'])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: {
          name: 'TypeError',
          message:
            'Assignment to constant variable. _ is the last value that a cell has shown. To make the name yours, declare it: let _ = …',
        },
      });
    expect(await notebook.value('5', '_')).toBe('5');
  });

  it('is no name that packages see', async () => {
    expect(await notebook.value('8', "import { own } from 'lodash'; own")).toBe("'undefined'");
    expect(await notebook.value("'_' in globalThis")).toBe('false');
  });

  it('is the user’s once a cell declares it', async () => {
    expect(await notebook.value("import _ from 'lodash'; _.chunk()", '9', '_.chunk()')).toBe("'chunked'");
    expect(await notebook.value('let _ = 3; _', '4', '_')).toBe('3');
  });
});
