/** A practice site on a real port with a clock of its own, and somebody who visits it. */
import type { HttpResponse } from '../../src/core/io.ts';
import { type FakeClock, fakeClock } from '../../src/io/clock.ts';
import { createHttp } from '../../src/io/http.ts';
import { type AnyPuzzle, practiceYear } from '../../src/practice/puzzle.ts';
import { type PracticeSite, type PracticeSiteOptions, startPracticeSite } from '../../src/practice/site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const http = createHttp({ identity: { tool: 'polya-test', version: '0' } });

export type SiteFixture = AsyncDisposable & { readonly site: PracticeSite; readonly clock: FakeClock };

export async function startSite(options: Partial<PracticeSiteOptions> = {}): Promise<SiteFixture> {
  const folder = temporaryFolder('practice');
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const site = await startPracticeSite({ stateFolder: folder, clock, ...options });
  return {
    site,
    clock,
    [Symbol.asyncDispose]: () => site.close(),
  };
}

/** Without a session: a stranger. */
export function visitor(url: string, session: string | null, year = practiceYear) {
  const headers: Record<string, string> = session === null ? {} : { cookie: `session=${session}` };
  const get = (path: string): Promise<HttpResponse> =>
    http.request({ method: 'GET', url: `${url}${path}`, headers });
  const answer = async (day: number, level: number, text: string): Promise<HttpResponse> =>
    http.request({
      method: 'POST',
      url: `${url}/${year}/day/${day}/answer`,
      headers,
      form: { level: String(level), answer: text },
    });
  const page = (day: number) => get(`/${year}/day/${day}`);
  const input = (day: number) => get(`/${year}/day/${day}/input`);
  return {
    get,
    page,
    input,
    answer,
    /** Answers one part rightly. */
    async solve(puzzle: AnyPuzzle, level: number): Promise<string> {
      const truth = puzzle.solve((await input(puzzle.day)).body);
      return (await answer(puzzle.day, level, truth[level - 1] ?? '')).body;
    },
  };
}
