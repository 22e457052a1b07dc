import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';

const CLAUSE = /\bexport\s+(type\s+)?\{([^}]*)\}/g;
const SPECIFIER = /^(type\s+)?(?:[\p{ID_Continue}$]+\s+as\s+)?([\p{ID_Continue}$]+)$/u;

let read: Map<string, 'value' | 'type'> | undefined;

/** The names that oddslab exports, read once from its declarations; empty if these cannot be read. */
export function exportedNames(): Map<string, 'value' | 'type'> {
  read ??= namesIn(declarations());
  return read;
}

function declarations(): string {
  try {
    return readFileSync(join(packageRoot(), 'dist/index.d.ts'), 'utf8');
  } catch {
    return '';
  }
}

function namesIn(text: string): Map<string, 'value' | 'type'> {
  const names = new Map<string, 'value' | 'type'>();
  for (const [, allTypes, list = ''] of text.matchAll(CLAUSE)) {
    for (const specifier of list.split(',')) {
      const [, type, name] = SPECIFIER.exec(specifier.trim()) ?? [];
      if (name) names.set(name, allTypes || type ? 'type' : 'value');
    }
  }
  return names;
}
