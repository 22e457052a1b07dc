import type { ParseResult } from 'oxc-parser';
import type { Place } from '../events.js';
import { LineIndex } from '../line-index.js';

/** What a module takes from another. */
export interface ModuleRequest {
  /** Where it names the other module. */
  place: Place;
  /** Where it names each export that it takes; some may be types. */
  names: Map<string, Place>;
  /** Whether it takes all exports, under one name or to re-export them. */
  isWhole: boolean;
}

/**
 * What a module takes from others, by specifier.
 *
 * @param name The module's name in traces.
 */
export function moduleRequests(source: string, name: string, { module }: ParseResult): Map<string, ModuleRequest> {
  const index = new LineIndex(source);
  const requests = new Map<string, ModuleRequest>();
  const placeOf = (offset: number): Place => ({ name, ...index.position(offset) });
  const requestOf = ({ value, start }: { value: string; start: number }): ModuleRequest => {
    const request = requests.get(value) ?? { place: placeOf(start), names: new Map(), isWhole: false };
    requests.set(value, request);
    return request;
  };
  const take = (request: ModuleRequest, { name: exported, kind, start }: Imported): void => {
    const wanted = kind === 'Default' ? 'default' : exported;
    if (kind === 'NamespaceObject' || kind.startsWith('All')) request.isWhole = true;
    else if (wanted !== null && !request.names.has(wanted)) request.names.set(wanted, placeOf(start ?? 0));
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    const request = requestOf(moduleRequest);
    for (const { importName, localName } of entries)
      take(request, { ...importName, start: importName.start ?? localName.start });
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) take(requestOf(moduleRequest), importName);
  }
  return requests;
}

interface Imported {
  kind: string;
  name: string | null;
  start: number | null;
}
