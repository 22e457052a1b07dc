import { memoryOfTree } from '../test/jupyter/process-tree.js';
import type { Benchmark, Contender } from './benchmark.js';
import { deno, goal, ipykernel, type KernelPeer, ours, oursWithTypes, startPeer, tslab } from './kernel-peers.js';

/** Measures the time from the start of the process to the first reply, in ms. */
function start(peer: KernelPeer): Contender {
  return {
    name: peer.name,
    async prepare() {
      peer.spec();
      return {
        async measure() {
          const { client, end } = await startPeer(peer);
          await end();
          return client.startMs;
        },
      };
    },
  };
}

/** Measures the memory of a kernel and all its processes once it has run a cell, in MB. */
function memory(peer: KernelPeer, kind: 'rss' | 'pss', code = '1'): Contender {
  return {
    name: peer.name,
    async prepare() {
      const { client, end } = await startPeer(peer);
      await client.execute(code);
      if (peer === oursWithTypes)
        await client.request('shell', 'complete_request', { code: 'Math.ata', cursor_pos: 8 });
      return { measure: async () => memoryOfTree(client.process.pid)[kind], end };
    },
  };
}

const others = { area: 'kernel', better: 'less', rounds: 5 } as const;

export const startBenchmarks: Benchmark[] = [
  {
    ...others,
    bench: 'start of the process to the first reply',
    metric: 'ms',
    rounds: 9,
    ours: start(oursWithTypes),
    peers: [
      goal(200),
      { contender: start(tslab), target: 6 },
      { contender: start(deno), target: 1 },
      { contender: start(ipykernel), target: 1.85 },
    ],
  },
  {
    ...others,
    bench: 'a kernel that has run a cell, without types, all its processes',
    metric: 'MB resident',
    ours: memory(ours, 'rss'),
    peers: [
      goal(120),
      { contender: memory(tslab, 'rss'), target: 1.4 },
      { contender: memory(deno, 'rss'), target: 1.7 },
      { contender: memory(ipykernel, 'rss'), target: 0.55 },
    ],
  },
  {
    ...others,
    bench: 'a kernel that has run a cell, without types, all its processes',
    metric: 'MB, shared pages counted once',
    ours: memory(ours, 'pss'),
    peers: [
      { contender: memory(tslab, 'pss'), target: 1.4 },
      { contender: memory(deno, 'pss'), target: 1.7 },
    ],
  },
  {
    ...others,
    bench: 'a kernel that has run and completed, with types, all its processes',
    metric: 'MB resident',
    ours: memory(oursWithTypes, 'rss', 'const n: number = 1; n'),
    peers: [goal(350)],
  },
];
