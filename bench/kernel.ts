import { type ChildProcess, spawn } from 'node:child_process';
import { startRunner } from '../src/kernel/runner-process.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';

/** From the start of the process to the value of its first cell, in ms. */
const ourStart: Contender = {
  name: 'runner',
  async prepare() {
    return {
      async measure() {
        const start = performance.now();
        const runner = startRunner({ cwd: process.cwd() });
        const outcome = await runner.execute('const x: number = 1; x');
        const elapsed = performance.now() - start;
        if (outcome.status !== 'ok') throw new Error(outcome.fault.message);
        await runner.close();
        return elapsed;
      },
    };
  },
};

/** Node's own REPL, told the same through a pipe: what starting and evaluating cost without types or display. */
const nodeReplStart: Contender = {
  name: 'node --interactive (JavaScript alone)',
  async prepare() {
    return {
      async measure() {
        const start = performance.now();
        const child = spawn(process.execPath, ['--interactive'], { stdio: ['pipe', 'pipe', 'ignore'] });
        child.stdin.write('const x = 1; "answer" + x\n');
        await outputOf(child, 'answer1');
        const elapsed = performance.now() - start;
        child.stdin.end('.exit\n');
        await new Promise((ended) => child.once('close', ended));
        return elapsed;
      },
    };
  },
};

const CELLS = 200;

/** The mean time of a trivial cell in one process, in ms. */
const ourCells: Contender = {
  name: 'runner',
  async prepare() {
    const runner = startRunner({ cwd: process.cwd() });
    return {
      async measure() {
        const start = performance.now();
        for (let i = 0; i < CELLS; i++) await runner.execute(`const y${i}: number = ${i}; y${i}`);
        return (performance.now() - start) / CELLS;
      },
      end: () => runner.close(),
    };
  },
};

const nodeReplCells: Contender = {
  name: 'node --interactive (JavaScript alone)',
  async prepare() {
    const child = spawn(process.execPath, ['--interactive'], { stdio: ['pipe', 'pipe', 'ignore'] });
    let round = 0;
    return {
      async measure() {
        const start = performance.now();
        round++;
        for (let i = 0; i < CELLS; i++) {
          child.stdin.write(`{ let y = ${i} } "answer" + ${round * CELLS + i}\n`);
          await outputOf(child, `answer${round * CELLS + i}`);
        }
        return (performance.now() - start) / CELLS;
      },
      end: () => void child.stdin.end('.exit\n'),
    };
  },
};

function absent(name: string, why: string): Contender {
  return {
    name,
    async prepare() {
      throw new Unavailable(why);
    },
  };
}

function outputOf(child: ChildProcess, wanted: string): Promise<void> {
  return new Promise((done) => {
    let seen = '';
    const look = (chunk: Buffer) => {
      seen += chunk;
      if (!seen.includes(wanted)) return;
      child.stdout?.off('data', look);
      done();
    };
    child.stdout?.on('data', look);
  });
}

const OVER_ZEROMQ = 'it speaks ZeroMQ alone, and this project has no kernel on ZeroMQ yet to measure it with';

export const kernelBenchmarks: Benchmark[] = [
  {
    area: 'kernel',
    bench: 'start to the first value',
    metric: 'ms',
    better: 'less',
    ours: ourStart,
    peers: [
      { contender: nodeReplStart, target: 0.3 },
      { contender: absent('tslab', OVER_ZEROMQ), target: 6 },
      { contender: absent('ipykernel', OVER_ZEROMQ), target: 1.8 },
    ],
  },
  {
    area: 'kernel',
    bench: `trivial cell, mean of ${CELLS}`,
    metric: 'ms',
    better: 'less',
    ours: ourCells,
    peers: [{ contender: nodeReplCells, target: 0.3 }],
  },
];
