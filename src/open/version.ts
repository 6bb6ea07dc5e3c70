/** How Polya names itself: to the sites that it asks, and in the journals that it writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../io/bundled.ts';
import type { Environment } from '../io/home.ts';

export function codeVersion(): string {
  return packageJson().version;
}

function packageJson(): { version: string; homepage?: string } {
  return JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
}

export function identityOf(env: Environment) {
  const { version, homepage } = packageJson();
  return {
    tool: 'polya',
    version,
    ...(homepage ? { home: homepage } : {}),
    ...(env.POLYA_CONTACT?.trim() ? { contact: env.POLYA_CONTACT.trim() } : {}),
  };
}
