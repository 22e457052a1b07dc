import { type Answer, type Asked, flag, listOf, ok, refused, wholeNumber } from './answers.js';
import { conditionsOf, filteredRows, type RowFilter, v2Row } from './data-rows.js';
import { leaderboard, positions, userPnl, userStats, value } from './v2-figures.js';
import { resolutions, tokens } from './v2-lookups.js';
import { CONDITIONS, pageOf, rowsPage, userOf } from './v2-pages.js';

const DAY = 86_400;

/** Answers as the Data API does under `/v2`: an envelope, snake_case, opaque cursors. */
export function dataV2Answer(asked: Asked): Answer {
  const { path, query } = asked;
  if (path === '/v2/openapi.json') return ok(openapi());
  if (query.has('offset')) return refused(400, 'offset is not supported; follow pagination.next_cursor');
  const twice = [...query.keys()].find((name, at, names) => names.indexOf(name) !== at);
  if (twice !== undefined) return refused(400, `duplicate field \`${twice}\`; lists are separated by commas`);
  const route = ROUTES[path];
  return route ? route(asked) : refused(404, 'not found', 'not found error');
}

const ROUTES: Readonly<Record<string, (asked: Asked) => Answer>> = {
  '/v2/activity': activity,
  '/v2/activity/combos': (asked) => pageOf(asked, [], 1_000, (row: object) => row),
  '/v2/trades': trades,
  '/v2/positions': positions,
  '/v2/user-pnl': userPnl,
  '/v2/user-stats': userStats,
  '/v2/tokens': tokens,
  '/v2/resolutions': resolutions,
  '/v2/leaderboard': leaderboard,
  '/v2/value': value,
};

function openapi(): object {
  const paths = Object.fromEntries(Object.keys(ROUTES).map((path) => [path, { get: { responses: { 200: {} } } }]));
  return { openapi: '3.1.0', info: { title: 'Data API v2', version: '2.0.0' }, paths };
}

/** The filter that activity and trades have in common; a text says why it is refused. */
function filterOf(asked: Asked): Omit<RowFilter, 'types' | 'takerOnly' | 'transfers'> | string {
  const { query, now, quirks } = asked;
  if (query.has('user') && userOf(query) === undefined) return `invalid user ${query.get('user')}`;
  const conditions = conditionsOf(query, ...CONDITIONS);
  if (conditions.length > 20) return 'at most 20 condition ids';
  const malformed = conditions.find((id) => !/^0x[0-9a-f]{64}$/.test(id));
  if (malformed !== undefined) return `invalid condition id ${malformed}`;
  return {
    user: userOf(query),
    conditions,
    events: listOf(query, 'event_id', 'eventId'),
    side: query.get('side') ?? undefined,
    start: wholeNumber(query, 'start', now - quirks.unstartedDays * DAY),
    end: wholeNumber(query, 'end', Number.MAX_SAFE_INTEGER) || Number.MAX_SAFE_INTEGER,
  };
}

function activity(asked: Asked): Answer {
  const { query } = asked;
  if (userOf(query) === undefined) return refused(400, 'user is required: a proxy wallet address');
  const common = filterOf(asked);
  if (typeof common === 'string') return refused(400, common);
  const transfers =
    (flag(query, 'exclude_deposits_withdrawals') ?? flag(query, 'excludeDepositsWithdrawals')) === false;
  const rows = filteredRows(asked, { ...common, types: listOf(query, 'type'), takerOnly: false, transfers });
  return rowsPage(asked, rows, (row) => v2Row(row));
}

/** Fills of a wallet, of markets, or of all: those of takers alone, unless `taker_only=false`. */
function trades(asked: Asked): Answer {
  const { query } = asked;
  const common = filterOf(asked);
  if (typeof common === 'string') return refused(400, common);
  const takerOnly = flag(query, 'taker_only') ?? flag(query, 'takerOnly') ?? true;
  const rows = filteredRows(asked, { ...common, types: ['TRADE'], takerOnly, transfers: false });
  return rowsPage(asked, rows, (row) => v2Row(row, true));
}
