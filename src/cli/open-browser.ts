import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { escapeHtml } from '../base/texts.js';
import { type Surroundings, surroundings } from '../kernel/install/jupyter-folders.js';

/** How long the program that opens browsers may run on before it counts as successful: some stay as long as the browser. */
const PATIENCE_MS = 10_000;

/**
 * Opens an address in the user's browser. Other users of the machine see command lines, and the address holds a code
 * that opens the page; so the browser is given a file that only this user can read, which leads there.
 *
 * @param file Where that file is written, in a folder of this user alone; an older one is replaced.
 * @param options.signal Once it is aborted nothing more is written or started, and this is over soon.
 * @returns Why no browser opened; undefined if one did, as far as one can tell.
 */
export async function openBrowser(
  address: string,
  file: string,
  { place = surroundings(), signal }: { place?: Pick<Surroundings, 'platform' | 'env'>; signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const opener = openerOf(place);
  if (opener === undefined) return 'this terminal has no screen';
  if (signal?.aborted) return undefined;
  await rm(file, { force: true });
  await writeFile(file, redirectTo(address), { mode: 0o600, flag: 'wx' });
  if (signal?.aborted) return undefined;
  const [command, ...words] = opener;
  return started(command, [...words, pathToFileURL(file).href], { env: place.env, signal });
}

/** The command that opens a file in the user's browser; undefined where there is nothing to show one on. */
function openerOf({ platform, env }: Pick<Surroundings, 'platform' | 'env'>): [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  // Not `start`, which is a word of the command interpreter and would read the path in its own way.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : undefined;
}

function redirectTo(address: string): string {
  const shown = escapeHtml(address);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${shown}">
<title>Oddslab</title>
<p>The notebook page: <a href="${shown}">open it</a>.</p>
</html>
`;
}

/** Starts a program in a process group of its own, so that Ctrl-C in this terminal does not end the user's browser. */
function started(
  command: string,
  words: readonly string[],
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  return new Promise((done) => {
    signal?.addEventListener('abort', () => done(undefined), { once: true });
    const child = spawn(command, words, { env, detached: true, stdio: 'ignore' });
    const patience = setTimeout(() => done(undefined), PATIENCE_MS).unref();
    child.once('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(patience);
      done(cause.code === 'ENOENT' ? `there is no ${command} here` : `${command}: ${cause.message}`);
    });
    child.once('exit', (code) => {
      clearTimeout(patience);
      done(code === 0 ? undefined : `${command} ended with ${code}`);
    });
    child.unref();
  });
}
