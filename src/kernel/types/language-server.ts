import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { OddslabError } from '../../base/errors.js';
import { nativeFault } from '../../base/packages.js';
import { fieldOf } from '../../base/texts.js';

const CLOSING_MS = 500;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
  /** Stops listening for whether it is given up. */
  forget(): void;
}

interface Message {
  id?: number | string;
  method?: string;
  params?: { items?: unknown[] };
  result?: unknown;
  error?: { message: string };
}

/** A running process of TypeScript's language server. */
export class LanguageServer {
  /** Resolves once the process has ended, for whatever reason; never rejects. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #hasEnded = false;

  /** @param folder The process's working folder. */
  constructor(folder: string) {
    this.#process = spawn(serverBinary(), ['--lsp', '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    yieldToCells(this.#process.pid);
    const frames = new MessageFrames();
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(frames, chunk));
    // Writing to a server that is just ending fails; `ended` reports its end.
    this.#process.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        for (const [id] of this.#waiting) this.#settle(id)?.reject(gone());
        resolve();
      };
      this.#process.once('error', end);
      this.#process.once('exit', end);
    });
  }

  /** Id of the process, for measurements; undefined if it could not start. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends the server a notification. */
  notify(method: string, params: object): void {
    if (!this.#hasEnded) this.#process.stdin.write(frameMessage({ method, params }));
  }

  /**
   * @param signal Gives the request up when aborted, and tells the server so.
   * @throws {OddslabError} If the server refuses, ends or has not answered in time; in the last case, it is killed.
   */
  request(method: string, params: object, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    if (this.#hasEnded) return Promise.reject(gone());
    if (signal?.aborted) return Promise.reject(givenUp(method));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.notify('$/cancelRequest', { id });
        this.#settle(id)?.reject(givenUp(method));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const timer = setTimeout(() => {
        this.#settle(id)?.reject(new OddslabError(`The language server did not answer ${method} in ${timeoutMs} ms.`));
        this.kill();
      }, timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer, forget: () => signal?.removeEventListener('abort', giveUp) });
      this.#process.stdin.write(frameMessage({ id, method, params }));
    });
  }

  /** Kills the process at once. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Ends the process; resolves once it has ended. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#process.stdin.end();
    const timer = setTimeout(() => this.kill(), CLOSING_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #receive(frames: MessageFrames, chunk: Buffer): void {
    try {
      for (const message of frames.add(chunk)) this.#take(message as Message);
    } catch {
      // After one unreadable message, the stream cannot be trusted.
      this.kill();
    }
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      const answer = method === 'workspace/configuration' ? (params?.items ?? []).map(() => null) : null;
      if (id !== undefined) this.#process.stdin.write(frameMessage({ id, result: answer }));
      return;
    }
    const waiting = typeof id === 'number' ? this.#settle(id) : undefined;
    if (error) waiting?.reject(new OddslabError(`The language server refused: ${error.message}`));
    else waiting?.resolve(result);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!waiting) return undefined;
    clearTimeout(waiting.timer);
    waiting.forget();
    return waiting;
  }
}

/** Lets cells go first where cores are few. */
function yieldToCells(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not let priorities be set: checks then compete with cells.
  }
}

function gone(): OddslabError {
  return new OddslabError('The language server has ended.');
}

function givenUp(method: string): OddslabError {
  return new OddslabError(`Nobody waits any more for the language server's answer to ${method}.`);
}

/**
 * The platform's own binary of TypeScript, which starts faster than the script of the npm package that wraps it.
 *
 * @throws {OddslabError} If the package or its binary for this platform is not installed.
 */
function serverBinary(): string {
  try {
    const inPackage = createRequire(createRequire(import.meta.url).resolve('typescript/package.json'));
    const manifest = inPackage.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
  } catch (cause) {
    throw nativeFault('typescript', cause);
  }
}

/** A place in a document of the language server, both counted from 0. */
export interface ServerPosition {
  line: number;
  character: number;
}

/** A diagnostic as the language server sends it. */
export interface ServerDiagnostic {
  range: Record<'start' | 'end', ServerPosition>;
  severity?: number;
  code?: number;
  message: string;
  relatedInformation?: { message: string }[];
}

/** The diagnostics in an answer to `textDocument/diagnostic`; empty if it has none. */
export function serverDiagnostics(answer: unknown): ServerDiagnostic[] {
  const items = fieldOf(answer, 'items');
  return Array.isArray(items) ? items : [];
}

const HEADER_END = '\r\n\r\n';

/**
 * Cuts the byte stream of a language server into its messages. `vscode-jsonrpc` would, too, but even bundled takes 24 ms
 * of processor time to load, where all of the first type error takes 104 ms of it here (7 pairs).
 */
export class MessageFrames {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 0;

  /** Takes the next bytes; returns the messages that they complete, parsed. */
  add(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const messages: unknown[] = [];
    this.#needed = 0;
    for (let head = bytes.indexOf(HEADER_END); head !== -1; head = bytes.indexOf(HEADER_END)) {
      const start = head + HEADER_END.length;
      const length = lengthIn(bytes.toString('latin1', 0, head));
      if (bytes.length < start + length) {
        this.#needed = start + length;
        break;
      }
      messages.push(JSON.parse(bytes.toString('utf8', start, start + length)));
      bytes = bytes.subarray(start + length);
    }
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#bytes = bytes.length;
    return messages;
  }
}

function lengthIn(head: string): number {
  const [, length] = /content-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new OddslabError('The language server sent a message without its length.');
  return Number(length);
}

/** A message as the language server reads it. */
export function frameMessage(message: object): string {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(text)}${HEADER_END}${text}`;
}
