import { afterAll, beforeAll, expect, it } from 'vitest';
import * as exported from '../../src/index.js';
import { TestNotebook } from './run-cells.js';

const INDEX = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);

let notebook: TestNotebook;
beforeAll(async () => {
  notebook = new TestNotebook();
  await notebook.run(
    `import { DataFrame } from ${INDEX}; const tt = new DataFrame({ pnl: [1, 2] }); const rows = [1];`,
  );
});
afterAll(() => notebook.close());

it.each([
  ['tt.filter((row) => row.pnl > 1)', "'oddslab' has it as a function: filterRows(frame, (row) => …)"],
  ["tt.groupBy('pnl')", "'oddslab' has it as a function: groupBy(frame, 'name').rollup({ … })"],
  ["tt.orderby('pnl')", "'oddslab' has it as a function: sortBy(frame, 'name')"],
  ['tt.derive({})', "'oddslab' has it as a function: withColumns(frame, { name: (row) => … })"],
  ['tt.iterrows()', 'A frame has frame.toJSON().'],
])('%s names what a frame has instead', async (code, says) => {
  const [, member] = /\.(\w+)\(/.exec(code) ?? [];
  expect((await notebook.run(code)).outcome).toMatchObject({
    fault: { name: 'TypeError', message: `tt.${member} is not a function. ${says}` },
  });
});

it('of nothing else', async () => {
  for (const [code, message] of [
    ['tt.nothing()', 'tt.nothing is not a function'],
    ['(rows as any).derive()', 'rows.derive is not a function'],
  ] as const)
    expect((await notebook.run(code)).outcome).toMatchObject({ fault: { message } });
});

it('by names that there are', () => {
  const names = [
    ...['filterRows', 'selectColumns', 'groupBy', 'count', 'withColumns', 'sortBy', 'topN', 'joinOn', 'concatRows'],
    ...['distinct', 'pivot', 'renameColumns', 'dropColumns'],
  ] as const;
  expect(Object.keys(exported)).toEqual(expect.arrayContaining([...names]));
});
