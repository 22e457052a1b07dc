import type { NumberPair } from './same-text.js';

/** Describes each pair of numbers that differ: `12.5 → 12.6, off by 0.8 %`. Repeated descriptions are left out. */
export function numberChanges(pairs: readonly NumberPair[]): string[] {
  return [
    ...new Set(
      pairs.map(({ stored, now }) => `${stored.text} → ${now.text}, off by ${distance(stored.value, now.value)}`),
    ),
  ];
}

function distance(stored: number, now: number): string {
  const apart = Math.abs(now - stored);
  if (stored === 0) return rounded(apart);
  const percent = (apart / Math.abs(stored)) * 100;
  return `${rounded(percent)} %`;
}

/** Shared, because making one takes far longer than using it. */
const PLAIN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

function rounded(value: number): string {
  const short = Number(value.toPrecision(2));
  if (short < 1e-3) return short.toExponential();
  return PLAIN.format(short);
}
