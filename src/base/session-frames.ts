const SESSION = Symbol.for('oddslab.session frames');

/**
 * Notes on the frames of a query that it belongs to a session: where a table is missing, the error then tells the frames
 * that the session has. The mark is known across copies of the package in one process, and is not among the tables.
 *
 * @param names Gives the names of the session's frames; called only for an error.
 * @returns The same frames.
 */
export function ofSession<Frames extends object>(frames: Frames, names: () => readonly string[]): Frames {
  return Object.defineProperty(frames, SESSION, { value: names });
}

/** The names of the frames of the session that {@link ofSession} noted; undefined outside of one. */
export function sessionFrames(frames: object): readonly string[] | undefined {
  const names: unknown = Reflect.get(frames, SESSION);
  return typeof names === 'function' ? names() : undefined;
}
