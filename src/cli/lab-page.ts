import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { messageOf, UsageError } from '../base/errors.js';
import { keptFolder } from '../base/home-folder.js';
import { isObject, jsonIn } from '../base/texts.js';
import { systemErrorCode } from '../base/whole-file.js';
import type { Page } from '../page/serve-page.js';
import { toldToStop } from './exit-code.js';
import { LateService } from './late-service.js';
import { type Lab, type LabRequest, notebookEnvironment, prepareLab } from './prepare-lab.js';
import { SmallHeap } from './small-heap.js';
import type { Status } from './terminal-output.js';

/** The port that is tried first, and how many after it. */
const FIRST_PORT = 8888;
const PORTS = 50;

/** How long after the first process for cells the service is loaded, unless a cell asks for it earlier. */
const SERVICE_AFTER_MS = 2500;

/** How the page is opened. */
interface PageOptions {
  /** The folder of the built front end. */
  readonly frontEnd: string;
  /** Undefined for 8888 or the next free one; 0 for any free one. */
  readonly port: number | undefined;
  readonly browser: boolean;
  /** Minutes after which an idle kernel ends; undefined for never. */
  readonly idle: number | undefined;
}

/**
 * Prepares the notebooks' data and folder and, side by side, the page's front end, which a clone builds at its first use.
 *
 * @throws What either throws; the other is then ended.
 */
export async function preparePage(request: LabRequest, steps: Status, signal: AbortSignal): Promise<[Lab, string]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const ending = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  const both = [prepareLab(request, steps, either).catch(ending), builtFrontEnd(steps, either).catch(ending)] as const;
  await Promise.allSettled(both);
  signal.throwIfAborted();
  return Promise.all(both);
}

/** The built front end; tells where it had to be built. */
async function builtFrontEnd(steps: Status, signal: AbortSignal): Promise<string> {
  const { frontEnd } = await import('../page/front-end.js');
  let isBuilt = false;
  const onProgress = (line: string) => {
    isBuilt = true;
    steps.show(line);
  };
  const folder = await frontEnd({ onProgress, signal });
  if (isBuilt) steps.done('built the notebook page');
  return folder;
}

/**
 * Opens the page, tells where it is and stays until it is told to end. The service over the data is loaded
 * some time after the first process for cells, since nobody needs it before a cell asks it. Both, and the kernels, end with
 * this.
 *
 * @throws Why the page could not start; nothing is then left.
 */
export async function openPage(lab: Lab, { browser, ...options }: PageOptions): Promise<void> {
  const stopped = toldToStop();
  const heap = new SmallHeap();
  // A terminal that was closed takes no more text.
  process.stderr.on('error', () => {});
  const token = takeToken();
  const { state, forget } = await stateFolder();
  const onProblem = (problem: string) => process.stderr.write(`! No queries can be answered: ${problem}\n`);
  const service = lab.data === undefined ? undefined : await LateService.listen(lab.data, onProblem);
  const ending = new AbortController();
  const { signal } = ending;
  let page: Page | undefined;
  let telling: Promise<void> | undefined;
  try {
    await tellOfOthers(lab.folder, state);
    page = await served(lab, { ...options, state, service, token, heap });
    // Not before it listens, which somebody waits for.
    heap.keepYoung();
    const note = JSON.stringify({ pid: process.pid, folder: lab.folder });
    // Nothing depends on it.
    await writeFile(noteOf(page, state), note, { mode: 0o600 }).catch(() => {});
    await trustExamples(lab, page);
    process.stdout.write(`${page.address(lab.shown)}\n`);
    process.stderr.write(`✓ the page shows ${lab.folder}${lab.data ? `, with the data in ${lab.data}` : ''}\n`);
    process.stderr.write('  Ctrl-C ends it, and the kernels of its notebooks.\n');
    if (browser) telling = tellOfBrowser(page, { shown: lab.shown, redirect: redirectOf(page, state), signal });
    await tellOfComputing(page, await stopped);
  } finally {
    ending.abort();
    await telling?.catch(() => {});
    if (page) for (const file of [redirectOf, noteOf]) await rm(file(page, state), { force: true });
    await page?.close();
    await service?.close();
    await forget();
  }
}

/** Tells which notebooks are computing; where somebody sits at the terminal, Ctrl-C then has to be pressed once more. */
async function tellOfComputing(page: Page, signalled: NodeJS.Signals | undefined): Promise<void> {
  const names = await page.computing();
  if (names.length === 0) return;
  const many = names.length === 1 ? '1 notebook' : `${names.length} notebooks`;
  const asks = signalled === 'SIGINT' && process.stdin.isTTY;
  const verb = names.length === 1 ? (asks ? 'is' : 'was') : asks ? 'are' : 'were';
  const again = asks ? '. Ctrl-C once more ends it, too' : '';
  process.stderr.write(`! ${many} ${verb} computing: ${names.join(', ')}${again}.\n`);
  if (asks) await toldToStop();
}

/** What {@link served} needs besides the options of the page. */
interface Serving extends Omit<PageOptions, 'browser'> {
  readonly state: string;
  readonly service: LateService | undefined;
  readonly token: string | undefined;
  readonly heap: SmallHeap;
}

/** The token of programs, which neither the cells nor the browser find in their environment. */
function takeToken(): string | undefined {
  const { ODDSLAB_LAB_TOKEN: token } = process.env;
  delete process.env.ODDSLAB_LAB_TOKEN;
  return token || undefined;
}

/** The page on the given port, or on the first free one from 8888. */
async function served(lab: Lab, { frontEnd, state, service, port: given, idle, token, heap }: Serving): Promise<Page> {
  const { servePage } = await import('../page/serve-page.js');
  const { ODDSLAB_WALLETS: named } = process.env;
  const load = () =>
    service?.start().then(
      () => heap.collectSoon(),
      () => {},
    );
  const loadSoon = () => void setTimeout(load, SERVICE_AFTER_MS).unref();
  const on = (port: number) =>
    servePage({
      ...{ folder: lab.folder, frontEnd, state, port },
      ...(token === undefined ? {} : { token }),
      ...(idle === undefined ? {} : { idleMs: idle * 60_000 }),
      env: async () => {
        loadSoon();
        return notebookEnvironment(lab.data, service);
      },
      async starters() {
        const { labStarters } = await import('./lab-starters.js');
        return labStarters({ ...lab, wallets: named?.split(',').filter(Boolean) ?? [] });
      },
      onAddress: (address) => {
        process.stderr.write('  For another browser:\n');
        process.stdout.write(`${address}\n`);
      },
      log: (line) => process.stderr.write(`${line}\n`),
    });
  if (given !== undefined) return on(given);
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port += 1) {
    try {
      return await on(port);
    } catch (error) {
      const isTaken = error instanceof UsageError && systemErrorCode(error.cause) === 'EADDRINUSE';
      if (!isTaken) throw error;
    }
  }
  return on(0);
}

/** The file that leads a browser to the page; other pages of this user have files of their own. */
function redirectOf({ port }: Page, state: string): string {
  return join(state, `open-${port}.html`);
}

/** The file that tells other commands of this user what the page of a port shows. */
function noteOf({ port }: Pick<Page, 'port'>, state: string): string {
  return join(state, `page-${port}.json`);
}

/** Tells where this folder is shown already. */
async function tellOfOthers(folder: string, state: string): Promise<void> {
  for (const file of await readdir(state).catch(() => [])) {
    const [, port] = /^page-(\d+)\.json$/.exec(file) ?? [];
    const note = port === undefined ? undefined : jsonIn(await readFile(join(state, file), 'utf8').catch(() => ''));
    if (!isObject(note) || note.folder !== folder || !isAlive(Number(note.pid))) continue;
    process.stderr.write(`! oddslab lab already shows this folder at http://127.0.0.1:${port}\n`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The folder for what the page keeps for this user; without a home folder one that goes with the page. */
async function stateFolder(): Promise<{ state: string; forget: () => Promise<void> }> {
  const kept = keptFolder(process.env);
  if (kept === undefined) {
    const state = await mkdtemp(join(tmpdir(), 'oddslab-lab-'));
    return { state, forget: () => rm(state, { recursive: true, force: true }) };
  }
  // The page makes it.
  return { state: join(kept, 'lab'), forget: async () => {} };
}

/** Marks the examples that were copied just now as trusted: their outputs show themselves at once. */
async function trustExamples({ folder, examples }: Lab, page: Page): Promise<void> {
  if (examples === undefined) return;
  const place = relative(folder, examples);
  for (const name of readdirSync(examples)) await page.trustNotebook(`${place}/${name}`);
}

async function tellOfBrowser(
  page: Page,
  { shown, redirect, signal }: { shown: string | undefined; redirect: string; signal: AbortSignal },
): Promise<void> {
  const { openBrowser } = await import('./open-browser.js');
  const problem = await openBrowser(page.address(shown), redirect, { signal }).catch(messageOf);
  if (problem === undefined || signal.aborted) return;
  const tunnel = process.env.SSH_CONNECTION
    ? ` From your own computer: ssh -L ${page.port}:127.0.0.1:${page.port} ${process.env.USER ?? 'USER'}@HOST, and open it there.`
    : '';
  process.stderr.write(`! No browser opened: ${problem}. Open the address above yourself.${tunnel}\n`);
}
