import { createRequire, syncBuiltinESMExports } from 'node:module';

type Call = (this: unknown, ...parameters: unknown[]) => unknown;

/** Functions that block the process for long, or end it. */
const BLOCKING: Record<string, string[]> = {
  'node:child_process': ['execSync', 'execFileSync', 'spawnSync'],
  'node:process': ['abort', 'kill'],
};

/** Calls `act` before each Node function that blocks or ends the process, so that nothing printed is lost. */
export function beforeBlocking(act: () => void): void {
  const require = createRequire(import.meta.url);
  for (const [name, methods] of Object.entries(BLOCKING)) {
    const module = require(name) as Record<string, Call>;
    for (const method of methods) wrap(module, method, act);
  }
  wrap(Atomics, 'wait', act);
  syncBuiltinESMExports();
}

function wrap(target: object, method: string, act: () => void): void {
  const original = Reflect.get(target, method) as Call;
  const value = function (this: unknown, ...parameters: unknown[]): unknown {
    act();
    return Reflect.apply(original, this, parameters);
  };
  Object.defineProperty(value, 'name', { value: method });
  Object.defineProperty(target, method, { value, configurable: true, writable: true });
}
