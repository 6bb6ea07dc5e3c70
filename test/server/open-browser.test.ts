/** `polya view` where there is a browser: the token stands in no argument of a program, and the page opens all the same. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { pageCache, theBrowser } from './browser.ts';

test('the browser is given a private file that leads to the page and its screen, and is gone afterwards', async () => {
  const here = newPlace();
  const place = { ...here, env: { ...here.env, ...pageCache, DISPLAY: ':9' } };
  const replies = [{ text: 'The answer is 4.' }];
  writeFileSync(join(here.folder, 'script.json'), JSON.stringify({ roles: { solver: { '': replies } } }));
  expect(await polya(place, ['ask', '2+2?', '--model', 'scripted:script.json'])).toMatchObject({ code: 0 });
  let command: readonly string[] = [];
  let [stop, address] = [(): void => undefined, ''];
  const ended = polya(place, ['view', 'last'], {
    isInteractive: true,
    onSpawn: (words) => {
      command = words;
      return 0;
    },
    onWrite: (text, interrupt) => {
      stop = interrupt;
      address ||= /http:\S+/.exec(text)?.[0] ?? '';
    },
  });
  await until(() => command[1]);
  const [, file = ''] = command;
  expect(command.join(' ')).not.toMatch(/token|[0-9a-f]{32}/);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const context = await (await theBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  await page.locator('.inspector').first().waitFor();
  expect(page.url()).toBe(address.replace(/\?token=[0-9a-f]+/, ''));
  await context.close();
  stop();
  expect(await ended).toMatchObject({ code: 0 });
  expect(existsSync(dirname(file))).toBe(false);
});
