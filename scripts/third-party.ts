/** Writes docs/third-party.md (`npm run docs:third-party`): every package that comes with Polya, and its licence. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export const thirdPartyPage = join(root, 'docs', 'third-party.md');

export type Package = { readonly name: string; readonly version: string; readonly licence: string | null };

type Locked = {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
};

/** Old packages say it in a list, which npm does not take into its lockfile; these were read by hand. */
const readByHand: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT',
};

/** What `npm install polya` brings, and what is built into the page. By name, each version once. */
export function packages(): readonly Package[] {
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const found = new Map<string, Package>();
  for (const [path, { version, license, dev }] of Object.entries(lock.packages)) {
    const name = path.replace(/^.*node_modules\//, '');
    if (path === '' || (dev && !isInPage(name))) continue;
    found.set(`${name} ${version}`, { name, version, licence: license ?? readByHand[name] ?? null });
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** Needed at build time alone, and then a part of the page's files. */
function isInPage(name: string): boolean {
  return name === 'preact' || name.startsWith('@preact/');
}

export function thirdPartyMarkdown(): string {
  const all = packages();
  const counts = Map.groupBy(all, ({ licence }) => licence ?? 'unknown');
  const byLicence = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return `# Licences of what Polya brings

For those who pass Polya on, and for their lawyers. This page is made from the lockfile by \`npm run docs:third-party\`; a test holds it against the lockfile, and every licence against a list of those that may be passed on.

Polya itself is under the MIT licence. Compilers, runtimes and bubblewrap come from your system's packages and are not part of Polya. \`npm run sbom\` writes the same list as a software bill of materials (CycloneDX). Preact is built into the page; its licence lies beside the page's files.

| licence | packages |
|---|---:|
${byLicence.map(([licence, some]) => `| ${licence} | ${some.length} |`).join('\n')}

| package | version | licence |
|---|---|---|
${all.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence ?? 'unknown'} |`).join('\n')}
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(thirdPartyPage, thirdPartyMarkdown());
