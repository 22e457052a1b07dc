import { Writable } from 'node:stream';
import { vi } from 'vitest';
import type { Ended } from './run-command.js';

let runs = 0;
let isRunning = false;

/**
 * Runs the command in this process: for what it says and writes, which costs a hundredth of a process for each. What
 * belongs to a process (how it ends, signals, pipes) needs `runCommand`; one command at a time may run here.
 *
 * @param env Variables, as for `runCommand`: it sees no other `ODDSLAB_` ones.
 */
export async function runHere(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  if (isRunning) throw new Error('Another command runs here: wait for it, or run this one by runCommand.');
  isRunning = true;
  const { argv, env: own } = process;
  const ours = { ...own };
  const listeners = process.stdout.listeners('error');
  const [out, err] = [captured(process.stdout), captured(process.stderr)];
  process.argv = [process.execPath, 'oddslab', ...words];
  for (const name of Object.keys(ours)) if (name.startsWith('ODDSLAB_')) delete own[name];
  Object.assign(own, env);
  try {
    // The query makes it a module of its own, which runs again; those that it imports stay loaded.
    const main = new URL(`../../src/cli/main.ts?run=${++runs}`, import.meta.url).href;
    await import(/* @vite-ignore */ main);
    return { code: Number(process.exitCode), out: out.text(), err: err.text() };
  } finally {
    out.release();
    err.release();
    for (const each of process.stdout.listeners('error')) {
      if (!listeners.includes(each)) process.stdout.off('error', each as () => void);
    }
    for (const name of Object.keys(own)) if (!(name in ours)) delete own[name];
    Object.assign(own, ours);
    process.exitCode = undefined;
    process.argv = argv;
    isRunning = false;
  }
}

/** Takes what is written to a stream until it is released. */
function captured(stream: NodeJS.WriteStream): { text: () => string; release: () => void } {
  const pieces: Buffer[] = [];
  const sink = new Writable({
    // It takes all at once: nobody would hear its drain.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(piece, _, done) {
      pieces.push(piece);
      done();
    },
  });
  const spy = vi.spyOn(stream, 'write').mockImplementation(sink.write.bind(sink) as typeof stream.write);
  return { text: () => Buffer.concat(pieces).toString(), release: () => spy.mockRestore() };
}
