import { SourceError } from '../base/errors.js';
import { appendAll } from '../base/many.js';
import { fieldOf } from '../base/texts.js';
import {
  amountText,
  type Figures,
  type FiguresPosition,
  lastPoint,
  positionV1,
  positionV2,
  resolutionOf,
} from './figures.js';
import { isRefused, orVersion1 } from './refusals.js';
import type { Sources } from './sources.js';
import { walkOffsets } from './walk-offsets.js';
import { walkV2 } from './walk-pages.js';

/** Conditions that are asked for at once. */
const CONDITIONS = 20;

/**
 * Asks the Data API what it says of a wallet itself. Where version 2 refuses, version 1 is asked. A question that
 * fails is noted in `failed`; the others are asked all the same.
 *
 * @param conditions Markets whose resolutions are wanted.
 * @throws The signal's reason, when it is aborted.
 */
export async function askFigures(sources: Sources, wallet: string, conditions: readonly string[]): Promise<Figures> {
  const failed: { what: string; why: string }[] = [];
  const tell = (what: string) => (error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    failed.push({ what, why: error.message });
    return null;
  };
  const [pnl, markets, leaderboard_pnl, positions, resolutions] = await Promise.all([
    pnlOf(sources, wallet).catch(tell('realized profit')),
    marketsOf(sources, wallet).catch(tell('number of markets')),
    leaderboardPnl(sources, wallet).catch(tell('leaderboard')),
    positionsOf(sources, wallet).catch(tell('positions')),
    resolutionsOf(sources, conditions).catch(tell('resolutions')),
  ]);
  return {
    oddslab_figures: 1,
    wallet,
    asked: new Date().toISOString(),
    pnl,
    markets,
    leaderboard_pnl,
    positions,
    resolutions: resolutions ?? [],
    failed,
  };
}

async function pnlOf(sources: Sources, user: string): Promise<Figures['pnl']> {
  const { json } = await sources.get('data', '/v2/user-pnl', { user, interval: 'max', fidelity: '1d' });
  return lastPoint(json);
}

async function marketsOf(sources: Sources, user: string): Promise<number | null> {
  const trades = await orVersion1(
    async () => fieldOf(fieldOf((await sources.get('data', '/v2/user-stats', { user })).json, 'data'), 'trades'),
    async () => fieldOf((await sources.get('data', '/traded', { user })).json, 'traded'),
  );
  const count = Number(trades ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

async function leaderboardPnl(sources: Sources, user: string): Promise<string | null> {
  const ask = async (path: string, params: Record<string, string>) =>
    (await sources.get('data', path, { user, ...params })).json;
  const answer = await orVersion1(
    async () => fieldOf(await ask('/v2/leaderboard', { time_period: 'all' }), 'data'),
    () => ask('/v1/leaderboard', { timePeriod: 'ALL', orderBy: 'PNL' }),
  );
  return amountText(fieldOf(Array.isArray(answer) ? answer[0] : answer, 'pnl'));
}

function positionsOf(sources: Sources, user: string): Promise<FiguresPosition[]> {
  return orVersion1(
    async () => {
      const found = new Map<string, FiguresPosition>();
      // OPEN may have those that wait to be redeemed, too. A source that ignores the status gives all three times.
      for (const status of ['OPEN', 'REDEEMABLE', 'CLOSED']) {
        const params = { user, status, limit: 1000 };
        try {
          for await (const { records } of walkV2(sources, { source: 'data', path: '/v2/positions', params })) {
            for (const { value } of records) put(found, positionV2(value));
          }
        } catch (error) {
          // A source that does not know this status has them under OPEN.
          if (status !== 'REDEEMABLE' || !isRefused(error)) throw error;
        }
      }
      return [...found.values()];
    },
    async () => {
      const found = new Map<string, FiguresPosition>();
      for (const [path, limit] of [
        ['/closed-positions', 50],
        ['/positions', 500],
      ] as const) {
        const walk = { source: 'data', path, params: { user, sizeThreshold: 0 } } as const;
        for await (const { records } of walkOffsets(sources, walk, limit)) {
          for (const { value } of records) put(found, positionV1(value, limit === 50));
        }
      }
      return [...found.values()];
    },
  );
}

function put(found: Map<string, FiguresPosition>, position: FiguresPosition | undefined): void {
  if (position) found.set(position.token_id, position);
}

async function resolutionsOf(sources: Sources, conditions: readonly string[]): Promise<Figures['resolutions']> {
  const found: Figures['resolutions'][number][] = [];
  for (let at = 0; at < conditions.length; at += CONDITIONS) {
    const condition = conditions.slice(at, at + CONDITIONS).join(',');
    const { json } = await sources.get('data', '/v2/resolutions', { condition });
    const rows = fieldOf(json, 'data');
    for (const row of Array.isArray(rows) ? rows : [])
      appendAll(
        found,
        [resolutionOf(row)].flatMap((each) => each ?? []),
      );
  }
  return found;
}
