/**
 * Whether a whole text matches a pattern: `*` stands for any text, `?` for any one UTF-16 unit, and `[ab]` or `[^ab]`
 * for one that is, or is not, among the listed ones or ranges. Takes at most the product of both lengths in steps.
 *
 * @example globMatches('open?ab*', 'openLab()\nmore'); // true
 */
export function globMatches(pattern: string, text: string): boolean {
  const steps = parse(pattern);
  let step = 0;
  let star = -1;
  let resume = 0;
  for (let at = 0; at < text.length; ) {
    const current = steps[step];
    if (current === '*') {
      star = step++;
      resume = at;
    } else if (current?.(text.charAt(at))) {
      step += 1;
      at += 1;
    } else if (star >= 0) {
      step = star + 1;
      at = ++resume;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === '*');
}

type Step = '*' | ((unit: string) => boolean);

function parse(pattern: string): Step[] {
  const steps: Step[] = [];
  for (const [token] of pattern.matchAll(/\[\^?\]?[^\]]*\]|./gs)) {
    if (token === '*') steps.push('*');
    else if (token === '?') steps.push(() => true);
    else if (token.length > 1) steps.push(oneOf(token.slice(1, -1)));
    else steps.push((unit) => unit === token);
  }
  return steps;
}

function oneOf(listed: string): (unit: string) => boolean {
  const isNegated = listed.startsWith('^');
  const ranges = [...(isNegated ? listed.slice(1) : listed).matchAll(/(.)-(.)|(.)/gs)].map(
    ([, from, to, single]) => [from ?? single ?? '', to ?? single ?? ''] as const,
  );
  return (unit) => ranges.some(([from, to]) => from <= unit && unit <= to) !== isNegated;
}
