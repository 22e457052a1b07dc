import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Seen } from './seen.js';

/** What every handler of the service finds as its environment. */
export interface ServiceEnv {
  Bindings: {
    incoming: IncomingMessage;
    outgoing: ServerResponse;
    seen: Seen;
  };
}
