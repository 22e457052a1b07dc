import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { brierScore } from '../../src/analysis/brier-score.js';
import { calibration } from '../../src/analysis/calibration.js';
import { concentration } from '../../src/analysis/concentration.js';
import { logLoss } from '../../src/analysis/log-loss.js';
import { timeToResolution } from '../../src/analysis/time-to-resolution.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { volume } from '../../src/analysis/volume.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { isAbsent } from '../support/is-absent.js';

const ROWS = 500;
const absent = isAbsent('/usr/lib/python3/dist-packages/pandas', 'measures of markets agree with pandas');

// A linear congruential generator: the same numbers in every run.
let state = 20_261_121;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
const list = <Value>(make: (at: number) => Value) => Array.from({ length: ROWS }, (_, at) => make(at));
const day = (at: number) => new Date(Date.UTC(2025, 10, 1) + Math.floor(at * 86_400) * 1000).toISOString();
const starts = list(() => random() * 90);
const columns = {
  event_slug: list(() => `event-${Math.floor(random() ** 2 * 40)}`),
  volume_total: list(() => Math.round(10 ** (random() * 6)) / 100),
  start_date: starts.map((start) => day(start)),
  end_date: starts.map((start) => day(start + 30)),
  close_date: starts.map((start) => (random() < 0.1 ? null : day(start + random() * 40))),
  probability: list(() => Math.min(0.999, Math.max(0.001, random()))),
  outcome: list(() => Math.round(random())),
};
const pnl = {
  date: list((at) => `${day(Math.floor(at / 7)).slice(0, 19)}Z`),
  proxy_wallet: list((at) => `0x${at % 7}`),
  pnl: list(() => Math.round((random() - 0.5) * 1e8) / 1e6),
  invested: list(() => Math.round(random() * 1e8) / 1e6),
  wins: list(() => Math.floor(random() * 5)),
  losses: list(() => Math.floor(random() * 5)),
};

const SCRIPT = `
import json, sys
import numpy as np, pandas as pd
given = json.load(sys.stdin)
f, p = pd.DataFrame(given["columns"]), pd.DataFrame(given["pnl"])
close = pd.to_datetime(f.close_date).dt.tz_localize(None)
weeks = f.volume_total.groupby(close.dt.to_period("W").dt.start_time).sum()
events = f.groupby("event_slug").volume_total.sum()
shares = events / events.sum()
x = events.sort_values().to_numpy()
bins = pd.cut(f.probability, np.linspace(0, 1, 11), right=False)
cells = f.groupby(bins).agg(n=("outcome", "size"), p=("probability", "mean"), o=("outcome", "mean"))
open_days = (close - pd.to_datetime(f.start_date).dt.tz_localize(None)).dt.total_seconds() / 86400
given_to = f.probability.where(f.outcome == 1, 1 - f.probability)
p["total"] = p.groupby("proxy_wallet").pnl.cumsum()
p["fall"] = p.groupby("proxy_wallet").total.cummax().clip(lower=0) - p.total
w = p.groupby("proxy_wallet").agg(pnl=("pnl", "sum"), invested=("invested", "sum"), fall=("fall", "max"),
    wins=("wins", "sum"), losses=("losses", "sum"), days=("date", "nunique"))
print(json.dumps({
  "weeks": [[str(k.date()), v] for k, v in weeks.items()],
  "hhi": (shares ** 2).sum(), "top5": shares.nlargest(5).sum(),
  "gini": np.abs(x[:, None] - x[None, :]).sum() / (2 * len(x) ** 2 * x.mean()),
  "bins": cells[["n", "p", "o"]].to_numpy().tolist(),
  "brier": ((f.probability - f.outcome) ** 2).mean(), "log_loss": -np.log(given_to).mean(),
  "reliability": (cells.n * (cells.p - cells.o) ** 2).sum() / len(f), "median_open": open_days.median(),
  "wallets": [[k, r.pnl, r.invested, r.fall, r.wins / (r.wins + r.losses), r.days] for k, r in w.iterrows()],
}))
`;

const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toFixed(9)) : value);

it.skipIf(absent)(
  'agrees with what pandas computes of the same rows',
  () => {
    const input = JSON.stringify({ columns, pnl });
    const theirs = JSON.parse(
      execFileSync('/usr/bin/python3', ['-W', 'ignore', '-c', SCRIPT], { input, encoding: 'utf8' }),
    );
    const frame = new DataFrame(columns);
    const weeks = recordsOf(volume(frame, { by: 'week' })).filter((row) => row.date !== null);
    expect(weeks.map((row) => [row.date?.slice(0, 10), rounded(row.volume_total)])).toEqual(
      theirs.weeks.map((week: unknown[]) => week.map(rounded)),
    );
    const { hhi, gini, top5 } = concentration(frame, { by: 'event_slug' });
    const { brier, reliability } = brierScore(frame);
    const ours = { hhi, gini, top5, brier, reliability, log_loss: logLoss(frame).logLoss };
    for (const [name, value] of Object.entries(ours))
      expect([name, rounded(value)]).toEqual([name, rounded(theirs[name])]);
    const bins = recordsOf(calibration(frame)).map((row) =>
      [row.count, row.mean_probability, row.frequency].map(rounded),
    );
    expect(bins).toEqual(theirs.bins.map((bin: unknown[]) => bin.map(rounded)));
    const open = recordsOf(timeToResolution(frame)).map((row) => Number(Reflect.get(row, 'days_open')));
    const sorted = open.filter((days) => !Number.isNaN(days)).sort((a, b) => a - b);
    const middle = ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
    expect(rounded(middle)).toBe(rounded(theirs.median_open));
    const wallets = recordsOf(trackRecord(new DataFrame(pnl)))
      .map((row) => [row.proxy_wallet, row.pnl, row.invested, row.max_drawdown, row.rate, row.active_days].map(rounded))
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(wallets).toEqual(theirs.wallets.map((wallet: unknown[]) => wallet.map(rounded)));
  },
  60_000,
);
