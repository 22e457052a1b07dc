import { expect, it } from 'vitest';
import { SenderClocks } from '../../../src/kernel/session/sender-clocks.js';

it('knows the sessions whose dates differ', () => {
  const clocks = new SenderClocks();
  const note = (session: string, date: string): boolean => {
    clocks.note({ msg_id: 'm', msg_type: 'execute_request', session, username: 'u', date, version: '5.3' });
    return clocks.hasGone(session);
  };
  expect(clocks.hasGone('a')).toBe(false);
  expect(note('a', '2026-01-01T00:00:00.1Z')).toBe(false);
  expect(note('b', '2026-01-01T00:00:00.2Z')).toBe(false);
  expect(note('a', '2026-01-01T00:00:00.1Z')).toBe(false);
  expect(note('a', '2026-01-01T00:00:00.2Z')).toBe(true);
  expect(note('a', '2026-01-01T00:00:00.2Z')).toBe(true);
  expect(clocks.hasGone('b')).toBe(false);
});
