import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command; `npm run build` makes it. */
export const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a command ended and what it wrote. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Starts the built command. Its environment has no `ODDSLAB_` variables other than those given. */
export function startCommand(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('ODDSLAB_'));
  return spawn(process.execPath, [COMMAND, ...words], {
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the built command to its end. */
export async function runCommand(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
  return endOf(startCommand(words, env));
}

/** Waits for a command to end. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (text) => {
    out += text;
  });
  child.stderr?.on('data', (text) => {
    err += text;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}

/** The first line that a command prints. */
export function firstLineOf(child: ChildProcess): Promise<string> {
  let out = '';
  return new Promise((done, fail) => {
    child.stdout?.on('data', (text) => {
      out += text;
      if (out.includes('\n')) done(out.slice(0, out.indexOf('\n')));
    });
    child.once('close', (code) => fail(new Error(`ended with ${code} before its first line`)));
  });
}
