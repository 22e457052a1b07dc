import { expect, it } from 'vitest';
import type { OutputEvent } from '../../src/kernel/events.js';
import { JoinedOutput } from '../../src/kernel/joined-output.js';

const text = (name: 'stdout' | 'stderr', part: string): OutputEvent => ({ type: 'stream', name, text: part });

it('joins text of one stream of one cell, keeps the order, and passes on soon what waits', async () => {
  const passed: [number, OutputEvent][] = [];
  const output = new JoinedOutput((cell, event) => passed.push([cell, event]));
  output.take(1, text('stdout', 'a'));
  output.take(1, text('stdout', 'b'));
  output.take(1, text('stderr', 'c'));
  output.take(2, text('stderr', 'd'));
  output.take(2, { type: 'clear', wait: false });
  output.take(2, text('stderr', 'e'));
  const before: [number, OutputEvent][] = [
    [1, text('stdout', 'ab')],
    [1, text('stderr', 'c')],
    [2, text('stderr', 'd')],
    [2, { type: 'clear', wait: false }],
  ];
  expect(passed).toEqual(before);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(passed).toEqual([...before, [2, text('stderr', 'e')]]);
});
