import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/** Keys that have no character, as WebDriver names them. */
const KEYS: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  Tab: '\uE004',
};

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string; readonly type?: string };
  readonly error?: string;
  readonly message?: string;
  readonly result?: unknown;
}

/**
 * The system's Firefox, without a window, driven by WebDriver BiDi: Playwright's own needs a build of Firefox that no
 * system has.
 */
export class Firefox {
  /** Errors that pages wrote into their consoles. */
  readonly errors: string[] = [];
  #socket!: WebSocket;
  #child!: ChildProcess;
  #profile = '';
  #context = '';
  #calls = 0;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  /** Starts it with a profile of its own and one tab. */
  static async start(program: string): Promise<Firefox> {
    const firefox = new Firefox();
    firefox.#profile = await mkdtemp(join(tmpdir(), 'oddslab-firefox-'));
    const flags = ['--headless', '--no-remote', '--profile', firefox.#profile, '--remote-debugging-port', '0'];
    firefox.#child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await addressOf(firefox.#child);
    firefox.#socket = new WebSocket(`${address}/session`, { perMessageDeflate: false });
    firefox.#socket.on('message', (data) => firefox.#take(JSON.parse(String(data)) as Answer));
    await new Promise((done, fail) => firefox.#socket.once('open', done).once('error', fail));
    await firefox.#call('session.new', { capabilities: {} });
    await firefox.#call('session.subscribe', { events: ['log.entryAdded'] });
    // The first tab's focus is in the address bar; a page knows by its focus which of its parts is looked at.
    const created = (await firefox.#call('browsingContext.create', { type: 'tab' })) as { context: string };
    firefox.#context = created.context;
    await firefox.#call('browsingContext.activate', { context: firefox.#context });
    await firefox.#call('browsingContext.setViewport', {
      context: firefox.#context,
      viewport: { width: 1280, height: 900 },
    });
    return firefox;
  }

  /** Ends it, and removes its profile. */
  async close(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async goto(url: string): Promise<void> {
    await this.#call('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** The value of an expression in the page, a promise's when it settles: text, a number, a boolean or undefined. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context };
    const answer = (await this.#call('script.evaluate', { expression, target, awaitPromise: true })) as {
      type: string;
      result?: { value?: unknown };
      exceptionDetails?: { text: string };
    };
    if (answer.type !== 'success') throw new Error(`${expression}: ${answer.exceptionDetails?.text}`);
    return answer.result?.value;
  }

  /** Types a text, character by character. */
  async type(text: string): Promise<void> {
    await this.#keys([...text].flatMap((value) => strike(value)));
  }

  /** Presses keys together, such as `Control+s`. */
  async press(keys: string): Promise<void> {
    const values = keys.split('+').map((key) => KEYS[key] ?? key);
    const down = values.map((value) => ({ type: 'keyDown', value }));
    const up = [...values].reverse().map((value) => ({ type: 'keyUp', value }));
    await this.#keys([...down, ...up]);
  }

  /** Clicks the middle of the first element that a selector finds. */
  async click(selector: string): Promise<void> {
    const middle = (await this.evaluate(`(() => {
      const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return Math.round(x + width / 2) + ' ' + Math.round(y + height / 2);
    })()`)) as string;
    const [x, y] = middle.split(' ').map(Number);
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#call('input.performActions', {
      context: this.#context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    });
  }

  /** A picture of the page, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = (await this.#call('browsingContext.captureScreenshot', { context: this.#context })) as {
      data: string;
    };
    return Buffer.from(data, 'base64');
  }

  async #keys(actions: readonly object[]): Promise<void> {
    await this.#call('input.performActions', {
      context: this.#context,
      actions: [{ type: 'key', id: 'keyboard', actions }],
    });
  }

  #call(method: string, params: object): Promise<unknown> {
    this.#calls++;
    const id = this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, fail) => {
      this.#waiting.set(id, ({ error, message, result }) => {
        if (error === undefined) done(result);
        else fail(new Error(`${method}: ${error}: ${message}`));
      });
    });
  }

  #take(answer: Answer): void {
    if (answer.id !== undefined) {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    } else if (answer.method === 'log.entryAdded' && answer.params?.level === 'error') {
      this.errors.push(answer.params.text ?? '');
    }
  }
}

const strike = (value: string) => [
  { type: 'keyDown', value: value === '\n' ? '\uE007' : value },
  { type: 'keyUp', value: value === '\n' ? '\uE007' : value },
];

/** Where Firefox can be spoken to, which it says once it has started. */
async function addressOf(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  if (child.stderr) {
    for await (const line of createInterface({ input: child.stderr })) {
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (address !== undefined) {
        child.stderr.resume();
        return address;
      }
      said.push(line);
    }
  }
  throw new Error(`Firefox did not start:\n${said.join('\n')}`);
}
