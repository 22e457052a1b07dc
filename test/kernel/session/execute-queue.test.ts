import { expect, it } from 'vitest';
import type { Header } from '../../../src/kernel/protocol/message.js';
import { SenderClocks, wasOvertaken, wasSentBefore } from '../../../src/kernel/session/execute-queue.js';

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

const header = (date: string, session = 's'): Header => ({
  msg_id: 'm',
  msg_type: 'execute_request',
  session,
  username: 'u',
  date,
  version: '5.3',
});

it('knows what was sent before its sender can have had the reply', () => {
  const now = performance.now();
  const failed = { header: header('2026-01-01T00:00:00.100000Z'), arrivedAtMs: now - 50, repliedAtMs: now - 10 };
  const before = (date: string, session?: string): boolean => wasSentBefore(header(date, session), failed, true);
  expect(before('2026-01-01T00:00:00.139999Z')).toBe(true);
  expect(before('2026-01-01T00:00:00.140000Z')).toBe(false);
  expect(before('2026-01-01T00:00:00.101000Z', 'another')).toBe(false);
  expect(before('2026-01-01T00:00:00.138Z')).toBe(true);
  expect(before('2026-01-01T00:00:00.139Z')).toBe(false);
  expect(before('2025-12-31T23:59:59.000000Z')).toBe(false);
  expect(before('yesterday')).toBe(false);
  const longAgo = { ...failed, repliedAtMs: now - 3000, arrivedAtMs: now - 9000 };
  expect(wasSentBefore(header('2026-01-01T00:00:00.139999Z'), longAgo, true)).toBe(false);
});

it('takes dates for no more exact than they are', () => {
  const now = performance.now();
  const replied = (date: string, tookMs: number) => ({
    header: header(date),
    arrivedAtMs: now - tookMs - 10,
    repliedAtMs: now - 10,
  });
  const quick = replied('2026-01-01T00:00:05Z', 50);
  expect(wasSentBefore(header('2026-01-01T00:00:05Z'), quick, true)).toBe(false);
  expect(wasSentBefore(header('2026-01-01T00:00:05.9Z'), replied('2026-01-01T00:00:05.9Z', 50), true)).toBe(false);
  const slow = replied('2026-01-01T00:00:05Z', 1500);
  expect(wasSentBefore(header('2026-01-01T00:00:05Z'), slow, true)).toBe(true);
  expect(wasSentBefore(header('2026-01-01T00:00:06Z'), slow, true)).toBe(false);
  expect(wasSentBefore(header('2026-01-01T00:00:05Z'), slow, false)).toBe(false);
});

it('knows what was sent before the request that overtook it, for a while', () => {
  const request = (arrivedAtMs: number) => ({
    message: { header: header('2026-01-01T00:00:00.100001Z') },
    arrivedAtMs,
  });
  const overtaken = (date: string, session?: string, agoMs = 10): boolean =>
    wasOvertaken(header(date, session), request(performance.now() - agoMs));
  expect(overtaken('2026-01-01T00:00:00.100000Z')).toBe(true);
  expect(overtaken('2026-01-01T00:00:00.100001Z')).toBe(false);
  expect(overtaken('2026-01-01T00:00:00.100000Z', 'another')).toBe(false);
  expect(overtaken('yesterday')).toBe(false);
  expect(overtaken('2026-01-01T00:00:00.100000Z', 's', 3000)).toBe(false);
});
