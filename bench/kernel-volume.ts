import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/base/packages.js';
import { serializeNotebook } from '../src/notebook/format/nbformat.js';
import { type NbclientRun, notebookOf, runByNbclient } from '../test/jupyter/run-by-nbclient.js';
import { writeKernelSpec } from '../test/jupyter/write-kernel-spec.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';
import { deno, goal, ipykernel, type KernelPeer, ours, startPeer, tslab } from './kernel-peers.js';

const LINES = 100_000;
const CELLS = 10_000;
const HEADLESS = 200;

/** Runs a notebook with nbclient in a kernel, in a folder of its own. */
async function byNbclient(peer: KernelPeer, codes: readonly string[]): Promise<NbclientRun> {
  const kernel = peer.spec();
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  try {
    const spec = await writeKernelSpec(folder, { kernel, env: { ODDSLAB_TYPES: 'off' } });
    return await runByNbclient(spec, notebookOf(codes));
  } catch (cause) {
    throw new Unavailable(`nbclient does not get through: ${String(cause).slice(-200)}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A contender that takes its figure from a run that several benchmarks share. */
function ofRun<Run>(
  peer: KernelPeer,
  runOf: (peer: KernelPeer) => Promise<Run>,
  figure: (run: Run) => number,
): Contender {
  return {
    name: peer.name,
    slow: true,
    async prepare() {
      peer.spec();
      const run = await runOf(peer);
      return { measure: async () => figure(run) };
    },
  };
}

/** Makes each kernel's run on the first call and keeps it. */
function once<Run>(work: (peer: KernelPeer) => Promise<Run>): (peer: KernelPeer) => Promise<Run> {
  const runs = new Map<string, Promise<Run>>();
  return (peer) => {
    const run = runs.get(peer.name) ?? work(peer);
    runs.set(peer.name, run);
    return run;
  };
}

const lines = once(async (peer: KernelPeer) => {
  const print = `for (let i = 0; i < ${LINES}; i++) console.log('line ' + i);`;
  const code = peer.language === 'python' ? `for i in range(${LINES}): print('line', i)` : print;
  const { seconds, counts, cells } = await byNbclient(peer, [code]);
  const got = (cells[0]?.outputs ?? [])
    .map(({ text }) => text)
    .join('')
    .split('\n');
  return { seconds, messages: counts.stream ?? 0, right: got.filter((line, i) => line === `line ${i}`).length };
});

const manyCells = once(async (peer: KernelPeer) => {
  const { client, end } = await startPeer(peer);
  try {
    let right = 0;
    const start = performance.now();
    for (let i = 0; i < CELLS; i++) {
      const code = peer.language === 'python' ? `print('cell', ${i})\n${i}` : `console.log('cell', ${i}); ${i}`;
      const { stdout, result } = await client.execute(code);
      // tslab writes its values to the stream.
      if (`${stdout}${result ?? ''}`.replace(/\n$/, '') === `cell ${i}\n${i}`) right++;
    }
    return { seconds: (performance.now() - start) / 1000, right };
  } finally {
    await end();
  }
});

const headlessCodes = (language: KernelPeer['language']) =>
  Array.from({ length: HEADLESS }, (_, i) =>
    language === 'python'
      ? `n${i} = ${i}\nprint(n${i})\nn${i}`
      : `const n${i}: number = ${i}; console.log(n${i}); n${i}`,
  );

/** The duration of `oddslab run`, in s. */
const oursHeadless: Contender = {
  name: 'oddslab run',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
    const file = join(folder, 'notebook.ipynb');
    await writeFile(file, serializeNotebook(notebookOf(headlessCodes('typescript'))));
    const words = [join(packageRoot(), 'dist/cli/main.js'), 'run', file, '--out', join(folder, 'out')];
    return {
      async measure() {
        const start = performance.now();
        await promisify(execFile)(process.execPath, words);
        return (performance.now() - start) / 1000;
      },
      end: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** The duration of nbclient in its own Python process, in s. */
function nbclientHeadless(peer: KernelPeer): Contender {
  return {
    name: `nbclient with ${peer.name}`,
    async prepare() {
      peer.spec();
      return {
        async measure() {
          const start = performance.now();
          await byNbclient(peer, headlessCodes(peer.language));
          return (performance.now() - start) / 1000;
        },
      };
    },
  };
}

const printed = { area: 'kernel', bench: `${LINES} printed lines through nbclient`, rounds: 1 } as const;
const cells = { area: 'kernel', bench: `${CELLS} cells that print and have a value`, rounds: 1 } as const;
const seconds = (run: { seconds: number }) => run.seconds;
const right = (run: { right: number }) => run.right;

export const volumeBenchmarks: Benchmark[] = [
  {
    ...printed,
    metric: 's',
    better: 'less',
    ours: ofRun(ours, lines, seconds),
    peers: [goal(1), { contender: ofRun(ipykernel, lines, seconds), target: 1 }],
  },
  {
    ...printed,
    metric: 'messages',
    better: 'less',
    ours: ofRun(ours, lines, (run) => run.messages),
    peers: [goal(20), { contender: ofRun(ipykernel, lines, (run) => run.messages), target: 1 }],
  },
  {
    ...printed,
    metric: 'lines that arrive in their place',
    better: 'more',
    ours: ofRun(ours, lines, right),
    peers: [
      goal(LINES),
      { contender: ofRun(tslab, lines, right), target: 1 },
      { contender: ofRun(deno, lines, right), target: 1 },
      { contender: ofRun(ipykernel, lines, right), target: 1 },
    ],
  },
  {
    ...cells,
    metric: 's',
    better: 'less',
    ours: ofRun(ours, manyCells, seconds),
    peers: [
      { contender: ofRun(deno, manyCells, seconds), target: 1 },
      { contender: ofRun(ipykernel, manyCells, seconds), target: 3 },
    ],
  },
  {
    ...cells,
    metric: 'cells with their own output and no other',
    better: 'more',
    ours: ofRun(ours, manyCells, right),
    peers: [
      goal(CELLS),
      { contender: ofRun(deno, manyCells, right), target: 1 },
      { contender: ofRun(ipykernel, manyCells, right), target: 1 },
    ],
  },
  {
    area: 'kernel',
    bench: `${HEADLESS} cells without a front end, with all that starts and ends`,
    metric: 's',
    better: 'less',
    ours: oursHeadless,
    peers: [
      goal(0.6),
      { contender: nbclientHeadless(ipykernel), target: 4 },
      { contender: nbclientHeadless(tslab), target: 4 },
    ],
  },
];
