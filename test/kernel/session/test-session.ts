import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel, Incoming, Outgoing, Outlet, Parent } from '../../../src/kernel/protocol/message.js';
import { startRunner } from '../../../src/kernel/runner-process.js';
import type { TypeSource } from '../../../src/kernel/session/cell-types.js';
import { KernelSession } from '../../../src/kernel/session/kernel-session.js';
import type { TypesMode } from '../../../src/kernel/types/type-service.js';

/** A message that the session sent. */
export interface Said {
  channel: Channel | 'iopub';
  type: string;
  /** Id of the request that it answers. */
  parent: string | undefined;
  content: Record<string, unknown>;
}

/** A session with a real runner and no sockets, for one test. */
export class TestSession implements Outlet {
  readonly said: Said[] = [];
  readonly logged: string[] = [];
  readonly session: KernelSession;
  /** Working folder of the cells' process. */
  readonly folder = mkdtempSync(join(tmpdir(), 'oddslab-session-'));
  #sent = 0;
  #waiting: { isMet: () => boolean; resolve: () => void }[] = [];

  constructor(types: { mode: TypesMode; open: () => Promise<TypeSource> } = { mode: 'off', open: refuse }) {
    this.session = new KernelSession({
      outlet: this,
      startRunner: () => startRunner({ cwd: this.folder }),
      obstacle: () => (existsSync(this.folder) ? undefined : 'It is gone.'),
      types,
      info: () => ({ implementation: 'test' }),
      ports: { shell_port: 1 },
      log: (line) => this.logged.push(line),
      onShutdown: () => this.logged.push('shut down'),
    });
    this.session.begin();
  }

  publish(message: Outgoing, parent?: Parent): void {
    this.#note('iopub', message, parent);
  }

  send(channel: Channel, message: Outgoing, parent: Parent): string {
    return this.#note(channel, message, parent);
  }

  /** Sends a request without waiting; returns its id. */
  post(
    type: string,
    content: Record<string, unknown>,
    channel: Channel = 'shell',
    date = new Date().toISOString(),
    { session = 'front end', metadata = {} }: { session?: string; metadata?: Incoming['metadata'] } = {},
  ): string {
    this.#sent += 1;
    const header = {
      msg_id: `${this.#sent}`,
      msg_type: type,
      session,
      username: 'u',
      date,
      version: '5.3',
    };
    const rest = { identities: [], parentHeader: {}, metadata, buffers: [], rawHeader: '' };
    const message: Incoming = { ...rest, header, content };
    this.session.handle(channel, message);
    return header.msg_id;
  }

  /** Runs a cell; resolves once it is idle, with the messages for it. */
  async run(code: string, content: Record<string, unknown> = {}): Promise<Said[]> {
    return this.idle(this.post('execute_request', { code, ...content }));
  }

  /** Sends a request; resolves with the content of the reply. */
  async ask(type: string, content: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const said = await this.idle(this.post(type, content));
    return said.find((one) => one.type === type.replace('request', 'reply'))?.content ?? {};
  }

  /** Resolves once a request is idle, with the messages for it. */
  async idle(id: string): Promise<Said[]> {
    const ofIt = (): Said[] => this.said.filter(({ parent }) => parent === id);
    await this.until(() => ofIt().some(({ content }) => content.execution_state === 'idle'));
    return ofIt();
  }

  /** Resolves once a condition holds, which is checked after each message. */
  until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  /** Resolves once a text has been shown. */
  seen(text: string): Promise<void> {
    return this.until(() =>
      this.said.some(({ content }) => typeof content.text === 'string' && content.text.includes(text)),
    );
  }

  async close(): Promise<void> {
    await this.session.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #note(channel: Said['channel'], { type, content }: Outgoing, parent: Parent | undefined): string {
    this.said.push({ channel, type, parent: parent?.header.msg_id, content: content as Record<string, unknown> });
    for (const { isMet, resolve } of this.#waiting) if (isMet()) resolve();
    this.#waiting = this.#waiting.filter(({ isMet }) => !isMet());
    return `kernel ${this.said.length}`;
  }
}

/** Messages in short: `status busy`, `execute_reply ok`, `stream out\n`. */
export function inShort(said: readonly Said[]): string[] {
  return said.map(({ type, content }) => {
    const { execution_state, status, text, data, ename, execution_count, wait } = content;
    const plain = (data as Record<string, unknown> | undefined)?.['text/plain'];
    const rest = execution_state ?? status ?? text ?? plain ?? ename ?? wait ?? execution_count;
    return rest === undefined ? type : `${type} ${rest}`;
  });
}

async function refuse(): Promise<TypeSource> {
  throw new Error('no types here');
}
