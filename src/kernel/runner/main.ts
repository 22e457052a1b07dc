import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadNative } from '../../base/packages.js';
import { takeProgram } from '../wire/own-program.js';

// One file serves as the entry of the process and of the cells' own programs, so that the build needs only one.
start(takeProgram()).catch((error: Error) => {
  process.stderr.write(error.message);
  process.exitCode = 1;
});

/** Starts the runner, or a program. Loads the native packages first, to name the one that cannot be loaded. */
async function start(path: string | undefined): Promise<void> {
  const require = createRequire(import.meta.url);
  for (const name of ['oxc-parser', 'oxc-transform']) await loadNative(name, async () => require(name));
  if (path !== undefined) {
    const { runProgram } = await import('./run-program.js');
    runProgram(fileURLToPath(import.meta.url), path);
    return;
  }
  const { serve } = await import('./serve-cells.js');
  serve(new URL(import.meta.url));
}
