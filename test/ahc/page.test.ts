/** Pages of contests, read: in both layouts, both languages, standing twice, as a browser saves them, and broken. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsIn } from '../../src/apps/ahc/intake/contest-file.ts';
import { parseTaskPage, type TaskPage } from '../../src/apps/ahc/intake/page.ts';
import { toStatementMarkdown } from '../../src/apps/ahc/intake/problem.ts';
import { parseSchedule, standingOf } from '../../src/apps/ahc/intake/source.ts';
import { practiceContest } from '../../src/practice/atcoder/contest.ts';
import { contestPage, type Layout, type ToolLinks, taskPage } from '../../src/practice/atcoder/pages.ts';

const links: ToolLinks = {
  zip: 'https://img.atcoder.jp/x/0a1b.zip',
  windowsZip: 'https://img.atcoder.jp/x/0a1b_windows.zip',
  visualizer: 'https://img.atcoder.jp/x/0a1b.html',
};

function pageOf(id: string, layout: Layout, lang: 'ja' | 'en' = 'en'): TaskPage {
  return parseTaskPage(taskPage(practiceContest(id), { layout, links, lang }));
}

function markdownOf(page: TaskPage, lang: 'ja' | 'en'): string {
  return (page.statements[lang]?.sections ?? [])
    .map(
      ({ heading, html }) =>
        `## ${heading}\n\n${toStatementMarkdown(html, (src) => `images/${src.split('/').at(-1)}`)}`,
    )
    .join('\n\n');
}

const within = (sentence: string): string =>
  `<div id="task-statement"><span class="lang-en"><h3>Scoring</h3><section><p>${sentence}</p></section></span></div>`;

describe('a task page', () => {
  test.each(['new', 'old', 'doubled'] as const)('in the layout %s is read alike', (layout) => {
    const page = pageOf('polya002', layout, layout === 'old' ? 'ja' : 'en');
    expect(page).toMatchObject({
      title: 'A - Parcel Vans',
      timeLimitSeconds: 1,
      memoryLimitMegabytes: 512,
      archives: [links.zip],
      visualizer: links.visualizer,
    });
    for (const lang of ['ja', 'en'] as const) {
      expect(markdownOf(page, lang)).toBe(markdownOf(pageOf('polya002', 'new'), lang));
    }
    expect(page.statements.en?.samples).toEqual([
      { input: '3 3 13\n500 500\n500 900 4\n100 500 4\n500 100 4\n', output: '1 1\n1 2\n1 3\n' },
    ]);
  });

  test('becomes Markdown with its formulas, tables, formats and images', () => {
    const text = markdownOf(pageOf('polya001', 'new'), 'en');
    expect(text).toContain('a grid of $N \\times N$ cells');
    expect(text).toContain('![A lantern of power 2 beside a wall](images/garden.png)');
    expect(text).toContain('```\nN K\nC_1 C_2 C_3 C_4 C_5\n');
    expect(text).toContain(
      '| Name | Range | Meaning |\n| --- | --- | --- |\n| $N$ | $20 \\leq N \\leq 40$ |',
    );
    expect(markdownOf(pageOf('polya001', 'old'), 'ja')).toContain('壁でないマスにランタンを $K$ 個まで');
  });

  /** As AtCoder's own script leaves a formula, and so a page that a browser saved. */
  const set = (source: string): string =>
    `<span class="katex"><span class="katex-mathml"><math><mi>N</mi><annotation encoding="application/x-tex">${source}</annotation></math></span><span class="katex-html"><span>N</span>1</span></span>`;
  const sectionOf = (html: string): string => {
    const { statements } = parseTaskPage(`<span class="lang-en"><h3>Input</h3>${html}</span>`);
    return toStatementMarkdown(statements.en?.sections[0]?.html ?? '', String);
  };

  test.each([
    [`<p>up to ${set('N_1')} cells</p>`, 'up to $N_1$ cells'],
    [`<p>up to <var>${set('a &lt; b')}</var> cells</p>`, 'up to $a < b$ cells'],
    [`<pre><var>${set('N')}</var> <var>${set('M')}</var>\n${set('\\vdots')}</pre>`, '```\nN M\n\\vdots\n```'],
    ['<p><span class="katex">x+y</span></p>', '$x+y$'],
  ])('saved by a browser has its formulas set: their sources count in %s', (html, markdown) => {
    expect(sectionOf(html)).toBe(markdown);
  });

  test('keeps what is raised, lowered or broken into lines by hand', () => {
    expect(sectionOf('<p>10<sup>9</sup> x<sub>ij</sub> a<sup> </sup>b 2<sup>&lt;</sup></p>')).toBe(
      '10^9 x_{ij} a b 2^<'.replace('a b', 'ab'),
    );
    expect(sectionOf('<pre>N M<br>10<sup>9</sup><br/>c</pre>')).toBe('```\nN M\n10^9\nc\n```');
    const { statements } = parseTaskPage(
      '<span class="lang-en"><h3>Sample Input 1</h3><pre>1 2<br>3</pre><h3>Sample Output 1</h3><pre>4</pre></span>',
    );
    expect(statements.en?.samples).toEqual([{ input: '1 2\n3\n', output: '4\n' }]);
  });

  test('has bars of formulas in tables by their names', () => {
    const table =
      '<table><tr><th><var>|x|</var></th><th>a|b</th></tr><tr><td><var>\\|y\\|</var></td><td></td></tr></table>';
    expect(sectionOf(table)).toBe('| $\\vert x\\vert $ | a\\|b |\n| --- | --- |\n| $\\Vert y\\Vert $ |  |');
  });

  test.each([
    ['Time Limit: 2 sec / Memory Limit: 1024 MB', 2, 1024],
    ['Time Limit: 5 sec / Memory Limit: 1 GiB', 5, 1024],
    ['実行時間制限: 1.5 sec / メモリ制限: 1024 MiB', 1.5, 1024],
    ['実行時間制限:1800 msec', 1.8, null],
    ['no limits', null, null],
  ])('says its limits: %s', (text, time, memory) => {
    const page = parseTaskPage(`<p>${text}</p>`);
    expect([page.timeLimitSeconds, page.memoryLimitMegabytes]).toEqual([time, memory]);
  });

  test('links corrected tools before the first ones, and none for one system', () => {
    const anchors = ['a.zip', 'a_windows.zip', 'a_v3.zip', 'a_v2.zip', 'b.tar.gz'].map(
      (name) => `<a href="https://img.atcoder.jp/x/${name}">x</a>`,
    );
    expect(parseTaskPage(anchors.join('')).archives.map((each) => each.split('/').at(-1))).toEqual([
      'a_v3.zip',
      'a_v2.zip',
      'a.zip',
      'b.tar.gz',
    ]);
  });

  test('without marks of a language is of the one it is written in', () => {
    const page = parseTaskPage(
      '<div id="task-statement"><p>前書き</p><h3>問題文</h3><p>これです。</p></div>',
    );
    expect(page.statements.ja?.sections.map(({ heading }) => heading)).toEqual(['', '問題文']);
    expect(page.statements.en).toBeUndefined();
  });

  test('of any kind is read without a word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        findingsIn(parseTaskPage(text));
        findingsIn(
          parseTaskPage(
            `<div id="task-statement"><span class="lang-ja"><h3>${text}</h3>${text}</span></div>`,
          ),
        );
        parseSchedule(text);
      }),
      { seed: 1 },
    );
  });
});

describe('how it is scored', () => {
  test('is found in both languages, with the sentence', () => {
    expect(findingsIn(pageOf('polya001', 'new'))).toEqual({
      direction: { value: 'maximise', because: '得点は高いほど良い。' },
      scoring: { value: 'absolute', because: null },
      isInteractive: { value: false, because: null },
      conflicts: [],
    });
    expect(findingsIn(pageOf('polya002', 'old'))).toMatchObject({
      direction: { value: 'minimise' },
      scoring: { value: 'relative', because: '得点は相対評価で決まる。' },
    });
  });

  test.each([
    ['The lower the absolute score, the better.', 'minimise', 'absolute'],
    ['The higher the score, the better.', 'maximise', 'absolute'],
    ['Your goal is to minimize the total cost.', 'minimise', 'absolute'],
    ['絶対スコアは大きければ大きいほど良い。', 'maximise', 'absolute'],
    ['操作回数が少ないほど良い。', 'minimise', 'absolute'],
    ['The relative score is round(10^9 × MIN / YOURS).', 'minimise', 'relative'],
    ['順位は全参加者中の最大値との比で決まる。', 'maximise', 'relative'],
    ['Nothing of the kind.', 'maximise', 'absolute'],
    ['コンテスト時間中に得た最高得点で最終順位が決定される。', 'maximise', 'absolute'],
    ['コンテスト時間中に得た最小のスコアで順位を決定する。', 'minimise', 'absolute'],
    ['絶対スコアは小さければ小さいほど良い。最終順位は最高得点で決定される。', 'minimise', 'absolute'],
    ['相対スコアは全参加者中の最小絶対スコア÷自身の絶対スコアである。', 'minimise', 'relative'],
    [
      'The final ranking is determined by the highest score obtained during the contest.',
      'maximise',
      'absolute',
    ],
    ['Rank by the lowest absolute score among all participants.', 'minimise', 'relative'],
    ['できるだけ少ない回数で全て運べ。', 'minimise', 'absolute'],
    ['Collect as many coins as possible.', 'maximise', 'absolute'],
    ['MIN is the lowest absolute score among all competitors.', 'minimise', 'relative'],
    ['You get round(10^9 × \\frac{\\mathrm{YOUR}}{\\mathrm{MAX}}).', 'maximise', 'relative'],
    ['You get \\frac{\\mathrm{MIN}}{\\mathrm{YOUR}} for a case.', 'minimise', 'absolute'],
    ['The fewer moves you use, the better.', 'minimise', 'absolute'],
    ['The shorter the tour, the better.', 'minimise', 'absolute'],
    ['Lower scores are better.', 'minimise', 'absolute'],
    ['Participants with a lower total score will be ranked higher.', 'minimise', 'absolute'],
    ['Submissions are ranked in ascending order of the total score.', 'minimise', 'absolute'],
    ['The final standings will be determined by the lowest total cost.', 'minimise', 'absolute'],
    ['Minimize the number of operations. The higher the score, the better.', 'maximise', 'absolute'],
    ['合計スコアの小さい順に順位が付けられる。', 'minimise', 'absolute'],
    ['得点が低い方が上位となる。', 'minimise', 'absolute'],
    ['スコアは小さい方が良い。', 'minimise', 'absolute'],
    ['コストが低いほど得点が高くなる。', 'maximise', 'absolute'],
    ['ペナルティが小さいほど高い得点が得られる。', 'maximise', 'absolute'],
    ['操作回数が少ないほど高得点となります。', 'maximise', 'absolute'],
    ['スコアが小さいほど順位が高くなります。', 'minimise', 'absolute'],
    ['合計得点が小さいほうが順位が上になります。', 'minimise', 'absolute'],
    ['The fewer operations you use, the higher your score will be.', 'maximise', 'absolute'],
    ['Submissions are ranked by total cost in ascending order.', 'minimise', 'absolute'],
    ['Participants will be ranked in descending order of total score.', 'maximise', 'absolute'],
    ['The absolute score is better when it is lower.', 'minimise', 'absolute'],
    ['A score is considered better if it is larger.', 'maximise', 'absolute'],
    ['順位は絶対スコアの総和（小さい方が上位）で決まる。', 'minimise', 'absolute'],
    ['得点が大きいほどよい。コストは低いほど良いとは限らない。', 'maximise', 'absolute'],
    ['最終順位は、相対スコアではなく絶対スコアの合計で決定される。', 'maximise', 'absolute'],
    ['There is no relative score: the higher the better.', 'maximise', 'absolute'],
    ['Your score is the total distance. Minimize it.', 'minimise', 'absolute'],
    ['Scores are sorted in descending order.', 'maximise', 'absolute'],
    ['Try to get as high a score as possible.', 'maximise', 'absolute'],
    ['高いスコアは良くない。低いスコアほど良い。', 'minimise', 'absolute'],
    ['得点は round(10^9 × 最小の絶対スコア / あなたの絶対スコア) である。', 'minimise', 'relative'],
    ['全参加者中の最高得点を MAX とし、MAX との比が得られる。', 'maximise', 'relative'],
  ])('%s', (sentence, direction, scoring) => {
    const found = findingsIn(parseTaskPage(within(sentence)));
    expect([found.direction.value, found.scoring.value]).toEqual([direction, scoring]);
  });

  const past = (direction: 'maximise' | 'minimise') => {
    return { contest_id: 'x', interactive: null, score_rule: { type: null, direction } } as const;
  };

  test('where two sentences differ, what is known of the contest decides, and it is told', () => {
    const both = parseTaskPage(within('コストを最小化せよ。 得点の最大化を目指せ。'));
    const of = (direction: 'maximise' | 'minimise') => findingsIn(both, past(direction));
    expect(of('maximise').direction.value).toBe('maximise');
    expect(of('minimise').direction.value).toBe('minimise');
    expect(of('minimise').conflicts).toHaveLength(1);
    expect(findingsIn(parseTaskPage(within('得点は高いほど良い。')), past('maximise')).conflicts).toEqual([]);
    expect(findingsIn(parseTaskPage(within('Nothing.')), past('minimise')).direction.value).toBe('minimise');
  });

  test('a dialogue is found by its words', () => {
    expect(findingsIn(parseTaskPage(within('This is an interactive problem.'))).isInteractive).toEqual({
      value: true,
      because: 'This is an interactive problem.',
    });
  });
});

describe('when a contest runs', () => {
  const schedule = parseSchedule(contestPage(practiceContest('polya001')));

  test('stands on its front page, in the time of Tokyo', () => {
    expect(schedule).toEqual({
      startMs: Date.parse('2026-03-14T10:00:00Z'),
      endMs: Date.parse('2026-03-14T14:00:00Z'),
    });
  });

  test.each([
    ['2026-03-14T09:59:59Z', 'not-begun'],
    ['2026-03-14T10:00:00Z', 'running'],
    ['2026-03-14T14:00:00Z', 'over'],
  ])('at %s: %s', (time, standing) => {
    expect(standingOf(schedule, Date.parse(time))).toBe(standing);
  });

  test.each([
    '',
    '<small class="contest-duration"><time>soon</time> - <time>later</time></small>',
    '<small class="contest-duration"><time>2026-03-14 19:00:00+0900</time> - <time>2026-03-14 18:00:00+0900</time></small>',
  ])('is unknown where it is not said: %s', (html) => {
    expect(parseSchedule(html)).toBeNull();
    expect(standingOf(null, 0)).toBe('unknown');
  });
});
