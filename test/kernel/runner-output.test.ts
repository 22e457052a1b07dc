import { expect, it } from 'vitest';
import { JoinedOutput } from '../../src/kernel/runner-output.js';
import type { OutputEvent } from '../../src/kernel/wire/runner.js';

const halves = ['\ud83d', '\ude80'] as const;
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

it('joins the halves of a character, however they are cut, and puts U+FFFD for one that stays alone', async () => {
  const passed: string[] = [];
  const output = new JoinedOutput((_, event) => passed.push(event.type === 'stream' ? event.text : event.type));
  const [first, second] = halves;
  const large = 'é'.repeat(4 * 1024 * 1024);
  output.take(1, text('stdout', large + first));
  output.take(1, text('stdout', first));
  output.take(1, text('stdout', second));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(passed).toEqual([`${large}\ufffd`, '🚀']);
  output.take(1, text('stdout', first));
  await new Promise((resolve) => setTimeout(resolve, 50));
  output.take(1, text('stdout', `${second}${first}`));
  await new Promise((resolve) => setTimeout(resolve, 50));
  output.take(2, text('stdout', second));
  output.take(2, { type: 'clear', wait: false });
  expect(passed.slice(2)).toEqual(['🚀', '\ufffd', '\ufffd', 'clear']);
});
