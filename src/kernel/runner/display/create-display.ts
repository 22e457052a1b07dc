import { types } from 'node:util';
import { UsageError } from '../../../base/errors.js';
import { jsonCopy } from '../../../base/texts.js';
import type { MimeBundle } from '../../events.js';
import type { CellOutlets } from '../cell-outlets.js';
import { mimeBundle } from '../mime-bundle.js';
import { bundleOf } from './bundle-of.js';
import { createProgress } from './create-progress.js';
import { imageBytes } from './image-bytes.js';
import { inspectValue } from './inspect-value.js';
import { kindOf } from './kind-of.js';
import { makeQuiet } from './quiet.js';

/** `display(undefined)` shows even undefined, since it was asked for. */
const NOTHING: MimeBundle = { data: { 'text/plain': 'undefined' }, metadata: {} };

type Outlets = Pick<CellOutlets, 'emit' | 'reserve'>;

/** How to display a value. */
interface DisplayOptions {
  id?: string;
  update?: boolean;
  raw?: boolean;
}

/** Makes the global `display` with its helpers. */
export function createDisplay(outlets: Outlets) {
  return Object.assign(valueDisplay(outlets), textHelpers(outlets), bundleHelpers(outlets), {
    update: (id: string, value: unknown): Promise<void> => valueDisplay(outlets)(value, { id, update: true }),
    clear({ wait = false }: { wait?: boolean } = {}): void {
      outlets.emit({ type: 'clear', wait: Boolean(wait) });
    },
    page(text: string): void {
      outlets.emit({ type: 'page', data: { 'text/plain': checkedText('page', text) }, metadata: {} });
    },
    progress: createProgress((event) => outlets.emit(event)),
  });
}

/** Makes `display(value, options)`. Its output takes the place of the call, however long the value takes. */
function valueDisplay({ reserve }: Outlets) {
  return (value: unknown, { id, update = false, raw = false }: DisplayOptions = {}): Promise<void> => {
    checkId(id, update);
    const picture = raw ? checkedBundle('display(bundle, { raw: true })', value) : undefined;
    const { fill, draw } = reserve();
    const show = async (): Promise<void> => {
      try {
        const made = picture ?? (value === undefined ? NOTHING : draw(() => mimeBundle(value)));
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
}

/**
 * The helpers that take text of one type. For a console that shows only plain text, each adds either readable text or a
 * fixed label of what is there, so that what changes is only the text itself.
 */
function textHelpers(outlets: Outlets) {
  const shows = (helper: string, type: string, plain?: (text: string) => string) => (text: string) => {
    const data = { [type]: checkedText(helper, text) };
    showNow(outlets, { data: plain ? { ...data, 'text/plain': plain(text) } : data, metadata: {} });
  };
  const itself = (text: string): string => text;
  return {
    html: shows('html', 'text/html', () => '[HTML]'),
    markdown: shows('markdown', 'text/markdown', itself),
    latex: shows('latex', 'text/latex', itself),
    svg: shows('svg', 'image/svg+xml', () => '[SVG image]'),
    javascript: shows('javascript', 'application/javascript'),
    text: shows('text', 'text/plain'),
  };
}

/** The helpers that take something other than text. */
function bundleHelpers(outlets: Outlets) {
  return {
    json(value: unknown, { expanded }: { expanded?: boolean } = {}): void {
      const metadata = expanded === undefined ? {} : { 'application/json': { expanded: Boolean(expanded) } };
      const copy = jsonCopy(value);
      showNow(outlets, { data: { 'application/json': copy, 'text/plain': inspectValue(copy) }, metadata });
    },
    png: (bytes: unknown): void => showNow(outlets, imageBytes('png', bytes)),
    jpeg: (bytes: unknown): void => showNow(outlets, imageBytes('jpeg', bytes)),
    raw: (bundle: unknown): void => showNow(outlets, checkedBundle('display.raw(bundle)', bundle)),
  };
}

function showNow({ emit }: Outlets, bundle: MimeBundle): void {
  emit({ type: 'display', ...bundle });
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
