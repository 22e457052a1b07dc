import { ContentFields, type Incoming } from '../protocol/message.js';
import { LineIndex } from '../transform/source-lines.js';
import type { Diagnostic } from '../types/type-service.js';
import type { CellTypes } from './cell-types.js';
import { placeIn, plainDocumentation } from './type-answers.js';

/** More findings in one cell help nobody who is writing it. */
const MOST_FOUND = 100;

/**
 * Answers what Jupyter's protocol lacks for cells that are being written: `diagnostics_request`, `signature_request`. A
 * newer request for the same cell of the same front end (its `cellId` in the metadata, as in execute requests) replaces
 * an older one, whose reply then has the status `aborted`.
 */
export class DraftAnswers {
  readonly #types: CellTypes;
  readonly #latest = new Map<string, AbortController>();

  constructor(types: CellTypes) {
    this.#types = types;
  }

  /** What a cell would be warned of if it ran now: `{ diagnostics: [{ from, to, severity, code, message }] }`. */
  diagnostics(message: Incoming): Promise<object> {
    const code = new ContentFields(message.content).text('code');
    return this.#newest(message, async (unwanted) => {
      const found = await this.#types.diagnose(code, unwanted);
      if (!found) return { status: 'aborted' };
      const told = found.filter(({ severity }) => severity !== 'hint').slice(0, MOST_FOUND);
      return { diagnostics: placed(told, code) };
    });
  }

  /** The call around the cursor: `{ found, signatures, active, parameter }`; its documentation is plain text. */
  signatures(message: Incoming): Promise<object> {
    const { code, offset } = placeIn(new ContentFields(message.content));
    return this.#newest(message, async (unwanted) => {
      const call = await this.#types.signatures(code, offset, unwanted);
      if (unwanted.aborted) return { status: 'aborted' };
      if (!call) return { found: false, signatures: [], active: 0, parameter: null };
      const signatures = call.signatures.map(({ label, documentation, parameters }) => {
        const points = codePointsIn(label);
        return {
          label,
          documentation: plainDocumentation(documentation),
          parameters: parameters.map(({ start, end, documentation: about }) => ({
            from: points(start),
            to: points(end),
            documentation: plainDocumentation(about),
          })),
        };
      });
      return { found: true, signatures, active: call.active, parameter: call.parameter ?? null };
    });
  }

  async #newest({ header, metadata }: Incoming, answer: (unwanted: AbortSignal) => Promise<object>): Promise<object> {
    const asked = JSON.stringify([header.msg_type, header.session, metadata.cellId]);
    this.#latest.get(asked)?.abort();
    const own = new AbortController();
    this.#latest.set(asked, own);
    try {
      return await answer(own.signal);
    } finally {
      if (this.#latest.get(asked) === own) this.#latest.delete(asked);
    }
  }
}

function placed(found: Diagnostic[], code: string): object[] {
  const lines = new LineIndex(code);
  const points = codePointsIn(code);
  return found.map(({ start, end, severity, code: number, message }) => {
    const from = points(lines.offset(start));
    return { from, to: Math.max(from, points(lines.offset(end))), severity, code: number, message };
  });
}

/** Converts many offsets of a text from UTF-16 units to code points; limited to the text. */
function codePointsIn(text: string): (utf16: number) => number {
  const pairs = Array.from(text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g), ({ index }) => index);
  return (utf16) => {
    const at = Math.min(utf16, text.length);
    return at - pairs.filter((index) => index + 1 < at).length;
  };
}
