/** The rows of each group: those of group g stand in `rows` from `starts[g]` to `starts[g + 1]`, in their order. */
export interface RowLists {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/**
 * Lists the rows of each group.
 *
 * @param skips Whether to leave a row out.
 */
export function rowLists(groupOf: Uint32Array, groups: number, skips: (row: number) => boolean): RowLists {
  const starts = new Uint32Array(groups + 1);
  for (let row = 0; row < groupOf.length; row += 1) {
    const next = (groupOf[row] as number) + 1;
    if (!skips(row)) starts[next] = (starts[next] as number) + 1;
  }
  for (let group = 0; group < groups; group += 1) {
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  }
  const rows = new Uint32Array(starts[groups] as number);
  const ends = starts.slice();
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (skips(row)) continue;
    const place = ends[group] as number;
    rows[place] = row;
    ends[group] = place + 1;
  }
  return { starts, rows };
}
