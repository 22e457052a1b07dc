import { expect, it } from 'vitest';
import { endsEarly } from '../../../src/client/transport/read-answer.js';

const WHOLE = [
  '{"pagination":{"limit":1},"data":{"results":[{"a":1},{"b":"}]"}]}}',
  ' {"data":{"results":[{"a":"\\"{"}]},\n"pagination":{"limit":1},"timestamp":"x"}\n',
];

it.each(WHOLE)('tells every beginning of an object from the whole: %s', (text) => {
  const body = Buffer.from(text);
  const end = text.trimEnd().length;
  for (let bytes = 2; bytes < end; bytes += 1)
    expect([bytes, endsEarly(body.subarray(0, bytes))]).toEqual([bytes, true]);
  expect(endsEarly(body.subarray(0, end))).toBe(false);
  expect(endsEarly(Buffer.concat([body, Buffer.alloc(100, ' ')]))).toBe(false);
});

it.each(['', ' ', '[', 'null', '"a', '<html>', '{}', '{"a":1} and more', '{"a":1}}'])('is not so of %j', (text) => {
  expect(endsEarly(Buffer.from(text))).toBe(false);
});
