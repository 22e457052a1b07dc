import type { ISessionContext } from '@jupyterlab/apputils';
import { type Kernel, KernelMessage } from '@jupyterlab/services';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';

/** A variable of the cells, as the kernel tells it. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  /** The value or its shape, in one line. */
  readonly value: string;
  readonly presentationHint: { readonly attributes: readonly string[] };
  /** Whether it can be looked at row by row. */
  readonly isTable?: boolean;
}

/** Which rows of a table are asked for. */
export interface RowsRequest {
  readonly name: string;
  readonly from: number;
  readonly count: number;
  readonly sort?: { readonly column: string; readonly descending: boolean };
  readonly filter: string;
}

/** Some rows of a table, as the kernel tells them. */
export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Cells as they are shown; a missing value is empty. */
  readonly rows: readonly (readonly string[])[];
  /** The same cells with nothing shortened or rounded. */
  readonly whole: readonly (readonly string[])[];
  /** The place of each row in the value, from 0. */
  readonly positions: readonly number[];
  readonly total: number;
  /** Rows that the filter leaves. */
  readonly matched: number;
  /** Why the filter leaves none, where it does. */
  readonly why?: string;
}

/** What came of a question: an answer, or a sentence that says why there is none; busy while a cell computes. */
export type Told<Answer> = { readonly answer: Answer } | { readonly why: string; readonly isBusy: boolean };

const GONE = { why: 'The kernel ended before it answered.', isBusy: false };

/** Asks a kernel for the variables that its cells have declared. */
export async function variablesOf(kernel: Kernel.IKernelConnection): Promise<Told<Variable[]>> {
  const reply = await ask<{ success?: boolean; message?: string; body?: { variables: Variable[] } }>(kernel, 'debug', {
    type: 'request',
    seq: 0,
    command: 'inspectVariables',
    arguments: {},
  });
  if (!reply) return GONE;
  if (reply.success && reply.body) return { answer: reply.body.variables };
  return { why: reply.message ?? 'This kernel does not tell its variables.', isBusy: reply.busy === true };
}

/** Asks a kernel for rows of a variable. */
export async function rowsOf(kernel: Kernel.IKernelConnection, request: RowsRequest): Promise<Told<Rows>> {
  const reply = await ask<Rows & { status?: string; evalue?: string }>(kernel, 'table', request);
  if (!reply) return GONE;
  if (reply.busy) return { why: 'A cell is computing: the rows follow.', isBusy: true };
  if (reply.status === 'ok') return { answer: reply };
  return { why: reply.evalue ?? 'This kernel does not tell rows.', isBusy: false };
}

/** Sends a request that the kernel answers at once, also while a cell waits; undefined if the kernel ends meanwhile. */
async function ask<Reply>(
  kernel: Kernel.IKernelConnection,
  type: string,
  content: object,
): Promise<(Reply & { busy?: boolean }) | undefined> {
  const message = KernelMessage.createMessage({
    channel: 'control',
    msgType: `${type}_request` as 'debug_request',
    session: kernel.clientId,
    username: kernel.username,
    content: content as KernelMessage.IDebugRequestMsg['content'],
  });
  try {
    const reply = await kernel.sendControlMessage(message, true).done;
    return reply?.content as unknown as Reply & { busy?: boolean };
  } catch {
    return undefined;
  }
}

/** The kernel of a notebook or console if it can be asked now. */
export function kernelOf(context: ISessionContext): Kernel.IKernelConnection | undefined {
  const kernel = context.session?.kernel;
  return kernel && kernel.connectionStatus === 'connected' && /^(idle|busy)$/.test(kernel.status) ? kernel : undefined;
}

/** What is to be told of a notebook's or console's kernel. */
interface Watcher {
  /** A cell has ended, or the kernel can be asked, which it could not be before. */
  onRun: () => void;
  /** All variables are lost: the kernel restarts or ends, or is another one. */
  onLost: () => void;
}

const LOST: readonly string[] = ['restarting', 'autorestarting', 'terminating', 'dead'];

/** Watches a session's kernel until it is disposed of. */
export function watchKernel(context: ISessionContext, { onRun, onLost }: Watcher): IDisposable {
  let isLost = false;
  let canAsk = kernelOf(context) !== undefined;
  const lose = (): void => {
    if (!isLost) onLost();
    isLost = true;
  };
  const look = (): void => {
    const could = canAsk;
    canAsk = kernelOf(context) !== undefined;
    if (!canAsk || could) return;
    isLost = false;
    onRun();
  };
  const onMessage = (_: ISessionContext, message: KernelMessage.IMessage): void => {
    const { content, parent_header } = message as KernelMessage.IStatusMsg;
    if (message.header.msg_type !== 'status' || content.execution_state !== 'idle') return;
    if ((parent_header as Partial<KernelMessage.IHeader>).msg_type === 'execute_request') onRun();
  };
  const onStatus = (_: ISessionContext, status: Kernel.Status): void => {
    if (LOST.includes(status)) lose();
    look();
  };
  const onKernel = (_: ISessionContext, { oldValue }: { oldValue: Kernel.IKernelConnection | null }): void => {
    if (oldValue) lose();
    canAsk = false;
    look();
  };
  context.iopubMessage.connect(onMessage);
  context.statusChanged.connect(onStatus);
  context.connectionStatusChanged.connect(look);
  context.kernelChanged.connect(onKernel);
  return new DisposableDelegate(() => {
    context.iopubMessage.disconnect(onMessage);
    context.statusChanged.disconnect(onStatus);
    context.connectionStatusChanged.disconnect(look);
    context.kernelChanged.disconnect(onKernel);
  });
}
