/** A site whose task has another name, whose page changes, and that has no tools where its page says so. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { newDesk } from './fixture.ts';

const closers: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function siteOf(pages: Record<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page === undefined ? 404 : 200).end(page ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const duration =
  '<p class="contest-duration"><time>2020-03-14 19:00:00+0900</time><time>2020-03-14 23:00:00+0900</time></p>';
const task = (text: string, links = ''): string =>
  `<span class="h2">A - X</span><div id="task-statement"><span class="lang-en"><h3>Scoring</h3><p>${text} The higher the score, the better.</p>${links}</span></div>`;

test('the task is found in the list of tasks where it has another name', async () => {
  const site = await siteOf({
    '/contests/old-contest': duration,
    '/contests/old-contest/tasks': '<a href="/contests/old-contest/tasks/other_z">A</a>',
    '/contests/old-contest/tasks/other_z': task(
      'Hello.',
      '<a href="/t.zip">zip</a><a href="/vis.jar">vis</a>',
    ),
    '/vis.jar': 'jar',
  });
  const desk = newDesk();
  const { contest, troubles } = await desk.init('old-contest', { site });
  expect(contest.url).toBe(`${site}/contests/old-contest/tasks/other_z`);
  expect(desk.read('old-contest', 'tools/visualizer/vis.jar')).toBe('jar');
  expect(troubles.map(({ why }) => why).join()).toContain('does not have the archive that its page names');
});

test('without any task is refused, and makes nothing', async () => {
  const site = await siteOf({ '/contests/empty': duration });
  const desk = newDesk();
  await expect(desk.init('empty', { site })).rejects.toThrow('has no task that could be found');
  expect(desk.has('empty', '.')).toBe(false);
});

test('a statement that was corrected is taken with --fresh, and the one before is put aside', async () => {
  const pages = { '/contests/c': duration, '/contests/c/tasks/c_a': task('First.') };
  const site = await siteOf(pages);
  const desk = newDesk();
  await desk.init('c', { site, language: 'en' });
  pages['/contests/c/tasks/c_a'] = task('Second.');
  await desk.init('c', { site, language: 'en' });
  expect(desk.read('c', 'problem/problem.md')).toContain('First.');
  await desk.init('c', { site, language: 'en', isFresh: true });
  expect(desk.read('c', 'problem/problem.md')).toContain('Second.');
  expect(desk.read('c', 'problem/before/problem.md')).toContain('First.');
  expect(desk.read('c', 'problem/contest.json')).toContain('maximise');
});
