import { types } from 'node:util';
import { UsageError } from '../../base/errors.js';
import { jsonCopy } from '../../base/texts.js';
import type { CommEvent, InputRequest, MimeBundle, OutputEvent } from '../wire/runner.js';
import { Comms } from './comms.js';
import type { RenderElement } from './jsx-element.js';
import { bundleOf, inspectValue, kindOf, makeQuiet, mimeBundle, pictureBundle } from './mime-bundle.js';
import { createProgress } from './progress-bar.js';

/** A symbol, so that no cell's name can hide it; libraries look for it, as the client does. */
const PROGRESS = Symbol.for('oddslab.progress');

/** Defines the globals by which cells show, ask and talk to front ends, which `cell-globals.d.ts` documents. */
export function defineCellGlobals(outlets: CellOutlets): Record<string | symbol, unknown> {
  const comms = new Comms((comm) => outlets.sendComm(comm));
  outlets.onComm((comm) => comms.receive(comm));
  return {
    display: createDisplay(outlets),
    ...askReader((request) => outlets.ask(request)),
    comms: comms.api,
    [PROGRESS]: (text: unknown) => outlets.emit({ type: 'progress', text: String(text) }),
  };
}

/** The names of the globals that every cell has. */
export const CELL_GLOBALS: readonly string[] = ['display', 'input', 'prompt', 'confirm', 'password', 'comms'];

/** How the globals of cells reach the outside; each call counts as the calling cell's. */
export interface CellOutlets {
  /** Shows something at once. */
  emit(event: OutputEvent): void;
  /** Reserves a place for an output that is not ready yet. */
  reserve(): OutputPlace;
  /** Renders elements of JSX. */
  render: RenderElement;
  /** Asks the reader for a line; rejects with an InputError if nobody can be asked. */
  ask(request: InputRequest): Promise<string>;
  /** Sends a comm message to the front end. */
  sendComm(comm: CommEvent): void;
  /** Sets the handler of the front end's comm messages, in place of the one before. */
  onComm(handler: (comm: CommEvent) => void): void;
}

/** `display(undefined)` shows even undefined, since it was asked for. */
const NOTHING: MimeBundle = { data: { 'text/plain': 'undefined' }, metadata: {} };

/** How to display a value. */
interface DisplayOptions {
  id?: string;
  update?: boolean;
  raw?: boolean;
}

/** Makes the global `display` with its helpers. */
function createDisplay({ emit, reserve, render }: Pick<CellOutlets, 'emit' | 'reserve' | 'render'>) {
  /** `display(value, options)`. Its output takes the place of the call, however long the value takes. */
  const display = (value: unknown, { id, update = false, raw = false }: DisplayOptions = {}): Promise<void> => {
    checkId(id, update);
    const picture = raw ? checkedBundle('display(bundle, { raw: true })', value) : undefined;
    const { fill, draw } = reserve();
    const show = async (): Promise<void> => {
      try {
        const made = picture ?? (value === undefined ? NOTHING : draw(() => mimeBundle(value, render)));
        // A ready bundle is shown without a turn in between, so that it is seen even if the next statement blocks.
        const bundle = types.isPromise(made) ? await made : made;
        if (!bundle) fill(undefined);
        else if (update && id !== undefined) fill({ type: 'update', id, ...bundle });
        else fill({ type: 'display', ...(id === undefined ? {} : { id }), ...bundle });
      } catch (error) {
        fill(undefined);
        throw error;
      }
    };
    return makeQuiet(show());
  };
  const showNow = (bundle: MimeBundle): void => emit({ type: 'display', ...bundle });
  // For a console that shows only plain text, each helper adds either readable text or a fixed label of what is there,
  // so that what changes is only the text itself.
  const shows = (helper: string, type: string, plain?: (text: string) => string) => (text: string) => {
    const data = { [type]: checkedText(helper, text) };
    showNow({ data: plain ? { ...data, 'text/plain': plain(text) } : data, metadata: {} });
  };
  const itself = (text: string): string => text;
  return Object.assign(display, {
    html: shows('html', 'text/html', () => '[HTML]'),
    markdown: shows('markdown', 'text/markdown', itself),
    latex: shows('latex', 'text/latex', itself),
    svg: shows('svg', 'image/svg+xml', () => '[SVG image]'),
    javascript: shows('javascript', 'application/javascript'),
    text: shows('text', 'text/plain'),
    json(value: unknown, { expanded }: { expanded?: boolean } = {}): void {
      const metadata = expanded === undefined ? {} : { 'application/json': { expanded: Boolean(expanded) } };
      const copy = jsonCopy(value);
      showNow({ data: { 'application/json': copy, 'text/plain': inspectValue(copy) }, metadata });
    },
    png: (bytes: unknown): void => showNow(imageBytes('png', bytes)),
    jpeg: (bytes: unknown): void => showNow(imageBytes('jpeg', bytes)),
    raw: (bundle: unknown): void => showNow(checkedBundle('display.raw(bundle)', bundle)),
    update: (id: string, value: unknown): Promise<void> => display(value, { id, update: true }),
    clear({ wait = false }: { wait?: boolean } = {}): void {
      emit({ type: 'clear', wait: Boolean(wait) });
    },
    page(text: string): void {
      emit({ type: 'page', data: { 'text/plain': checkedText('page', text) }, metadata: {} });
    },
    progress: createProgress(emit),
  });
}

function checkedText(helper: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw new UsageError(`display.${helper}(text) takes a string; got ${kindOf(text)}.`);
}

function checkId(id: unknown, isUpdate: boolean): void {
  if (isUpdate && id === undefined) {
    throw new UsageError(
      "An update names what it replaces by the id that it was displayed with: display(first, { id: 'chart' }), then " +
        "display.update('chart', second).",
    );
  }
  if (id === undefined || (typeof id === 'string' && id !== '')) return;
  throw new UsageError(`The id of a display is a string that is not empty; got ${kindOf(id)}.`);
}

function checkedBundle(call: string, bundle: unknown): MimeBundle {
  const made = bundleOf(bundle);
  if (made && Object.keys(made.data).every((type) => type.includes('/'))) return made;
  const example = "{ 'text/html': '<b>hi</b>', 'text/plain': 'hi' }";
  throw new UsageError(
    `${call} takes an object with a part for each MIME type, such as ${example}; got ${kindOf(bundle)}.`,
  );
}

/** The picture of an image in the format that the user named: bytes, or their base64 text, perhaps as a `data:` URL. */
function imageBytes(format: 'png' | 'jpeg', given: unknown): MimeBundle {
  const isText = typeof given === 'string';
  const picture = pictureBundle(isText ? Buffer.from(given.replace(/^data:[^,]*;base64,/, ''), 'base64') : given);
  if (picture && `image/${format}` in picture.data) return picture;
  const name = format.toUpperCase();
  const got = picture ? `a ${picture.data['text/plain']}, which display(bytes) shows` : kindOf(given);
  throw new UsageError(
    `display.${format}(bytes) takes the bytes of a ${name} image as Buffer or Uint8Array, or their base64 text; got ${got}.`,
  );
}

/** Makes the globals that ask the reader from a function that asks for a line. */
export function askReader(ask: (request: InputRequest) => Promise<string>) {
  const line = (prompt: unknown, isPassword = false): Promise<string> => ask({ prompt: String(prompt), isPassword });
  return {
    input: async (prompt = '') => line(prompt),
    async prompt(message = '', fallback = '') {
      const hint = fallback === '' ? '' : `[${fallback}]`;
      const text = [message, hint].map(String).filter(Boolean).join(' ');
      const typed = await line(text === '' ? '' : `${text} `);
      return typed === '' ? String(fallback) : typed;
    },
    async confirm(message = 'Go on?') {
      let typed = await line(`${message} [y/N] `);
      while (!/^\s*(y|yes|n|no|)\s*$/i.test(typed)) typed = await line(`Please answer y or n. ${message} [y/N] `);
      return /^\s*y/i.test(typed);
    },
    password: async (prompt = 'Password: ') => line(prompt, true),
  };
}

/** A place in the output of a cell, for what is not ready yet. */
export interface OutputPlace {
  /** Shows an output there, or, with undefined, nothing. */
  fill(event: OutputEvent | undefined): void;
  /** Calls a function; what it shows until the place is filled, however late, comes before that. */
  draw<Result>(task: () => Result): Result;
}
