"""Asks a kernel what Jupyter's protocol lacks, by jupyter_client: `python3 drafts-test.py KERNEL`. Prints the answers as JSON."""

import json
import sys

from jupyter_client.manager import start_new_kernel

TIMEOUT = 60

manager, client = start_new_kernel(kernel_name=sys.argv[1])


def answer(kind, channel, receive, content):
    """The reply to a message that jupyter_client does not know, and the states that iopub tells of it."""
    message = client.session.msg(kind, content)
    channel.send(message)
    request = message["header"]["msg_id"]
    while True:
        reply = receive(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == request:
            break
    states = []
    while "idle" not in states:
        told = client.get_iopub_msg(timeout=TIMEOUT)
        if told["parent_header"].get("msg_id") == request:
            states.append(told["content"]["execution_state"])
    return {"type": reply["msg_type"], "content": reply["content"], "states": states}


client.execute_interactive("const word = '\U0001f600';", timeout=TIMEOUT, output_hook=lambda _: None)
code = "'\U0001f600'; const n: number = word; word.at(0"
seen = {
    "diagnostics on shell": answer(
        "diagnostics_request", client.shell_channel, client.get_shell_msg, {"code": code + ")"}
    ),
    "the call on control": answer(
        "signature_request", client.control_channel, client.get_control_msg, {"code": code, "cursor_pos": len(code)}
    ),
}
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps(seen))
