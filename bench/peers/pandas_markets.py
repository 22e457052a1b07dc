"""Measures of markets by pandas: answers the median CPU milliseconds of one measure over rows made by formula."""
import sys
import time

import numpy as np
import pandas as pd

measure, rows = sys.argv[1], int(sys.argv[2])
i = np.arange(rows, dtype=np.int64)
opened = np.datetime64("2025-05-01T00:00:00", "ms")
day = 86_400_000


def text(milliseconds):
    moments = opened + milliseconds.astype("timedelta64[ms]")
    return pd.Series(np.datetime_as_string(moments.astype("datetime64[s]"))).astype(object) + "Z"


def markets():
    return pd.DataFrame(
        {
            "event_slug": "district-" + pd.Series((((i * 7919 % 1_000_003) / 1_000_003) ** 3 * 20_011).astype(int)).astype(str),
            "volume_total": ((i * 7919) % 1_000_003) / 100,
            "winning_outcome": np.where(i % 2 == 1, "Yes", "No").astype(object),
            "side_a_outcome": "Yes",
            "side_b_outcome": "No",
            "start_date": text(i * 7919),
            "end_date": text(i * 7919 + 30 * day),
            "close_date": text(i * 7919 + 31 * day + i),
        }
    )


def forecasts():
    probability = ((i * 7919) % 1_000_003) / 1_000_003
    return pd.DataFrame(
        {"probability": probability, "outcome": (((i * 104_729) % 999_983) / 999_983 < probability).astype(float)}
    )


def pnl():
    return pd.DataFrame(
        {
            "date": text((i // 4001) * day),
            "proxy_wallet": pd.Series(i % 4001).map({n: f"0x{n:040x}" for n in range(4001)}),
            "invested": (((i * 7919) % 1_000_003) + 25) / 100,
            "pnl": (((i * 104_729) % 2_000_003) - 1_000_000) / 1000,
            "wins": i % 7,
            "losses": i % 5,
        }
    )


def volume(frame):
    groups = frame.groupby("event_slug")["volume_total"].agg(["sum", "count"]).sort_values("sum", ascending=False)
    groups["share"] = groups["sum"] / groups["sum"].sum()
    groups["cumulative_share"] = groups["share"].cumsum()


def week(frame):
    weeks = pd.to_datetime(frame["close_date"]).dt.tz_localize(None).dt.to_period("W")
    frame["volume_total"].groupby(weeks).agg(["sum", "count"])


def concentration(frame):
    amounts = frame["volume_total"].sort_values()
    shares = amounts / amounts.sum()
    ranks = pd.Series(np.arange(1, len(shares) + 1), index=shares.index)
    (shares**2).sum(), ((2 * ranks - len(shares) - 1) * shares).sum() / len(shares), shares.tail(10).sum()


def lorenz(frame):
    amounts = frame["volume_total"].sort_values(ignore_index=True)
    pd.DataFrame({"members": (amounts.index + 1) / len(amounts), "share": amounts.cumsum() / amounts.sum()})


def distribution(frame):
    edges = [0] + [m * 10.0**e for e in range(-3, 6) for m in (1, 2, 5)]
    bins = pd.cut(frame["volume_total"], edges, right=False)
    frame["volume_total"].groupby(bins).agg(["count", "sum"])


def resolution(frame):
    start, end, close = (pd.to_datetime(frame[name]) for name in ("start_date", "end_date", "close_date"))
    (close - start).dt.total_seconds() / 86400, (close - end).dt.total_seconds() / 86400


def turnover(frame):
    start, close = (pd.to_datetime(frame[name]) for name in ("start_date", "close_date"))
    frame["volume_total"] / ((close - start).dt.total_seconds() / 86400)


def outcomes(frame):
    for side in ("side_a_outcome", "side_b_outcome"):
        (frame["winning_outcome"] == frame[side]).groupby(frame[side]).agg(["sum", "count"])


def calibration(frame):
    bins = pd.cut(frame["probability"], np.linspace(0, 1, 11), right=False)
    frame.groupby(bins).agg(count=("outcome", "size"), mean=("probability", "mean"), frequency=("outcome", "mean"))


def brier(frame):
    ((frame["probability"] - frame["outcome"]) ** 2).mean()
    calibration(frame)


def log_loss(frame):
    -np.log(frame["probability"].where(frame["outcome"] == 1, 1 - frame["probability"])).mean()


def track_record(frame):
    dates = pd.to_datetime(frame["date"])
    ordered = frame.assign(date=dates).sort_values(["proxy_wallet", "date"])
    groups = ordered.groupby("proxy_wallet")
    ordered["total"] = groups["pnl"].cumsum()
    ordered["fall"] = groups["total"].cummax().clip(lower=0) - ordered["total"]
    groups = ordered.groupby("proxy_wallet")
    groups.agg({"pnl": "sum", "invested": "sum", "wins": "sum", "losses": "sum", "fall": "max"})
    groups["date"].agg(["nunique", "min", "max"])


makers = {"calibration": forecasts, "brier": forecasts, "log_loss": forecasts, "track_record": pnl}
table = makers.get(measure, markets)()
times = []
for _ in range(3):
    start = time.process_time()
    globals()[measure](table)
    times.append((time.process_time() - start) * 1000)
print(sorted(times)[1])
