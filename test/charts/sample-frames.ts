import { MARKETS } from '../../src/contract/markets.js';
import { PNL } from '../../src/contract/pnl.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';

const DAY_MS = 86_400_000;

/** Daily PnL of made-up wallets, by default over four months; the same on every call. */
export function samplePnl(wallets: number, days = 120) {
  let state = 7;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const records = Array.from({ length: wallets }, (_, wallet) =>
    Array.from({ length: days }, (_, day) => {
      const [wins, losses] = [Math.floor(next() * (4 + wallet)), Math.floor(next() * 4)];
      return {
        date: new Date(Date.UTC(2025, 8, 1) + day * DAY_MS).toISOString(),
        proxy_wallet: `0x${(wallet + 10).toString(16).repeat(40)}`.slice(0, 42),
        invested: '250.5',
        pnl: ((next() - 0.48) * 400 * (wallet + 1)).toFixed(6),
        trades: wins + losses,
        wins,
        losses,
        win_rate: '0',
      };
    }),
  ).flat();
  return frameFromRecords<{ date: string; proxy_wallet: string; pnl: number }>(PNL.columns, records);
}

/** PnL of one made-up wallet by week, each from its Monday. */
export function sampleWeeks() {
  const pnl = [120, -40, 75.5, -260, -30, 310, 45, -15, 90, 130];
  return new DataFrame({
    date: pnl.map((_, week) => new Date(Date.UTC(2025, 8, 1) + week * 7 * DAY_MS).toISOString()),
    pnl,
  });
}

/** Made-up markets, two per event, with long-tailed volumes and lives of hours to months. */
export function sampleMarkets(events: number) {
  const records = Array.from({ length: events * 2 }, (_, at) => {
    const start = Date.UTC(2025, 6, 1) + at * 2.3 * DAY_MS;
    const close = start + 0.2 * DAY_MS * 1.9 ** (at % 11);
    return {
      condition_id: `0x${at.toString(16).padStart(64, '0')}`,
      question: `Question ${at}?`,
      slug: `question-${at}`,
      event_slug: eventName(Math.floor(at / 2)),
      closed: at % 7 !== 3,
      volume_total: at % 19 === 18 ? 0 : Math.round(5e6 / (at + 1) ** 1.3),
      start_date: new Date(start).toISOString(),
      end_date: new Date(close).toISOString(),
      close_date: at % 7 === 3 ? null : new Date(close).toISOString(),
    };
  });
  return frameFromRecords<{ event_slug: string; volume_total: number }>(MARKETS.columns, records);
}

/** Made-up forecasts, slightly overconfident; the same on every call. */
export function sampleForecasts(count: number) {
  let state = 11;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const prices = Array.from({ length: count }, () => next() ** 1.5);
  const won = prices.map((price) => (next() < 0.12 + 0.76 * price ? 1 : 0));
  return new DataFrame({ price: prices, won });
}

function eventName(at: number): string {
  return `event-${at}${'-with-a-rather-long-name-that-goes-on-and-on'.slice(0, (at * 11) % 45)}`;
}
