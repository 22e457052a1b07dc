"""Drives a kernel by jupyter_client's manager: `python3 manager-test.py KERNEL`. Prints what it saw as JSON."""

import json
import os
import sys
import time

from jupyter_client.manager import start_new_kernel

TIMEOUT = 60
SIZE = 50_000_000

manager, client = start_new_kernel(kernel_name=sys.argv[1])


def run(code, after_start=None):
    """Runs a cell; gives the reply's status and the outputs."""
    outputs = []
    request = client.execute(code, reply=False)
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "execute_input" and after_start:
            after_start()
        if kind in ("stream", "display_data", "execute_result", "error"):
            outputs.append(content)
        if kind == "status" and content["execution_state"] == "idle":
            break
    while True:
        reply = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"]["msg_id"] == request:
            return reply["content"]["status"], outputs


def value(code):
    """The text of a cell's value, or its error's name."""
    _, outputs = run(code)
    last = outputs[-1] if outputs else {}
    return last.get("ename") or last.get("data", {}).get("text/plain")


def beats_then_interrupt():
    """Looks whether the heart beats during an endless loop, then ends the loop."""
    time.sleep(1.5)
    # On a crowded machine a single beat may come late; a heart that has stopped never beats again.
    until = time.monotonic() + TIMEOUT
    while not client.hb_channel.is_beating() and time.monotonic() < until:
        time.sleep(0.1)
    seen["beats while a cell loops"] = client.hb_channel.is_beating()
    manager.interrupt_kernel()


seen = {}
value("let kept = 'kept'")
status, outputs = run("for (;;) {}", beats_then_interrupt)
seen["interrupted"] = [status, outputs[-1]["ename"]]
seen["state after the interrupt"] = value("kept")
status, outputs = run(f"display.raw({{ 'text/plain': 'x'.repeat({SIZE}) }})")
seen["large display"] = [status, len(outputs[0]["data"]["text/plain"])]
status, outputs = run(f"console.log('x'.repeat({2 * SIZE}))")
seen["large text"] = [status, sum(len(output["text"]) for output in outputs)]
status, outputs = run(f"/* {'x' * 2 * SIZE} */ 'long code'")
seen["large code"] = [status, outputs[-1]["data"]["text/plain"]]
first = manager.provisioner.pid
manager.restart_kernel(now=False)
client.wait_for_ready(timeout=TIMEOUT)
seen["another process after the restart"] = manager.provisioner.pid != first
seen["the first is gone"] = not os.path.exists(f"/proc/{first}")
seen["state after the restart"] = value("kept")
seen["runs after the restart"] = value("1 + 1")
manager.restart_kernel(now=True)
client.wait_for_ready(timeout=TIMEOUT)
seen["runs after a forced restart"] = value("2 + 2")
# Its sockets connect anew one after another, and nothing waits for the last.
restarts = []
for _ in range(4):
    manager.restart_kernel(now=True)
    restarts.append(value("3 + 3"))
seen["runs at once after restarts"] = restarts
client.stop_channels()
manager.shutdown_kernel()
seen["is alive after the shutdown"] = manager.is_alive()
print(json.dumps(seen))
