/** A look at a page by axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Run by the debugger's hand, so that the policy of the page stays as it is. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What only somebody who cannot see, hear or point well would meet: empty where there is nothing. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
