"""Two clients of one manager, which share an identity: `python3 clients-test.py KERNEL`. Prints what it saw as JSON."""

import json
import sys
import time

from jupyter_client.manager import start_new_kernel

TIMEOUT = 30

manager, first = start_new_kernel(kernel_name=sys.argv[1])
second = manager.client()
second.start_channels()
second.wait_for_ready(timeout=TIMEOUT)


def value(client, code):
    """The text of a cell's value, asked for as an expression: it comes with the reply."""
    reply = client.execute_interactive("", user_expressions={"it": code}, timeout=TIMEOUT, output_hook=lambda _: None)
    return reply["content"]["user_expressions"]["it"]["data"]["text/plain"]


seen = {"the second": value(second, "1 + 1")}
second.stop_channels()
third = manager.client()
third.start_channels()
third.wait_for_ready(timeout=TIMEOUT)
seen["a third, once the second is gone"] = value(third, "2 + 2")


def interrupted_after(delay):
    """Interrupts an endless loop so many seconds after it was said to begin; gives the error's name."""
    request = third.execute("for (;;) {}")
    names = []
    while True:
        message = third.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "execute_input":
            time.sleep(delay)
            manager.interrupt_kernel()
        if kind == "error":
            names.append(content["ename"])
        if kind == "status" and content["execution_state"] == "idle":
            return names


outcomes = [interrupted_after(delay / 1000) for delay in (0, 0, 1, 2, 3, 5, 10) for _ in range(2)]
seen["interrupts right at the start"] = sorted({name for names in outcomes for name in names})
third.execute("setImmediate(() => setImmediate(() => setTimeout(() => { console.log('in'); for (;;) {} }, 20)))")
while third.get_iopub_msg(timeout=TIMEOUT)["content"].get("text") != "in\n":
    pass
manager.interrupt_kernel()
seen["after an interrupt between cells"] = value(third, "3 + 3")
third.stop_channels()
first.stop_channels()
manager.shutdown_kernel()
print(json.dumps(seen))
