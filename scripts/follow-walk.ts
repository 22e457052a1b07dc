import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../src/base/packages.js';
import { JupyterClient } from '../test/jupyter/jupyter-client.js';
import { OURS } from '../test/jupyter/kernel-argv.js';

/** A program's part of a walk. */
export interface Stretch {
  readonly program: string;
  /** The source files of which a function ran; each before what it imports, as far as imports tell. */
  readonly files: readonly string[];
}

/** A job of the built package that can be followed through the source files. */
export interface Walk {
  readonly about: string;
  /** Runs the job in processes of its own. What only runs while a module loads is no part of the walk. */
  readonly follow: () => Promise<Stretch[]>;
}

export const WALKS: Readonly<Record<'query' | 'cell' | 'ingest', Walk>> = {
  query: {
    about: 'a profit and loss query of a warmed client on a warmed service, from the call of frame() to the DataFrame',
    follow: () => inFolder(followQuery),
  },
  cell: {
    about: 'a cell of a notebook whose types are checked, from its request to its type error',
    follow: () => inFolder(followCell),
  },
  ingest: {
    about: 'an ingest of three files, without the command line around it',
    follow: () => inFolder(followIngest),
  },
};

const root = packageRoot();
const main = join(root, 'dist/cli/main.js');

async function inFolder(follow: (folder: string) => Promise<Stretch[]>): Promise<Stretch[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-walk-'));
  try {
    const stretches = await follow(folder);
    return stretches.map(({ program, files }) => ({ program, files: inOrder(files) }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The third of three queries, each for another wallet. */
async function followQuery(folder: string): Promise<Stretch[]> {
  await ingestSample(folder, {});
  const trades = await json<{ proxyWallet: string }[]>(join(folder, 'sample/trades.json'));
  const wallets = [...new Set(trades.map(({ proxyWallet }) => proxyWallet))].slice(0, 3);
  const service = start(folder, [main, 'serve', '--port', '0', '--open', '--log-level', 'silent', '--data', 'data']);
  const client = start(folder, ['--input-type=module', '--eval', CLIENT]);
  try {
    client.stdin.write(
      `${[pathToFileURL(join(root, 'dist/index.js')), await lineOf(service), ...wallets].join(' ')}\n`,
    );
    await lineOf(client);
    // The service loads its engine a second after its start.
    await restedAfter(folder, 'src/service/store/database.ts');
    client.stdin.write('\n');
    const ofClient: string[] = JSON.parse(await lineOf(client));
    const ofService = await ask(join(folder, `${service.pid}-0.sock`));
    return [
      { program: 'client', files: ofClient },
      { program: 'service', files: ofService },
    ];
  } finally {
    await Promise.all([service, client].map(end));
  }
}

/** Waits until a file has run in one of the recorded programs or threads, and all of them rest. */
async function restedAfter(folder: string, file: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (let ran = false, resting = false; !ran || !resting; ) {
    if (Date.now() > until) throw new Error(`${file} did not run within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const files = (await askAll(folder)).flat();
    ran ||= files.includes(file);
    resting = files.length === 0;
  }
}

/** Asks for two wallets, waits for a line, asks for the third, and prints which files that ran through. */
const CLIENT = `
import { createInterface } from 'node:readline/promises';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const [index, baseUrl, ...wallets] = (await lines.next()).value.split(' ');
const { connect } = await import(index);
const client = connect({ baseUrl, apiKey: 'none', progress: false });
const frameOf = (wallet) => client.pnl({ wallet, granularity: '1d' }).frame();
await frameOf(wallets[0]);
await frameOf(wallets[1]);
console.log('ready');
await lines.next();
filesThatRan();
const frame = await frameOf(wallets[2]);
const files = filesThatRan();
if (frame.shape[0] === 0) throw new Error('The wallet has no records');
console.log(JSON.stringify(files));
`;

/** The second of two cells. That its wrong type is told of says that its check is over. */
async function followCell(folder: string): Promise<Stretch[]> {
  const env = { ...recording(folder), HOME: folder, JUPYTER_DATA_DIR: folder, ODDSLAB_TYPES: 'warn' };
  const client = await JupyterClient.start({ ...OURS, cwd: folder, env });
  const run = async (code: string): Promise<void> => {
    const before = client.received.length;
    await client.execute(code);
    const isChecked = () => JSON.stringify(client.received.slice(before)).includes('TS2322');
    for (const until = Date.now() + 60_000; !isChecked(); ) {
      if (Date.now() > until) throw new Error('The cell was not checked within a minute');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  try {
    await run('const fee: number = 0.02; const word: string = fee; fee * 100');
    // The thread that watches over the cells may start later than they do.
    await restedAfter(folder, 'src/kernel/runner/watch-lifeline.ts');
    await run('const rate: number = 0.03; const text: string = rate; rate * 100');
    const parts = (await askAll(folder)).filter(hasSome);
    return parts.map((files) => ({
      program: files.some((file) => file.includes('/runner/')) ? 'cells' : 'kernel',
      files,
    }));
  } finally {
    await client.close();
  }
}

async function followIngest(folder: string): Promise<Stretch[]> {
  await ingestSample(folder, recording(folder));
  const records = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const parts = await Promise.all(records.map((name) => json<string[]>(join(folder, name))));
  return parts.map((files) => ({ program: 'ingest', files: files.filter((file) => !file.startsWith('src/cli/')) }));
}

/** Simulates a small sample and ingests it, with the given variables for the ingest. */
async function ingestSample(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const size = ['--wallets', '20', '--markets', '50', '--fills', '3000'];
  await finished(start(folder, [main, 'simulate', '--out', 'sample', ...size], {}));
  const inputs = ['markets', 'trades', 'activity'].map((name) => `sample/${name}.json`);
  await finished(start(folder, [main, 'ingest', '--data', 'data', ...inputs], env));
}

function recording(folder: string): NodeJS.ProcessEnv {
  const recorder = join(root, 'scripts/record-files.cjs');
  return { NODE_OPTIONS: `--require ${JSON.stringify(recorder)}`, ODDSLAB_WALK: folder };
}

function start(folder: string, words: readonly string[], env = recording(folder)): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } });
}

async function lineOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`A process ended early: ${await textOf(child.stderr)}`);
}

async function finished(child: ChildProcessWithoutNullStreams): Promise<void> {
  const [[code], errors] = await Promise.all([once(child, 'exit'), textOf(child.stderr), textOf(child.stdout)]);
  if (code !== 0) throw new Error(`A process ended with ${code}: ${errors}`);
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** Asks a recorder which files ran since it was last asked. */
async function ask(socket: string): Promise<string[]> {
  return JSON.parse(await textOf(connect(socket))) as string[];
}

/** Asks all recorders of a folder. */
async function askAll(folder: string): Promise<string[][]> {
  const sockets = (await readdir(folder)).filter((name) => name.endsWith('.sock'));
  return Promise.all(sockets.map((name) => ask(join(folder, name))));
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function json<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(path, 'utf8')) as Value;
}

function hasSome(list: readonly unknown[]): boolean {
  return list.length > 0;
}

/** Files, each before what it imports: from those that none of the others imports, along the imports. */
function inOrder(files: readonly string[]): string[] {
  const wanted = new Set(files);
  const imported = new Set(files.flatMap((file) => importsOf(file).filter((target) => target !== file)));
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of importsOf(file)) visit(target);
  };
  for (const file of [...files].sort()) if (!imported.has(file)) visit(file);
  for (const file of files) visit(file);
  return [...seen].filter((file) => wanted.has(file));
}

function importsOf(file: string): string[] {
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const names = [...text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)].map(([, name]) => `${name}.ts`);
  return names.map((name) => posix.join(posix.dirname(file), name));
}
