import type { JupyterClient } from '../test/jupyter/jupyter-client.js';
import type { JupyterMessage } from '../test/jupyter/jupyter-message.js';
import type { Benchmark, Contender } from './benchmark.js';
import {
  deno,
  goal,
  ipykernel,
  type KernelPeer,
  kernelContender,
  oursWithTypes,
  startPeer,
  tslab,
} from './kernel-peers.js';

const BUSY_MS = 300;
const ZOD = "import { z } from 'zod';";

let last = 0;

const wrongNumber = () => `const w${++last}: number = 'text';`;
const wrongShape = () => {
  const n = ++last;
  return `const s${n} = z.object({ id: z.number(), tags: z.array(z.string()), at: z.union([z.string(), z.null()]) });
const v${n}: z.infer<typeof s${n}> = { id: 'text', tags: [], at: null };`;
};

/** Measures the time from a request to the message with the cell's type errors, in ms. */
function diagnostics(codeOf: () => string) {
  return async (client: JupyterClient): Promise<number> => {
    const saysIt = client.waitFor(isDiagnostic);
    const start = performance.now();
    const [said] = await Promise.all([saysIt, client.execute(codeOf())]);
    return said.at - start;
  };
}

function isDiagnostic({ header, content }: JupyterMessage): boolean {
  return header.msg_type === 'stream' && String(content.text).includes('not assignable');
}

/** The same for the first cell of a new kernel, from its request or from the start of the kernel. */
function firstDiagnostics(peer: KernelPeer, since: 'request' | 'start'): Contender {
  return {
    name: peer.name,
    async prepare() {
      return {
        async measure() {
          const { client, end } = await startPeer(peer);
          const ms = await diagnostics(wrongNumber)(client);
          await end();
          return since === 'start' ? client.startMs + ms : ms;
        },
      };
    },
  };
}

/** Measures the time from a request to its reply, in ms; if `busy`, while the kernel runs a cell. */
function question(type: 'complete_request' | 'inspect_request', busy: boolean) {
  return async (client: JupyterClient, { language, name }: KernelPeer): Promise<number> => {
    const running = busy ? client.execute(busyCell(language)) : undefined;
    if (busy) await client.waitFor(({ content }) => content.execution_state === 'busy');
    const ending = type === 'complete_request' ? 'sq' : 'sqrt';
    const code = `${++last}; ${language === 'python' ? 'math' : 'Math'}.${ending}`;
    const start = performance.now();
    const { reply } = await client.request('shell', type, { code, cursor_pos: code.length, detail_level: 0 });
    await running;
    const { matches = [], found } = reply.content;
    if (found !== true && !String(matches).includes('sqrt')) throw new Error(`${name} does not know ${code}`);
    return reply.at - start;
  };
}

function busyCell(language: KernelPeer['language']): string {
  if (language === 'python')
    return `import time\nuntil = time.time() + ${BUSY_MS / 1000}\nwhile time.time() < until: pass`;
  return `{ const until = Date.now() + ${BUSY_MS}; while (Date.now() < until) {} }`;
}

function questionBenchmarks(type: 'complete_request' | 'inspect_request', what: string): Benchmark[] {
  const ready = (client: JupyterClient) => client.execute('import math');
  return [false, true].map((busy) => ({
    area: 'kernel',
    bench: busy ? `${what}, while a cell of ${BUSY_MS} ms runs` : what,
    metric: 'ms',
    better: 'less',
    ours: kernelContender(oursWithTypes, question(type, busy)),
    peers: [
      goal(25),
      { contender: kernelContender(tslab, question(type, busy)), target: busy ? 8 : 1 },
      ...(type === 'complete_request'
        ? [{ contender: kernelContender(deno, question(type, busy)), target: busy ? 8 : 0.1 }]
        : []),
      { contender: kernelContender(ipykernel, question(type, busy), { ready }), target: busy ? 8 : 0.2 },
    ],
  }));
}

const shared = { area: 'kernel', metric: 'ms', better: 'less' } as const;
const withZod = { ready: (client: JupyterClient) => client.execute(`${ZOD}\n${wrongShape()}`) };

export const typeBenchmarks: Benchmark[] = [
  {
    ...shared,
    bench: 'type error of a plain cell, from the request to its message',
    ours: kernelContender(oursWithTypes, diagnostics(wrongNumber)),
    peers: [goal(20), { contender: kernelContender(tslab, diagnostics(wrongNumber)), target: 2 }],
  },
  {
    ...shared,
    bench: "type error of a cell with zod's types, from the request to its message",
    ours: kernelContender(oursWithTypes, diagnostics(wrongShape), withZod),
    peers: [goal(20), { contender: kernelContender(tslab, diagnostics(wrongShape), withZod), target: 2 }],
  },
  {
    ...shared,
    bench: 'type error of the first cell, from the request to its message',
    ours: firstDiagnostics(oursWithTypes, 'request'),
    peers: [goal(150)],
  },
  {
    ...shared,
    bench: 'start of the process to its first reply, and from there a type error of the first cell',
    ours: firstDiagnostics(oursWithTypes, 'start'),
    peers: [{ contender: firstDiagnostics(tslab, 'start'), target: 4 }],
  },
  ...questionBenchmarks('complete_request', 'completion'),
  ...questionBenchmarks('inspect_request', 'hover'),
];
