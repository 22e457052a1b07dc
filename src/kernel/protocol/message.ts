/** The head of a Jupyter message. */
export interface Header {
  msg_id: string;
  msg_type: string;
  /** Of who sent it: the same for all messages of one client, or of one kernel. */
  session: string;
  username: string;
  /** When it was made, by its sender's clock: ISO 8601. */
  date: string;
  version: string;
}

/** What replies and outputs refer to: the request that caused them. */
export interface Parent {
  /** The address of who asked, by which a reply finds its way back. */
  identities: Buffer[];
  header: Header;
  /** The header's JSON as it came, repeated in what answers it. */
  rawHeader: string;
}

/** A message from a front end, checked. */
export interface Incoming extends Parent {
  /** Empty where it answers nothing. */
  parentHeader: Partial<Header>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  /** Binary attachments. */
  buffers: Buffer[];
}

/** The channels on which a front end speaks to the kernel. */
export type Channel = 'shell' | 'control' | 'stdin';

/** One of the parts in which a message travels. Texts travel as UTF-8; ZeroMQ takes them more cheaply than bytes. */
export type Frame = string | Uint8Array;

/** A message for front ends. */
export interface Outgoing {
  type: string;
  content: object;
  /** Default empty. */
  metadata?: Record<string, unknown>;
  /** Binary attachments. Default none. */
  buffers?: Uint8Array[];
}

/** Who takes what the kernel says. Nothing here blocks or throws. */
export interface Outlet {
  /** Sends to all front ends. Without a parent, nothing has caused it. */
  publish(message: Outgoing, parent?: Parent): void;
  /** Sends to the one front end that sent `parent`; returns the message's id. */
  send(channel: Channel, message: Outgoing, parent: Parent): string;
}
