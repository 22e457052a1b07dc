import { isObject } from '../base/texts.js';
import type { Incoming, Outgoing } from '../kernel/protocol/message.js';
import { droppedText } from './kept-messages.js';

/** Most that is kept of one kernel's outputs, in characters. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** What a message takes in memory besides its text, in characters. */
const MESSAGE_COST = 500;
/** A save that comes so soon after an output may not hold it yet. */
const SETTLED_AFTER_MS = 2000;
/** Of how many saved executions it is known which cell they belong to. */
const MOST_SAVED = 1000;

/** A message under an execution. */
interface Shown {
  msg_type: string;
  content: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** A cell's run as it is told to a front end that did not send it. */
export interface Execution {
  /** Id of its request. */
  msg_id: string;
  cell_id: string;
  /** Id of the front end that sent it. */
  session: string;
  /** What it runs, unless the notebook was saved by a page that knew of it: then the file has that, or what came of it. */
  code?: string;
  /** Ids of the cells above it, the nearest first. */
  above?: readonly string[];
  state: 'waiting' | 'running' | 'done';
  /** Whether `messages` come after the outputs that the saved notebook has; else they are all that the cell shows. */
  is_tail: boolean;
  /** What makes up its outputs, in order. */
  messages: Shown[];
  /** Its reply, once there is one. */
  reply?: Shown;
  /** A question that nobody has answered yet: the message that asked it. */
  question?: { header: object; content: object };
}

interface Kept extends Execution {
  characters: number;
  dropped: number;
  clearsNext: boolean;
  /** When it last changed, by the kernel's clock. */
  changedAtMs: number;
  /** The front ends that know of it. */
  knownTo: Set<string>;
}

/** What a notebook was saved with, by the ids of its cells. */
export type SavedCells = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * The runs of cells whose code or outputs the notebook's file may not have yet: those under way, and those that have
 * ended since the notebook was saved. A page that opens the notebook meanwhile gets them from here.
 */
export class Executions {
  readonly #kept = new Map<string, Kept>();
  /** The cell of each execution that the file has. */
  readonly #saved = new Map<string, Pick<Kept, 'cell_id' | 'session'>>();
  /** What is displayed under an id, and the run that shows it. */
  readonly #displays = new Map<string, Map<Shown, Kept>>();
  /** The runs that were known to the page that saves, when it began to. */
  #saving: ReadonlySet<Kept> = new Set();
  #characters = 0;

  /** Takes a request to run a cell; those that name no cell of a notebook are not kept. */
  begin({ header, content, metadata }: Incoming): void {
    const cell = metadata.cellId;
    if (typeof cell !== 'string' || content.silent === true) return;
    // What an earlier run of the cell shows is shown no more.
    for (const [id, { cell_id }] of this.#kept) if (cell_id === cell) this.#forget(id);
    const kept = this.#add(header.msg_id, { cell_id: cell, session: header.session }, 'waiting', false);
    if (typeof content.code !== 'string') return;
    kept.code = content.code;
    this.#charge(kept, content.code.length);
  }

  /** Takes where the cell of a run stands: the ids of the cells above it, the nearest first. */
  place(id: string, above: unknown): void {
    const kept = this.#kept.get(id);
    if (kept && Array.isArray(above))
      kept.above = above.filter((cell) => typeof cell === 'string').slice(0, MOST_ABOVE);
  }

  /** Notes that a front end knows of all runs of now. */
  toldTo(session: string): void {
    for (const kept of this.#kept.values()) kept.knownTo.add(session);
  }

  /** Notes that a front end begins to save the notebook: with the code of every run that it knows of now, or without it on purpose. */
  saving(session: string): void {
    this.#saving = new Set([...this.#kept.values()].filter(({ knownTo }) => knownTo.has(session)));
  }

  /** Takes a message that all front ends get. */
  publish(id: string, { type, content, metadata = {} }: Outgoing): void {
    if (type === 'status') this.#setState(id, Reflect.get(content, 'execution_state'));
    else if (type === 'update_display_data') this.#update(content as Record<string, unknown>);
    else if (SHOWN.includes(type)) this.#show(id, { msg_type: type, content: { ...content }, metadata });
  }

  /** Takes the reply to a request. */
  reply(id: string, { type, content, metadata = {} }: Outgoing): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    delete kept.question;
    kept.reply = { msg_type: type, content: { ...content }, metadata };
    kept.changedAtMs = performance.now();
  }

  /** Takes a question that a cell asks, or its end. */
  ask(id: string, question: Execution['question']): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    if (question) kept.question = question;
    else delete kept.question;
  }

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return [...this.#kept.values()].some(({ state }) => state !== 'done');
  }

  /** Notes that the process that ran them is gone. */
  endAll(): void {
    for (const kept of this.#kept.values()) {
      kept.state = 'done';
      delete kept.question;
    }
  }

  /** Forgets what the notebook's file has, now that it was saved with these cells. */
  saved(cells: SavedCells): void {
    const before = performance.now() - SETTLED_AFTER_MS;
    for (const [id, kept] of this.#kept) {
      const cell = cells.get(kept.cell_id);
      const isKnown = this.#saving.has(kept) || (cell !== undefined && textOf(cell.source) === kept.code);
      if (isKnown) delete kept.code;
      if (kept.state !== 'done' || kept.changedAtMs > before || kept.code !== undefined) continue;
      if (cell ? !holds(cell, kept) : !this.#saving.has(kept)) continue;
      this.#forget(id);
      this.#saved.set(id, { cell_id: kept.cell_id, session: kept.session });
      const [oldest] = this.#saved.keys();
      if (this.#saved.size > MOST_SAVED && oldest !== undefined) this.#saved.delete(oldest);
    }
    this.#saving = new Set();
  }

  /** The runs as a front end is told, in the order in which they were asked for. */
  list(): Execution[] {
    return [...this.#kept.values()].map(
      ({ characters: _, dropped, clearsNext, changedAtMs: __, knownTo: ___, ...told }) => ({
        ...told,
        messages: [
          ...told.messages,
          ...(dropped > 0 ? [shownText(droppedText(dropped))] : []),
          ...(clearsNext ? [{ msg_type: 'clear_output', content: { wait: true }, metadata: {} }] : []),
        ],
      }),
    );
  }

  #add(id: string, of: Pick<Kept, 'cell_id' | 'session'>, state: Kept['state'], is_tail: boolean): Kept {
    const changes = { characters: 0, dropped: 0, clearsNext: false, changedAtMs: performance.now() };
    const knownTo = new Set([of.session]);
    const kept: Kept = { msg_id: id, ...of, state, is_tail, messages: [], ...changes, knownTo };
    this.#kept.set(id, kept);
    this.#charge(kept, MESSAGE_COST);
    return kept;
  }

  #setState(id: string, state: unknown): void {
    const kept = this.#kept.get(id);
    if (kept) kept.state = state === 'idle' ? 'done' : 'running';
  }

  #show(id: string, shown: Shown): void {
    const saved = this.#saved.get(id);
    if (saved) this.#saved.delete(id);
    // A cell may show more after its end, when the file has all that it had shown until then.
    const kept = this.#kept.get(id) ?? (saved && this.#add(id, saved, 'done', true));
    if (!kept) return;
    kept.changedAtMs = performance.now();
    if (shown.msg_type === 'clear_output') {
      if (shown.content.wait === true) kept.clearsNext = true;
      else this.#clear(kept);
      return;
    }
    if (kept.clearsNext) this.#clear(kept);
    const last = kept.messages.at(-1);
    const isText = shown.msg_type === 'stream' && last?.msg_type === 'stream';
    const isMore = isText && last.content.name === shown.content.name;
    const characters = charactersIn(shown.content) + (isMore ? 0 : MESSAGE_COST);
    if (this.#characters + characters > MOST_CHARACTERS && shown.msg_type !== 'error') {
      kept.dropped += characters;
      return;
    }
    this.#charge(kept, characters);
    if (isMore) {
      last.content.text += String(shown.content.text);
      return;
    }
    kept.messages.push(shown);
    const display = displayOf(shown.content);
    if (display === undefined) return;
    const places = this.#displays.get(display) ?? new Map<Shown, Kept>();
    this.#displays.set(display, places.set(shown, kept));
  }

  #charge(kept: Kept, characters: number): void {
    kept.characters += characters;
    this.#characters += characters;
  }

  #clear(kept: Kept): void {
    const begun = kept.messages.filter(({ msg_type }) => msg_type === 'execute_input');
    // The file has outputs that are to go, too.
    const cleared = { msg_type: 'clear_output', content: { wait: false }, metadata: {} };
    const messages = kept.is_tail ? [cleared] : begun;
    this.#leaveDisplays(kept);
    this.#charge(kept, -kept.characters);
    Object.assign(kept, { dropped: 0, clearsNext: false, messages });
    const stays = messages.reduce((sum, { content }) => sum + MESSAGE_COST + charactersIn(content), MESSAGE_COST);
    this.#charge(kept, stays + (kept.code?.length ?? 0));
  }

  /** Replaces what is displayed under an id, in whatever cell. */
  #update(content: Record<string, unknown>): void {
    const { data, metadata } = content;
    for (const [shown, kept] of this.#displays.get(displayOf(content) ?? '') ?? []) {
      const change = charactersIn({ data, metadata }) - charactersIn({ ...shown.content, transient: 0 });
      if (change > 0 && this.#characters + change > MOST_CHARACTERS) {
        kept.dropped += change;
        continue;
      }
      this.#charge(kept, change);
      Object.assign(shown.content, { data, metadata });
    }
  }

  #leaveDisplays({ messages }: Kept): void {
    for (const shown of messages) {
      const display = displayOf(shown.content);
      const places = display === undefined ? undefined : this.#displays.get(display);
      places?.delete(shown);
      if (places?.size === 0) this.#displays.delete(display ?? '');
    }
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    this.#leaveDisplays(kept);
    this.#charge(kept, -kept.characters);
    this.#kept.delete(id);
  }
}

/** Of how many cells above a run's cell it is known which they are. */
const MOST_ABOVE = 20;

/** Whether a saved cell has what a run has shown. */
function holds(cell: Readonly<Record<string, unknown>>, { messages, reply }: Kept): boolean {
  const begun = messages.find(({ msg_type }) => msg_type === 'execute_input');
  const counted = reply?.content.execution_count;
  const count = cell.execution_count ?? undefined;
  // A page numbers a cell by its reply; one that has none stays without a number.
  const isSame =
    count === (counted ?? begun?.content.execution_count) || (counted === undefined && count === undefined);
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.length : 0;
  return isSame && outputs >= messages.filter(({ msg_type }) => OUTPUTS.includes(msg_type)).length;
}

/** The source of a saved cell: one text, or its lines. */
function textOf(source: unknown): string | undefined {
  return Array.isArray(source) ? source.join('') : typeof source === 'string' ? source : undefined;
}

function displayOf({ transient }: Record<string, unknown>): string | undefined {
  const id = isObject(transient) ? transient.display_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

const OUTPUTS: readonly string[] = ['stream', 'display_data', 'execute_result', 'error'];
/** What makes up a cell's outputs; and its input, which tells its number. */
const SHOWN: readonly string[] = [...OUTPUTS, 'execute_input', 'clear_output'];

function shownText(text: string): Shown {
  return { msg_type: 'stream', content: { name: 'stderr', text }, metadata: {} };
}

/** The characters of text in a message's content, about as many as it takes bytes of memory. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, part) => sum + charactersIn(part), 0);
}
