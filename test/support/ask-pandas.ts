import { spawnSync } from 'node:child_process';

let isThere: boolean | undefined;

/** Whether Debian's Python has pandas. */
export function hasPandas(): boolean {
  isThere ??= spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status === 0;
  return isThere;
}

/**
 * Runs a script in which `given` is the input and `pd` pandas; what it puts into `answer` comes back as JSON, with null
 * for NaN.
 */
export function askPandas(script: string, given: unknown): unknown {
  const whole = `
import json, math, sys
import pandas as pd
given = json.load(sys.stdin)
${script}
def plain(value):
    if isinstance(value, (list, tuple)): return [plain(each) for each in value]
    if hasattr(value, 'tolist'): return plain(value.tolist())
    if isinstance(value, float) and math.isnan(value): return None
    return value
json.dump(plain(answer), sys.stdout)
`;
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', whole], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
