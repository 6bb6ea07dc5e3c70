/** Every link of our documents leads somewhere, in a clone and in the package. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = globSync('{*,docs/**/*,bench/*,examples/**/*,test/**/*,src/**/*}.md', { cwd: root }).filter(
  (path) => !path.includes('node_modules') && !path.startsWith(join('test', 'hostile')),
);
const { files: packed }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

type Link = {
  readonly from: string;
  readonly target: string;
  readonly path: string;
  readonly anchor: string;
};

/** Links to places of ours, without those in code. */
function linksOf(from: string): readonly Link[] {
  const text = readFileSync(join(root, from), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { from, target, path: path === '' ? from : join(dirname(from), path), anchor };
    });
}

/** As renderers of Markdown name headings. */
function anchorsIn(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

const isPacked = (path: string) =>
  /^(README|LICENSE)/.test(path) ||
  packed.some((each) => !each.startsWith('!') && (path === each || path.startsWith(each + sep))) ||
  // A folder that is packed in part.
  packed.some((each) => each.startsWith(path + sep));

const links = documents.flatMap(linksOf);

test('links lead to files, and to headings that are there', () => {
  const isDead = ({ path, anchor }: Link) => {
    const whole = join(root, path);
    if (!existsSync(whole)) return true;
    return anchor !== '' && statSync(whole).isFile() && !anchorsIn(path).includes(anchor);
  };
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(isDead).map(({ from, target }) => `${from}: ${target}`)).toEqual([]);
});

test('what the package brings links to nothing that it does not bring', () => {
  const isMissing = ({ from, path }: Link) => isPacked(from) && !isPacked(relative('.', path));
  expect(links.filter(isMissing).map(({ from, target }) => `${from}: ${target}`)).toEqual([]);
});

test('the pages that messages and comments of the source name are there', () => {
  const sources = globSync('{src,scripts,examples,bench}/**/*.{ts,tsx,json,yaml,sh,md}', { cwd: root });
  const named = sources
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(
        ([page]) => `${path}: ${page}`,
      ),
    );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((each) => !existsSync(join(root, each.split(': ')[1] ?? '')))).toEqual([]);
});

test('the index of documents leads to each of them', () => {
  const listed = linksOf(join('docs', 'README.md')).map(({ path }) => path);
  expect(documents.filter((path) => path.startsWith('docs') && !listed.includes(path))).toEqual([
    join('docs', 'README.md'),
  ]);
});

test('the tests that docs/specifications.md names are there', () => {
  const page = readFileSync(join(root, 'docs/specifications.md'), 'utf8');
  const named = [...page.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
