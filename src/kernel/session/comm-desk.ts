import { ContentFields, type Incoming, type Outlet, type Parent } from '../protocol/message.js';
import type { CellListener, CommEvent } from '../wire/runner.js';
import { CellOutput, type InputDesk } from './cell-io.js';

/** Hands a front end's message to the user's code; resolves once its handlers have returned. */
type Deliver = (comm: CommEvent, listener: CellListener) => Promise<void>;

interface Early {
  working: Promise<void>;
  /** Deliveries of its messages in order, repeated if the comm's target was not registered yet. */
  comms: (() => Promise<void>)[];
  /** Resolves once they have been repeated. */
  again?: Promise<unknown>;
}

/** Carries comm messages between front ends and the user's code and knows which comms are open. */
export function commDesk(outlet: Outlet, input: InputDesk, deliver: Deliver) {
  /** The target of each open comm, by id. */
  const open = new Map<string, string>();
  /** The messages of each comm that a front end opened while cells were running or waiting. */
  const earlies = new Map<string, Early>();
  const note = ({ kind, id, target }: CommEvent): void => {
    if (kind === 'open') open.set(id, target ?? '');
    else if (kind === 'close') open.delete(id);
  };
  const publish = (
    { kind, id, target, data, metadata = {}, buffers = [] }: CommEvent,
    parent: Parent | undefined,
  ): void => {
    const content = { comm_id: id, ...(kind === 'open' ? { target_name: target ?? '' } : {}), data };
    const attached = buffers.map((buffer) => Buffer.from(buffer, 'base64'));
    outlet.publish({ type: `comm_${kind}`, content, metadata, buffers: attached }, parent);
  };
  const keep = (id: string, working: Promise<void>): void => {
    const early: Early = { working, comms: [] };
    earlies.set(id, early);
    void working.then(() => {
      if (earlies.get(id) === early) earlies.delete(id);
    });
  };
  /** Sends a comm message of the user's code, under the request that caused it. */
  const send = (comm: CommEvent, parent: Parent): void => {
    const early = comm.isRefusal ? earlies.get(comm.id) : undefined;
    if (early) {
      early.again = early.working.then(() => Promise.all(early.comms.map((repeat) => repeat())));
      return;
    }
    note(comm);
    publish(comm, parent);
  };
  return {
    send,
    /**
     * Takes a front end's comm message. Resolves once its handlers have returned and what they showed has been sent
     * under this message. Answers a message for a comm that is not open by closing the comm.
     *
     * @param cells.hasRun Whether any cell has run: before that, nobody can have registered a target.
     * @param cells.working Resolves once no cell runs or waits; absent if none does. One of them may register the target.
     */
    async take(
      kind: CommEvent['kind'],
      message: Incoming,
      cells: { hasRun: boolean; working: Promise<void> | undefined },
    ): Promise<void> {
      const fields = new ContentFields(message.content);
      const id = fields.text('comm_id');
      const isKnown = kind === 'open' ? cells.hasRun : open.has(id);
      if (!isKnown) {
        if (kind !== 'close') publish({ kind: 'close', id, data: {} }, message);
        return;
      }
      const target = kind === 'open' ? fields.text('target_name') : undefined;
      const data = fields.value('data') ?? {};
      const buffers = message.buffers.map((buffer) => buffer.toString('base64'));
      const comm = { kind, id, data, metadata: message.metadata, buffers, ...(target === undefined ? {} : { target }) };
      note(comm);
      if (kind === 'open' && cells.working) keep(id, cells.working);
      const output = new CellOutput(outlet, message, 0);
      const { parent } = output;
      const listener = output.listener(
        (asked) => input.ask(parent, asked, true),
        (answer) => send(answer, parent),
      );
      const hand = async (): Promise<void> => {
        await deliver(comm, listener);
        output.flush();
      };
      const early = earlies.get(id);
      early?.comms.push(hand);
      await hand();
      await early?.again;
    },
    /** The open comms as `comm_info_reply` lists them; with a target, only those for it. */
    list(target: unknown): Record<string, { target_name: string }> {
      const isNamed = typeof target === 'string' && target !== '';
      const listed = [...open].filter(([, name]) => !isNamed || name === target);
      return Object.fromEntries(listed.map(([id, name]) => [id, { target_name: name }]));
    },
    /** Closes all comms: the process that held their other ends is gone. */
    closeAll(): void {
      for (const id of open.keys()) publish({ kind: 'close', id, data: {} }, undefined);
      open.clear();
      earlies.clear();
    },
  };
}
