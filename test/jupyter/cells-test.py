"""Interrupts a cell that waits for a command, by Jupyter's client: `python3 cells-test.py KERNEL`. Prints what it saw."""

import json
import sys

from jupyter_client.manager import start_new_kernel

TIMEOUT = 30

manager, client = start_new_kernel(kernel_name=sys.argv[1])


def run(code, interrupts_at=None):
    """The outputs of a cell, and how it ended; interrupts it at each output that has the text."""
    request = client.execute(code)
    seen = {"shown": [], "error": None}
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "stream":
            seen["shown"].append(content["text"])
            for _ in range(content["text"].count(interrupts_at) if interrupts_at else 0):
                manager.interrupt_kernel()
        if kind in ("execute_result", "display_data"):
            seen["shown"].append(content["data"]["text/plain"])
        if kind == "error":
            seen["error"] = content["ename"]
        if kind == "status" and content["execution_state"] == "idle":
            return seen


imports = "import { execSync, spawn } from 'node:child_process'; let state = 1;"
server = "const server = spawn('sleep', ['600'], { stdio: 'inherit' });"
seen = [
    run(imports + server),
    run("state = 2; execSync('echo ready; sleep 600', { stdio: 'inherit' }); state = 3", "ready"),
    run("[state, server.exitCode, server.signalCode]"),
    run("if (confirm('delete?')) console.log('deleted')"),
    run("{ a: 1, b: 2 }"),
    run("_.a + 1"),
    run("_ + 1;"),
    run("_"),
]
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps(seen))
