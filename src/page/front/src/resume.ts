import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { CodeCell } from '@jupyterlab/cells';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { type Kernel, KernelMessage } from '@jupyterlab/services';
import { KernelShellFutureHandler } from '@jupyterlab/services/lib/kernel/future';
import { KERNEL_NAME } from './code-cells.js';

/**
 * Shows what cells have run and shown while their notebook was not open, or since its page was left unsaved: the server
 * keeps that. A cell that still runs goes on, with its outputs, its questions and its end, as if this page had started it.
 */
export const resume: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:resume',
  description: 'Shows what cells have shown while their notebook was not open.',
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_, notebooks: INotebookTracker) => {
    notebooks.widgetAdded.connect((_sender, panel) => void follow(panel));
  },
};

async function follow(panel: NotebookPanel): Promise<void> {
  await panel.context.ready;
  if (panel.isDisposed) return;
  const context = panel.sessionContext;
  const opened = sourcesOf(panel);
  const take = (kernel: Kernel.IKernelConnection | null | undefined): void => {
    if (kernel?.name === KERNEL_NAME && !panel.isDisposed) new Resumption(panel, kernel, opened);
  };
  context.kernelChanged.connect((_sender, { newValue }) => take(newValue));
  take(context.session?.kernel);
}

/** The sources of a notebook's cells, by the cells' ids. */
type Sources = ReadonlyMap<string, string>;

function sourcesOf(panel: NotebookPanel): Sources {
  const cells = [...(panel.content.model?.cells ?? [])];
  return new Map(cells.map(({ sharedModel }) => [sharedModel.getId(), sharedModel.getSource()]));
}

/** A message as the server keeps it. */
interface Kept {
  readonly msg_type: string;
  readonly content: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
}

/** A cell's run as the server tells of it. */
interface Execution {
  readonly msg_id: string;
  readonly cell_id: string;
  readonly session: string;
  /** What it runs, if the file has not got it. */
  readonly code?: string;
  /** The cells above it, the nearest first. */
  readonly above?: readonly string[];
  readonly state: 'waiting' | 'running' | 'done';
  readonly is_tail: boolean;
  readonly messages: readonly Kept[];
  readonly reply?: Kept;
  readonly question?: { readonly header: KernelMessage.IHeader; readonly content: Record<string, unknown> };
}

/** Of how many cells above a cell that runs the server is told. */
const MOST_ABOVE = 20;

/** What one kernel's connection has to make up for in one notebook. */
class Resumption {
  readonly #panel: NotebookPanel;
  readonly #kernel: Kernel.IKernelConnection;
  /** The cells that were taken over, by the request that runs them. */
  readonly #taken = new Map<string, TakenCell>();
  readonly #request: KernelMessage.IMessage;
  readonly #opened: Sources;

  /** @param opened What the file had in its cells when the notebook was opened. */
  constructor(panel: NotebookPanel, kernel: Kernel.IKernelConnection, opened: Sources) {
    this.#panel = panel;
    this.#kernel = kernel;
    this.#opened = opened;
    this.#request = this.#ask('executions_request', {});
    panel.context.saveState.connect(this.#save, this);
    kernel.anyMessage.connect(this.#hear, this);
    kernel.statusChanged.connect(this.#watch, this);
    panel.disposed.connect(this.#end, this);
    // Its answer is heard below, in the order in which it comes among the others.
    this.#send(this.#request, true);
  }

  /** A message of our own server's. */
  #ask(type: string, content: Record<string, unknown>): KernelMessage.IMessage {
    const { clientId: session, username } = this.#kernel;
    const msgType = type as 'interrupt_request';
    return KernelMessage.createMessage({ channel: 'control', msgType, session, username, content: content as never });
  }

  #send(message: KernelMessage.IMessage, hasReply: boolean): void {
    if (this.#kernel.isDisposed || this.#kernel.status === 'dead') return;
    const sent = this.#kernel.sendControlMessage(message as KernelMessage.IControlMessage, hasReply);
    sent.done.catch(() => undefined);
    if (hasReply) sent.onReply = () => sent.dispose();
    else sent.dispose();
  }

  /** Tells the server that what it knows of this page's runs is about to be saved. */
  #save(_: unknown, state: string): void {
    if (state === 'started') this.#send(this.#ask('notebook_saving', {}), false);
  }

  /** Tells the server where the cell of a run stands, that it can be put there again. */
  #place({ header, metadata }: KernelMessage.IMessage): void {
    const ids = [...(this.#panel.content.model?.cells ?? [])].map(({ sharedModel }) => sharedModel.getId());
    const at = ids.indexOf(String(metadata.cellId));
    if (at < 0) return;
    const above = ids.slice(Math.max(0, at - MOST_ABOVE), at).reverse();
    this.#send(this.#ask('execution_place', { msg_id: header.msg_id, above }), false);
  }

  #hear(_: Kernel.IKernelConnection, { msg, direction }: Kernel.IAnyMessageArgs): void {
    if (direction === 'send') {
      if (msg.header.msg_type === 'execute_request') this.#place(msg);
      return;
    }
    const parent = 'msg_id' in msg.parent_header ? msg.parent_header.msg_id : undefined;
    if (parent === this.#request.header.msg_id && (msg.header.msg_type as string) === 'executions_reply') {
      this.#takeOver((msg.content as unknown as { executions?: Execution[] }).executions ?? []);
      return;
    }
    // What updates a display comes under the cell that updates it, perhaps another one.
    const isUpdate = msg.header.msg_type === 'update_display_data';
    if (isUpdate) for (const cell of this.#taken.values()) cell.hear(msg);
    else if (parent !== undefined) this.#taken.get(parent)?.hear(msg);
  }

  #takeOver(all: readonly Execution[]): void {
    // What this page has sent itself, it shows itself.
    const executions = all.filter(({ session }) => session !== this.#kernel.clientId);
    for (const execution of executions) this.#restore(execution);
    const cells = new Map(this.#panel.content.widgets.map((cell) => [cell.model.sharedModel.getId(), cell]));
    for (const execution of executions) {
      const cell = cells.get(execution.cell_id);
      if (!(cell instanceof CodeCell)) continue;
      const id = execution.msg_id;
      this.#taken.set(id, new TakenCell(cell, this.#kernel, execution, () => this.#taken.delete(id)));
    }
  }

  /** Puts code that ran, and that the file has not got, back into its cell; into a new one if the file has not got that either. */
  #restore({ cell_id: id, code, above = [] }: Execution): void {
    const notebook = this.#panel.content.model?.sharedModel;
    if (!notebook || code === undefined) return;
    const cell = notebook.cells.find((each) => each.getId() === id);
    // What was written in this page meanwhile is newer.
    if (cell && cell.getSource() === this.#opened.get(id)) cell.setSource(code);
    if (cell) return;
    const ids = notebook.cells.map((each) => each.getId());
    const nearest = above.find((each) => ids.includes(each));
    const at = nearest !== undefined ? ids.indexOf(nearest) + 1 : above.length === 0 ? 0 : ids.length;
    notebook.insertCell(at, { id, cell_type: 'code', source: code, metadata: {}, outputs: [], execution_count: null });
  }

  #watch(_: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (!['restarting', 'autorestarting', 'dead'].includes(status)) return;
    for (const cell of [...this.#taken.values()]) cell.end();
  }

  #end(): void {
    this.#panel.context.saveState.disconnect(this.#save, this);
    this.#kernel.anyMessage.disconnect(this.#hear, this);
    this.#kernel.statusChanged.disconnect(this.#watch, this);
    for (const cell of [...this.#taken.values()]) cell.end();
  }
}

/** A cell that shows what another page's request does. */
class TakenCell {
  readonly #cell: CodeCell;
  readonly #future: KernelShellFutureHandler<KernelMessage.IExecuteRequestMsg, KernelMessage.IExecuteReplyMsg>;
  #shown: Promise<void> = Promise.resolve();

  constructor(cell: CodeCell, kernel: Kernel.IKernelConnection, execution: Execution, onEnd: () => void) {
    this.#cell = cell;
    const request = KernelMessage.createMessage<KernelMessage.IExecuteRequestMsg>({
      channel: 'shell',
      msgType: 'execute_request',
      msgId: execution.msg_id,
      session: execution.session,
      content: { code: '' },
    });
    this.#future = new KernelShellFutureHandler(onEnd, request, true, false, kernel);
    if (execution.is_tail) cell.outputArea.reattachFuture(this.#future);
    else {
      cell.model.clearExecution();
      cell.model.trusted = true;
      cell.model.executionState = 'running';
      cell.outputArea.future = this.#future;
    }
    void this.#finish(execution);
    this.#repeat(execution, request.header);
  }

  /** Takes the next message about it. */
  hear(message: KernelMessage.IMessage): void {
    const future = this.#future;
    this.#shown = this.#shown
      .then(() => (future.isDisposed ? undefined : future.handleMsg(message)))
      .catch((error: unknown) => console.error(error));
  }

  /** Gives it up: nothing more comes. */
  end(): void {
    this.#future.dispose();
  }

  #repeat({ messages, reply, question, state }: Execution, parent: KernelMessage.IHeader): void {
    const tell = (channel: KernelMessage.Channel, kept: Kept, header: Partial<KernelMessage.IHeader> = {}): void => {
      const { msg_type, content, metadata } = kept;
      const whole = { ...parent, msg_id: `${parent.msg_id}-kept`, msg_type, ...header };
      this.hear({ channel, header: whole, parent_header: parent, content, metadata, buffers: [] } as never);
    };
    for (const message of messages) tell('iopub', message);
    if (question)
      tell('stdin', { msg_type: 'input_request', content: question.content, metadata: {} }, question.header);
    if (reply) tell('shell', reply);
    if (state !== 'done') return;
    tell('iopub', { msg_type: 'status', content: { execution_state: 'idle' }, metadata: {} });
    // Where the process ended before it could reply, nothing else says that it is over.
    if (!reply) void this.#shown.then(() => this.end());
  }

  /** Shows the end of the run, once it is there. */
  async #finish({ is_tail }: Execution): Promise<void> {
    const reply = await this.#future.done.catch(() => undefined);
    const cell = this.#cell;
    // The cell may have been run again meanwhile.
    if (is_tail || cell.isDisposed || cell.outputArea.future !== this.#future) return;
    const count = (reply?.content as { execution_count?: number } | undefined)?.execution_count;
    if (count !== undefined) cell.model.executionCount = count;
    cell.model.executionState = 'idle';
  }
}
