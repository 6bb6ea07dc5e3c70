/** The last day of the year: one part to answer, and a second star that comes with all the others. */
import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { nightMail } from '../../src/practice/puzzles/day02-night-mail.ts';
import { garlandsForTheSummit } from '../../src/practice/puzzles/day25-garlands-for-the-summit.ts';
import { practiceEvents, puzzles } from '../../src/practice/puzzles/index.ts';
import { startSite, visitor } from './fixture.ts';

const events = [{ year: 2000, puzzles: [ticketStubs, nightMail, garlandsForTheSummit] }];

/** What a client reads on a page. */
function read(html: string) {
  const page = load(html);
  return {
    articles: page('article.day-desc').length,
    answers: page('main > p:contains("Your puzzle answer was")').length,
    isHalf: html.includes('The first half of this puzzle is complete!'),
    isWhole: html.includes('Both parts of this puzzle are complete!'),
    forms: page('form').length,
  };
}

test('waits for the other stars, says which, and is complete by itself with the last of them', async () => {
  await using fixture = await startSite({ events });
  const ada = visitor(fixture.site.url, fixture.site.sessionFor('ada'));
  const lastPage = async () => (await ada.page(25)).body;
  expect(read(await lastPage())).toEqual({
    articles: 1,
    answers: 0,
    isHalf: false,
    isWhole: false,
    forms: 1,
  });

  await ada.solve(ticketStubs, 1);
  const accepted = await ada.solve(garlandsForTheSummit, 1);
  expect(accepted).toContain("That's the right answer");
  expect(accepted).toContain('will come by itself');
  expect(accepted).not.toMatch(/Both parts|Part two/);
  expect(read(await lastPage())).toEqual({ articles: 1, answers: 1, isHalf: true, isWhole: false, forms: 0 });
  expect(await lastPage()).toContain('<code>3</code>: 1 of day 1, 2 of day 2.');
  expect((await ada.answer(25, 2, 'done')).body).toContain("You don't seem to be solving the right level");

  await ada.solve(ticketStubs, 2);
  await ada.solve(nightMail, 1);
  expect(await lastPage()).toContain('<code>1</code>: 1 of day 2.');
  const final = await ada.solve(nightMail, 2);
  expect(final).toContain("That's the right answer");
  expect(final).toContain('Both parts of this puzzle are complete!');
  expect(final).toContain('the second star of day 25 has come by itself');
  expect(read(await lastPage())).toEqual({ articles: 1, answers: 1, isHalf: false, isWhole: true, forms: 0 });
  expect((await ada.answer(25, 2, 'done')).body).toContain("You've finished every puzzle");
});

test('is complete at once for whoever has all the others, and for nobody else', async () => {
  await using fixture = await startSite({ events });
  const ada = visitor(fixture.site.url, fixture.site.sessionFor('ada'));
  for (const puzzle of [ticketStubs, nightMail]) {
    for (const level of [1, 2]) expect(await ada.solve(puzzle, level)).not.toContain('day 25');
  }
  expect(await ada.solve(garlandsForTheSummit, 1)).toContain('Both parts of this puzzle are complete!');
  expect(read((await ada.page(25)).body)).toMatchObject({ articles: 1, isWhole: true });

  const bob = visitor(fixture.site.url, fixture.site.sessionFor('bob'));
  await bob.solve(garlandsForTheSummit, 1);
  expect(read((await bob.page(25)).body)).toMatchObject({ isHalf: true, isWhole: false });
  expect((await bob.get('/')).body).toContain('Day 25: Garlands for the Summit</a> *</li>');
  expect((await ada.get('/')).body).toContain('Day 25: Garlands for the Summit</a> **</li>');
});

test('is told to programs before any site is started', () => {
  expect(practiceEvents).toEqual([{ year: 2000, days: [1, 2, 3, 25], lastDay: 25 }]);
});

test('a whole year, answered from the first day to the last over the wire', async () => {
  await using fixture = await startSite();
  const ada = visitor(fixture.site.url, fixture.site.sessionFor('ada'));
  for (const puzzle of puzzles) {
    for (const level of puzzle.parts.keys()) {
      expect(await ada.solve(puzzle, level + 1)).toContain("That's the right answer");
    }
    expect((await ada.page(puzzle.day)).body).toContain('Both parts of this puzzle are complete!');
  }
  const index = (await ada.get('/')).body;
  expect(index.match(/\*\*<\/li>/g)).toHaveLength(puzzles.length);
  expect((await ada.answer(1, 1, '1')).body).toContain("You've finished every puzzle");
});
