"""Runs a notebook by nbclient: `python3 nbclient-run.py KERNEL NOTEBOOK OUT [allow-errors]`.

Prints as JSON what ended the run, how long it took, and how many messages of each type came.
"""

import collections
import json
import os
import sys
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

kernel, notebook, out, *words = sys.argv[1:]


class CountingClient(NotebookClient):
    """Counts the messages of its cells."""

    counts = collections.Counter()

    def process_message(self, message, cell, index):
        self.counts[message["msg_type"]] += 1
        return super().process_message(message, cell, index)


document = nbformat.read(notebook, as_version=4)
client = CountingClient(
    document,
    kernel_name=kernel,
    timeout=120,
    allow_errors="allow-errors" in words,
    resources={"metadata": {"path": os.path.dirname(os.path.abspath(notebook))}},
)
error = None
with client.setup_kernel():
    start = time.perf_counter()
    try:
        for index, cell in enumerate(document.cells):
            client.execute_cell(cell, index)
    except CellExecutionError as failure:
        error = {"ename": failure.ename, "evalue": failure.evalue}
    seconds = time.perf_counter() - start
nbformat.write(document, out)
print(json.dumps({"error": error, "seconds": seconds, "counts": client.counts}))
