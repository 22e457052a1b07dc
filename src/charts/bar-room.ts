/**
 * An invisible layer that leaves room for labels beyond the ends of bars: on the side of gains, of losses or both,
 * depending on which there are. A padding would always leave room on both sides.
 *
 * @param share The room for a label, as a share of the bars' span.
 */
export function barRoom(axis: 'x' | 'y', lengths: readonly number[], share: number) {
  const [least, most] = [Math.min(0, ...lengths), Math.max(0, ...lengths)];
  const room = share * (most - least);
  const values = [{ end: least < 0 ? least - room : 0 }, { end: most > 0 ? most + room : 0 }];
  const mark = { type: 'tick', opacity: 0, aria: false, tooltip: null } as const;
  return { data: { values }, mark, encoding: { [axis]: { field: 'end', type: 'quantitative' } } } as const;
}
