import { changeEncoding } from './change-encoding.js';
import { encodingsOf } from './encodings-of.js';
import { eitherLabel } from './merged-axis.js';
import { DASHES, LINE_COLORS } from './theme.js';

/** The channels that tell lines apart, each with its looks in order. */
const LOOKS = { color: LINE_COLORS, strokeDash: DASHES } as const;

type Look = keyof typeof LOOKS;

interface LookDef {
  readonly scale: { readonly domain: readonly string[]; readonly range: readonly unknown[] };
  readonly legend: { readonly labelExpr: string };
}

/** Tells the named lines of all views apart: each name has one look and one entry in a shared legend. */
export function linesTogether(views: readonly object[]): readonly object[] {
  const looks = (Object.keys(LOOKS) as Look[]).filter(
    (look) => views.filter((view) => looksOf(view, look).length > 0).length > 1,
  );
  return looks.reduce<readonly object[]>(shareLook, views);
}

function shareLook(views: readonly object[], look: Look): object[] {
  const defs = views.flatMap((view) => looksOf(view, look));
  const domain = [...new Set(defs.flatMap(({ scale }) => scale.domain))];
  const range = domain.map((_, at) => LOOKS[look][at % LOOKS[look].length]);
  const labelExpr = [...new Set(defs.map(({ legend }) => legend.labelExpr))].reduceRight(eitherLabel);
  const change = (def: object) =>
    isLookDef(def) ? { ...def, scale: { domain, range }, legend: { ...def.legend, labelExpr } } : def;
  return views.map((view) => changeEncoding(view, look, change));
}

function looksOf(view: object, look: Look): LookDef[] {
  return encodingsOf(view, look).filter(isLookDef);
}

function isLookDef(def: unknown): def is LookDef {
  const { scale, legend } = Object(def) as Partial<LookDef>;
  return Array.isArray(scale?.domain) && Array.isArray(scale.range) && typeof legend?.labelExpr === 'string';
}
