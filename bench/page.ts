import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../src/base/packages.js';
import { memoryOfTree } from '../test/jupyter/process-tree.js';
import type { Benchmark, Contender } from './benchmark.js';
import { goal } from './kernel-peers.js';
import {
  jupyter,
  jupyterOurs,
  makeStudy,
  OpenNotebook,
  ourPage,
  type PageHost,
  type Running,
  type Study,
  startBrowser,
  startHost,
} from './page-hosts.js';

const VOLUME = 'examples/04-market-volume.ipynb';
const VOLUME_CELLS: number = JSON.parse(
  readFileSync(join(packageRoot(), 'notebooks', '04-market-volume.ipynb'), 'utf8'),
).cells.filter((cell: { cell_type: string }) => cell.cell_type === 'code').length;

/** Cells that print 20 MB in lines of 100 bytes, and then have a value to look for, with the number of the run. */
const FLOOD: Readonly<Record<PageHost['kernel'], string>> = {
  oddslab:
    "globalThis.run = (globalThis.run ?? 0) + 1;\nfor (let i = 0; i < 200_000; i += 1) console.log('x'.repeat(99));\n'flood over ' + globalThis.run",
  python3: "run = globals().get('run', 0) + 1\nfor i in range(200_000):\n    print('x' * 99)\nf'flood over {run}'",
};

/** A contender that starts its server for each measurement. */
function anew(host: PageHost, measure: (study: Study) => Promise<number>): Contender {
  return {
    name: host.name,
    async prepare() {
      const study = await makeStudy();
      return { measure: () => measure(study), end: () => study.remove() };
    },
  };
}

/** A contender that measures one notebook, open in one browser, again and again. */
function opened(
  host: PageHost,
  ready: (study: Study) => string,
  measure: (notebook: OpenNotebook, running: Running) => Promise<number>,
): Contender {
  return {
    name: host.name,
    async prepare() {
      const study = await makeStudy();
      const name = ready(study);
      const [running, browser] = await Promise.all([startHost(host, study), startBrowser()]);
      const end = async () => {
        await browser.close();
        await running.end();
        study.remove();
      };
      try {
        const notebook = await OpenNotebook.open(host, running, browser, name);
        return { measure: () => measure(notebook, running), end };
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

const listening = (host: PageHost) =>
  anew(host, async (study) => {
    const running = await startHost(host, study);
    await running.end();
    return running.listeningMs;
  });

/** From the command to the first result, in a browser that has nothing from before and starts beside it. */
const firstResult = (host: PageHost) =>
  anew(host, async (study) => {
    const name = study.write('first.ipynb', ['6 * 7'], host.kernel);
    const browser = await startBrowser();
    const started = performance.now();
    const running = await startHost(host, study);
    const notebook = await OpenNotebook.open(host, running, browser, name);
    await notebook.focus(0);
    await notebook.run('42');
    const took = performance.now() - started;
    await browser.close();
    await running.end();
    return took;
  });

const runAll = (host: PageHost) =>
  opened(
    host,
    () => VOLUME,
    async (notebook) => {
      const started = performance.now();
      await notebook.restartAndRunAll(VOLUME_CELLS);
      return performance.now() - started;
    },
  );

function flood(host: PageHost): Contender {
  let runs = 0;
  return opened(
    host,
    (study) => study.write('flood.ipynb', [FLOOD[host.kernel]], host.kernel),
    async (notebook) => {
      await notebook.focus(0);
      const started = performance.now();
      runs += 1;
      await notebook.run(`flood over ${runs}`);
      return performance.now() - started;
    },
  );
}

const memory = (host: PageHost) =>
  opened(
    host,
    (study) => study.write('one.ipynb', ['6 * 7'], host.kernel),
    async (notebook, { process }) => {
      await notebook.focus(0);
      await notebook.run('42');
      // What it takes from then on, not what starting took.
      await sleep(SETTLED_MS);
      return memoryOfTree(process.pid ?? 0).pss;
    },
  );

/** Scrolls a notebook of 500 cells from top to bottom and returns the longest task of the page meanwhile, in ms. */
const scrolling = (host: PageHost) =>
  opened(
    host,
    (study) => study.write('long.ipynb', LONG, host.kernel),
    async ({ page }) => {
      const scroller = host.isOurs ? '.jp-WindowedPanel-outer' : '#site';
      return page.evaluate(longestTask, scroller);
    },
  );

/** How long a host rests before its memory is read. */
const SETTLED_MS = 2000;

const LONG = Array.from({ length: 500 }, (_, at) => `'cell ${at}'\n${'1 + 1\n'.repeat(at % 7)}`);

async function longestTask(scroller: string): Promise<number> {
  let longest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  observer.observe({ type: 'longtask' });
  const area = document.querySelector(scroller);
  if (!area) throw new Error(`There is no ${scroller}.`);
  area.scrollTop = 0;
  for (let top = 0; top < area.scrollHeight - area.clientHeight; top += 300) {
    area.scrollTop = top;
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => setTimeout(done, 200));
  observer.disconnect();
  // Tasks below 50 ms are none that anybody notices, and are not reported.
  return Math.max(longest, 50);
}

/** From a key to what it shows, without the time from the request to the kernel's reply, all as the page sees it. */
const beyondKernel = (host: PageHost, code: string, { key, kind, shown }: Record<'key' | 'kind' | 'shown', string>) =>
  opened(
    host,
    (study) => study.write('keys.ipynb', ['6 * 7', code], host.kernel),
    async (notebook) => {
      const { page } = notebook;
      // Without a kernel a key shows nothing.
      await notebook.focus(0);
      await notebook.run('42');
      await notebook.focus(1);
      await page.keyboard.press('Control+End');
      // Until the page knows of the cursor, a key goes to the editor alone.
      await page.locator('.jp-mod-completer-enabled').first().waitFor();
      await page.waitForTimeout(300);
      await page.evaluate(watchKey, [kind, shown] as const);
      await page.keyboard.press(key);
      const took = await page.evaluate(() => Reflect.get(globalThis, 'watched') as Promise<number>);
      await page.keyboard.press('Escape');
      await page.locator(shown).first().waitFor({ state: 'hidden' });
      return took;
    },
  );

/** Promises, as the page's `watched`, the time from the next key to what it shows, without the kernel's. */
function watchKey([kind, shown]: readonly [kind: string, shown: string]): void {
  const holds = (data: unknown, text: string) =>
    (typeof data === 'string' ? data : new TextDecoder('latin1').decode(data as ArrayBuffer)).includes(text);
  const plain = WebSocket.prototype.send;
  let [pressed, sent, replied] = [0, 0, 0];
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressed = timeStamp;
    },
    { capture: true },
  );
  WebSocket.prototype.send = function (data) {
    plain.call(this, data);
    if (!holds(data, `${kind}_request`) || sent > 0) return;
    sent = performance.now();
    this.addEventListener('message', (event) => {
      if (holds(event.data, `${kind}_reply`)) replied ||= performance.now();
    });
  };
  const watched = new Promise<number>((done) => {
    const look = () => {
      if (!document.querySelector(shown)?.checkVisibility({ visibilityProperty: true }))
        return requestAnimationFrame(look);
      WebSocket.prototype.send = plain;
      return done(performance.now() - pressed - (replied - sent));
    };
    look();
  });
  Reflect.set(globalThis, 'watched', watched);
}

const each = { area: 'page', better: 'less' } as const;

/** Compares the notebook page with Debian's jupyter-notebook, which runs its own kernel and ours. */
export const pageBenchmarks: Benchmark[] = [
  {
    ...each,
    bench: 'the command to a server that listens',
    metric: 'ms',
    ours: listening(ourPage),
    peers: [{ contender: listening(jupyter), target: 3 }],
  },
  {
    ...each,
    bench: 'the command to the first result in a cold browser',
    metric: 'ms',
    rounds: 5,
    ours: firstResult(ourPage),
    peers: [
      { contender: firstResult(jupyter), target: 1 },
      { contender: firstResult(jupyterOurs), target: 1 },
    ],
  },
  {
    ...each,
    bench: 'Restart and Run All of notebook 04',
    metric: 'ms',
    rounds: 5,
    ours: runAll(ourPage),
    peers: [{ contender: runAll(jupyterOurs), target: 1 }],
  },
  {
    ...each,
    bench: '20 MB of output until its end is shown',
    metric: 'ms',
    rounds: 3,
    ours: flood(ourPage),
    peers: [
      { contender: flood(jupyter), target: 2 },
      { contender: flood(jupyterOurs), target: 2 },
    ],
  },
  {
    ...each,
    bench: 'the server and one notebook that ran a cell, all processes',
    metric: 'MB, shared pages counted once',
    rounds: 3,
    ours: memory(ourPage),
    peers: [
      { contender: memory(jupyter), target: 1 },
      { contender: memory(jupyterOurs), target: 1 },
    ],
  },
  {
    ...each,
    bench: 'scrolling through a notebook of 500 cells',
    metric: 'ms of its longest task',
    rounds: 3,
    ours: scrolling(ourPage),
    peers: [goal(1000), { contender: scrolling(jupyterOurs), target: 1 }],
  },
  {
    ...each,
    bench: 'Tab to what is offered, beyond the kernel',
    metric: 'ms',
    ours: beyondKernel(ourPage, 'Math.at', { key: 'Tab', kind: 'complete', shown: '.jp-Completer .jp-Completer-item' }),
    peers: [goal(50)],
  },
  {
    ...each,
    bench: 'Shift-Tab to the tooltip, beyond the kernel',
    metric: 'ms',
    ours: beyondKernel(ourPage, 'Math.atan2', { key: 'Shift+Tab', kind: 'inspect', shown: '.jp-Tooltip' }),
    peers: [goal(50)],
  },
];
