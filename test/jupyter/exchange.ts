import type { JupyterMessage } from './jupyter-message.js';

/** A request and what the kernel sent for it. */
export interface Answer {
  request: JupyterMessage;
  reply: JupyterMessage;
  /** All iopub messages for the request, in order, from busy to idle. */
  messages: JupyterMessage[];
}

/** One request and what the kernel has sent for it so far. */
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

  /** Resolves once there is a reply and, if `needsIdle`, idle. */
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

  /** Describes what has come, for an error about what has not. */
  describe(): string {
    const seen = [...this.messages, ...this.replies].map(({ channel, header, content }) => {
      return `${channel} ${header.msg_type} ${JSON.stringify(content).slice(0, 200)}`;
    });
    return `${this.#request.header.msg_type} got ${seen.length === 0 ? 'nothing' : `\n  ${seen.join('\n  ')}`}`;
  }
}
