/** What a public release needs beside the code: licences, a changelog, files for those who report, cite and build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packages, thirdPartyMarkdown, thirdPartyPage } from '../../scripts/third-party.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest: {
  version: string;
  license: string;
  scripts: Record<string, string>;
  private?: boolean;
  publishConfig: object;
} = JSON.parse(read('package.json'));

describe('licences', () => {
  /** Those that ask for nothing but to be named. */
  const allowed = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|PSF-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0)$/;

  test('each package may be passed on', () => {
    const isAllowed = (licence: string | null) =>
      (licence ?? '')
        .replace(/[()]/g, '')
        .split(' OR ')
        .some((each) => allowed.test(each));
    expect(packages().filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  });

  test('docs/third-party.md is the page of today; if not, `npm run docs:third-party` writes it', () => {
    expect(readFileSync(thirdPartyPage, 'utf8')).toBe(thirdPartyMarkdown());
  });
});

test('the changelog has a heading for what is not released, and versions with dates below it', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings[0]).toBe('[Unreleased]');
  for (const heading of headings.slice(1))
    expect(heading).toMatch(/^\[\d+\.\d+\.\d+(-\w+\.\d+)?\] - \d{4}-\d{2}-\d{2}$/);
  const kinds = [...read('CHANGELOG.md').matchAll(/^### (.*)$/gm)].map(([, kind]) => kind);
  for (const kind of kinds) expect(kind).toMatch(/^(Added|Changed|Deprecated|Removed|Fixed|Security)$/);
  expect(kinds).not.toEqual([]);
});

test('the file for citations is of this version and this licence', () => {
  const cited = parse(read('CITATION.cff'));
  expect(cited).toMatchObject({
    'cff-version': '1.2.0',
    title: 'Polya',
    version: manifest.version,
    license: manifest.license,
  });
  expect(cited.authors.length).toBeGreaterThan(0);
});

describe('one version', () => {
  const { version } = manifest;

  test('stands in the lockfile, in the changelog with its day, and in what READMEs tell to type', () => {
    const lockfile = JSON.parse(read('package-lock.json'));
    expect([lockfile.version, lockfile.packages[''].version]).toEqual([version, version]);
    expect(read('CHANGELOG.md')).toContain(`\n## [${version}] - `);
    for (const file of ['README.md', 'README.ja.md'])
      expect([...read(file).matchAll(/polya-(\S+?)\.tgz/g)].map(([, told]) => told)).toEqual([version]);
  });

  test('can be published from a public CI alone: npm refuses provenance anywhere else, and a candidate is not `latest`', () => {
    expect(manifest.private).toBe(undefined);
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    const release = read('.github/workflows/release.yml');
    expect(release).toContain('id-token: write');
    expect(release).toContain('*-*) echo next ;;');
  });
});

describe('files for a public CI', () => {
  type Workflow = {
    name: string;
    on: object;
    jobs: Record<string, { 'runs-on': string; steps: { run?: string; uses?: string }[] }>;
  };
  const workflows = readdirSync(join(root, '.github/workflows'));

  test.each(workflows)(
    '%s: each job has steps that run something, and scripts of ours that exist',
    (file) => {
      const workflow: Workflow = parse(read(`.github/workflows/${file}`));
      expect(workflow).toMatchObject({ name: expect.any(String), on: expect.any(Object) });
      for (const job of Object.values(workflow.jobs)) {
        expect(job['runs-on']).toEqual(expect.any(String));
        for (const { run, uses } of job.steps) {
          expect([run, uses].filter(Boolean)).toHaveLength(1);
          for (const [, script] of (run ?? '').matchAll(/npm (?:run (?:--silent )?|(?=test\b))([\w:]+)/g)) {
            expect(manifest.scripts).toHaveProperty(script ?? '');
          }
        }
      }
    },
  );

  test('the public CI runs what `.ci/run` runs', () => {
    const ours = read('.ci/run');
    const theirs = read('.github/workflows/ci.yml');
    for (const command of ['npm ci', './polya setup --yes', 'npm test', 'npm run test:long']) {
      expect(ours).toContain(command);
      expect(theirs).toContain(command);
    }
  });

  test('a job on a bare Debian has libatomic, without which Node 26 does not begin, and no Node 18, with which npm leaves out what tests and page are built with', () => {
    const { jobs }: Workflow = parse(read('.github/workflows/ci.yml'));
    for (const { steps } of Object.values(jobs)) {
      expect(steps[0]?.run).toMatch(/ (g\+\+|libatomic1)(?!\S)/);
      expect(steps[0]?.run).not.toContain('nodejs');
      const at = (text: string) => steps.findIndex(({ run, uses }) => (run ?? uses ?? '').startsWith(text));
      expect(at('actions/setup-node@')).toBeGreaterThan(0);
      expect(at('npm ci')).toBeGreaterThan(at('actions/setup-node@'));
    }
  });

  test('templates of issues ask for what a repair needs', () => {
    const bug = parse(read('.github/ISSUE_TEMPLATE/bug.yml'));
    expect(bug.body.length).toBeGreaterThan(1);
    expect(read('.github/ISSUE_TEMPLATE/bug.yml')).toContain('polya doctor');
  });
});

test.each(['CONTRIBUTING.md', 'SECURITY.md'])('links of %s lead somewhere', (file) => {
  for (const [, target] of read(file).matchAll(/\]\(([^)#]+)/g))
    expect([target, existsSync(join(root, target ?? ''))]).toEqual([target, true]);
});
