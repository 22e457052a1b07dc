"""Runs jupyter_kernel_test against a kernel: `python3 kernel-test.py KERNEL`. Prints what became of each test as JSON."""

import json
import sys
import unittest

from jupyter_kernel_test import KernelTests

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class OddslabTests(KernelTests):
    kernel_name = sys.argv[1]
    language_name = "typescript"
    file_extension = ".ts"

    code_hello_world = "console.log('hello, world')"
    code_stderr = "console.error('to stderr')"
    code_page_something = "display.page('a text for the pager')"
    code_generate_error = "throw new RangeError('on purpose')"
    code_clear_output = "display.clear()"
    code_inspect_sample = "Math.max"

    completion_samples = [
        {"text": "Math.atan", "matches": {"atan", "atan2", "atanh"}},
        {"text": "'text'.toUpperC", "matches": {"toUpperCase"}},
        {"text": "const owned = { apples: 1, pears: 2 }; owned.app", "matches": {"apples"}},
    ]

    complete_code_samples = [
        "1 + 1",
        "const a: number = 1;",
        "function f(): string {\n  return 'x';\n}",
        "interface Point { x: number; y: number }",
        "await Promise.resolve(1)",
        "for await (const line of []) console.log(line);",
        "import { readFile } from 'node:fs/promises';",
        "// a comment",
        "%%sql\nSELECT 1",
        "%time 1 + 1",
        "known?",
    ]
    incomplete_code_samples = [
        "function f() {",
        "const list = [1,",
        "`an open template",
        "if (true) {\n  console.log(1)",
        "const x =",
        "Math.max(1, 2",
        "/* an open comment",
        "type Point = {",
    ]
    invalid_code_samples = ["const = 1", "1 + ) 2", "}", "let let = 1;", "for (;;;) {}", "'an open string\n"]

    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "'odds' + 'lab'", "result": "'oddslab'"},
        {"code": "[1, 2, 3].map((n) => n ** 2)", "result": "[ 1, 4, 9 ]"},
        {"code": "await Promise.resolve({ a: 1 })", "result": "{ a: 1 }"},
        {"code": "new Map([['k', 1n]])", "result": "Map(1) { 'k' => 1n }"},
        {"code": "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/html': '<b>x</b>' }) })", "mime": "text/html"},
    ]
    code_history_pattern = "6 ? 7*"
    supported_history_operations = ("tail", "range", "search")

    code_display_data = [
        {"code": "display.html('<b>bold</b>')", "mime": "text/html"},
        {"code": "%%html\n<b>bold</b>", "mime": "text/html"},
        {"code": "Math.max?", "mime": "text/markdown"},
        {"code": "display.markdown('**bold**')", "mime": "text/markdown"},
        {"code": "display.latex('$x^2$')", "mime": "text/latex"},
        {"code": "display.json({ a: [1] })", "mime": "application/json"},
        {"code": "display.svg('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')", "mime": "image/svg+xml"},
        {"code": f"display.png(Buffer.from('{PIXEL}', 'base64'))", "mime": "image/png"},
        {"code": "display({ a: 1 })", "mime": "text/plain"},
    ]


class Report(unittest.TestResult):
    """Keeps what became of each test, of its parts too."""

    def __init__(self):
        super().__init__()
        self.report = []

    def _note(self, test, outcome, detail=""):
        self.report.append({"test": test.id().rsplit("OddslabTests.")[-1], "outcome": outcome, "detail": detail})

    def addSuccess(self, test):
        self._note(test, "passed")

    def addSkip(self, test, reason):
        self._note(test, "skipped", reason)

    def addFailure(self, test, error):
        self._note(test, "failed", self._exc_info_to_string(error, test))

    addError = addFailure

    def addSubTest(self, test, part, error):
        if error is not None:
            self._note(part, "failed", self._exc_info_to_string(error, test))


result = Report()
unittest.defaultTestLoader.loadTestsFromTestCase(OddslabTests).run(result)
print(json.dumps(result.report))
