import { IConnectionLost, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { Dialog } from '@jupyterlab/apputils';
import { URLExt } from '@jupyterlab/coreutils';
import { CUT } from './server-settings.js';

/** How often it is asked whether the server is there again. */
const ASK_EVERY_MS = 2000;

const ENDED = 'oddslab lab has ended';
const AGAIN =
  'Start it again in the terminal, over the same folder and port: this page then goes on. What is not saved stays here.';
const ANEW = 'oddslab lab was started again';
const OTHER = 'Open the address that it printed: this page belongs to the one before.';
const KERNELS_GONE =
  'The kernels of before, and what cells held, are gone. The next cell that you run starts one anew.';

/**
 * Says what became of the server once it cannot be reached, and goes on when it is there again: at once if it lets this
 * browser in, else it says which address to open.
 */
export const serverEnded: JupyterFrontEndPlugin<IConnectionLost> = {
  id: 'oddslab:server-ended',
  description: 'Says that the server has ended, and goes on once it was started again.',
  autoStart: true,
  provides: IConnectionLost,
  activate: (app) => {
    const server = new Server(app);
    const follow = () => server.follow();
    window.addEventListener(CUT, () => void follow());
    return follow;
  },
};

/** What is known of the server that this page came from. */
class Server {
  readonly #app: JupyterFrontEnd;
  #following: Promise<void> | undefined;
  /** When it was started; undefined until it was asked. */
  #started: string | undefined;

  constructor(app: JupyterFrontEnd) {
    this.#app = app;
    void this.#ask().then((found) => {
      this.#started = typeof found === 'string' ? found : undefined;
    });
  }

  /** Finds out whether the server has ended, and says what becomes of the page; resolves once that is over. */
  follow(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #follow(): Promise<void> {
    let found = await this.#ask();
    const ended = found === 'gone' ? say(ENDED, AGAIN) : undefined;
    while (found === 'gone') {
      await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
      found = await this.#ask();
    }
    ended?.dispose();
    if (found === 'closed') return say(ANEW, OTHER).closed;
    // A connection that merely broke is no end.
    if (found === this.#started) return;
    this.#started = found;
    const { sessions, kernels } = this.#app.serviceManager;
    await Promise.allSettled([sessions.refreshRunning(), kernels.refreshRunning()]);
    await say(ANEW, KERNELS_GONE).closed;
  }

  /** When the server was started; `gone` if nobody answers, `closed` if it does not let this browser in. */
  async #ask(): Promise<string> {
    const url = URLExt.join(this.#app.serviceManager.serverSettings.baseUrl, 'api/status');
    try {
      const answer = await fetch(url, { cache: 'no-store' });
      return answer.status === 403 ? 'closed' : (await answer.json()).started;
    } catch {
      return 'gone';
    }
  }
}

function say(title: string, body: string): { dispose(): void; closed: Promise<void> } {
  const dialog = new Dialog({ title, body, buttons: [Dialog.okButton({ label: 'Close' })] });
  const closed = dialog.launch().then(
    () => {},
    () => {},
  );
  return { dispose: () => dialog.dispose(), closed };
}
