import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Seen } from './seen.js';

/** The environment of every handler of the service. */
export interface ServiceEnv {
  Bindings: {
    incoming: IncomingMessage;
    outgoing: ServerResponse;
    seen: Seen;
  };
}
