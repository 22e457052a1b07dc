import { expect, it } from 'vitest';
import { withLineEach } from '../../../src/service/ingest/even-out.js';
import fc from '../../support/fast-check.js';

async function evened(blocks: readonly string[]): Promise<string> {
  const content = async function* () {
    for (const block of blocks) yield Buffer.from(block);
  };
  let text = '';
  for await (const block of withLineEach(content())) text += block;
  return text;
}

it.each([
  ['{"a":1}{"b":"}{"},[{}] {}\n', '{"a":1}\n{"b":"}{"}\n[{}] \n{}\n'],
  ['{"a":"\\"}{"}{}\n{"torn":"\\\n{},{}', '{"a":"\\"}{"}\n{}\n{"torn":"\\\n{}\n{}'],
  ['{"a":[{},{}]}\r\n{}', '{"a":[{},{}]}\r\n{}'],
])('%j has its records on lines of their own', async (text, lines) => {
  expect(await evened([text])).toBe(lines);
});

it('are the same lines wherever blocks end', async () => {
  const text = fc.array(fc.constantFrom('a', ',', '"', '\\', '{', '}', '\n')).map((pieces) => pieces.join(''));
  const property = fc.asyncProperty(text, async (json) => {
    expect(await evened([...json])).toBe(await evened([json]));
  });
  await fc.assert(property, { numRuns: 500 });
});
