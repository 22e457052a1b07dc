import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TestNotebook } from './run-cells.js';

/** The text of each stream of a cell, also what comes late. */
interface Heard {
  stdout: string;
  stderr: string;
}

describe('what child processes print', () => {
  let notebook: TestNotebook;
  let count = 0;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  async function hear(code: string): Promise<Heard> {
    const heard: Heard = { stdout: '', stderr: '' };
    count += 1;
    const outcome = await notebook.runner.execute(code, {
      name: `cell ${count}`,
      onOutput: (event) => {
        if (event.type === 'stream') heard[event.name] += event.text;
      },
    });
    if (outcome.status === 'error') throw new Error(outcome.fault.traceback.join('\n'));
    return heard;
  }

  const script = "setTimeout(() => { console.log('late é'); console.error('wrong') }, 150)";
  const node = JSON.stringify(process.execPath);

  it.each([
    ['inherit', `spawn(${node}, ["-e", text], { stdio: "inherit" })`],
    ['a list', `spawn(${node}, ["-e", text], { stdio: ["ignore", "inherit", "inherit"] })`],
    ['descriptors', `spawn(${node}, ["-e", text], { stdio: [0, 1, 2] })`],
    ['streams', `spawn(${node}, ["-e", text], { stdio: ["ignore", process.stdout, process.stderr] })`],
    ['a fork', '(require("node:fs").writeFileSync("forked.cjs", text), fork("./forked.cjs"))'],
  ])('comes under the cell that started them, after its end: %s', async (_, start) => {
    const first = await hear(`import { spawn, fork } from 'node:child_process';
const text = ${JSON.stringify(script)};
const child = ${start};
const over = new Promise((resolve) => child.on('close', resolve));
console.log(child.stdout, child.stdio[1]);`);
    const second = await hear(
      'console.log("mine"); await over; await new Promise((r) => setTimeout(r, 30)); console.log("end")',
    );
    expect(first).toEqual({ stdout: 'null null\nlate é\n', stderr: 'wrong\n' });
    expect(second).toEqual({ stdout: 'mine\nend\n', stderr: '' });
  });

  it('comes in the order in which it was printed', async () => {
    const { stdout } = await hear(`import { spawn } from 'node:child_process';
console.log('before');
await new Promise((resolve) => spawn('sh', ['-c', 'echo 1; sleep 0.05; echo 2'], { stdio: 'inherit' }).on('close', resolve));
console.log('after');`);
    expect(stdout).toBe('before\n1\n2\nafter\n');
  });

  it('leaves pipes and files as they are', async () => {
    const { stdout } = await hear(`import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
const piped = spawn('echo', ['a']); let got = ''; piped.stdout.on('data', (d) => { got += d });
await new Promise((r) => piped.on('close', r));
await new Promise((r) => spawn('echo', ['b'], { stdio: ['ignore', openSync('out.txt', 'w'), 'inherit'] }).on('close', r));
console.log(got.trim(), readFileSync('out.txt', 'utf8').trim());`);
    expect(stdout).toBe('a b\n');
  });

  it('comes under the cell that waits for them, though another runs', async () => {
    const first = await hear(`import { execSync, spawnSync } from 'node:child_process';
let told: () => void; const done = new Promise<void>((resolve) => { told = resolve });
setTimeout(() => { execSync('echo a; echo b >&2', { stdio: 'inherit' }); spawnSync('echo', ['c'], { stdio: 'inherit' }); told() }, 60); 1`);
    const second = await hear('await done; execSync("echo mine", { stdio: "inherit" }); 2');
    expect(first).toEqual({ stdout: 'a\nc\n', stderr: 'b\n' });
    expect(second).toEqual({ stdout: 'mine\n', stderr: '' });
  });

  it('comes under the cell that waited, though written by what it left in the background', async () => {
    const first = await hear(`import { execSync, spawnSync } from 'node:child_process';
console.log('before');
execSync('(sleep 0.4; echo late; echo wrong >&2) & echo now', { stdio: 'inherit' });
spawnSync('sh', ['-c', '(sleep 0.5; echo later) &'], { stdio: [0, 1, 2] });
console.log('after'); 1`);
    const second = await hear(
      'execSync("echo mine", { stdio: "inherit" }); await new Promise((r) => setTimeout(r, 900)); console.log("end")',
    );
    expect(second).toEqual({ stdout: 'mine\nend\n', stderr: '' });
    expect(first).toEqual({ stdout: 'before\nnow\nafter\nlate\nlater\n', stderr: 'wrong\n' });
  });

  it('comes as what its stream stands for, also one in place of the other', async () => {
    const first = await hear(`import { spawn, spawnSync } from 'node:child_process';
spawnSync('sh', ['-c', 'echo a; (sleep 0.2; echo b) &'], { stdio: ['ignore', 2, 'inherit'] });
spawn('sh', ['-c', 'sleep 0.3; echo c >&2'], { stdio: ['ignore', 'inherit', process.stdout] }); 1`);
    await hear('await new Promise((r) => setTimeout(r, 700))');
    expect(first).toEqual({ stdout: 'c\n', stderr: 'a\nb\n' });
  });

  it('is whole where it is long, and where the process ends at once', async () => {
    const other = new TestNotebook();
    const script = "for (let i = 0; i < 50000; i++) console.log('line ' + i)";
    const { events } = await other.run(`import { execFileSync } from 'node:child_process';
execFileSync(process.execPath, ['-e', ${JSON.stringify(script)}], { stdio: 'inherit' });
execFileSync('echo', ['over'], { stdio: 'inherit' }); process.exit(1)`);
    const text = events.map((event) => (event.type === 'stream' && event.name === 'stdout' ? event.text : '')).join('');
    expect(text).toBe(`${Array.from({ length: 50_000 }, (_, i) => `line ${i}\n`).join('')}over\n`);
    await other.close();
  });

  it('keeps no run waiting for a server that was let go', async () => {
    const other = new TestNotebook();
    await other.run(
      `import { spawn } from 'node:child_process'; const { pid } = spawn('sleep', ['60'], { stdio: 'inherit' }).on('exit', () => {}); 1`,
    );
    await other.run(`const free = spawn('sleep', ['60'], { stdio: 'inherit', detached: true }); free.unref(); 1`);
    const unfinished = await other.runner.finish();
    expect(unfinished.hasLoop).toBe(false);
    await other.run('free.kill()');
    await other.close();
  });

  it('fails as before where there is no such program', async () => {
    const { stdout } = await hear(`import { spawn } from 'node:child_process';
console.log(await new Promise((resolve) => spawn('/no/such', { stdio: 'inherit' }).on('error', (e: any) => resolve(e.code))))`);
    expect(stdout).toBe('ENOENT\n');
  });
});

it.skipIf(process.platform === 'win32')('leaves no folder behind where what started the cells was killed', async () => {
  const folder = await temporaryFolder();
  const main = join(packageRoot(), 'dist/cli/main.js');
  const run = spawn(process.execPath, [main, 'run', '-'], { cwd: folder, env: { ...process.env, TMPDIR: folder } });
  const lanes = () => readdirSync(folder).filter((name) => name.startsWith('oddslab-lanes-')).length;
  run.stdin.end("import { writeFileSync } from 'node:fs'; writeFileSync('up', ''); for (;;) {}");
  await expect.poll(() => readdirSync(folder)).toContain('up');
  expect(lanes()).toBe(1);
  run.kill('SIGKILL');
  await expect.poll(lanes).toBe(0);
});
