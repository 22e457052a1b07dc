import { expect, it } from 'vitest';
import { dayGiven, momentGiven } from '../../../src/analysis/records/asked-range.js';

function inZone<Answer>(name: string, ask: () => Answer): Answer {
  const zone = process.env.TZ;
  process.env.TZ = name;
  try {
    return ask();
  } finally {
    if (zone === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env.TZ = zone;
  }
}

it('a midnight of this machine is refused where it is another day in UTC, or no midnight of a moment', () => {
  const local = () => new Date(2025, 0, 31);
  expect(() => inZone('Asia/Kolkata', () => dayGiven('sharpe', 'from', local()))).toThrow(
    "from of sharpe is midnight of 2025-01-31 in this machine's time zone, which is 2025-01-30T18:30:00Z; all times here " +
      "are UTC. Write '2025-01-31', or new Date(Date.UTC(2025, 0, 31)); or '2025-01-30' if you mean that.",
  );
  const day = Date.UTC(2025, 0, 31) / 86_400_000;
  expect(inZone('America/New_York', () => dayGiven('halves', 'at', local()))).toBe(day);
  expect(inZone('Asia/Kolkata', () => dayGiven('halves', 'at', new Date('2025-01-31')))).toBe(day);
  for (const zone of ['Asia/Kolkata', 'America/New_York'])
    expect(() => inZone(zone, () => momentGiven('exposure', 'to', local()))).toThrow(/^to of exposure is midnight of/);
  expect(inZone('UTC', () => momentGiven('exposure', 'to', local()))).toBe(Date.UTC(2025, 0, 31));
  expect(momentGiven('exposure', 'from', new Date('2025-01-31T09:05Z'))).toBe(Date.UTC(2025, 0, 31, 9, 5));
});

it('a Date within a second of such a midnight is refused, on either side, if it is of another day in UTC', () => {
  const [last, first] = [() => new Date(2025, 10, 30, 23, 59, 59), () => new Date(2025, 10, 1, 0, 0, 0, 1)];
  expect(() => inZone('America/New_York', () => dayGiven('sharpe', 'to', last()))).toThrow(
    "to of sharpe is 23:59:59 of 2025-11-30 in this machine's time zone, which is 2025-12-01T04:59:59Z; all times here " +
      "are UTC. Write '2025-11-30', or new Date(Date.UTC(2025, 10, 30)); or '2025-12-01' if you mean that.",
  );
  expect(() => inZone('America/New_York', () => momentGiven('exposure', 'to', last()))).toThrow(
    "Write '2025-11-30T23:59:59Z', or new Date(Date.UTC(2025, 10, 30, 23, 59, 59)); or '2025-12-01T04:59:59Z' if you",
  );
  expect(() => inZone('Asia/Kolkata', () => dayGiven('sharpe', 'from', first()))).toThrow(
    "is 00:00:00.001 of 2025-11-01 in this machine's time zone, which is 2025-10-31T18:30:00.001Z; all times here are " +
      "UTC. Write '2025-11-01', or new Date(Date.UTC(2025, 10, 1)); or '2025-10-31' if you mean that.",
  );
  // As a moment it is another one east of UTC, too, though of the same day.
  expect(() => inZone('Asia/Kolkata', () => momentGiven('exposure', 'to', last()))).toThrow(
    /^to of exposure is 23:59:59 of 2025-11-30 .*, which is 2025-11-30T18:29:59Z; .* Write '2025-11-30T23:59:59Z'/,
  );
  expect(inZone('UTC', () => momentGiven('exposure', 'to', last()))).toBe(Date.UTC(2025, 10, 30, 23, 59, 59));
  const day = (date: number) => Date.UTC(2025, 10, date) / 86_400_000;
  // Of one day here and there, or some time of the evening: the moment that it is.
  expect(inZone('Asia/Kolkata', () => dayGiven('sharpe', 'to', last()))).toBe(day(30));
  expect(inZone('America/New_York', () => dayGiven('sharpe', 'from', first()))).toBe(day(1));
  expect(inZone('America/New_York', () => dayGiven('sharpe', 'to', new Date(2025, 10, 30, 23, 59, 57)))).toBe(day(31)); // 1 December
  expect(inZone('UTC', () => dayGiven('sharpe', 'to', last()))).toBe(day(30));
});

it('a moment may be written as text, as the messages about it do', () => {
  expect(momentGiven('exposure', 'to', '2025-12-01T04:59:59Z')).toBe(Date.UTC(2025, 11, 1, 4, 59, 59));
  // Midnight is a moment as any other, and the same as a Date; a day alone ends a day later.
  for (const midnight of ['2025-12-01T00:00:00Z', '2025-12-01T00:00Z', new Date('2025-12-01')])
    expect(momentGiven('exposure', 'to', midnight)).toBe(Date.UTC(2025, 11, 1));
  expect(momentGiven('exposure', 'to', '2025-12-01')).toBe(Date.UTC(2025, 11, 2));
  for (const same of ['2025-12-01', '2025-12-01T00:00:00Z'])
    expect(momentGiven('exposure', 'from', same)).toBe(Date.UTC(2025, 11, 1));
  for (const wrong of ['2025-02-30T01:00:00Z', '2025-12-01T25:00:00Z', '2025-12-01T04:59:59'])
    expect(() => momentGiven('exposure', 'to', wrong)).toThrow(/to of exposure must be a day/);
});
