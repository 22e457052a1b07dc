import { afterAll, describe, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

describe('node:test in cells', () => {
  const notebook = new TestNotebook();
  const shown: string[] = [];
  afterAll(() => notebook.close());

  async function run(code: string): Promise<void> {
    const at = shown.push('') - 1;
    const outcome = await notebook.runner.execute(code, {
      name: `cell ${at + 1}`,
      onOutput: (event) => {
        if (event.type === 'stream') shown[at] += event.text;
      },
    });
    expect(outcome).toEqual({ status: 'ok' });
  }

  it('tells of each test under its cell', async () => {
    await run(`import test, { describe, it } from 'node:test';
import assert from 'node:assert';
test('one', () => { console.log('in one'); });`);
    await run("void test('two', async (t) => { await t.test('sub of two', () => {}); assert.equal(1, 2); });");
    await run("await test('three', (t, done) => { console.log('in three'); setTimeout(done, 5); });");
    await run(`describe('four', () => { it('in four', () => { console.log('printed in four'); assert.ok(true); }); it.skip('left out', () => {}); });
await new Promise((resolve) => setTimeout(resolve, 100));`);
    await run("const { test: again } = require('node:test'); await again(function five() { assert.equal(1, 3); });");
    await run(
      'notes = (globalThis as any).notes; var notes: any; await new Promise((resolve) => setTimeout(resolve, 50));',
    );
    const lines = shown.map((text) => text.match(/^ *(?:not ok|ok|in |printed|TAP).*/gm));
    expect(lines).toEqual([
      ['in one', 'TAP version 13', 'ok 1 - one'],
      ['TAP version 13', '    ok 1 - sub of two', 'not ok 2 - two'],
      ['in three', 'TAP version 13', 'ok 3 - three'],
      ['printed in four', 'TAP version 13', '    ok 1 - in four', '    ok 2 - left out # SKIP', 'ok 4 - four'],
      ['TAP version 13', 'not ok 5 - five'],
      null,
    ]);
    expect(shown[1]).toContain('1 == 2');
    expect(shown[4]).toContain('1 == 3');
  });

  it('waits at the end of a cell for the tests that it began', async () => {
    const slow = (name: string, ms: number) =>
      `again('${name}', async () => { await new Promise((resolve) => setTimeout(resolve, ${ms})); });`;
    await run(`${slow('slow one', 300)} ${slow('slow two', 50)} void 0;`);
    expect(shown.at(-1)?.match(/^(not )?ok.*/gm)).toEqual([
      expect.stringContaining('slow one'),
      expect.stringContaining('slow two'),
    ]);
    await run(`require('node:test').describe('slow suite', () => { ${slow('slow inside', 100)} });`);
    expect(shown.at(-1)?.match(/^ *ok.*/gm)).toEqual([
      expect.stringContaining('slow inside'),
      expect.stringContaining('slow suite'),
    ]);
    const many = Array.from({ length: 12 }, (_, at) => slow(`slow ${at}`, 5)).join(' ');
    const { events } = await notebook.run(`${many} 42`);
    expect(events.map((event) => (event.type === 'stream' ? event.name : event.type))).toEqual(['stdout', 'result']);
  });

  it('fails the cell by an error that nobody catches while it waits', async () => {
    const { outcome } = await notebook.run(
      "again('slow beside', () => new Promise((resolve) => setTimeout(resolve, 200))); setTimeout(() => { throw new Error('beside'); }, 50);",
    );
    expect(outcome).toMatchObject({ status: 'error', fault: { message: 'beside' } });
  });

  it('ends what an interrupted cell tests, so that later tests run', async () => {
    const code = "console.log('begun'); again('endless', () => new Promise(() => {}));";
    let tell = (): void => {};
    const begun = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const outcome = notebook.runner.execute(code, {
      onOutput: (event) => {
        if (event.type === 'stream' && event.text.includes('begun')) tell();
      },
    });
    await begun;
    await new Promise((resolve) => setTimeout(resolve, 100));
    notebook.runner.interrupt();
    expect(await outcome).toMatchObject({ fault: { name: 'Interrupted' } });
    await run("again('after', () => {});");
    expect(shown.at(-1)).toMatch(/^ok \d+ - after$/m);
  });

  it('shows no promise where a cell ends in a test', async () => {
    for (const made of ["again('six', () => {})", "again.skip('seven')", "require('node:test').it('eight', () => {})"])
      expect(await notebook.run(made)).toMatchObject({ outcome: { status: 'ok' }, result: undefined });
    expect(await notebook.value("const kept = again('nine', async () => 1); typeof kept.then")).toBe("'function'");
  });

  it('ends a run with a code, as Node does, where a test has failed', async () => {
    const { ended } = await notebook.runner.finish();
    expect(ended).toMatchObject({ message: expect.stringContaining('exitCode') });
  });
});
