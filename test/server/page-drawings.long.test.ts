/** Pictures of the official visualizer on the page, in a real browser: of real programs, drawn in the sandbox, and hostile ones. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../src/families/ahc/layout.ts';
import { practiceWorkspace, solutionFile } from '../ahc/practice-workspace.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { begun } from './app-runs.ts';
import { violations } from './axe.ts';
import { isSideways, look, pageAt, shoot } from './browser.ts';

const score = `fn main() { println!("Score = {}", std::env::args().nth(2).map(|f| std::fs::read(f).unwrap().len()).unwrap_or(0)); }`;

/** Draws with the words that the test gives. */
const drawing = (picture: string, file = 'out.svg'): string =>
  `fn main() { std::fs::write(${JSON.stringify(file)}, r####"${picture}"####).unwrap(); println!("Score = 7"); }`;

type Contest = Place & { readonly workspace: string; readonly id: string; draws(vis: string): void };

/** A search of two programs, whose contest has a visualizer of ours. */
async function searched(): Promise<Contest> {
  const place = newPlace();
  const workspace = practiceWorkspace(place.folder, { inputs: 2 });
  const tools = join(workspace, layout.crate, 'src/bin');
  writeFileSync(join(workspace, layout.statement), '# Parcel vans\n\nServe the customers.\n');
  writeFileSync(join(tools, 'score.rs'), score);
  const programs = ['good', 'weak'].map((name) => readFileSync(solutionFile(name), 'utf8'));
  const replies = programs.map((source) => ({ text: `\`\`\`cpp\n${source}\n\`\`\``, literal: true }));
  const script = join(place.folder, 'script.json');
  writeFileSync(script, JSON.stringify({ roles: { '*': { '*': replies } } }));
  const id = await begun(place, [
    ...['--family', 'ahc', '--problem', JSON.stringify({ workspace }), '--agent', 'best-of-n'],
    ...['--agent-setting', 'programs=2', '--agent-setting', 'atOnce=1', '--model', `scripted:${script}`],
  ]);
  const draws = (vis: string): void => writeFileSync(join(tools, 'vis.rs'), vis);
  return { ...place, workspace, id, draws };
}

const phone = { viewport: { width: 390, height: 844 } };

describe('the visualizer', () => {
  let here: Contest;
  beforeAll(async () => {
    here = await searched();
  });

  test('draws the case on which two candidates differ most, and one of a candidate that is opened', async () => {
    const { page, wrong, close } = await look(here, { hash: `#/runs/${here.id}/panels` });
    const block = page.locator('.drawings').first();
    await block.getByRole('button', { name: /^Draw .+ and / }).click();
    await expect.poll(() => block.locator('img').count()).toBe(2);
    const widths = () => block.locator('img').evaluateAll((all) => all.map((each) => each.clientWidth));
    await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(100);
    await expect.poll(() => block.locator('small').first().textContent()).toContain('output that was scored');
    await block.scrollIntoViewIfNeeded();
    await shoot(page, 'drawings');
    expect(await violations(page)).toEqual([]);
    const saved = page.waitForEvent('download');
    await block.getByRole('button', { name: 'Save vis.html' }).first().click();
    expect((await saved).suggestedFilename()).toBe('vis.html');
    // By keys: into the best, and its other case.
    await page.getByLabel(/^Lineage:/).focus();
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    const opened = page.locator('.opened .drawings');
    await opened.getByRole('combobox').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await opened.locator('img').waitFor();
    const chosen = await opened.getByRole('combobox').inputValue();
    await expect.poll(() => opened.locator('img').getAttribute('alt')).toContain(`Case ${chosen}, gen`);
    await shoot(page, 'drawings-opened');
    expect(wrong).toEqual([]);
    await close();
  });

  test('runs no script and asks for nothing, whatever a tool wrote, and what is no picture is saved alone', async () => {
    const evil = `<script>parent.pwned = 1; fetch("http://127.0.0.1:9/pwned")</script><image href="http://127.0.0.1:9/pwned.png"/><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="top.pwned = 1"/></foreignObject>`;
    const { page, wrong, close } = await look(here, { hash: `#/runs/${here.id}/panels`, ...phone });
    const block = page.locator('.drawings').first();
    const draw = block.getByRole('button', { name: /^Draw/ });
    let answered = 0;
    page.on('response', (response) => {
      if (response.url().endsWith('/drawings')) answered += 1;
    });
    const drawn = async (vis: string, shown: string): Promise<void> => {
      here.draws(vis);
      const before = answered;
      await draw.click();
      await expect.poll(() => answered).toBe(before + 2);
      await expect.poll(() => block.getAttribute('aria-busy')).toBe('false');
      await expect.poll(() => block.locator(shown).count()).toBe(2);
    };
    const size = 'width="900" height="90" onload="top.pwned = 1"';
    rmSync(join(here.workspace, layout.sessionOutputs), { recursive: true });
    await drawn(drawing(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${evil}</svg>`), 'img');
    await expect.poll(() => block.locator('small').first().textContent()).toContain('from a new run');
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, 'drawings-phone');
    await drawn(drawing(`<body onload="top.pwned=1">${evil}<svg ${size}></svg>`, 'vis.html'), 'img');
    expect(await block.locator(':is(script, iframe, svg, object, embed)').count()).toBe(0);
    const alone = 'It is no picture that can be shown here.';
    await drawn(drawing('<script>top.pwned = 1</script><svg><g></svg>', 'vis.html'), `text=${alone}`);
    await drawn(
      'fn main() { eprintln!("The line 3 is <b>odd</b>."); std::process::exit(1) }',
      '[role=alert]',
    );
    await block.getByText('Nothing was drawn. The line 3 is <b>odd</b>.').first().waitFor();
    expect(await page.evaluate('[window.pwned, top.pwned]')).toEqual([undefined, undefined]);
    expect(wrong.filter((each) => !each.includes('409'))).toEqual([]);
    await close();
  });

  test('is not asked where it cannot be: a page that only shows, a copy, a contest without one, no workspace', async () => {
    const hash = `#/runs/${here.id}/panels`;
    const only = await look(here, { hash, isReadOnly: true });
    await only.page.getByText('This page only shows: `polya ahc vis').waitFor();
    expect(await only.page.getByRole('button', { name: /^Draw/ }).count()).toBe(0);
    await only.close();
    for (const words of [[], ['--with-puzzle']]) {
      const told = await polya(here, ['view', here.id, '--export', 'out.html', '--force', ...words]);
      expect(told).toMatchObject({ code: 0 });
      const copy = await pageAt(pathToFileURL(join(here.folder, 'out.html')).href + hash, {
        allowed: 'file:',
      });
      await copy.page.getByText('The pictures of the visualizer are not in this file').waitFor();
      await copy.close();
    }
    const file = join(here.workspace, layout.contest);
    const contest = readFileSync(file, 'utf8');
    const { tools, ...rest } = JSON.parse(contest);
    writeFileSync(file, JSON.stringify({ ...rest, tools: { ...tools, binaries: ['gen', 'score'] } }));
    const none = await look(here, { hash });
    await none.page.getByText('This contest has no visualizer among its tools.').waitFor();
    const answer = await none.page.request.post(`${none.server.url}api/v1/runs/${here.id}/drawings`, {
      data: { seq: 3, case: '0000' },
    });
    expect(answer.status()).toBe(409);
    await none.close();
    writeFileSync(file, contest);
    rmSync(here.workspace, { recursive: true });
    const gone = await look(here, { hash });
    await gone.page.locator('.drawings .words.soft', { hasText: here.workspace }).waitFor();
    await gone.close();
  });
});
