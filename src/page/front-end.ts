import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { DataError, OddslabError } from '../base/errors.js';
import { takeLock } from '../base/lock-file.js';
import { packageRoot } from '../base/packages.js';
import { waitFor } from '../base/stop-and-wait.js';
import { systemErrorCode } from '../base/whole-file.js';

/** What {@link frontEnd} tells its caller while it builds, and how it is ended early. */
export interface FrontEndOptions {
  /** Called with a short line, without a full stop, when a step begins that takes more than a moment. */
  readonly onProgress?: (line: string) => void;
  /** Ends the build; nothing half-made is left. */
  readonly signal?: AbortSignal;
  /** The folder of Oddslab's package. Default that of this code. */
  readonly root?: string;
}

/** The folder's files by which a build is found to be out of date: all but what installing and building make. */
const SOURCES = /^((src|none)[\\/].+|[\w-]+\.(mjs|json))$/;
/** What the page has of other folders below `src`: the logo, and how charts are drawn where there is little room. */
const ELSEWHERE = [
  'kernel/install/logo-svg.svg',
  ...['narrow-spec', 'theme', 'title-text'].map((name) => `charts/design/${name}.ts`),
];
const STAMP = 'stamp';

/**
 * The folder with the notebook page as browsers load it. The published package has it as `dist/lab`. A clone builds it
 * at the first use, and again where its sources changed: a minute or so the first time, for its packages, and seconds
 * later. Two processes at once build it once.
 *
 * @throws {DataError} If an installed package lacks it.
 * @throws {OddslabError} If it cannot be built; the message says why and what would help.
 * @throws The signal's reason, if it is aborted.
 */
export async function frontEnd(options: FrontEndOptions = {}): Promise<string> {
  const root = options.root ?? packageRoot();
  const front = join(root, 'src/page/front');
  if (existsSync(join(front, 'package.json'))) return builtIn(root, front, options);
  const shipped = join(root, 'dist/lab');
  if (existsSync(join(shipped, 'THIRD_PARTY_LICENSES'))) return shipped;
  throw new DataError(`The notebook page is missing from ${shipped}: install oddslab again.`);
}

/** The built page of a clone, built first if it is not there or not of these sources. */
async function builtIn(root: string, front: string, options: FrontEndOptions): Promise<string> {
  const built = join(front, 'built');
  const stamp = await stampOf(root, front);
  if ((await textOf(join(built, STAMP))) === stamp) return built;
  const unlock = await lockOf(front, options);
  try {
    // Another process may have built it meanwhile.
    if ((await textOf(join(built, STAMP))) === stamp) return built;
    await buildInto(built, stamp, { root, front, ...options });
    return built;
  } finally {
    await unlock();
  }
}

/** Takes the right to build, waiting while another process has it. */
async function lockOf(front: string, { onProgress, signal }: FrontEndOptions): Promise<() => Promise<void>> {
  for (let isTold = false; ; isTold = true) {
    const taken = await takeLock(join(front, 'building.lock')).catch((cause) => {
      throw new DataError(
        `The notebook page cannot be built in ${front}, where nothing can be written (${systemErrorCode(cause)}): run this once as the user whom the folder belongs to.`,
        { cause },
      );
    });
    if (typeof taken === 'function') return taken;
    if (!isTold) onProgress?.(`preparing the notebook page: waiting for process ${taken.pid}, which builds it already`);
    await waitFor(200, signal);
  }
}

interface Place extends FrontEndOptions {
  readonly root: string;
  readonly front: string;
}

/** Builds the page beside its place and puts it there. The caller holds the lock. */
async function buildInto(built: string, stamp: string, place: Place): Promise<void> {
  const { front, onProgress } = place;
  // A killed build leaves its folder behind.
  for (const name of await readdir(front)) {
    if (name.startsWith('built-')) await rm(join(front, name), { recursive: true, force: true });
  }
  needBundler(place.root, front);
  await installPackages(place);
  onProgress?.('preparing the notebook page: bundling it');
  const draft = join(front, `built-${process.pid}`);
  try {
    await run([process.execPath, join(front, 'build.mjs'), draft], place, 'bundling it failed');
    await writeFile(join(draft, STAMP), stamp);
    if (existsSync(built)) await rename(built, `${draft}-old`);
    await rename(draft, built);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(`${draft}-old`, { recursive: true, force: true });
  }
}

/** The bundler is one of the clone's own packages, and comes with its first `npm ci`. */
function needBundler(root: string, front: string): void {
  try {
    createRequire(join(front, 'build.mjs')).resolve('esbuild');
  } catch (cause) {
    throw new OddslabError(`The notebook page cannot be built without esbuild: run "npm ci" in ${root} first.`, {
      cause,
    });
  }
}

/** Installs the packages of the lock file, unless these are what was installed last. Their scripts do not run. */
async function installPackages(place: Place): Promise<void> {
  const { front, onProgress } = place;
  const wanted = hashOf([await textOf(join(front, 'package.json')), await textOf(join(front, 'package-lock.json'))]);
  const installed = join(front, 'node_modules', '.installed');
  if ((await textOf(installed)) === wanted) return;
  onProgress?.('preparing the notebook page: installing its packages (first time only, about a minute)');
  // Where there is no network, npm would try for more than a minute.
  // npm empties the folder only once it knows what it will install.
  await rm(installed, { force: true });
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];
  await run([...npm(), ...args], place, 'its packages could not be installed').catch(async (error) => {
    await rm(join(front, 'node_modules'), { recursive: true, force: true });
    throw error;
  });
  await writeFile(installed, wanted);
}

/** How npm is called: as the one that runs this, if one does. */
function npm(): string[] {
  const path = process.env.npm_execpath ?? '';
  return path.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm'];
}

/** Runs a program in the front end's folder, silently, and waits for its end. Its error holds what it said. */
async function run([program = '', ...args]: readonly string[], place: Place, failure: string): Promise<void> {
  const { front, signal } = place;
  // On Windows npm is a script of the shell.
  const shell = process.platform === 'win32' && program === 'npm';
  const running = promisify(execFile)(program, args, { cwd: front, shell, ...(signal && { signal }) });
  const closed = new Promise((done) => running.child.once('close', done));
  await running.catch(async (cause) => {
    // When it is told to end, it may still write for a moment.
    await closed;
    signal?.throwIfAborted();
    throw new OddslabError(wordsOf(`${cause.stdout}\n${cause.stderr}`.trim() || cause.message, failure, front), {
      cause,
    });
  });
}

/** Words for why a step failed, by what its program said. */
function wordsOf(said: string, failure: string, front: string): string {
  const reason = NO_REGISTRY.test(said)
    ? `the package registry cannot be reached (${NO_REGISTRY.exec(said)?.[0]})`
    : '';
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const told = lines.filter((line) => line !== '' && !/^(code|errno|A complete log)/.test(line));
  return (
    `The notebook page could not be built: ${failure}: ${reason || told.slice(0, 3).join(' ')}. ` +
    `Mend that and run the command again, or find out more with "npm ci" in ${front}. All else works without the page; ` +
    '"oddslab lab --jupyter" opens an installed Jupyter instead.'
  );
}

const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/;

/** A digest of everything that the built page depends on. */
async function stampOf(root: string, front: string): Promise<string> {
  const top = await readdir(front);
  const below = await Promise.all(
    top.filter((name) => name === 'src' || name === 'none').map((name) => filesIn(join(front, name))),
  );
  const paths = [...top.map((name) => join(front, name)), ...below.flat()];
  const names = paths.map((path) => relative(front, path)).filter((name) => SOURCES.test(name));
  const texts = names.sort().map(async (name) => [name.replaceAll('\\', '/'), await textOf(join(front, name))]);
  const others = ELSEWHERE.map((path) => textOf(join(root, 'src', path)));
  return hashOf([...(await Promise.all(texts)).flat(), ...(await Promise.all(others))]);
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
}

/** The text of a file; empty if there is none, or if it is a folder. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest('hex');
}
