import { Socket } from 'node:net';
import { PIPES } from '../pipes.js';

const GRACE_MS = 500;

/** Ends the process some time after its parent ended, even while the main thread is in an endless loop. */
export function watchLifeline(): void {
  const lifeline = new Socket({ fd: PIPES.lifeline, readable: true, writable: false });
  const end = (): void => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
  };
  lifeline.once('end', end).once('error', end).resume();
}
