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
