const OWN = Symbol.for('oddslab.own');

/**
 * Marks a method as this package's own, such as the one that shows a frame: a kernel may call it where it must not run
 * code of the user's. The mark is known across copies of the package in one process.
 *
 * @returns The same method.
 */
export function ownHook<Method extends object>(method: Method): Method {
  return Object.defineProperty(method, OWN, { value: true });
}

/** Whether a function, which must not be a proxy, has the mark of {@link ownHook}. Runs nothing of it. */
export function isOwnHook(method: object): boolean {
  return Object.getOwnPropertyDescriptor(method, OWN)?.value === true;
}
