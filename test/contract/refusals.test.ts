import { expect, it } from 'vitest';
import { REFUSALS, titleOf } from '../../src/contract/envelope.js';

it('has one title a status, for queries and for the operator', () => {
  expect(new Set(REFUSALS.map(({ status }) => status)).size).toBe(REFUSALS.length);
  for (const { status, title } of REFUSALS) expect(titleOf(status)).toBe(title);
  expect([titleOf(403), titleOf(418)]).toEqual(['Not allowed', 'Error']);
});
