import { sameText, type TextRule, type Tolerance } from './same-text.js';
import type { Part, Shown } from './shown-parts.js';

/** One output that differs from the stored one. */
export interface OutputDrift {
  kind: 'changed' | 'missing' | 'new' | 'nothing-stored';
  /** Name of the output, such as `stdout` or `result (text/html)`; empty for the notebook as a whole. */
  output: string;
  /** What happened to it, as the rest of a sentence that begins with its name. */
  problem: string;
  /** Further MIME types of the same output that differ. */
  also: string[];
  /** The texts that differ, in the form that was compared; absent for bytes, and on a side that has no output. */
  stored?: string;
  now?: string;
  /** How the texts were compared. */
  rule: TextRule;
}

/** MIME types, the most readable first: where several of an output differ, the first is shown. */
const READABLE = ['text/plain', 'text/markdown', 'application/json', 'text/html', 'image/svg+xml'];

/**
 * Compares a cell's stored outputs with its outputs now: each stream as a whole, the others one by one in their order.
 *
 * @returns Empty if all is equal.
 */
export function compareOutputs(stored: Shown[], now: Shown[], tolerance: Tolerance): OutputDrift[] {
  const streams = STREAMS.flatMap((kind) => {
    const [was, is] = [stored, now].map((list) => list.find((shown) => shown.kind === kind));
    return outputDrift(was, is, { name: kind, tolerance });
  });
  const [before, after] = [stored.filter(isRich), now.filter(isRich)];
  const isOnly = before.length <= 1 && after.length <= 1;
  const rest = (before.length > after.length ? before : after).flatMap((_, index) => {
    const [was, is] = [before[index], after[index]];
    const kind = (was ?? is)?.kind ?? 'output';
    const name = isOnly || kind === 'result' || kind === 'error' ? kind : `${kind} ${index + 1}`;
    return outputDrift(was, is, { name, tolerance });
  });
  return [...streams, ...rest];
}

const STREAMS = ['stdout', 'stderr'] as const;

function isRich({ kind }: Shown): boolean {
  return kind !== 'stdout' && kind !== 'stderr';
}

function outputDrift(
  stored: Shown | undefined,
  now: Shown | undefined,
  { name, tolerance }: { name: string; tolerance: Tolerance },
): OutputDrift[] {
  if (!stored && !now) return [];
  if (stored?.kind === now?.kind && stored && now) return partsDrift(stored, now, { name, tolerance });
  const what = !now ? GONE : !stored ? NEW : { kind: 'changed' as const, problem: `is ${articled(now.kind)} now` };
  const texts = { ...(stored ? { stored: textIn(stored) } : {}), ...(now ? { now: textIn(now) } : {}) };
  return [{ ...what, output: name, also: [], rule: { tolerance, grouped: true }, ...texts }];
}

const GONE = { kind: 'missing', problem: 'is stored but is not shown any more' } as const;
const NEW = { kind: 'new', problem: 'is shown now but is not stored' } as const;

function partsDrift(
  stored: Shown,
  now: Shown,
  { name, tolerance }: { name: string; tolerance: Tolerance },
): OutputDrift[] {
  const types = [...new Set([...stored.parts.keys(), ...now.parts.keys()])];
  const differing = types.filter((type) => !samePart(stored.parts.get(type), now.parts.get(type), tolerance));
  const rank = (type: string): number => (READABLE.includes(type) ? READABLE.indexOf(type) : READABLE.length);
  const isBoth = (type: string): boolean => stored.parts.has(type) && now.parts.has(type);
  // A part that both sides have says more than one that a side lacks.
  differing.sort((a, b) => Number(isBoth(b)) - Number(isBoth(a)) || rank(a) - rank(b));
  const [type, ...also] = differing;
  if (type === undefined) return [];
  const isPlain = stored.kind === 'stdout' || stored.kind === 'stderr' || stored.kind === 'error';
  const output = isPlain ? name : `${name} (${type})`;
  return [{ output, also, ...partDrift(type, stored.parts.get(type), now.parts.get(type), tolerance) }];
}

function partDrift(
  type: string,
  stored: Part | undefined,
  now: Part | undefined,
  tolerance: Tolerance,
): Omit<OutputDrift, 'output' | 'also'> {
  const rule = { tolerance, grouped: true };
  if (!now) return { ...GONE, rule };
  if (!stored) return { ...NEW, rule };
  if ('text' in stored && 'text' in now) {
    const { grouped } = stored;
    return { kind: 'changed', problem: 'differs', rule: { tolerance, grouped }, stored: stored.text, now: now.text };
  }
  const [from, to] = [stored, now].map((part) => ('bytes' in part ? part.bytes.length : Buffer.byteLength(part.text)));
  const what = type.startsWith('image/') ? 'image' : 'content';
  return { kind: 'changed', problem: `${what} differs: ${count(from)} → ${count(to)} bytes`, rule };
}

function samePart(stored: Part | undefined, now: Part | undefined, tolerance: Tolerance): boolean {
  if (!stored || !now) return false;
  if ('text' in stored && 'text' in now) return sameText(stored.text, now.text, { tolerance, grouped: stored.grouped });
  return 'bytes' in stored && 'bytes' in now && stored.bytes.equals(now.bytes);
}

function textIn(shown: Shown): string {
  const parts = [...shown.parts.values()];
  const text = shown.parts.get('text/plain') ?? parts.find((part) => 'text' in part);
  return text && 'text' in text ? text.text : '';
}

function articled(kind: string): string {
  return /^[aeo]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function count(bytes: number | undefined): string {
  return (bytes ?? 0).toLocaleString('en-US');
}
