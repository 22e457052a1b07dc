// The kernel's process, as a kernelspec starts it: `node main.cjs CONNECTION_FILE`.
import { OddslabError } from '../errors.js';
import { runKernel } from './run-kernel.js';

process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  process.stderr.write(`[oddslab] The kernel goes on after a fault of its own: ${error.stack ?? error}\n`);
});
runKernel(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof OddslabError ? error.message : String(error)}\n`);
  process.exit(1);
});
