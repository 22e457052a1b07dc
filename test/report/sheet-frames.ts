import type { Completeness } from '../../src/contract/completeness.js';
import { PNL_COLUMNS } from '../../src/contract/pnl.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { setProvenance } from '../../src/frame/tabular/provenance.js';

export const WALLET = `0x${'a'.repeat(40)}`;
export const OTHER = `0x${'b'.repeat(40)}`;

/** The text of a page. */
export const textOf = (html: string) =>
  html.replaceAll(/<(style|script)>[\s\S]*?<\/\1>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** A day's record of a wallet. */
export interface Day {
  date: string;
  proxy_wallet: string;
  invested: number;
  pnl: number;
  trades: number;
  wins: number;
  losses: number;
  win_rate: number;
}

/** So many days from a first one on, of numbers that a seed gives; `edge` is what a dollar earns on average. */
export function daysOf(count: number, { seed = 1, edge = 0, wallet = WALLET, from = '2025-01-01' } = {}): Day[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  return Array.from({ length: count }, (_, day) => {
    const invested = Math.round(random() * 1e8) / 1e6;
    const [wins, losses] = [Math.floor(random() * 4), Math.floor(random() * 3)];
    const pnl = Math.round(invested * (random() - 0.5 + edge) * 1e6) / 1e6;
    const date = new Date(Date.parse(from) + day * 86_400_000).toISOString().replace('.000', '');
    return { date, proxy_wallet: wallet, invested, pnl, trades: 3, wins, losses, win_rate: 0 };
  });
}

/** Days as the client's frame of them, with what is said of the records' completeness. */
export function pnlFrame(days: readonly Day[], completeness?: Readonly<Record<string, Completeness>>) {
  const frame = frameFromRecords([...PNL_COLUMNS], days);
  const asked = { service: 'https://odds.example', dataset: 569, params: {}, queriedAt: '2026-03-01T00:00:00Z' };
  if (completeness) setProvenance(frame, [{ ...asked, records: days.length, completeness }]);
  return frame;
}

/** What a wallet made by market, as dataset 569 tells it. */
export function marketsFrame(pnl: readonly number[], questions: readonly (string | null)[] = []) {
  const rows = pnl.map((value, at) => ({
    date: '2025-01-01T00:00:00Z',
    proxy_wallet: WALLET,
    invested: 100 + at,
    pnl: value,
    condition_id: `0x${String(at).padStart(64, '0')}`,
    question: at in questions ? (questions[at] ?? null) : `Question ${at}?`,
  }));
  return frameFromRecords([], rows);
}

/** What it made by category and week. */
export function categoriesFrame(
  rows: readonly { category: string | null; week: number; pnl: number; invested: number }[],
) {
  return frameFromRecords(
    [],
    rows.map(({ category, week, pnl, invested }) => ({
      date: new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString(),
      proxy_wallet: WALLET,
      category,
      pnl,
      invested,
      wins: pnl > 0 ? 1 : 0,
      losses: pnl > 0 ? 0 : 1,
    })),
  );
}
