import { writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

// Preloaded into a program (`node --import`): kills the process at its nth call that may change the file system
// (`DIE_AT`). If the process ends by itself, writes the number of such calls into a file (`CALLS_INTO`).
const CHANGES = ['chmod', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'writeFile'];
const files: Record<string, unknown> = createRequire(import.meta.url)('node:fs/promises');
const { DIE_AT = 'Infinity', CALLS_INTO } = process.env;
let calls = 0;
for (const name of CHANGES) {
  const call = files[name];
  if (typeof call !== 'function') throw new Error(`node:fs/promises has no ${name}`);
  files[name] = (...values: unknown[]) => {
    if (++calls === Number(DIE_AT)) process.kill(process.pid, 'SIGKILL');
    return call(...values);
  };
}
syncBuiltinESMExports();
if (CALLS_INTO) process.once('exit', () => writeFileSync(CALLS_INTO, String(calls)));
