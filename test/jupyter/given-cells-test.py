"""Runs the cells of a JSON file by Jupyter's client: `python3 given-cells-test.py KERNEL FILE`. Prints what each showed.

A cell is `{"code": …, "files": {path: text}, "until": text, "restart": true}`; the files are written before it runs,
below the current folder. With `until`, it runs again until it shows that text, since types may come late. With `restart`,
the kernel is restarted before.
"""

import json
import os
import sys

from jupyter_client.manager import start_new_kernel

TIMEOUT = 60

manager, client = start_new_kernel(kernel_name=sys.argv[1])


def run(code):
    """The text and HTML that a cell showed, its pages, and its error."""
    request = client.execute(code)
    seen = {"text": "", "html": "", "error": None}
    replied = idle = False
    while not (replied and idle):
        if not idle:
            message = client.get_iopub_msg(timeout=TIMEOUT)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") == request:
                if kind == "stream":
                    seen["text"] += content["text"]
                if kind in ("execute_result", "display_data"):
                    seen["text"] += content["data"]["text/plain"]
                    seen["html"] += content["data"].get("text/html", "")
                if kind == "error":
                    seen["error"] = content["evalue"]
                idle = kind == "status" and content["execution_state"] == "idle"
        else:
            reply = client.get_shell_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == request:
                replied = True
                for page in reply["content"].get("payload", []):
                    seen["text"] += page["data"]["text/plain"]
    return seen


with open(sys.argv[2], encoding="utf-8") as file:
    cells = json.load(file)
seen = []
for cell in cells:
    if cell.get("restart"):
        manager.restart_kernel(now=True)
        client.wait_for_ready(timeout=TIMEOUT)
    for path, text in cell.get("files", {}).items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    shown = run(cell["code"])
    for _ in range(20):
        if cell.get("until", "") in shown["text"]:
            break
        shown = run(cell["code"])
    seen.append(shown)
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps(seen))
