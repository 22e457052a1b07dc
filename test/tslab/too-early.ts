/** The message of tslab 1.0.22 if a request comes while it binds its sockets, as on a busy machine; it then hangs. */
export const TOO_EARLY = 'Socket is blocked by a bind or unbind operation';
