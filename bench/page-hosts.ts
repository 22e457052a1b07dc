import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { packageRoot } from '../src/base/packages.js';
import { serializeNotebook } from '../src/notebook/format/nbformat.js';
import { parsePercent } from '../src/notebook/format/percent.js';
import { freePort } from '../test/support/free-port.js';
import { Unavailable } from './benchmark.js';

const COMMAND = join(packageRoot(), 'dist', 'cli', 'main.js');
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** What programs and the bench's browsers send to the servers. */
const TOKEN = 'only-for-the-benchmark';

/** Jupyter drops what cells print faster than 1 MB a second; for the benchmarks it shows all of it, as our page does. */
const WHOLE = ['--NotebookApp.iopub_data_rate_limit=0', '--NotebookApp.iopub_msg_rate_limit=0'];

/** A notebook page to measure: ours, or Jupyter's with one of its kernels. */
export interface PageHost {
  readonly name: string;
  readonly isOurs: boolean;
  /** The kernel's name, and how its cells print. */
  readonly kernel: 'oddslab' | 'python3';
}

export const ourPage: PageHost = { name: 'oddslab', isOurs: true, kernel: 'oddslab' };
export const jupyter: PageHost = { name: 'jupyter-notebook, ipykernel', isOurs: false, kernel: 'python3' };
export const jupyterOurs: PageHost = { name: 'jupyter-notebook, our kernel', isOurs: false, kernel: 'oddslab' };

/** A folder with notebooks and a home of its own, in which a host starts; its environment names data that all studies share. */
export interface Study {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes a notebook of code cells for a host's kernel; returns its name. */
  write(name: string, cells: readonly string[], kernel: PageHost['kernel']): string;
  remove(): void;
}

/** The data of all studies, made once. */
let data: Promise<string> | undefined;

async function sampleData(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-bench-data-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { simulate } = await import('../src/service/sample/simulate-sample.js');
  const { ingest } = await import('../src/service/ingest/ingest-inputs.js');
  const { files } = await simulate({ out: join(folder, 'sample') });
  await ingest({ folder, inputs: files });
  return folder;
}

/** Makes a study over the sample market. @throws {Unavailable} If a browser or Jupyter is not installed here. */
export async function makeStudy(): Promise<Study> {
  for (const program of [CHROMIUM, '/usr/bin/jupyter-notebook']) {
    if (!existsSync(program)) throw new Unavailable(`there is no ${program} here`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-bench-page-'));
  mkdirSync(join(folder, 'study'));
  data ??= sampleData();
  cpSync(join(packageRoot(), 'notebooks'), join(folder, 'study', 'examples'), { recursive: true });
  const { installKernel } = await import('../src/kernel/install/install-kernel.js');
  await installKernel({ kernels: join(folder, 'jupyter', 'kernels') });
  const env = { HOME: folder, JUPYTER_DATA_DIR: join(folder, 'jupyter'), ODDSLAB_DATA: await data };
  return {
    folder,
    env: { ...process.env, ...env, ODDSLAB_LAB_TOKEN: TOKEN, JUPYTER_TOKEN: TOKEN },
    write(name, cells, kernel) {
      const notebook = parsePercent(cells.map((cell) => `// %%\n${cell}\n`).join('\n'), name);
      const language = kernel === 'python3' ? 'python' : 'typescript';
      notebook.metadata = { kernelspec: { name: kernel, display_name: kernel, language } };
      writeFileSync(join(folder, 'study', name), serializeNotebook(notebook));
      return name;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A running server. */
export interface Running {
  readonly process: ChildProcess;
  readonly url: string;
  /** The address that lets the next browser in. */
  address(): string;
  /** From the command's start until the server answered, in ms. */
  readonly listeningMs: number;
  end(): Promise<void>;
}

/** Starts a host's command and waits until its server answers. */
export async function startHost({ isOurs }: PageHost, { folder, env }: Study): Promise<Running> {
  const port = await freePort();
  const study = join(folder, 'study');
  const words = isOurs
    ? [process.execPath, COMMAND, 'lab', study, '--no-browser', '--port', `${port}`]
    : [
        '/usr/bin/jupyter-notebook',
        '--no-browser',
        `--port=${port}`,
        '--allow-root',
        `--notebook-dir=${study}`,
        ...WHOLE,
      ];
  const [command = '', ...rest] = words;
  const started = performance.now();
  const child = spawn(command, rest, { cwd: study, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/api`).then(Boolean, () => false))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 5));
  }
  const listeningMs = performance.now() - started;
  const end = async () => {
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGTERM');
    await ended;
  };
  return { process: child, url, listeningMs, end, address: () => printed.trim().split('\n').at(-1) ?? url };
}

/** Starts a browser without anything from before. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A notebook in a browser, driven alike on either page. */
export class OpenNotebook {
  readonly page: Page;
  readonly #isOurs: boolean;
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext, isOurs: boolean) {
    this.page = page;
    this.#context = context;
    this.#isOurs = isOurs;
  }

  /** Opens a notebook of the study and waits until its kernel is idle. */
  static async open(host: PageHost, running: Running, browser: Browser, name: string): Promise<OpenNotebook> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
    });
    // The request's cookie is the context's, too.
    if (host.isOurs) await context.request.get(running.address());
    const page = await context.newPage();
    // A machine that does other things besides is slow, not broken.
    page.setDefaultTimeout(120_000);
    const opened = new OpenNotebook(page, context, host.isOurs);
    if (host.isOurs) {
      await page.goto(`${running.url}/lab/tree/${name}`);
      await page.waitForSelector('.jp-Notebook .jp-CodeCell .cm-content');
      await page.waitForSelector('.jp-Notebook-ExecutionIndicator[data-status="idle"]');
    } else {
      await page.goto(`${running.url}/notebooks/${name}?token=${TOKEN}`);
      await page.waitForSelector('.code_cell .CodeMirror');
      await page.waitForSelector('#kernel_indicator_icon.kernel_idle_icon');
    }
    return opened;
  }

  /** Puts the cursor into a cell, counted from 0. */
  async focus(cell: number): Promise<void> {
    const editor = this.#isOurs ? '.jp-Notebook .jp-CodeCell .cm-content' : '.code_cell .CodeMirror';
    await this.page.locator(editor).nth(cell).click();
  }

  /** Runs the selected cell, and waits until its value, which comes after all that it prints, is shown. */
  async run(value: string): Promise<void> {
    await this.page.keyboard.press('Shift+Enter');
    const result = this.#isOurs ? '.jp-OutputArea-executeResult' : '.output_result';
    await this.page.locator(result, { hasText: value }).first().waitFor({ timeout: 300_000 });
    // What came before it is drawn in the same frame or earlier.
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Restarts the kernel, runs all cells and waits until the last code cell has its number. */
  async restartAndRunAll(cells: number): Promise<void> {
    const { page } = this;
    if (this.#isOurs) {
      await page.click('.jp-NotebookPanel-toolbar [data-command="notebook:restart-run-all"]');
      await page.click('.jp-Dialog .jp-mod-accept');
    } else {
      await page.click('[data-jupyter-action="jupyter-notebook:confirm-restart-kernel-and-run-all-cells"]');
      await page.click('.modal-footer .btn-danger');
    }
    // The last cell waits until the others ran, and then has the last number again.
    const prompt = this.#isOurs ? '.jp-CodeCell .jp-InputPrompt' : '.code_cell .input_prompt';
    for (const text of ['*', String(cells)]) {
      await page.waitForFunction(
        ([selector, wanted]) => [...document.querySelectorAll(selector)].at(-1)?.textContent?.includes(`[${wanted}]`),
        [prompt, text] as const,
      );
    }
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
