/** What tslab 1.0.22 says where a request comes while it still binds its sockets, as on a busy machine; it then hangs. */
export const TOO_EARLY = 'Socket is blocked by a bind or unbind operation';
