import { randomUUID } from 'node:crypto';
import { UsageError } from '../../base/errors.js';
import { escapeHtml } from '../../base/texts.js';
import type { Incoming, Outgoing, Outlet, Parent } from '../protocol/message.js';
import type { CellListener, CommEvent, InputRequest, OutputEvent } from '../wire/runner.js';

/** How long text is gathered after a message of the same cell; the more the cell has written, the longer. */
const GATHER_MS = 50;
const MOST_GATHER_MS = 400;
const CHARACTERS_FOR_MORE = 50_000;
const MOST_CHARACTERS = 8_000_000;
/** If streams alternate more often than this in one interval, each is joined instead of keeping them interleaved. */
const MOST_RUNS = 20;

type Stream = 'stdout' | 'stderr';

/** Text of one stream without text of the other in between. */
interface Run {
  name: Stream;
  text: string;
}

/**
 * Sends what one cell shows as messages under its request, even after the cell has ended. The first text is sent at
 * once; text that follows soon is joined, so that 100,000 lines become a handful of messages.
 */
export class CellOutput {
  /** What the reply carries for the front end's pager. */
  readonly payload: object[] = [];
  /** The plain text of the cell's value, for the history. */
  resultText: string | undefined;
  /** The parts of the request that replies need, and no more: outputs may come as long as the process lives. */
  readonly parent: Parent;
  readonly #outlet: Outlet;
  readonly #executionCount: number;
  #gathered: Run[] = [];
  #characters = 0;
  #written = 0;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #showProgress = progressLine((message) => this.#publish(message));

  constructor(outlet: Outlet, { identities, header, rawHeader }: Parent, executionCount: number) {
    this.#outlet = outlet;
    this.parent = { identities, header, rawHeader };
    this.#executionCount = executionCount;
  }

  /** Takes the next output. */
  take(event: OutputEvent): void {
    if (event.type === 'stream') this.write(event.name, event.text);
    else if (event.type === 'progress') this.#showProgress(event.text);
    else if (event.type === 'page') this.payload.push({ source: 'page', data: event.data, start: 0 });
    else {
      this.flush();
      this.#publish(this.#messageOf(event));
    }
  }

  /** Shows text of a stream. */
  write(name: Stream, text: string): void {
    const last = this.#gathered.at(-1);
    if (last?.name === name) last.text += text;
    else this.#gathered.push({ name, text });
    this.#characters += text.length;
    this.#written += text.length;
    const gatherMs = Math.min(MOST_GATHER_MS, GATHER_MS * (1 + this.#written / CHARACTERS_FOR_MORE));
    const isRecent = performance.now() - this.#sentAtMs < gatherMs;
    if (!isRecent || this.#characters > MOST_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  /** Sends another kind of message under the cell, after what it has shown. */
  send(message: Outgoing): void {
    this.flush();
    this.#publish(message);
  }

  /** Sends the gathered text. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered.length === 0) return;
    const runs = this.#gathered.length > MOST_RUNS ? byStream(this.#gathered) : this.#gathered;
    this.#gathered = [];
    this.#characters = 0;
    for (const content of runs) this.#publish({ type: 'stream', content });
  }

  /** The listener that shows what a cell, or a comm message's handlers, do, and has `ask` put its questions. */
  listener(ask: (request: InputRequest) => Promise<string>, onComm: (comm: CommEvent) => void): CellListener {
    return {
      onOutput: (event) => this.take(event),
      onFault: (fault) => this.write('stderr', `${fault.traceback.join('\n')}\n`),
      onInput: async (request) => {
        // A console shows nothing more until its reader has answered.
        this.flush();
        return ask(request);
      },
      onComm,
    };
  }

  #publish(message: Outgoing): void {
    this.#sentAtMs = performance.now();
    this.#outlet.publish(message, this.parent);
  }

  #messageOf(event: Exclude<OutputEvent, { type: 'stream' | 'progress' | 'page' }>): Outgoing {
    if (event.type === 'clear') return { type: 'clear_output', content: { wait: event.wait } };
    const { data, metadata } = event;
    if (event.type === 'result') {
      const text = data['text/plain'];
      this.resultText = typeof text === 'string' ? text : undefined;
      return { type: 'execute_result', content: { execution_count: this.#executionCount, data, metadata } };
    }
    const transient = event.id === undefined ? {} : { display_id: event.id };
    const type = event.type === 'update' ? 'update_display_data' : 'display_data';
    return { type, content: { data, metadata, transient } };
  }
}

function byStream(runs: readonly Run[]): Run[] {
  const names = [...new Set(runs.map(({ name }) => name))];
  return names.map((name) => ({ name, text: runs.map((run) => (run.name === name ? run.text : '')).join('') }));
}

const INTERVAL_MS = 100;

/** Makes a function that shows progress in one line, updated at most ten times a second; empty text removes the line. */
function progressLine(send: (message: Outgoing) => void): (text: string) => void {
  let id: string | undefined;
  let shown = '';
  let shownAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    shownAtMs = performance.now();
    const type = id === undefined ? 'display_data' : 'update_display_data';
    id ??= randomUUID();
    const data = { 'text/plain': shown, 'text/html': shown === '' ? '' : `<pre>${escapeHtml(shown)}</pre>` };
    send({ type, content: { data, metadata: {}, transient: { display_id: id } } });
    if (shown === '') id = undefined;
  };
  return (text) => {
    if (text === '' && id === undefined) return;
    shown = text;
    const waitMs = shownAtMs + INTERVAL_MS - performance.now();
    if (text === '' || waitMs <= 0) draw();
    else timer ??= setTimeout(draw, waitMs);
  };
}

interface Question {
  parent: Parent;
  request: InputRequest;
  resolve: (text: string) => void;
  /** Id of the message that asks; absent until it is sent. */
  messageId?: string;
}

/** Asks the front ends that sent cells for lines, one at a time. */
export function inputDesk(outlet: Outlet) {
  let questions: Question[] = [];
  const over = new WeakSet<Parent>();
  // A question of a cell that has ended waits for those of the running cell and does not hold them up.
  const first = (): Question | undefined => questions.find(({ parent }) => !over.has(parent)) ?? questions[0];
  const askNext = (): void => {
    const next = first();
    if (!next || next.messageId !== undefined) return;
    const content = { prompt: next.request.prompt, password: next.request.isPassword };
    next.messageId = outlet.send('stdin', { type: 'input_request', content }, next.parent);
  };
  return {
    /** Asks for a line; throws if `isAllowed` is false: the front end that sent the request has nobody to ask. */
    ask(parent: Parent, request: InputRequest, isAllowed: boolean): Promise<string> {
      if (!isAllowed) {
        const remedy = 'Set the value in the code, or run the notebook where someone can type.';
        throw new UsageError(`Nobody can be asked here: the front end runs this cell without input. ${remedy}`);
      }
      return new Promise((resolve) => {
        questions.push({ parent, request, resolve });
        askNext();
      });
    },
    /** Takes an answer; drops it if nothing waits for it. */
    take({ parentHeader: { msg_id }, content }: Incoming): void {
      // Many front ends name no parent; one that does must name an open question.
      const meant = msg_id === undefined ? first() : questions.find(({ messageId }) => messageId === msg_id);
      if (!meant) return;
      questions = questions.filter((question) => question !== meant);
      meant.resolve(typeof content.value === 'string' ? content.value : '');
      askNext();
    },
    /** Notes that a cell has ended: its questions now come after those of a running cell, or end if it has failed. */
    leave(parent: Parent, hasFailed: boolean): void {
      over.add(parent);
      if (hasFailed) questions = questions.filter((question) => question.parent !== parent);
      askNext();
    },
    /** Forgets all questions: the process that asked is gone. */
    forgetAll(): void {
      questions = [];
    },
  };
}

/** What {@link inputDesk} makes. */
export type InputDesk = ReturnType<typeof inputDesk>;
