import { COLORS, INK } from './theme.js';

/** The interval of an uncertain value. */
export const INTERVAL = { type: 'rule', color: COLORS.main, strokeWidth: 1.75, aria: false } as const;

/** The point of an estimated value. */
export const POINT = { type: 'point', filled: true, color: COLORS.main, size: 70, opacity: 1 } as const;

/** A line to compare with. */
export const REFERENCE = {
  type: 'rule',
  color: INK,
  opacity: 0.6,
  strokeDash: [4, 3] as number[],
  aria: false,
  tooltip: null,
} as const;

/** Words beside a mark. */
export const BESIDE = { type: 'text', align: 'left', dx: 6, opacity: 0.8, aria: false } as const;
