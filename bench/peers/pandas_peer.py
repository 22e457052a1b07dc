"""Runs pandas for the benchmarks: reads one job a line from stdin, answers its milliseconds on stdout."""
import io
import json
import sys
import time

import pandas as pd

frame = None


def read_pages(path):
    records = []
    with open(path, "rb") as pages:
        for line in pages:
            records.extend(json.loads(line))
    table = pd.DataFrame.from_records(records)
    for name in ("invested", "pnl", "win_rate"):
        table[name] = table[name].astype("float64")
    return table


def run(job):
    global frame
    work, path = job["work"], job.get("path")
    if work == "load":
        frame = read_pages(path)
        return 0.0
    start = time.perf_counter()
    if work == "pages":
        read_pages(path)
    elif work == "group":
        frame.groupby("proxy_wallet", sort=False)["pnl"].sum()
    elif work == "sort":
        frame.sort_values("pnl", kind="stable")
    elif work == "filter":
        frame[frame["pnl"] > 0]
    elif work == "csv":
        frame.to_csv(path, index=False)
    else:
        raise ValueError(work)
    return (time.perf_counter() - start) * 1000


print("ready", flush=True)
for line in sys.stdin:
    print(run(json.loads(line)), flush=True)
