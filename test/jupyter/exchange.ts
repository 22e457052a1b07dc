import type { JupyterMessage } from './jupyter-message.js';

/** What a request led to. */
export interface Answer {
  request: JupyterMessage;
  reply: JupyterMessage;
  /** All that came on iopub for the request, in order, from busy to idle. */
  messages: JupyterMessage[];
}

/** One request and what has come for it so far. */
export class Exchange {
  readonly messages: JupyterMessage[] = [];
  readonly replies: JupyterMessage[] = [];
  isIdle = false;
  readonly #request: JupyterMessage;
  readonly #wakers = new Set<() => void>();

  constructor(request: JupyterMessage) {
    this.#request = request;
  }

  take(message: JupyterMessage): void {
    if (message.channel === 'iopub') {
      this.messages.push(message);
      if (message.header.msg_type === 'status' && message.content.execution_state === 'idle') this.isIdle = true;
    } else if (message.channel !== 'stdin') this.replies.push(message);
    for (const wake of [...this.#wakers]) wake();
  }

  /** Resolves once there are a reply and, unless it is not waited for, idle. */
  answered(needsIdle: boolean): Promise<Answer> {
    return new Promise((resolve) => {
      const look = () => {
        const [reply] = this.replies;
        if (reply === undefined || (needsIdle && !this.isIdle)) return;
        this.#wakers.delete(look);
        resolve({ request: this.#request, reply, messages: this.messages });
      };
      this.#wakers.add(look);
      look();
    });
  }

  /** What has come, for an error that says that more should have. */
  describe(): string {
    const seen = [...this.messages, ...this.replies].map(({ channel, header, content }) => {
      return `${channel} ${header.msg_type} ${JSON.stringify(content).slice(0, 200)}`;
    });
    return `${this.#request.header.msg_type} got ${seen.length === 0 ? 'nothing' : `\n  ${seen.join('\n  ')}`}`;
  }
}
