/** A column of a text table, before or after its width was chosen. */
export interface TextColumn {
  /** Full name of the frame's column. */
  readonly name: string;
  /** The name as it is shown. */
  readonly header: string;
  readonly texts: readonly string[];
  readonly numeric: boolean;
  /** Width in terminal columns. */
  readonly width: number;
  /** Whether no shown row has a value. */
  readonly isEmpty: boolean;
  /** Whether it holds shortened ids. */
  readonly isId: boolean;
}

/** Text is not cut below this width if a column can be left out instead. */
const READABLE = 16;
const COMFORTABLE = 32;
const WIDEST = 60;

/**
 * Chooses the columns of a text table that fit, in their order, and their widths. The first column always stays; then
 * as many as fit with text cut to a readable width, with further long texts, further ids and empty columns last. Room
 * that is left goes to the texts that were cut.
 *
 * @param limit Width of a line in terminal columns.
 * @param gap Width of the gap between columns.
 */
export function chooseColumns(columns: readonly TextColumn[], limit: number, gap: number): TextColumn[] {
  const chosen = new Set<TextColumn>();
  let left = limit + gap;
  /** Width that the texts chosen so far still need to be readable. */
  let wish = 0;
  for (const { column, rank } of byRank(columns)) {
    const needed = leastWidth(column) + gap;
    if (needed + (rank > PLAIN ? wish : 0) > left && chosen.size > 0) continue;
    chosen.add(column);
    left -= needed;
    wish += Math.max(0, Math.min(wanted(column), COMFORTABLE) - leastWidth(column));
  }
  const kept = columns.filter((column) => chosen.has(column));
  if (left < 0) return kept.map((column) => ({ ...column, width: Math.max(1, leastWidth(column) + left) }));
  return widened(kept, left);
}

/** The rank of ordinary columns; columns of a higher rank are shown only if there is room left. */
const PLAIN = 1;

function byRank(columns: readonly TextColumn[]): { column: TextColumn; rank: number }[] {
  return columns.map((column) => ({ column, rank: rankOf(column, columns) })).sort((a, b) => a.rank - b.rank);
}

function rankOf(column: TextColumn, columns: readonly TextColumn[]): number {
  if (column === columns[0]) return 0;
  if (column.isEmpty && column.texts.length > 0) return 4;
  if (column.isId) return columns.find(({ isId }) => isId) === column ? PLAIN : 3;
  return isLong(column) && columns.find(isLong) !== column ? 2 : PLAIN;
}

function isLong({ numeric, width }: TextColumn): boolean {
  return !numeric && width > READABLE;
}

function leastWidth({ numeric, width }: TextColumn): number {
  return numeric ? width : Math.min(width, READABLE);
}

/** Divides the remaining room among the texts that need it, those that need least first. */
function widened(columns: readonly TextColumn[], room: number): TextColumn[] {
  const widths = new Map(columns.map((column) => [column, leastWidth(column)]));
  const cut = columns.filter((column) => wanted(column) > leastWidth(column)).sort((a, b) => wanted(a) - wanted(b));
  let left = room;
  for (const [at, column] of cut.entries()) {
    const least = leastWidth(column);
    const more = Math.min(wanted(column) - least, Math.floor(left / (cut.length - at)));
    widths.set(column, least + more);
    left -= more;
  }
  return columns.map((column) => ({ ...column, width: widths.get(column) ?? column.width }));
}

function wanted({ numeric, width }: TextColumn): number {
  return numeric ? width : Math.min(width, WIDEST);
}
