/**
 * The pipes between a runner's process and its parent, by file descriptor: `events` to the parent, `commands` from it,
 * and `lifeline`, which carries the ids of cells to interrupt and ends when the parent does.
 */
export const PIPES = { events: 3, commands: 4, lifeline: 5 } as const;
