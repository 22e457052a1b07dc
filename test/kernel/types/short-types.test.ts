import { expect, it } from 'vitest';
import { shortMessage } from '../../../src/kernel/types/short-types.js';

const list = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at));

it('leaves a message whose types are short as it is', () => {
  const message = `Type '"x"' is not assignable to type '{ a: "x; y | z"; }'.\n  It can't be used to index type 'A'.`;
  expect(shortMessage(message)).toBe(message);
});

it.each([
  [
    `{ ${list(200, (at) => `m${at}: number;`).join(' ')} }[]`,
    '{ m0: number; m1: number; m2: number; m3: number; m4: number; m5: number; m6: number; m7: number; … 192 more }[]',
  ],
  // TypeScript's own omission counts as what it leaves out.
  [
    `{ ${list(30, (at) => `m${at}: number;`).join(' ')} ... 170 more ...; m200: number; }`,
    '{ m0: number; m1: number; m2: number; m3: number; m4: number; m5: number; m6: number; m7: number; … 193 more }',
  ],
  [
    list(60, (at) => `"key${at}"`).join(' | '),
    '"key0" | "key1" | "key2" | "key3" | "key4" | "key5" | "key6" | "key7" | "key8" | "key9" | "key10" | "key11" | … 48 more',
  ],
  [
    `Row & ${list(60, (at) => `{ m${at}?: any; }`).join(' & ')}`,
    'Row & { m0?: any; } & { m1?: any; } & { m2?: any; } & { m3?: any; } & { m4?: any; } & … 55 more',
  ],
  [`Promise<${'x'.repeat(300)}>`, `Promise<${'x'.repeat(72)}…`],
])('shortens a long type: %#', (type, short) => {
  expect(shortMessage(`Property 'a' does not exist on type '${type}'. It can't.`)).toBe(
    `Property 'a' does not exist on type '${short}'. It can't.`,
  );
});
