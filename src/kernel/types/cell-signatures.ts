import { markdownIn, parameterDocumentation, type ServerSignature } from './cell-hover.js';
import { plainNames } from './cell-scope.js';
import type { CallSignatures, Signature } from './type-service.js';

/** The overloads in the language server's answer to `textDocument/signatureHelp`; undefined if no call was there. */
export function cellSignatures(answer: unknown): CallSignatures | undefined {
  const {
    signatures = [],
    activeSignature,
    activeParameter,
  } = (answer ?? {}) as {
    signatures?: ServerSignature[];
    activeSignature?: number | null;
    activeParameter?: number | null;
  };
  const active = signatures[activeSignature ?? 0] ? (activeSignature ?? 0) : 0;
  const selected = signatures[active];
  if (!selected) return undefined;
  const at = selected.activeParameter === undefined ? activeParameter : selected.activeParameter;
  const parameter = at !== null && at !== undefined && selected.parameters?.[at] ? at : undefined;
  return { signatures: signatures.map(signature), active, parameter };
}

function signature({ label, documentation, parameters = [] }: ServerSignature): Signature {
  const text = plainNames(label);
  const names = parameters.map((each) => plainNames(each.label));
  // The whole list is looked for, since one parameter may also stand elsewhere, as in `f<T>(a: (a: T) => T): T`.
  const list = `(${names.join(', ')})`;
  const open = text.indexOf(list);
  let end = open === -1 ? 0 : open + 1;
  return {
    label: text,
    documentation: markdownIn(documentation),
    parameters: names.map((name, index) => {
      const start = Math.max(end, text.indexOf(name, end));
      const isFound = text.startsWith(name, start);
      end = isFound ? start + name.length : end;
      return {
        start: isFound ? start : end,
        end,
        documentation: parameterDocumentation(parameters[index]?.documentation),
      };
    }),
  };
}
