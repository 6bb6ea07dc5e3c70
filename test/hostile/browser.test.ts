/** Every document in a real browser, under the policy that it brings: no script runs, no request leaves, nothing asks for more. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelRequest } from '../../src/core/model.ts';
import { openReplyServer } from '../../src/models/manual/server.ts';
import { theBrowser } from '../server/browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { htmlDocuments, pictures } from './documents.ts';
import { hostileTexts } from './texts.ts';

type Seen = { readonly requests: string[]; readonly happened: string[] };

/** What a page does beside being shown. The policy tells of what it forbids: where text is text, there is nothing. */
async function watched(own: (url: string) => boolean): Promise<Seen & { page: Page }> {
  const context = await (await theBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const seen: Seen = { requests: [], happened: [] };
  page.on('request', (request) => void (own(request.url()) || seen.requests.push(request.url())));
  page.on('dialog', (dialog) => {
    seen.happened.push('a dialog');
    void dialog.dismiss();
  });
  page.on('popup', () => void seen.happened.push('a window'));
  page.on('pageerror', (error) => void seen.happened.push(error.message));
  page.on('console', (message) => void seen.happened.push(message.text()));
  return { ...seen, page };
}

/** What a script that ran would have left, and how many there are. */
async function pwned(page: Page): Promise<unknown> {
  const left = await page.evaluate(() => Reflect.get(globalThis, 'pwned') ?? null);
  return [left, await page.locator('script').count()];
}

/** Each in a paragraph of its own: a page for each of them takes minutes, and the parser reads each alone. */
const groups = Array.from({ length: Math.ceil(hostileTexts.length / 12) }, (_, at) =>
  hostileTexts.slice(at * 12, at * 12 + 12).join('\n\n'),
);

const documents = Object.entries({ ...htmlDocuments, ...pictures });

describe.each(documents)('%s', (name, document) => {
  test('opens, runs nothing and fetches nothing', async () => {
    const folder = temporaryFolder('browser');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `page.${name in pictures ? 'svg' : 'html'}`);
    const { page, requests, happened } = await watched(
      (url) => url.startsWith('file://') || url.startsWith('data:font/'),
    );
    for (const text of groups) {
      writeFileSync(file, document(text));
      await page.goto(pathToFileURL(file).href);
      expect([await pwned(page), requests, happened], JSON.stringify(text)).toEqual([[null, 0], [], []]);
    }
    await page.close();
  });
});

test('the page of a person who answers shows what models are asked, and runs nothing of it', async () => {
  const desk = await openReplyServer(0);
  const { page, requests, happened } = await watched((url) => url.startsWith(desk.url));
  const done = new AbortController();
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script></svg>',
  );
  const image = { type: 'image', mediaType: 'image/svg+xml', data: picture.toString('base64') } as const;
  const asked = hostileTexts.map((text) => {
    const request: ModelRequest = { messages: [{ role: 'user', content: [{ type: 'text', text }, image] }] };
    const call = { role: text, branch: text, index: 1, attempt: 0, signal: done.signal } as never;
    return desk.ask({ request, call }).catch(() => null);
  });
  await page.goto(desk.url);
  await page
    .locator('article')
    .nth(hostileTexts.length - 1)
    .waitFor();
  await page.waitForLoadState('networkidle');
  expect(await pwned(page)).toEqual([null, 1]);
  expect(requests).toEqual([]);
  expect(happened).toEqual([]);
  expect(await page.locator('article *:not(h2, button, pre, img, textarea, p)').count()).toBe(0);
  // A picture alone is a document of its own: it may be opened.
  const address = await page.locator('img').first().getAttribute('src');
  await page.goto(new URL(address ?? '', desk.url).href);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned') ?? null)).toBeNull();
  done.abort();
  await Promise.all(asked);
  await page.close();
  await desk.close();
});
