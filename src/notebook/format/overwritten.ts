const ESC = '\x1b';
const BELL = '\x07';
/** What may change what stands in a line already. */
const MOVES = new RegExp(`[\\r\\b]|${ESC}\\[[0-9]*[KGCD]`);
/** One step of a line: an escape sequence, which has no width, or a character. */
const STEPS = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)|[^]`, 'g');
/** The beginning of an escape sequence of which the rest is still to come. */
const BEGUN = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*|\\][^${BELL}${ESC}]*${ESC}?)?$`);
const COMMAND = /^.\[([0-9]*)([KGCD])$/;
/** A sequence moves no further: no screen has so many columns. */
const WIDEST = 10_000;
const RESET = `${ESC}[0m`;

/** One character of a line, and the sequences since the last reset that give it its colours. */
interface Column {
  text: string;
  style: string;
}

/**
 * The last line of a text stream, as front ends of Jupyter show it: what follows a carriage return overwrites the line
 * from its beginning, character by character, and a backspace takes the character before it away. Escape sequences have
 * no width; those that move within the line or erase it do so, and each character keeps the colours that it was given.
 */
export class StreamLine {
  /** What was written until something moved. */
  #plain = '';
  #columns: Column[] = [];
  #hasMoved = false;
  /** Where the next character goes. */
  #at = 0;
  #style = '';
  /** The beginning of a sequence that ends in what comes next. */
  #begun = '';
  /** What the line shows, until it changes. */
  #shown: string | undefined;

  /** What the line shows. */
  get text(): string {
    if (!this.#hasMoved) return this.#plain;
    this.#shown ??= styledText(this.#columns, this.#style) + this.#begun;
    return this.#shown;
  }

  /** Takes the next text, which has no line break. */
  write(text: string): void {
    if (!this.#hasMoved) {
      // A sequence may have begun in what came before.
      const start = Math.max(0, this.#plain.length - 16);
      const isMoved = MOVES.test(this.#plain.slice(start) + text);
      // Appending copies nothing, however long the line is.
      this.#plain += text;
      if (!isMoved) return;
      this.#hasMoved = true;
      this.#put(this.#plain);
      this.#plain = '';
    } else this.#put(text);
  }

  #put(text: string): void {
    this.#shown = undefined;
    const whole = this.#begun + text;
    this.#begun = BEGUN.exec(whole)?.[0] ?? '';
    for (const [step] of whole.slice(0, whole.length - this.#begun.length).matchAll(STEPS)) this.#step(step);
  }

  #step(step: string): void {
    if (step === '\r') this.#at = 0;
    else if (step === '\b') this.#takeAway();
    else if (step.length > 1) this.#obey(step);
    else {
      this.#pad(this.#at);
      this.#write({ text: step, style: this.#style });
    }
  }

  #write(column: Column): void {
    this.#columns[this.#at] = column;
    this.#at += 1;
  }

  /** Fills a line that is shorter with blanks. */
  #pad(length: number): void {
    const columns = this.#columns;
    while (columns.length < length) columns.push({ text: ' ', style: '' });
  }

  #obey(sequence: string): void {
    const columns = this.#columns;
    const [, digits = '', command] = COMMAND.exec(sequence) ?? [];
    const count = Math.max(1, Number(digits));
    if (command === 'G') this.#at = Math.min(WIDEST, count) - 1;
    else if (command === 'C') this.#at = Math.max(this.#at, Math.min(WIDEST, this.#at + count));
    else if (command === 'D') this.#at = Math.max(0, this.#at - count);
    else if (command === 'K') {
      if (digits === '' || digits === '0') columns.length = Math.min(columns.length, this.#at);
      else if (digits === '2') columns.length = 0;
      else for (let at = 0; at <= this.#at && at < columns.length; at++) columns[at] = { text: ' ', style: '' };
    } else if (sequence.endsWith('m')) {
      if (/^.\[0*m$/.test(sequence)) this.#style = '';
      else this.#style = /^.\[0*;/.test(sequence) ? sequence : this.#style + sequence;
    }
  }

  #takeAway(): void {
    if (this.#at === 0) return;
    this.#at -= 1;
    this.#columns.splice(this.#at, 1);
  }
}

/** The text of columns, with the sequences that give them their colours, ending in the given ones. */
function styledText(columns: readonly Column[], last: string): string {
  let current = '';
  const change = (style: string): string => {
    const added = style.startsWith(current) ? style.slice(current.length) : RESET + style;
    current = style;
    return added;
  };
  const text = columns.map((each) => (each.style === current ? each.text : change(each.style) + each.text)).join('');
  return columns.length === 0 ? '' : text + change(last);
}

/**
 * A stream's text as front ends finally show it.
 *
 * @example lastState('10 %\r20 %\rdone\n') // 'done\n'
 */
export function lastState(text: string): string {
  if (!MOVES.test(text)) return text;
  const lines = text.split('\n').map((each) => {
    const line = new StreamLine();
    line.write(each);
    return line.text;
  });
  return lines.join('\n');
}
