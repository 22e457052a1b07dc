/** The header of a Jupyter message. */
export interface Header {
  msg_id: string;
  msg_type: string;
  /** Id of the sender, the same in all messages of one client or kernel. */
  session: string;
  username: string;
  /** When it was made, by its sender's clock: ISO 8601. */
  date: string;
  version: string;
}

/** The request to which replies and outputs refer. */
export interface Parent {
  /** The requester's address, by which a reply finds its way back. */
  identities: Buffer[];
  header: Header;
  /** The header's JSON as it came, repeated in every answer. */
  rawHeader: string;
}

/** A checked message from a front end. */
export interface Incoming extends Parent {
  /** Empty if it answers nothing. */
  parentHeader: Partial<Header>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  /** Binary attachments. */
  buffers: Buffer[];
}

/** The channels on which a front end speaks to the kernel. */
export type Channel = 'shell' | 'control' | 'stdin';

/** A message for front ends. */
export interface Outgoing {
  type: string;
  content: object;
  /** Default empty. */
  metadata?: Record<string, unknown>;
  /** Binary attachments. Default none. */
  buffers?: Uint8Array[];
}

/** The receiver of the kernel's messages. Its methods neither block nor throw. */
export interface Outlet {
  /** Sends to all front ends; without a parent, no request caused it. */
  publish(message: Outgoing, parent?: Parent): void;
  /** Sends to the one front end that sent `parent`; returns the message's id. */
  send(channel: Channel, message: Outgoing, parent: Parent): string;
}
