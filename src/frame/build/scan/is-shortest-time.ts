import { WHOLE_SECOND } from '../../iso-time.js';
import { ASCII } from './ascii.js';

const DAY = '2025-11-05'.length;

/** Whether a time that `utcTimeEnd` found has the form that frames store, so that `toIsoTime` would not change it. */
export function isShortestTime(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === WHOLE_SECOND || length === DAY) return true;
  // After the point come groups of three digits, the last of them not all zeros.
  if (length < WHOLE_SECOND || (length - WHOLE_SECOND) % 3 !== 1) return false;
  return bytes[end - 2] !== ASCII.zero || bytes[end - 3] !== ASCII.zero || bytes[end - 4] !== ASCII.zero;
}
