import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type StreamName = 'stdout' | 'stderr';

/** Who opened a lane, in its first line. */
const OPENED = /^(-?\d+) (stdout|stderr)$/;

/**
 * Where children write for which cells wait: a lane for each, opened by the runner's process, whose first line names the
 * cell. It ends with the last process that holds it, so that what a command leaves in the background still writes to the
 * cell that started it. The runner's own streams would not tell whose a text is, nor can the runner read while it waits.
 */
export class ChildLanes {
  /** The path to connect to; undefined where the system has none that a child could inherit, or no room for it. */
  readonly address: string | undefined;
  readonly #folder: string | undefined;
  readonly #server: Server | undefined;
  readonly #open = new Set<Socket>();
  #isHeld = false;

  onText: (cell: number, name: StreamName, text: string) => void = () => {};
  /** Called with the number of characters that came, also those that are no text of a child. */
  onHeard: (characters: number) => void = () => {};

  constructor() {
    // Descriptors of Windows' pipes cannot be passed on.
    if (process.platform === 'win32') return;
    try {
      this.#folder = mkdtempSync(join(tmpdir(), 'oddslab-lanes-'));
    } catch {
      return;
    }
    this.address = join(this.#folder, 'lane');
    this.#server = createServer((lane) => this.#read(lane)).on('error', () => {});
    this.#server.listen(this.address).unref();
  }

  /** Stops or goes on reading. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const lane of this.#open) {
      if (isHeld) lane.pause();
      else lane.resume();
    }
  }

  close(): void {
    this.#server?.close();
    for (const lane of this.#open) lane.destroy();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #read(lane: Socket): void {
    this.#open.add(lane);
    this.onHeard(1);
    let head = '';
    let opened: RegExpExecArray | null = null;
    const take = (text: string): void => {
      this.onHeard(text.length);
      if (opened) {
        this.onText(Number(opened[1]), opened[2] as StreamName, text);
        return;
      }
      head += text;
      const end = head.indexOf('\n');
      if (end === -1) return;
      opened = OPENED.exec(head.slice(0, end));
      if (!opened) lane.destroy();
      else if (head.length > end + 1) this.onText(Number(opened[1]), opened[2] as StreamName, head.slice(end + 1));
    };
    lane
      .setEncoding('utf8')
      .on('data', take)
      .on('error', () => {})
      .on('close', () => this.#open.delete(lane))
      .unref();
    if (this.#isHeld) lane.pause();
  }
}
