/** Who is let in: dead sessions, new ones, and days that have not come yet. */

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

describe('the accounts of another version', () => {
  test('an earlier one, which knew no years, are taken over', async () => {
    const folder = temporaryFolder('ledger');
    const old = new DatabaseSync(join(folder, 'practice.sqlite'));
    old.exec(`
        CREATE TABLE accounts (
          id INTEGER PRIMARY KEY, user TEXT NOT NULL, seed TEXT NOT NULL, session TEXT NOT NULL UNIQUE, UNIQUE (user, seed));
        CREATE TABLE stars (
          account INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL, at_ms INTEGER NOT NULL,
          PRIMARY KEY (account, day, level)) WITHOUT ROWID;
        CREATE TABLE wrong_answers (
          account INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL, wait_until_ms INTEGER NOT NULL);
        CREATE INDEX wrong_answers_by_account ON wrong_answers (account);
        INSERT INTO accounts VALUES (1, 'ada', '', 'cookie');
        INSERT INTO stars VALUES (1, 1, 1, 5), (1, 1, 2, 6), (1, 2, 1, 7);
        INSERT INTO wrong_answers VALUES (1, 2, 2, 9000)`);
    old.close();
    for (const _ of ['taken over', 'opened again']) {
      const ledger = openLedger(folder);
      expect(ledger.sessionFor('ada', '')).toBe('cookie');
      const account = ledger.accountOf('cookie') ?? { id: 0, user: '', seed: '' };
      expect(ledger.answeredBy(account, practiceYear)).toEqual(
        new Map([
          [1, 2],
          [2, 1],
        ]),
      );
      const at = { year: practiceYear, day: 2, level: 2, nowMs: 0 };
      ledger.attempt(account, at, (history) => {
        expect(history).toMatchObject({ wrongAnswers: 1, waitUntilMs: 9_000 });
        return { kind: 'too-recent', leftMs: 1 };
      });
      ledger.close();
    }
  });

  test('a later one are left alone', async () => {
    const folder = temporaryFolder('ledger');
    const later = new DatabaseSync(join(folder, 'practice.sqlite'));
    later.exec('PRAGMA user_version = 99');
    later.close();
    expect(() => openLedger(folder)).toThrow(coded('ledger-newer'));
  });
});
