/** The room on each side, as a share of the rates' span, and the least span of an axis of rates. */
const [ROOM, LEAST] = [0.05, 0.1];

/**
 * An invisible layer that leaves some room beside rates and their intervals, never beyond 0 and 1. A domain would cut
 * off what another chart layers over it.
 */
export function rateRoom(axis: 'x' | 'y', rates: readonly number[]) {
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const aside = Math.max(ROOM * (most - least), (LEAST - (most - least)) / 2);
  const values = [{ rate: Math.max(0, least - aside) }, { rate: Math.min(1, most + aside) }];
  const mark = { type: 'tick', opacity: 0, aria: false, tooltip: null } as const;
  return { data: { values }, mark, encoding: { [axis]: { field: 'rate', type: 'quantitative' } } } as const;
}
