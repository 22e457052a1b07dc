import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How long after the last start of something its garbage is collected. */
const SETTLED_MS = 700;

/** Keeps the heap of a process small that has started once and then mostly waits. */
export class SmallHeap {
  #timer: NodeJS.Timeout | undefined;

  /**
   * From now on, the part of the heap for new objects keeps its size. It would grow to 16 MB twice while modules load,
   * and stay so; it collects more often instead, which takes some 15 ms where much is loaded at once.
   */
  keepYoung(): void {
    setFlagsFromString('--semi-space-growth-factor=1');
  }

  /** Collects what starting something has left behind, once that has settled: V8 itself waits until memory is short. */
  collectSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(collectGarbage, SETTLED_MS).unref();
  }
}

/** Collects all garbage: some 20 ms for a heap of 30 MB. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}
