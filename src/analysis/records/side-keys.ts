import { columnNames, type Tabular, vectorOf } from '../../frame/tabular/tabular.js';
import { matchingKeys, textCells } from './trade-rows.js';

/** The text of a row; null where it is missing. */
type Cells = (row: number) => string | null;

/** The rows of a frame that are each of one side of a market. */
interface Sides {
  /** What comes before the side in a key: the market and, before it, what else the rows are matched by. */
  readonly ids: readonly (string | null)[];
  readonly markets: readonly (string | null)[];
  readonly token: Cells;
  readonly label: Cells;
}

/**
 * What the rows of several frames are matched by where each is of one side of a market, a token: the market and its
 * token. Where a row has no token, that of its outcome's label, as other rows know it, or else the label itself: without
 * a record of the market the service knows the tokens alone, and positions call them first and second.
 *
 * @param frames Frames with `condition_id`, and `token_id` or `outcome`.
 * @param by Columns that come before the market in a key, such as `proxy_wallet`.
 * @returns One list of keys a frame, lines of text, the side being the last; null where a value is missing, or a row has
 *   neither a token nor an outcome.
 * @throws {ColumnError} If a column is missing or holds no text.
 */
export function sideKeys(frames: readonly Tabular[], by: readonly string[] = []): (string | null)[][] {
  const all = frames.map((frame) => sidesOf(frame, by));
  const tokenOf = tokensByLabel(all);
  return all.map(({ ids, markets, token, label }) =>
    ids.map((id, row) => {
      const side = token(row) ?? tokenOf(markets[row] ?? null, label(row)) ?? label(row);
      return id === null || side === null ? null : `${id}\n${side}`;
    }),
  );
}

/** The label of the outcome of a row, or null; of a frame without labels always null. */
export function outcomeLabels(frame: Tabular): Cells {
  return columnNames(frame).includes('outcome') ? textCells(frame, 'outcome') : () => null;
}

function sidesOf(frame: Tabular, by: readonly string[]): Sides {
  const markets = matchingKeys(frame, ['condition_id']);
  const ids = by.length === 0 ? markets : matchingKeys(frame, [...by, 'condition_id']);
  // A token that was read as a number has lost digits.
  const hasTokens = columnNames(frame).includes('token_id') && vectorOf(frame, 'token_id').kind === 'text';
  if (!hasTokens) return { ids, markets, token: () => null, label: textCells(frame, 'outcome') };
  return { ids, markets, token: textCells(frame, 'token_id'), label: outcomeLabels(frame) };
}

/** The token of a market's label, by the rows that have both; null where none has, or both sides have one label. */
function tokensByLabel(all: readonly Sides[]): (market: string | null, label: string | null) => string | null {
  const lacks = all.some(({ ids, token, label }) => ids.some((_, row) => token(row) === null && label(row) !== null));
  if (!lacks) return () => null;
  const tokens = new Map<string, string | null>();
  for (const { markets, token, label } of all) {
    for (const [row, market] of markets.entries()) {
      const [of, name] = [token(row), label(row)];
      if (market === null || of === null || name === null) continue;
      const key = `${market}\n${name}`;
      const known = tokens.get(key);
      tokens.set(key, known === undefined || known === of ? of : null);
    }
  }
  return (market, label) => tokens.get(`${market}\n${label}`) ?? null;
}
