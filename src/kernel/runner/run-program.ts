import { isMainThread } from 'node:worker_threads';
import type { Place } from '../wire/runner.js';
import { loweredSyntax } from './cell-runtime.js';
import { takeUnheard } from './cell-work.js';
import { defineMetadataSymbol } from './decorated-class.js';
import { faultReporter } from './fault-reporter.js';
import { createLoader } from './loader.js';
import { installStack, SourceRegistry } from './stack.js';
import { startTypeScriptPrograms } from './typescript-programs.js';

/**
 * Runs a file of TypeScript as a program of its own: in a worker's thread or a forked process of cells. What it throws
 * refers to the lines of the user's files.
 *
 * @param entry The runner's own file.
 * @param path Full path of the program.
 */
export function runProgram(entry: string, path: string): void {
  const registry = new SourceRegistry();
  const reporter = faultReporter(registry, installStack(registry, new Set([entry])));
  const notebook = `${process.cwd()}/notebook.ts`;
  const { loader } = createLoader(
    notebook,
    registry,
    { current: () => 0, hasStruck: () => false },
    { provided: {}, last: () => undefined },
  );
  defineMetadataSymbol();
  Object.defineProperty(globalThis, 'babelHelpers', { value: loweredSyntax, configurable: true, writable: true });
  startTypeScriptPrograms(entry, () => {});
  const end = (thrown: unknown): void => {
    process.stderr.write(`${reporter.thrown(thrown).traceback.join('\n')}\n`);
    process.exit(process.exitCode ?? 1);
  };
  // A worker's errors go to whoever started it.
  if (isMainThread) takeUnheard(end);
  loader.dynamic(path).catch((thrown: unknown) => {
    if (isMainThread) end(thrown);
    else {
      withPlace(thrown, reporter.thrown(thrown).at);
      queueMicrotask(() => {
        throw thrown;
      });
    }
  });
}

/** Writes the place of an error into its stack, the only part of it that goes from one thread to another. */
function withPlace(error: unknown, at: Place | undefined): void {
  if (!(error instanceof Error) || !at) return;
  const place = `${at.name}:${at.line}:${at.column}`;
  if (String(error.stack).includes(place)) return;
  const [first = ''] = String(error.stack).split('\n    at ');
  Object.defineProperty(error, 'stack', { value: `${first}\n    at ${place}`, configurable: true, writable: true });
}
