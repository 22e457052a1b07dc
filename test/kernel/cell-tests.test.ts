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
