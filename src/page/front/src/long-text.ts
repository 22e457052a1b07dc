import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IRenderMimeRegistry, RenderedText, renderText } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

/** Printed text of so many characters or more is drawn in blocks. */
const LONG = 100_000;
/** A block ends with the first line that ends after so many characters. */
const BLOCK = 20_000;

const STDOUT = 'application/vnd.jupyter.stdout';
/** What a link in a text must hold. */
const LINKED = /:\/\/|www\.|data:/;

/**
 * Draws long printed text in blocks, of which the browser lays out those in sight alone, and to which what is printed
 * later is added. JupyterLab draws all of it anew with each message, as a single block. Colours go on from one line to
 * the next, so text with colours stays JupyterLab's.
 */
export const longText: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:long-text',
  description: 'Draws long printed text without a pause.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  activate: (_, rendermime: IRenderMimeRegistry) => {
    const createRenderer = (options: IRenderMime.IRendererOptions) => new LongText(options);
    // Before JupyterLab's own, whose rank is 120.
    rendermime.addFactory({ safe: true, mimeTypes: [STDOUT], createRenderer }, 110);
  },
};

class LongText extends RenderedText {
  /** The text of all blocks but the last, which may still grow. */
  #finished = '';
  #last: HTMLElement | undefined;

  override async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const text = String(model.data[this.mimeType]);
    if (text.length < LONG || text.includes('\x1b')) {
      this.#last = undefined;
      return super.renderModel(model);
    }
    if (this.#last && text.startsWith(this.#finished)) this.#last.remove();
    else this.#begin();
    for (let at = this.#finished.length; at < text.length; ) {
      const end = text.indexOf('\n', at + BLOCK) + 1 || text.length;
      this.#last = this.#drawn(text.slice(at, end));
      this.node.append(this.#last);
      if (end < text.length) this.#finished = text.slice(0, end);
      at = end;
    }
  }

  #begin(): void {
    this.node.replaceChildren();
    this.#finished = '';
  }

  #drawn(source: string): HTMLElement {
    const block = document.createElement('div');
    block.className = 'oddslab-text-block';
    block.style.setProperty('--oddslab-lines', String(source.split('\n').length - 1));
    const { sanitizer, translator } = this;
    if (LINKED.test(source)) void renderText({ host: block, sanitizer, source, translator });
    else block.appendChild(document.createElement('pre')).textContent = source;
    return block;
  }
}
