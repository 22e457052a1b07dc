/** Names of the globals that cells have. */
declare namespace Oddslab {
  /** Parts by MIME type: text as a string, pictures as bytes or base64 text, JSON types as values. */
  type MimeParts = Record<string, unknown>;

  /**
   * What an object displays as in a notebook: its method returns this bundle of formats, or a promise of it.
   *
   * @example
   * class Money {
   *   constructor(readonly dollars: number) {}
   *   [Symbol.for('Jupyter.display')]() {
   *     return { 'text/html': `<b>$${this.dollars}</b>`, 'text/plain': `$${this.dollars}` };
   *   }
   * }
   */
  type MimeBundle = MimeParts | { data: MimeParts; metadata?: Record<string, unknown> };

  interface DisplayOptions {
    /** A name of your choice, by which {@link Display.update} can replace the output, even from a later cell. */
    id?: string;
    /** Replaces what was displayed with this id, instead of adding an output. */
    update?: boolean;
    /** Whether the value is a MIME bundle, to be shown as it is: `{ 'text/html': '<b>hi</b>', 'text/plain': 'hi' }`. */
    raw?: boolean;
  }

  /** Shows values and pictures while a cell runs. */
  interface Display {
    /**
     * Shows a value while the cell runs, in the same way as the last value of a cell: frames as tables, charts as
     * pictures, bytes of a PNG, JPEG, GIF, WebP or SVG as the image, everything else as Node prints it. Outputs keep the
     * order of the calls.
     *
     * @returns A promise that resolves once it is shown. There is no need to await it, unless a long computation without
     * an `await` of its own follows a chart, which could be drawn only after that.
     * @example
     * display(frame);
     * display(0, { id: 'count' });
     * display.update('count', 1);
     */
    (value: unknown, options?: DisplayOptions): Promise<void>;
    /** Shows HTML as it is: escape text that comes from elsewhere. */
    html(text: string): void;
    /** Shows Markdown, with LaTeX formulas between dollar signs. */
    markdown(text: string): void;
    /**
     * Shows LaTeX.
     *
     * @example display.latex(String.raw`$\frac{wins}{wins + losses}$`);
     */
    latex(text: string): void;
    /** Shows plain text. */
    text(text: string): void;
    /**
     * Shows a value as JSON, in front ends that can as a tree that unfolds.
     *
     * @param options.expanded Whether the tree is unfolded at first.
     * @throws If the value contains itself.
     */
    json(value: unknown, options?: { expanded?: boolean }): void;
    /** Shows SVG text as a picture. */
    svg(text: string): void;
    /**
     * Shows a PNG image.
     *
     * @param bytes Its bytes, or their base64 text.
     * @throws If it is something else.
     * @example display.png(await readFile('chart.png'));
     */
    png(bytes: Uint8Array | ArrayBuffer | string): void;
    /**
     * Shows a JPEG image.
     *
     * @param bytes Its bytes, or their base64 text.
     * @throws If it is something else.
     */
    jpeg(bytes: Uint8Array | ArrayBuffer | string): void;
    /** Runs JavaScript in the reader's page, where the front end allows it. */
    javascript(text: string): void;
    /**
     * Shows a MIME bundle as it is. Where a chart of Plotly, Vega or Vega-Lite stands alone, its name is added as text.
     *
     * @example display.raw({ 'application/geo+json': places, 'text/plain': '12 places' });
     */
    raw(bundle: MimeBundle): void;
    /**
     * Replaces what was displayed with an id.
     *
     * @returns A promise that resolves once it is shown; there is no need to await it.
     * @example
     * display('working', { id: 'state' });
     * display.update('state', 'done');
     */
    update(id: string, value: unknown): Promise<void>;
    /**
     * Removes what the cell has shown so far.
     *
     * @param options.wait Whether to wait for the next output, so that nothing flickers. Default false.
     */
    clear(options?: { wait?: boolean }): void;
    /** Shows a long text beside the notebook, in front ends that have a pager. It is not stored with the notebook. */
    page(text: string): void;
    /**
     * Shows a progress bar that updates in place as steps are counted, with the rate and the time left.
     *
     * @param total The number of steps; the bar ends by itself once they are done.
     * @param label What is being done.
     * @example
     * const bar = display.progress(wallets.length, 'wallets');
     * await Promise.all(wallets.map(async (wallet) => {
     *   await load(wallet);
     *   bar.tick();
     * }));
     */
    progress(total: number, label?: string): ProgressBar;
    /**
     * Iterates over a list and shows a progress bar that updates in place, with the rate and the time left.
     *
     * @param label What is being done.
     * @example for (const wallet of display.progress(wallets, 'wallets')) await load(wallet);
     */
    progress<Item>(items: Iterable<Item>, label?: string): ProgressBar & Iterable<Item>;
    /**
     * Iterates over a stream and shows a count that updates in place, with the rate.
     *
     * @param label What is being done.
     * @example for await (const page of display.progress(pages, 'pages')) rows += page.length;
     */
    progress<Item>(items: AsyncIterable<Item>, label?: string): ProgressBar & AsyncIterable<Item>;
  }

  /** A progress bar that updates in place. */
  interface ProgressBar {
    /** The number of steps done. */
    readonly count: number;
    /**
     * Adds steps. At the total the bar ends.
     *
     * @param steps How many. Default 1.
     */
    tick(steps?: number): void;
    /** Sets the number of steps done. At the total the bar ends. */
    set(count: number): void;
    /**
     * Ends the bar; a short line remains.
     *
     * @param text What the line says after the label. Default: how much was done.
     */
    done(text?: string): void;
  }

  /** A channel between the notebook's page, such as a widget in it, and the code of cells. */
  interface Comm {
    readonly id: string;
    readonly target: string;
    /** Whether neither end has closed it. */
    readonly isOpen: boolean;
    /**
     * Sends a value to the other end.
     *
     * @param buffers Bytes to send with it, unchanged: typed arrays, DataViews or ArrayBuffers.
     * @throws If the comm is closed, or JSON cannot represent the value.
     * @example comm.send({ dtype: 'float64' }, {}, [Float64Array.of(0.25, 0.75)]);
     */
    send(data: unknown, metadata?: Record<string, unknown>, buffers?: readonly CommBuffer[]): void;
    /** Closes the comm at both ends. Closing again does nothing. */
    close(data?: unknown): void;
    /** Calls a function with each message of the other end. */
    onMessage<Data = unknown>(handler: CommHandler<Data>): void;
    /** Calls a function once the other end closes the comm. */
    onClose<Data = unknown>(handler: CommHandler<Data>): void;
  }

  /** Bytes that a comm message can carry beside its data. */
  type CommBuffer = ArrayBufferView | ArrayBufferLike;

  /**
   * Receives a comm message.
   *
   * @param buffers The bytes that were sent with its data, usually none; `new Float64Array(buffers[0].buffer)` reads
   *   numbers.
   */
  type CommHandler<Data> = (
    data: Data,
    metadata: Record<string, unknown>,
    buffers: Uint8Array<ArrayBuffer>[],
  ) => unknown;

  /** Comms between the notebook's page and the code of cells. */
  interface Comms {
    /**
     * Calls a function with each comm that the page opens for a target; an earlier function for it is replaced.
     *
     * @returns A function that stops it.
     * @example comms.on('counter', (comm) => comm.onMessage((data: { count: number }) => comm.send({ count: data.count + 1 })));
     */
    on<Data = unknown>(
      target: string,
      handler: (comm: Comm, ...message: Parameters<CommHandler<Data>>) => unknown,
    ): () => void;
    /** Opens a comm to the target of this name that the page has registered. */
    open(target: string, data?: unknown, metadata?: Record<string, unknown>, buffers?: readonly CommBuffer[]): Comm;
  }
}

/** Shows values and pictures while a cell runs: `display(frame)`, `display.html('<b>hi</b>')`, `display.progress(list)`. */
declare const display: Oddslab.Display;

/**
 * Asks the reader for a line, in a field under the cell.
 *
 * @returns What was typed, without the line's end.
 * @throws If nobody can be asked, as in a notebook that runs without a reader.
 * @example const wallet = await input('Wallet: ');
 */
declare function input(prompt?: string): Promise<string>;

/**
 * Asks the reader for a line, as a page's `prompt` does, but returns a promise: `await` it.
 *
 * @param fallback The answer if the line is empty. Default: an empty text.
 * @throws If nobody can be asked.
 * @example const days = Number(await prompt('How many days?', '30'));
 */
declare function prompt(message?: string, fallback?: string): Promise<string>;

/**
 * Asks the reader for yes or no; an empty line is no. `await` it: in a condition, a promise itself counts as yes.
 *
 * @param message The question. Default `Go on?`.
 * @throws If nobody can be asked.
 * @example if (await confirm('Load all 40,000 markets?')) markets = await lab.markets().frame();
 */
declare function confirm(message?: string): Promise<boolean>;

/**
 * Asks the reader for text that is neither shown while it is typed nor stored.
 *
 * @param prompt Default `Password: `.
 * @throws If nobody can be asked.
 */
declare function password(prompt?: string): Promise<string>;

/** Comms: channels between the notebook's page, such as a widget in it, and the code of cells. */
declare const comms: Oddslab.Comms;

/**
 * The last value that a cell has shown, until a cell declares the name.
 *
 * @example _.length
 */
declare const _: ReturnType<typeof JSON.parse>;

/** What notebooks written for the kernel tslab import of it. */
declare module 'tslab' {
  /** Shows pictures by their type. */
  export interface Display {
    javascript(s: string): void;
    html(s: string): void;
    markdown(s: string): void;
    latex(s: string): void;
    svg(s: string): void;
    png(b: Uint8Array): void;
    jpeg(b: Uint8Array): void;
    gif(b: Uint8Array): void;
    pdf(b: Uint8Array): void;
    text(s: string): void;
    raw(contentType: string, b: string | Uint8Array | object): void;
  }
  /** Shows in the middle of a cell. */
  export const display: Display;
  /** A display whose pictures replace each other. */
  export function newDisplay(): Display;
  /** The version of tslab whose interface this is, and those of TypeScript and Node. */
  export const versions: { tslab: string; typescript: string; node: string };
  const whole: { display: Display; newDisplay: typeof newDisplay; versions: typeof versions };
  export default whole;
}
