import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Starter } from '../../../src/page/data-routes.js';
import { type Page as ServedPage, servePage } from '../../../src/page/serve-page.js';
import { isAbsent } from '../../support/is-absent.js';
import { closeAll, exposeApplication, openFile } from './page-application.js';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** The built page, which `npm run page` makes. */
export const FRONT_END = fileURLToPath(new URL('../../../src/page/front/built', import.meta.url));
/** Where a picture of the last test that failed stays. */
export const PICTURE = join(tmpdir(), 'oddslab-page-failed.png');
const TOKEN = 'token-of-the-page-tests';
/** What the page's own libraries say in the console, and mean nothing by. */
const KNOWN = [
  /yjs#509/,
  /Invalid access: Add Yjs type to a document before reading data/,
  // JupyterLab's search, once it was used, sets the editor of a cell that comes later twice.
  /CodeMirrorEditor already set/,
  // Two themes in quick succession show JupyterLab's splash once, and remove it twice.
  /Failed to execute 'removeChild' on 'Node'[\s\S]*\/static\/lab\.js/,
];

/** Whether the page or Chromium is not there; prints what is skipped then. */
export function isPageAbsent(test: string): boolean {
  return isAbsent(FRONT_END, test) || isAbsent(CHROMIUM, test);
}

/** What {@link openPage} is asked for. */
export interface PageRequest {
  /** What the folder that the page shows holds at first, by path: text, bytes, or a value that is written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the cells. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long the server takes to find that environment. Default: no time. */
  readonly environmentAfterMs?: number;
  /** What the launcher offers, once the folder is there. Default: nothing. */
  readonly starters?: (folder: string) => Promise<readonly Starter[]>;
  /** How the browser presents itself: size, colours. Default 1280 wide, and light. */
  readonly browser?: BrowserContextOptions;
}

/**
 * Serves the page and opens it in Chromium, for all tests of the `describe` in which it is called; ends both after them.
 * A test fails if the page writes an error into its console meanwhile, or asks for something that fails. Of
 * the last test that failed a picture stays: `oddslab-page-failed.png` in the system's temporary folder.
 */
export function openPage(request: PageRequest = {}): NotebookPage {
  const opened = new NotebookPage(request);
  beforeAll(() => opened.start());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      opened.doubt();
      await opened.page?.screenshot({ path: PICTURE });
    }
    expect(opened.takeFaults()).toEqual([]);
  });
  afterAll(() => opened.close());
  return opened;
}

/** Serves the page over a new folder with these files, without a browser. `close` ends it and removes the folder. */
export async function serveFolder({
  files = {},
  env = {},
  environmentAfterMs = 0,
  starters,
}: PageRequest): Promise<{ served: ServedPage; folder: string; close(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'oddslab-page-'));
  const folder = join(home, 'study');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(join(folder, name), isRaw ? content : JSON.stringify(content, null, 1));
  }
  const log = (line: string) => console.error(line);
  const options = { folder, frontEnd: FRONT_END, port: 0, state: join(home, 'state'), token: TOKEN, log };
  const served = await servePage({
    ...options,
    env: async () => {
      await new Promise((resolve) => setTimeout(resolve, environmentAfterMs));
      return { ...process.env, ...env };
    },
    starters: starters && (() => starters(folder)),
  });
  const close = async () => {
    await served.close();
    await rm(home, { recursive: true, force: true });
  };
  return { served, folder, close };
}

/** A notebook file with these cells, whose outputs nobody has trusted. */
export function notebookOf(cells: readonly (string | Record<string, unknown>)[]): Record<string, unknown> {
  return {
    cells: cells.map((cell, at) => ({
      ...{ cell_type: 'code', id: `cell-${at}`, metadata: {} },
      ...(typeof cell === 'string' || !('cell_type' in cell) ? { execution_count: null, outputs: [] } : {}),
      ...(typeof cell === 'string' ? { source: cell } : cell),
    })),
    metadata: { kernelspec: { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

/** The page in a browser, and what its tests do there. */
export class NotebookPage {
  /** The browser's tab; Playwright's own methods do whatever the ones here do not. */
  page!: Page;
  /** The folder that the page shows. */
  folder = '';
  #browser: Browser | undefined;
  #served: Awaited<ReturnType<typeof serveFolder>> | undefined;
  #workspaces = 0;
  #isDoubtful = false;
  #faults: string[] = [];
  readonly #request: PageRequest;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** Serves the folder and opens the page's first screen, by the address that lets a browser in. */
  async start(): Promise<void> {
    this.#served = await serveFolder(this.#request);
    this.folder = this.#served.folder;
    this.#browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...this.#request.browser,
    });
    context.on('page', (page) => this.#watch(page));
    await context.addInitScript(exposeApplication);
    this.page = await context.newPage();
    this.page.setDefaultTimeout(30_000);
    await this.page.goto(this.#served.served.address());
    await this.#restored();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#served?.close();
  }

  /** The page's base address, without a slash at the end. */
  get url(): string {
    return this.#served?.served.url ?? '';
  }

  /** Notes what goes wrong in a tab. */
  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.#faults.push(`error: ${error.stack ?? error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400)
        this.#faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== this.url) this.#faults.push(`asks elsewhere: ${request.url()}`);
    });
  }

  /** What went wrong on the page since this was last called. A test that causes something on purpose takes it itself. */
  takeFaults(): string[] {
    return this.#faults.splice(0).filter((fault) => !KNOWN.some((known) => known.test(fault)));
  }

  /** Asks the server as a program does. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { ...init, headers: { authorization: `token ${TOKEN}` } });
  }

  /** Has the next test load the page anew: one that failed may have left anything behind. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Loads the page anew, in a workspace of its own, so that nothing else is open there. Ends all kernels first. */
  async load(file = ''): Promise<void> {
    // A page that is still open would ask again for the kernels that end.
    await this.page.goto('about:blank');
    for (const { id } of (await (await this.ask('/api/sessions')).json()) as { id: string }[]) {
      await this.ask(`/api/sessions/${id}`, { method: 'DELETE' });
    }
    this.#workspaces++;
    await this.page.goto(`${this.url}/lab/workspaces/test-${this.#workspaces}${file && `/tree/${file}`}`);
    await this.#restored();
    this.#isDoubtful = false;
  }

  /**
   * Brings the page to what it is after {@link load}, without loading it, which takes seconds of processor time: closes
   * all that is open, ends all kernels and opens a file of the folder, if one is given, alone.
   */
  async fresh(file = ''): Promise<void> {
    const isThere = await this.page.evaluate(() => 'jupyterapp' in window && !document.querySelector('.jp-Dialog'));
    if (!isThere || this.#isDoubtful) return this.load(file);
    await this.page.evaluate(closeAll);
    await this.page.locator('.jp-Launcher').waitFor();
    await this.page.evaluate(openFile, file);
  }

  /** Waits until JupyterLab has saved the page's layout, a second or so after it was there, and shows a folder's files. */
  async settled(): Promise<void> {
    await this.page.locator('.jp-FileBrowser.jp-mod-restoring').waitFor({ state: 'detached' });
  }

  async #restored(): Promise<void> {
    await this.page.waitForFunction(() => performance.getEntriesByName('lab-restored').length > 0);
    await this.settled();
  }

  /** Opens a notebook of the folder, alone, and waits for its kernel. */
  async openNotebook(file: string): Promise<void> {
    await this.fresh(file);
    await this.#notebookOpened();
  }

  /** {@link openNotebook} by its address, in a page that is loaded anew; a reload shows it again. */
  async loadNotebook(file: string): Promise<void> {
    await this.load(file);
    await this.#notebookOpened();
  }

  async #notebookOpened(): Promise<void> {
    await this.kernelIdle();
    await this.page.locator('.jp-Notebook .jp-CodeCell').first().click();
  }

  /** Makes a notebook with an empty cell, opens it alone and waits for its kernel. */
  async newNotebook(file = 'new.ipynb'): Promise<void> {
    await writeFile(join(this.folder, file), JSON.stringify(notebookOf([''])));
    await this.openNotebook(file);
  }

  /** Waits until the open notebook's kernel has nothing to do. */
  async kernelIdle(): Promise<void> {
    await this.page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  }

  /** The code cells of the open notebook, from its first. */
  get cells(): Locator {
    return this.page.locator('.jp-Notebook .jp-CodeCell');
  }

  /** Writes code into the last cell, in place of what is there, and leaves the cursor at its end. */
  async write(code: string): Promise<void> {
    await this.cells.last().locator('.cm-content').click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(code);
  }

  /**
   * Runs code in the last cell and waits for its end; a new cell is the last one then.
   *
   * @returns The cell that ran.
   */
  async run(code: string): Promise<Locator> {
    const cell = await this.begin(code);
    await this.ended(cell);
    return cell;
  }

  /** Starts to run code in the last cell, and gives that cell. */
  async begin(code: string): Promise<Locator> {
    const cell = this.cells.nth((await this.cells.count()) - 1);
    await this.write(code);
    await this.page.keyboard.press('Shift+Enter');
    return cell;
  }

  /** Waits for the end of a cell's run. */
  async ended(cell: Locator): Promise<void> {
    await cell
      .locator('.jp-InputPrompt')
      .filter({ hasText: /^\[\d+\]:$/ })
      .waitFor();
    await this.kernelIdle();
  }

  /** The text of what a cell showed, without the blanks around it. */
  async shown(cell: Locator): Promise<string> {
    return (await cell.locator('.jp-OutputArea-output').allInnerTexts()).join('\n').trim();
  }

  /** Chooses from the menus, such as `menu('File', 'Save Notebook')`. */
  async menu(...labels: [string, ...string[]]): Promise<void> {
    const [first, ...others] = labels;
    await this.page.locator('.lm-MenuBar-itemLabel').getByText(first, { exact: true }).click();
    for (const [at, label] of others.entries()) {
      const item = this.page.locator('.lm-Menu-itemLabel').getByText(label, { exact: true }).last();
      await (at < others.length - 1 ? item.hover() : item.click());
    }
  }

  /** Saves the notebook in focus, and waits until it is saved. */
  async save(): Promise<void> {
    await this.menu('File', 'Save Notebook');
    await this.page.locator('.lm-DockPanel .lm-TabBar-tab.jp-mod-current:not(.jp-mod-dirty)').waitFor();
  }

  /** Runs a command by the palette, as its label stands there. */
  async command(label: string): Promise<void> {
    const input = this.page.locator('.lm-CommandPalette-input');
    const item = this.page.locator('.lm-CommandPalette-itemLabel').getByText(label, { exact: true }).first();
    // What is still opening takes the focus, which closes the palette: then it is opened again.
    const choose = async (): Promise<boolean> => {
      if (!(await input.isVisible())) await this.page.keyboard.press('Control+Shift+c');
      await input.fill(label, { timeout: 500 });
      await item.click({ timeout: 1000 });
      return true;
    };
    await expect.poll(choose).toBe(true);
    await input.waitFor({ state: 'hidden' });
  }

  /** Presses the button of the dialog that is shown, by its label. */
  async answer(label: string): Promise<void> {
    await this.page.locator('.jp-Dialog-button').getByText(label, { exact: true }).click();
    await this.page.locator('.jp-Dialog').waitFor({ state: 'detached' });
  }
}
