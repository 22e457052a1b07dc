"""Times one measure of performance by pandas: pandas_performance.py MEASURE ROWS prints its median CPU milliseconds."""
import sys
import time

import numpy as np
import pandas as pd

WALLETS = 4001
measure, rows = sys.argv[1], int(sys.argv[2])

# The records of bench/records.ts, by the same formulas.
i = np.arange(rows, dtype=np.int64)
frame = pd.DataFrame(
    {
        "date": np.datetime64("2025-05-01", "ns") + (i % 276).astype("timedelta64[D]"),
        "proxy_wallet": pd.Categorical.from_codes((i * 7919) % WALLETS, [f"0x{n:040x}" for n in range(WALLETS)]),
        "invested": ((i * 7919) % 1_000_003 + 25) / 100,
        "pnl": ((i * 104_729) % 2_000_003 - 1_000_000) / 1000,
        "wins": i % 7,
        "losses": i % 5,
    }
)


def daily():
    days = frame.groupby("date")["pnl"].sum()
    return days.reindex(pd.date_range(days.index[0], days.index[-1]), fill_value=0)


def fall():
    total = daily().cumsum()
    return (total.cummax().clip(lower=0) - total).max()


def grouped(key, *names):
    return frame.groupby(key, observed=True)[list(names)].sum()


def ratio(table, over, under):
    return table[over] / table[under]


def sides():
    pnl = frame["pnl"]
    won, lost = pnl[pnl > 0], pnl[pnl < 0]
    return won.mean() / -lost.mean(), won.sum() / -lost.sum()


def curve(*names):
    return frame.groupby("date")[list(names)].sum().cumsum()


def runs():
    sign = np.sign(daily())
    return sign.groupby((sign != sign.shift()).cumsum()).count().max()


def board():
    table = grouped("proxy_wallet", "wins", "losses", "pnl", "invested")
    decided = table["wins"] + table["losses"]
    rate = (table["wins"] + 5) / (decided + 10)
    return table.assign(rate=rate, roi=table["pnl"] / table["invested"]).sort_values("rate", ascending=False)


def calmar():
    value = (1 + daily() / 1e9).cumprod()
    return (value.iloc[-1] ** (365 / len(value)) - 1) / (1 - value / value.cummax()).max()


def sortino():
    r = daily() / 1e9
    return np.sqrt(365) * r.mean() / np.sqrt((np.minimum(r, 0) ** 2).mean())


def bootstrap():
    for seed in range(3):
        drawn = frame[["pnl", "invested"]].sample(frac=1, replace=True, random_state=seed)
        drawn["pnl"].sum() / drawn["invested"].sum()


MEASURES = {
    "winRate": lambda: frame["wins"].sum() / (frame["wins"].sum() + frame["losses"].sum()),
    "roi": lambda: frame["pnl"].sum() / frame["invested"].sum(),
    "winRateBy": lambda: ratio(grouped("proxy_wallet", "wins", "losses"), "wins", "losses"),
    "roiBy": lambda: ratio(grouped(frame["date"].dt.to_period("M"), "pnl", "invested"), "pnl", "invested"),
    "leaderboard": board,
    "profitFactor": sides,
    "payoffRatio": sides,
    "expectancy": lambda: frame["pnl"][frame["pnl"] != 0].mean(),
    "kellyFraction": sides,
    "cumulativePnl": lambda: curve("pnl"),
    "cumulativeRoi": lambda: ratio(curve("pnl", "invested"), "pnl", "invested"),
    "rollingWinRate": lambda: frame.groupby("date")[["wins", "losses"]].sum().rolling("30D").sum(),
    "drawdowns": fall,
    "recoveryFactor": fall,
    "streaks": runs,
    "sharpe": lambda: np.sqrt(365) * daily().mean() / daily().std(),
    "sortino": sortino,
    "calmar": calmar,
    "bootstrapInterval": bootstrap,
}

times = []
for _ in range(4):
    start = time.process_time()
    MEASURES[measure]()
    times.append(time.process_time() - start)
print(sorted(times[1:])[1] * 1000)
