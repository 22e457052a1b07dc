import { readFileSync } from 'node:fs';

/**
 * The peak memory of this process, in MB. On Linux `process.resourceUsage().maxRSS` begins at what the parent held when it
 * started the process, so the kernel's own mark is read there.
 */
export function ownPeakMb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1000;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('/proc/self/status tells no VmHWM');
  return Number(kilobytes) / 1000;
}
