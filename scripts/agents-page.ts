/** Writes docs/agents.md (`npm run docs:agents`); a test looks whether it is the page of today. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { factsOf } from '../src/cli/agents.ts';
import { factsPage } from '../src/cli/agents-text.ts';
import { openJournals } from '../src/open/journals.ts';

/** Of what comes with Polya, wherever it is made. */
export async function agentsPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-page-'));
  const journals = openJournals({ folder, env: { POLYA_HOME: folder }, create: true });
  try {
    return factsPage(await factsOf(journals));
  } finally {
    await journals.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '..', 'docs', 'agents.md'), await agentsPage());
}
