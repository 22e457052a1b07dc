import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2, levels A and AA, and axe's own of good practice that hold for a part of a page, too. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The text of axe, which runs in the page; it is read once. */
let axe: string | undefined;

/**
 * What axe finds wrong in a part of a page: names, roles, contrast, focus and the like.
 *
 * @param part CSS selector of the part: all elements that it matches are looked at, with all that is in them.
 * @returns One line a finding, such as `button-name (critical): <button></button>`; an empty list if there is none.
 * @throws If nothing matches, since nothing would then be checked.
 * @example expect(await axeFindings(page, '.oddslab-variables')).toEqual([]);
 */
export async function axeFindings(page: Page, part: string): Promise<string[]> {
  axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const matched = await page.locator(part).count();
  if (matched === 0) throw new Error(`axe has nothing to look at: no element matches ${part}`);
  // Evaluated, not added as a script, so that the page's own policy stays as it is.
  await page.evaluate(axe);
  const run = `axe.run(${JSON.stringify(part)}, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${id} (${impact}): ${html}`));
}
