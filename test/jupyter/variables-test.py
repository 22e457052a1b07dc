"""A kernel's variables, asked for as debuggers do: `python3 variables-test.py KERNEL`. Prints what it was told as JSON."""

import json
import sys
import time

from jupyter_client.manager import start_new_kernel

TIMEOUT = 60

manager, client = start_new_kernel(kernel_name=sys.argv[1])


def run(code):
    """Runs a cell to its end."""
    client.execute_interactive(code, timeout=TIMEOUT, output_hook=lambda _: None)


def ask(kind, content):
    """The content of the answer to a request on the control channel."""
    message = client.session.msg(kind, content)
    client.control_channel.send(message)
    while True:
        reply = client.get_control_msg(timeout=TIMEOUT)
        if reply["parent_header"]["msg_id"] == message["header"]["msg_id"]:
            return reply["content"]


def debug(command, **arguments):
    """The answer to a request of the Debug Adapter Protocol."""
    return ask("debug_request", {"type": "request", "seq": 3, "command": command, "arguments": arguments})


client.kernel_info()
info = client.get_shell_msg(timeout=TIMEOUT)["content"]
seen = {"debugger": info["debugger"], "before": debug("inspectVariables")}
run("const rows = [{ pnl: 3 }, { pnl: -1 }]; const deep = { a: { b: 1 } }; let label: string = 'x';")
listed = debug("inspectVariables")["body"]["variables"]
seen["variables"] = [[each["name"], each["type"], each["value"]] for each in listed]
reference = next(each["variablesReference"] for each in listed if each["name"] == "deep")
seen["parts"] = debug("variables", variablesReference=reference)["body"]["variables"]
seen["picture"] = debug("richInspectVariables", variableName="deep")["body"]
seen["refused"] = debug("setBreakpoints")
seen["table"] = ask("table_request", {"name": "rows", "from": 0, "count": 10, "sort": {"column": "pnl"}})
run("const wide: any = {}; for (let at = 0; at < 200_000; at += 1) wide['k' + at] = at;")
run(
    "let ran = 0; const trap = () => { ran += 1; console.log('ran'); };"
    "const hostile = { get a() { return trap() }, toString: trap, toHTML: trap, [Symbol.toPrimitive]: trap,"
    " get [Symbol.toStringTag]() { trap(); return 'x' }, [Symbol.for('Jupyter.display')]: trap,"
    " [Symbol.for('oddslab.table')]: trap, [Symbol.for('nodejs.util.inspect.custom')]: trap };"
    "const proxy = new Proxy({}, new Proxy({}, { get: trap }));"
)
run("ran = 0;")
names = ["hostile", "proxy", "wide"]
listed = {each["name"]: each for each in debug("inspectVariables")["body"]["variables"]}
seen["words"] = [listed[name]["value"] for name in names]
seen["texts"] = [debug("richInspectVariables", variableName=name)["body"]["data"] for name in names]
for name in names:
    debug("variables", variablesReference=listed[name]["variablesReference"])
seen["ran"] = []
client.execute_interactive("ran", timeout=TIMEOUT, output_hook=lambda message: seen["ran"].append(message["content"]))
seen["ran"] = [content["data"]["text/plain"] for content in seen["ran"] if "data" in content]
request = client.execute("for (;;) {}")
while client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "execute_input":
    pass
# The cell has begun here, and in its process soon after.
time.sleep(1)
seen["while a cell computes"] = debug("inspectVariables")["busy"]
manager.interrupt_kernel()
client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps(seen))
