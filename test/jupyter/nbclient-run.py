"""Runs notebooks by nbclient: `python3 nbclient-run.py KERNEL stop|go-on NOTEBOOK OUT [stop|go-on NOTEBOOK OUT …]`.

Each has a kernel of its own. With `go-on`, cells after a failing one run, too. Prints for each, as JSON, what ended the
run, how long it took, and how many messages of each type came.
"""

import collections
import json
import os
import sys
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


class CountingClient(NotebookClient):
    """Counts the messages of its cells."""

    def process_message(self, message, cell, index):
        self.counts[message["msg_type"]] += 1
        return super().process_message(message, cell, index)


def run(kernel, on_errors, notebook, out):
    document = nbformat.read(notebook, as_version=4)
    client = CountingClient(
        document,
        kernel_name=kernel,
        timeout=120,
        allow_errors=on_errors == "go-on",
        resources={"metadata": {"path": os.path.dirname(os.path.abspath(notebook))}},
    )
    client.counts = collections.Counter()
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
    return {"error": error, "seconds": seconds, "counts": client.counts}


kernel, *words = sys.argv[1:]
print(json.dumps([run(kernel, *words[at : at + 3]) for at in range(0, len(words), 3)]))
