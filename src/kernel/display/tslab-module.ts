import { randomUUID } from 'node:crypto';
import { UsageError } from '../../base/errors.js';
import { versionOf } from '../../base/packages.js';
import type { CellOutlets } from './cell-globals.js';
import { bundleOf, kindOf } from './mime-bundle.js';

/** The version of tslab whose interface this is. */
const TSLAB = '1.0.22';

/** Makes what `import … from 'tslab'` gives in a cell, so that notebooks written for tslab run, as tslab documents it. */
export function createTslabModule(outlets: Pick<CellOutlets, 'emit'>): Record<string, unknown> {
  const whole = {
    display: createDisplay(outlets),
    newDisplay: () => createDisplay(outlets, `tslab-${randomUUID()}`),
    versions: { tslab: TSLAB, typescript: versionOf('typescript'), node: process.version },
  };
  return { ...whole, default: whole };
}

/** One of tslab's displays; with an id, each output replaces the one before. */
function createDisplay({ emit }: Pick<CellOutlets, 'emit'>, id?: string) {
  let isShown = false;
  const raw = (type: string, content: unknown): void => {
    const bundle = typeof type === 'string' && type.includes('/') ? bundleOf({ [type]: content }) : undefined;
    if (!bundle) {
      throw new UsageError(
        `tslab's display.raw(type, content) takes a MIME type and what to show; got ${kindOf(type)} and ${kindOf(content)}.`,
      );
    }
    // As tslab does, without a text beside it.
    const alone = { ...bundle, data: { [type]: bundle.data[type] } };
    if (id === undefined) emit({ type: 'display', ...alone });
    else emit({ type: isShown ? 'update' : 'display', id, ...alone });
    isShown = true;
  };
  const shows = (type: string) => (content: unknown) => raw(type, content);
  return {
    javascript: shows('text/javascript'),
    html: shows('text/html'),
    markdown: shows('text/markdown'),
    latex: shows('text/latex'),
    svg: shows('image/svg+xml'),
    png: shows('image/png'),
    jpeg: shows('image/jpeg'),
    gif: shows('image/gif'),
    pdf: shows('application/pdf'),
    text: shows('text/plain'),
    raw,
  };
}
