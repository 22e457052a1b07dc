import type { JupyterClient } from '../test/jupyter/jupyter-client.js';
import { BareFrontEnd } from './bare-front-end.js';
import type { Benchmark } from './benchmark.js';
import { deno, goal, ipykernel, type KernelPeer, kernelContender, ours, quantile, tslab } from './kernel-peers.js';

const CELLS = 100;
const MANY = 1000;

/** Cells between two garbage collections of this client. */
const COLLECTED = 20;

/** Starts a kernel for each measurement, so that its very first cells are among those measured. */
const ofMany = { anew: true } as const;

let last = 0;

function trivial({ language }: KernelPeer): string {
  const n = ++last;
  return language === 'python' ? `x${n} = ${n}\nx${n}` : `const x${n}: number = ${n}; x${n}`;
}

function classAndAwait({ language }: KernelPeer): string {
  const n = ++last;
  if (language === 'python') {
    return `import asyncio\nclass P${n}:\n  def __init__(self, n): self.n = n\n  def twice(self): return self.n * 2\nawait asyncio.sleep(0)\nP${n}(${n}).twice()`;
  }
  return `class P${n} {\n  constructor(readonly n: number) {}\n  twice(): number { return this.n * 2; }\n}\nawait Promise.resolve();\nnew P${n}(${n}).twice()`;
}

/** Runs cells one after another; measures a quantile of the time from a request to its reply and idle, in ms. */
function cells(share: number, codeOf: (peer: KernelPeer) => string, { count = CELLS, isBare = false } = {}) {
  return async (client: JupyterClient, peer: KernelPeer): Promise<number> => {
    // The client would read along.
    if (isBare) client.sockets.close();
    const bare = isBare ? await BareFrontEnd.connect(client.connection) : undefined;
    const front = bare ?? client;
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const code = codeOf(peer);
      // Collects between cells: within one, it would count as the kernel's time.
      if (i % COLLECTED === 0) globalThis.gc?.({ type: 'minor' });
      const start = performance.now();
      const { status } = await front.execute(code);
      times.push(performance.now() - start);
      if (peer !== tslab && status !== 'ok') throw new Error(`A cell of ${peer.name} ended with ${status}: ${code}`);
    }
    bare?.close();
    return quantile(times, share);
  };
}

async function runMany(client: JupyterClient): Promise<void> {
  for (let i = 0; i < MANY; i++) await client.execute(trivial(ours));
}

/** Measures how long a loop goes on after an interrupt, in ms. */
async function interrupt(client: JupyterClient, { language }: KernelPeer): Promise<number> {
  const running = client.execute(language === 'python' ? 'while True: pass' : 'for (;;) {}');
  await new Promise((resolve) => setTimeout(resolve, 150));
  const start = performance.now();
  await client.interrupt();
  await running;
  return performance.now() - start;
}

const shared = { area: 'kernel', metric: 'ms', better: 'less' } as const;

export const cellBenchmarks: Benchmark[] = [
  {
    ...shared,
    bench: `trivial cell from request to idle, median of a kernel's first ${MANY}`,
    ours: kernelContender(ours, cells(0.5, trivial, { count: MANY }), ofMany),
    peers: [
      goal(1),
      // Fewer cells: tslab loses messages after some hundreds.
      { contender: kernelContender(tslab, cells(0.5, trivial)), target: 10 },
      { contender: kernelContender(deno, cells(0.5, trivial, { count: MANY }), ofMany), target: 1 },
      { contender: kernelContender(ipykernel, cells(0.5, trivial, { count: MANY }), ofMany), target: 3.4 },
    ],
  },
  {
    ...shared,
    bench: `trivial cell from request to idle, 99th percentile of a kernel's first ${MANY}`,
    ours: kernelContender(ours, cells(0.99, trivial, { count: MANY }), ofMany),
    peers: [
      goal(5),
      { contender: kernelContender(deno, cells(0.99, trivial, { count: MANY }), ofMany), target: 1 },
      { contender: kernelContender(ipykernel, cells(0.99, trivial, { count: MANY }), ofMany), target: 1 },
    ],
  },
  ...(
    [
      [0.5, 'median'],
      [0.99, '99th percentile'],
    ] as const
  ).map(([share, what]): Benchmark => {
    const measure = cells(share, trivial, { count: MANY, isBare: true });
    return {
      ...shared,
      bench: `trivial cell for a front end that only looks for its end, ${what} of a kernel's first ${MANY}`,
      ours: kernelContender(ours, measure, ofMany),
      peers: [
        { contender: kernelContender(deno, measure, ofMany), target: 0.9 },
        { contender: kernelContender(ipykernel, measure, ofMany), target: 1 },
      ],
    };
  }),
  {
    ...shared,
    bench: `trivial cell after ${MANY} others, median of ${CELLS}`,
    ours: kernelContender(ours, cells(0.5, trivial), { ready: runMany }),
    peers: [
      goal(1),
      {
        contender: kernelContender(ours, cells(0.5, trivial), { name: 'oddslab itself, its first cells', anew: true }),
        target: 0.8,
      },
    ],
  },
  {
    ...shared,
    bench: `cell with a class and an await, median of ${CELLS}`,
    ours: kernelContender(ours, cells(0.5, classAndAwait)),
    peers: [
      goal(1.5),
      { contender: kernelContender(tslab, cells(0.5, classAndAwait)), target: 12 },
      { contender: kernelContender(deno, cells(0.5, classAndAwait)), target: 1 },
      { contender: kernelContender(ipykernel, cells(0.5, classAndAwait)), target: 2.5 },
    ],
  },
  {
    ...shared,
    bench: 'interrupt of an endless loop, until its cell is over',
    ours: kernelContender(ours, interrupt),
    peers: [goal(50), { contender: kernelContender(ipykernel, interrupt), target: 1 }],
  },
];
