import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { OddslabError } from '../base/errors.js';
import { packageRoot } from '../base/packages.js';
import type { Sheet, SheetAnswer, SheetMaker } from '../service/web/sheets.js';

/** The word that makes `oddslab tearsheet` the process behind a {@link SheetMaker}; it is no address. */
export const OF_SERVICE = 'of-service';

/** What the service's process says to the one that makes sheets, and what that one says. */
export type ToMaker =
  | { readonly type: 'make'; readonly wallets: readonly string[] }
  | { readonly type: 'answer'; readonly id: number; readonly answer: SheetAnswer };
export type FromMaker =
  | { readonly type: 'ask'; readonly id: number; readonly envelope: unknown }
  | { readonly type: 'made'; readonly sheet: Sheet }
  | { readonly type: 'failed'; readonly message: string; readonly status?: number | undefined };

/** How long the process waits for the next sheet before it ends, and the memory that it may take. */
const [IDLE_MS, MEMORY_MB] = [60_000, 768];

/** A sheet could not be made. `details.status` is that of the query that was refused, if one was. */
class SheetFailure extends OddslabError {
  readonly details: { readonly status: number | undefined };

  constructor(message: string, status: number | undefined) {
    super(message);
    this.details = { status };
  }
}

/**
 * Makes tear sheets for a service in a process of its own, which starts with the first sheet and ends when none was
 * asked for a while. It asks nothing over a network: its queries come back to the service by the channel.
 */
export function openSheetMaker(): SheetMaker {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (signal?: NodeJS.Signals) => {
    clearTimeout(idle);
    const ended = child;
    child = undefined;
    if (signal) ended?.kill(signal);
    else if (ended?.connected) ended.disconnect();
  };
  const start = () => {
    clearTimeout(idle);
    if (child?.connected) return child;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ODDSLAB_')));
    child = fork(join(packageRoot(), 'dist', 'cli', 'main.js'), ['tearsheet', OF_SERVICE], {
      env,
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // It must not keep the service alive.
    child.unref();
    child.channel?.unref();
    return child;
  };
  return {
    async make({ wallets, ask, signal }) {
      const maker = start();
      const stop = () => end('SIGKILL');
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await sheetFrom(maker, wallets, ask);
      } finally {
        signal.removeEventListener('abort', stop);
        idle = setTimeout(() => end(), IDLE_MS).unref();
      }
    },
    close: () => end('SIGKILL'),
  };
}

/** Asks the process for one sheet and answers its queries meanwhile. */
function sheetFrom(
  maker: ChildProcess,
  wallets: readonly string[],
  ask: (envelope: unknown) => Promise<SheetAnswer>,
): Promise<Sheet> {
  return new Promise((made, fail) => {
    const say = (message: ToMaker) => maker.send(message, (error) => error && fail(error));
    const over = () => {
      maker.off('message', hear);
      maker.off('exit', gone);
      maker.off('error', gone);
    };
    const gone = () => {
      over();
      fail(new SheetFailure('The process that makes tear sheets ended before this one was made.', undefined));
    };
    const hear = (message: FromMaker) => {
      if (message.type === 'ask') {
        const { id } = message;
        ask(message.envelope).then((answer) => say({ type: 'answer', id, answer }), fail);
        return;
      }
      over();
      if (message.type === 'made') made(message.sheet);
      else fail(new SheetFailure(message.message, message.status));
    };
    maker.on('message', hear).once('exit', gone).once('error', gone);
    say({ type: 'make', wallets });
  });
}
