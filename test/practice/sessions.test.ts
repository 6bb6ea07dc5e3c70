/** Who is let in: dead sessions, new ones, and days that have not come yet. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../src/io/clock.ts';
import { openLedger } from '../../src/practice/ledger.ts';
import { opensAtMs, practiceYear } from '../../src/practice/puzzle.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { nightMail } from '../../src/practice/puzzles/day02-night-mail.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startSite, visitor } from './fixture.ts';

describe('a session that has expired', () => {
  test('is nobody’s, and the account gets a new one with all its stars', async () => {
    await using fixture = await startSite();
    const { site } = fixture;
    const session = site.sessionFor('ada');
    const ada = visitor(site.url, session);
    const input = (await ada.input(1)).body;
    await ada.solve(ticketStubs, 1);
    site.expireSession(session);

    const page = await ada.page(1);
    expect(page.status).toBe(200);
    expect(page.body).toContain('[Log In]');
    expect(page.body).not.toContain('Part Two');
    expect((await ada.input(1)).status).toBe(400);
    const answered = await ada.answer(1, 2, '1');
    expect(answered).toMatchObject({ status: 302, headers: { location: '/auth/login' } });

    expect(site.sessionFor('ada')).not.toBe(session);
    const again = visitor(site.url, site.sessionFor('ada'));
    expect((await again.input(1)).body).toBe(input);
    expect((await again.page(1)).body).toContain('The first half of this puzzle is complete!');
    site.expireSession('unknown');
    expect((await again.page(1)).body).not.toContain('[Log In]');
  });

  test('a person can end it, and begin another one with a link', async () => {
    await using fixture = await startSite();
    const { site } = fixture;
    const session = site.sessionFor('ada');
    const login = await visitor(site.url, null).get(site.loginUrl(session).slice(site.url.length));
    expect(login).toMatchObject({ status: 302, headers: { location: '/' } });
    expect(login.headers['set-cookie']).toContain(`session=${session}; Path=/; HttpOnly; SameSite=Lax`);

    const ada = visitor(site.url, session);
    expect((await ada.page(1)).body).toContain('<a href="/auth/logout">[Log Out]</a>');
    expect((await ada.get('/auth/logout')).status).toBe(302);
    expect((await ada.page(1)).body).toContain('[Log In]');
    const dead = await ada.get(`/auth/login?session=${session}`);
    expect(dead).toMatchObject({ status: 200 });
    expect(dead.headers['set-cookie']).toBeUndefined();
  });
});

describe('an event to come', () => {
  const year = 2031;
  const events = [
    { year: practiceYear, puzzles: [ticketStubs] },
    { year, puzzles: [ticketStubs, nightMail] },
  ];

  test('is locked, day by day, until midnight in New York', async () => {
    const clock = fakeClock(opensAtMs(year, 1) - 1);
    await using fixture = await startSite({ events, clock });
    const ada = visitor(fixture.site.url, fixture.site.sessionFor('ada'), year);
    const statuses = async (day: number) => [
      (await ada.page(day)).status,
      (await ada.input(day)).status,
      (await ada.answer(day, 1, '1')).status,
    ];
    expect(await statuses(1)).toEqual([404, 404, 404]);
    expect((await ada.get('/')).body).toContain('Day 1 is still locked');
    clock.advance(1);
    expect(await statuses(1)).toEqual([200, 200, 200]);
    expect(await statuses(2)).toEqual([404, 404, 404]);
    expect((await ada.get('/')).body).not.toContain('The Night Mail');
    clock.advance(24 * 60 * 60 * 1000);
    expect(await statuses(2)).toEqual([200, 200, 200]);
    expect(await statuses(3)).toEqual([404, 404, 404]);
    expect((await visitor(fixture.site.url, null, year).page(2)).body).toContain('The Night Mail');
  });

  test('has inputs and stars of its own', async () => {
    const clock = fakeClock(opensAtMs(year, 2));
    await using fixture = await startSite({ events, clock });
    const session = fixture.site.sessionFor('ada');
    const then = visitor(fixture.site.url, session);
    const later = visitor(fixture.site.url, session, year);
    expect((await then.input(1)).body).not.toBe((await later.input(1)).body);
    await then.solve(ticketStubs, 1);
    expect(await then.solve(ticketStubs, 2)).toContain('Both parts of this puzzle are complete!');
    expect((await then.answer(1, 1, '1')).body).toContain("You've finished every puzzle");
    expect((await later.page(1)).body).not.toContain('Your puzzle answer was');
    expect(await later.solve(ticketStubs, 1)).toContain("That's the right answer");
  });
});

test.each([
  ['accounts of a later version', 'PRAGMA user_version = 99', 'ledger-newer'],
  ['tables of another program', 'CREATE TABLE bookmarks (url TEXT)', 'ledger-foreign'],
  [
    'a trigger of somebody else',
    'CREATE TRIGGER t AFTER INSERT ON accounts BEGIN DELETE FROM stars; END',
    'ledger-foreign',
  ],
  ['a view in the place of a table', 'DROP TABLE stars; CREATE VIEW stars AS SELECT 1', 'ledger-foreign'],
])('a file with %s is left as it is', (_, sql, code) => {
  const folder = temporaryFolder('ledger');
  openLedger(folder).close();
  const file = join(folder, 'practice.sqlite');
  {
    using other = new DatabaseSync(file);
    other.exec(sql);
  }
  const before = readFileSync(file);
  expect(() => openLedger(folder)).toThrow(coded(code));
  expect(readFileSync(file).equals(before)).toBe(true);
});
