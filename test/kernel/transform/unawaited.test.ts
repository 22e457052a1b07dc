import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNotebook } from '../run-cells.js';

describe('what asks the reader, without await', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  it.each([
    ["console.log('ran');\nif (confirm('delete?')) console.log('deleted');", 'confirm', 2, 5],
    ["while (!confirm('sure?')) { }", 'confirm', 1, 9],
    ["const x = confirm('a') ? 1 : 2", 'confirm', 1, 11],
    ["const x = 1 < 2 && (confirm('a') as any) && 3", 'confirm', 1, 21],
    ["if (1 < 2 && confirm('a')) { }", 'confirm', 1, 14],
    ["if ((0, confirm('a'))) { }", 'confirm', 1, 9],
    [['const name = `Hello $', "{input('Name?')}`"].join(''), 'input', 1, 23],
    ["const n = prompt('How many?') + 1", 'prompt', 1, 11],
    ["const n = input('x').trim()", 'input', 1, 11],
    ["input('x')!.length", 'input', 1, 1],
    ["switch (prompt('x')) { case 'a': }", 'prompt', 1, 9],
    ["for (const c of password('x') as any) { }", 'password', 1, 17],
    ["[...(input('x') as any)]", 'input', 1, 6],
    ["function ask() { return confirm('a') ? 1 : 2 }", 'confirm', 1, 25],
    ["class A { m() { do { } while (confirm('a')) } }", 'confirm', 1, 31],
    ["{ a: confirm('b') === true }", 'confirm', 1, 6],
    ["if (confirm?.('x')) { }", 'confirm', 1, 5],
    ["if (confirm!('x')) { }", 'confirm', 1, 5],
    ["if ((confirm)('x')) { }", 'confirm', 1, 5],
    ["if (globalThis.confirm('x')) { }", 'confirm', 1, 5],
    ["Boolean(confirm('x'))", 'confirm', 1, 9],
    ["parseInt(prompt('x') as any, 10)", 'prompt', 1, 10],
    ["Number.parseFloat(input('x') as any)", 'input', 1, 19],
    ["JSON.parse(input('x') as any)", 'input', 1, 12],
    ["const sure = confirm('a'); if (sure) { }", 'confirm', 1, 14],
    ["let sure1; sure1 = confirm('a')\nif (!sure1) { }", 'confirm', 1, 20],
    ["const text1 = prompt('a')!; const both = () => text1 + '!'", 'prompt', 1, 15],
    ["const text2 = input('a'); text2.length", 'input', 1, 15],
    ["const el = (p: any) => <i>{confirm('b') ? p : 1}</i>", 'confirm', 1, 28],
    ["if (globalThis['confirm']('x')) { }", 'confirm', 1, 5],
    ["if (globalThis?.confirm?.('x')) { }", 'confirm', 1, 5],
    ["const c1 = confirm; if (c1('x')) { }", 'c1', 1, 25],
    ["const c2 = globalThis.confirm\nwhile (c2('x')) { }", 'c2', 2, 8],
    ["const c3 = globalThis['prompt'] as any; c3('x').trim()", 'c3', 1, 41],
    ["const { confirm: c4 } = globalThis; const g4 = () => !c4('x')", 'c4', 1, 55],
    ["const { input: c5, display: d5 } = globalThis; c5('x') + '!'", 'c5', 1, 48],
    ["function del(c = confirm('x')) { if (c) return 1 }", 'confirm', 1, 18],
    ["const e1 = (c: any = confirm('x')) => (c ? 1 : 2)", 'confirm', 1, 22],
    ["function e2() { const sure = confirm('a'); if (sure) return 1 }", 'confirm', 1, 30],
    ["const e3 = () => { let text; text = prompt('a'); { return text!.length } }", 'prompt', 1, 37],
    ["if ((0, confirm)('x')) { }", 'confirm', 1, 5],
    ["if (confirm.call(null, 'x')) { }", 'confirm', 1, 5],
    ["while (!confirm.apply(null, ['x'])) { }", 'confirm', 1, 9],
    ["if (confirm.bind(null)('x')) { }", 'confirm', 1, 5],
    ["if (globalThis.confirm.call(null, 'x')) { }", 'confirm', 1, 5],
    ["if (1) globalThis.confirm('x') ? 1 : 2", 'confirm', 1, 8],
    ["if (global.confirm('x')) { }", 'confirm', 1, 5],
    ["const f1 = () => confirm('x')\nif (f1()) { }", 'f1', 2, 5],
    ["const f2 = async (text: string) => (await confirm(text))!; f2('a') ? 1 : 2", 'f2', 1, 60],
    ["const f3 = function () { return prompt('x') } as any; f3().trim()", 'f3', 1, 55],
    ["if (!f4(1)) { }\nfunction f4(n: number) { if (n > 1) return confirm('a'); return confirm('b') }", 'f4', 1, 6],
    ["const f5 = () => confirm('x'); const f6 = () => f5(); const g6 = () => (f6() ? 1 : 2)", 'f6', 1, 73],
    ["const f7 = () => globalThis.confirm?.('x'); while (f7()) { }", 'f7', 1, 52],
    ["const q1 = { ask: () => confirm('x') }; if (q1.ask()) { }", 'q1.ask', 1, 45],
    ["const q2 = { ask() { return confirm('x') }, n: 1 }; while (!q2.ask()) q2.n", 'q2.ask', 1, 61],
    ["const q3 = { ask: confirm }\nif (q3.ask('x')) { }", 'q3.ask', 2, 5],
    ["const q4 = [() => confirm('x'), 1] as const; if (q4[0]()) { }", 'q4[0]', 1, 50],
    ["class Q5 { ask() { return confirm('x') } }\nif (new Q5().ask()) { }", 'ask', 2, 5],
    ["class Q6 { ask = () => confirm('x') }\nconst q6 = new Q6(); if (q6.ask()) { }", 'q6.ask', 2, 26],
    ["class Q7 { static ask() { return confirm('x') } }\nif (Q7.ask()) { }", 'Q7.ask', 2, 5],
    ["const c6 = confirm; const p6 = c6('a'); p6 && 1", 'c6', 1, 32],
  ])('does not run %s', async (code, name, line, column) => {
    const { outcome, events } = await notebook.run(code);
    const message = expect.stringContaining(`write await ${name}(…)`);
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError', message, at: { line, column } } });
    expect(events).toEqual([]);
  });

  it('nor where an earlier cell has given it another name, until that is something else', async () => {
    await notebook.value('const ask = confirm; const { prompt: line } = globalThis; const again = ask; 0');
    for (const code of ["if (ask('x')) { }", "while (!ask('x')) { }", "line('x').trim()", "again('x') ? 1 : 2"])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: { name: 'SyntaxError', message: expect.stringContaining('write await ') },
      });
    expect(await notebook.value("const f = async () => (await ask('x')) && line('x'); typeof f")).toBe("'function'");
    expect(await notebook.value("((ask: (x: string) => number) => (ask('x') ? 1 : 2))(() => 0)")).toBe('2');
    expect(await notebook.value("const ask = (_: string) => 0; ask('x') ? 1 : 2", "ask('x') ? 3 : 4")).toBe('4');
  });

  it('nor where a function of an earlier cell returns the promise, until its name is something else', async () => {
    await notebook.value("const sure = (text: string) => confirm(text); function line1() { return input('b') } 0");
    for (const code of ["if (sure('x')) { }", 'line1().trim()', 'const n = Number(line1())'])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: { name: 'SyntaxError', message: expect.stringContaining('write await ') },
      });
    expect(await notebook.value("const k = async () => (await sure('x')) && line1().then((x) => x); typeof k")).toBe(
      "'function'",
    );
    expect(await notebook.value('line1 = (() => "own") as any; line1() + "!"', 'line1() + "?"')).toBe("'own?'");
    expect(await notebook.value("function sure(_: string) { return 0 } sure('x') ? 1 : 2", "sure('x') ? 3 : 4")).toBe(
      '4',
    );
  });

  it('nor where what an earlier cell made keeps such a function, until a cell may have changed it', async () => {
    await notebook.value(
      "const q8 = { ask: () => confirm('x'), own: 1 }; class Q9 { ask() { return prompt('y') } } const q9 = [() => confirm('z')]; 0",
    );
    for (const code of ['if (q8.ask()) { }', 'q8.own; q8.ask() ? 1 : 2', 'new Q9().ask().trim()', 'if (q9[0]()) { }'])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: { name: 'SyntaxError', message: expect.stringContaining('write await ') },
      });
    expect(await notebook.value('const k9 = async () => (await q8.ask()) ? 1 : 2; typeof k9')).toBe("'function'");
    const changed = '(q8 as any).ask = () => 0; q8.ask() ? 1 : 2';
    expect(await notebook.value('q9.length = 0; q9.push((() => 0) as any); q9[0]() ? 1 : 2')).toBe('2');
    expect(await notebook.value(changed, 'q8.ask() ? 3 : 4')).toBe('4');
    expect(
      await notebook.value(
        'const p8 = { ask: confirm as any }; [p8.ask] = [() => 0]; p8.ask() ? 1 : 2',
        'p8.ask() ? 3 : 4',
      ),
    ).toBe('4');
  });

  it('nor where a constant of an earlier cell keeps the promise, until its name is something else', async () => {
    await notebook.value(
      "const answer = confirm('x'), age = prompt('y'), both = [answer, age].map((each) => each.catch(() => 4)); 0",
    );
    for (const code of ['if (answer) { }', 'const yes = answer ? 1 : 2', 'age * 2', 'age + ""', 'while (!answer) { }'])
      expect((await notebook.run(code)).outcome).toMatchObject({
        fault: {
          name: 'SyntaxError',
          message: expect.stringMatching(/^(answer|age) is a promise, .*: write await \1/),
        },
      });
    expect(await notebook.value('both[0] === both[1]')).toBe('false');
    expect(await notebook.value('const waits = async () => (await answer) && age.then((x) => x); typeof waits')).toBe(
      "'function'",
    );
    expect(await notebook.value('[answer instanceof Promise, ((age: number) => age * 2)(2)]')).toBe('[ true, 4 ]');
    expect(await notebook.value('const age = 3; age * 2', 'age * 3')).toBe('9');
  });

  it('nor in a file beside the notebook, unless the function is another there', async () => {
    notebook.write(
      'wipe.ts',
      "export function wipe() {\n  if (confirm('delete?')) return 'wiped';\n  return 'kept';\n}",
    );
    const { outcome } = await notebook.run("import { wipe } from './wipe'; wipe()");
    const message = expect.stringContaining('write await confirm(…)');
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError', message } });
    expect(JSON.stringify(outcome)).toMatch(/wipe\.ts:2:7/);
    notebook.write(
      'kept.ts',
      "const confirm = (_: string) => false;\nexport const kept = () => (confirm('delete?') ? 'wiped' : 'kept');\nexport const later = async () => (await globalThis.confirm('x')) ? 1 : 2;",
    );
    expect(await notebook.value("import { kept } from './kept'; kept()")).toBe("'kept'");
  });

  it.each([
    ["[1, 2].filter((n) => confirm('x'))", 22],
    ["[1, 2].some((n) => { if (n > 1) return confirm('x'); return false })", 40],
  ])('says what to do where a list is searched: %s', async (code, column) => {
    const message = expect.stringContaining('for (const each of list) if (await confirm(…)) { … }');
    expect((await notebook.run(code)).outcome).toMatchObject({
      fault: { name: 'SyntaxError', message, at: { column } },
    });
  });

  it.each([
    "const later = () => confirm('a'); typeof later",
    "const o1 = { ask: () => confirm('a') as any }; o1.ask = () => true; o1.ask() ? 1 : 2",
    "const o2 = { ask: () => confirm('a') }; Object.assign(o2, { ask: () => true }); o2.ask() ? 1 : 2",
    "const o3 = { ask: () => confirm('a'), ...{ ask: () => true } }; o3.ask() ? 1 : 2",
    "const o4 = { ask: () => confirm('a') as any, calm() { this.ask = () => 1 } }; o4.calm(); o4.ask() ? 1 : 2",
    "const o5: any = { ask: () => confirm('a') }; for (const k of ['ask']) o5[k] = () => true; o5.ask() ? 1 : 2",
    "class O6 { ask() { return confirm('a') } } class P6 extends O6 { ask(): any { return 1 } } const o6 = new P6(); o6.ask() ? 1 : 2",
    "const o7 = { ask: () => confirm('a') }; ((o7: any) => (o7.ask() ? 1 : 2))({ ask: () => true })",
    "const o8: any = [() => confirm('a')]; o8.unshift(() => true); o8[0]() ? 1 : 2",
    "const o9 = { ask: async () => ((await confirm('a')) ? 1 : 2) }; o9.ask().then((n) => n) && typeof o9",
    "const s1 = (n: number) => { if (n > 1) return true; return confirm('a') }; s1(2) ? 1 : 2",
    "function s2(n: number) { if (n > 1) return confirm('a') } s2(0) ? 1 : 2",
    'const s3 = () => [confirm, 1]; s3() ? 1 : 2',
    "const s4 = () => { const t = () => confirm('a'); return typeof t }; s4() ? 1 : 2",
    "const s5 = (confirm: (x: string) => boolean) => confirm('a'); s5(() => true) ? 1 : 2",
    "function s6() { return confirm('a') as any } s6 = (() => 1) as any; s6() ? 1 : 2",
    "let s7: any = () => confirm('a'); s7 = () => true; s7() ? 1 : 2",
    "function* s8(): any { return confirm('a') } s8() ? 1 : 2",
    "const d1 = confirm; const f1 = async () => (await d1('a')) ? 1 : 2; typeof f1",
    "const { confirm: d2 } = { confirm: (_: string) => true }; d2('a') ? 1 : 2",
    "const d3 = confirm; ((d3: (x: string) => boolean) => (d3('a') ? 1 : 2))(() => true)",
    "let d4: any = confirm; d4 = () => true; d4('a') ? 1 : 2",
    "((globalThis: any) => (globalThis.confirm('a') ? 1 : 2))({ confirm: () => true })",
    "const g = () => { const p = confirm('a'); return p }; typeof g",
    "const h = async () => { let p: any = confirm('a'); p = await p; return p ? 1 : 2 }; typeof h",
    "let p1: any; const k = async () => { p1 = confirm('a'); p1 = await p1; if (p1) return 1 }; typeof k",
    "const l = async () => { const p2 = confirm('a'); return (await p2) ? 1 : 2 }; typeof l",
    "let p3: any; const m = () => { p3 = confirm('a'); return p3.then((x: any) => !x) }; typeof m",
    "const p4 = 1; const o = () => { const p4 = confirm('a'); return p4 }; p4 + 1; typeof o",
    "const q = () => [1].map((n) => confirm('a')); typeof q",
    "const r1 = async (c: any = confirm('a')) => { c = await c; return c ? 1 : 2 }; typeof r1",
    "const r2 = (c = confirm('a')) => c; typeof r2",
    "function r3() { const c: any = confirm('a'); { const c = 1; if (c) return c } return c } typeof r3",
    "const r4 = async () => { const c = confirm('a'); if (await c) return 1 }; typeof r4",
    "const r5 = { confirm: { call: (_: null, x: string) => x } }; r5.confirm.call(null, 'x') ? 1 : 2",
    "const asks = [() => confirm('a'), () => input('b').then((x) => x)]; asks.length",
    "async function f() { if (await confirm('a')) return await input('b'); } typeof f",
    "const f2 = (all: unknown) => typeof all; f2(() => Promise.all([confirm('a'), prompt('b')]))",
    "const o = { ask: () => ({ p: confirm('a') }), confirm: 1 }; o.confirm ? 1 : 2",
    "const text = 'if (confirm(1))'; text.length",
    "((confirm: (x: string) => boolean) => (confirm('a') ? 1 : 2))(() => true)",
    "const { my } = { my: { confirm: (_: string) => true } }; my.confirm('a') ? 1 : 2",
  ])('runs %s', async (code) => {
    expect((await notebook.run(code)).outcome).toEqual({ status: 'ok' });
  });

  it('leaves functions of these names alone that are the user’s', async () => {
    expect(await notebook.value("const confirm = (_: string) => true; confirm('a') ? 1 : 2")).toBe('1');
    expect(await notebook.value("confirm('a') ? 3 : 4")).toBe('3');
    notebook.write('mine.ts', 'export const input = (text: string) => text;');
    expect(await notebook.value("import { input } from './mine'; input('a') + 'b'", "input('c') + 'd'")).toBe("'cd'");
    expect(await notebook.value('(globalThis as any).prompt = (text: string) => text; 1', "prompt('e') + 'f'")).toBe(
      "'ef'",
    );
  });
});
