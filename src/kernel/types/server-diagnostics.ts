/** A diagnostic as the language server sends it. */
export interface ServerDiagnostic {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  severity?: number;
  code?: number;
  message: string;
  relatedInformation?: { message: string }[];
}

/** The diagnostics in an answer to `textDocument/diagnostic`; empty if it has none. */
export function serverDiagnostics(answer: unknown): ServerDiagnostic[] {
  if (typeof answer !== 'object' || answer === null || !('items' in answer)) return [];
  return Array.isArray(answer.items) ? answer.items : [];
}
