/** What models are told of a statement: all of the task, and nothing of tools, the course of the contest, and more samples. */
import { expect, test } from 'vitest';
import { statementText } from '../../src/families/ahc/problem/told-statement.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at} ${at * 2}`).join('\n');
const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``;

const english = `# A - Vans

https://contest.example/tasks/a

Time limit: 2 s / Memory limit: 1024 MB

## Story

A town wants parcels.

## Problem Statement

Visit $N$ stops. See [the picture](https://contest.example/p.png).

![three routes](images/routes.png)

## Scoring

The score is $\\sum l_v$. The lower, the better.

The final ranking will be determined by the system test, with other inputs.

- In the system test, an invalid output gives $10^9$.

### Number of test cases

- Provisional test: 50

### About execution time

It may vary.

## Input

${fence('N\n# not a heading\nX_1')}

- $N$ is at most 100.

## Input Generation

$N$ is drawn.

## Tools (Input generator and visualizer)

- [Local version](https://contest.example/tools.zip)

### Web version

Look.

## Sample Input 1

${fence(numbers(60))}

## Sample Output 1

${fence('U\nD')}

[Show it](https://contest.example/vis)

## Sample Input 2

${fence('1 2')}

## Sample Output 2

${fence('3')}

Nobody moves here.
`;

test('a statement in English keeps all of its task', () => {
  expect(statementText(english)).toBe(`# A - Vans

Time limit: 2 s / Memory limit: 1024 MB

## Problem Statement

Visit $N$ stops. See the picture.

![three routes](images/routes.png)

## Scoring

The score is $\\sum l_v$. The lower, the better.

- In the system test, an invalid output gives $10^9$.

## Input

${fence('N\n# not a heading\nX_1')}

- $N$ is at most 100.

## Input Generation

$N$ is drawn.

## Sample Input 1

${fence(`${numbers(10)}\n… 50 more lines`)}

## Sample Output 1

${fence('U\nD')}

## Sample Output 2

Nobody moves here.
`);
});

test('a statement in Japanese keeps all of its task', () => {
  const told = statementText(`# A - 庭

実行時間制限: 2 秒 / メモリ制限: 1024 MB

## ストーリー

庭がある。

## 問題文

$N$ 個の点を巡れ。

## 得点

得点は $S$ である。

最終順位はシステムテストで決まる。

### テストケース数

- プレテスト: 50 個

### 実行時間について

実行時間は揺れる。

### 相対評価システムについて

順位表は再計算される。

## 入力

${fence('N')}

## 出力

動かす方向を U, D, L, R で出力せよ。

## 入力生成方法

$N$ を選ぶ。

## ツール(入力ジェネレータ・ビジュアライザ)

- [Web版](https://contest.example/vis.html)

## 入力例 1

${fence('3')}

## 出力例 1

${fence('UD')}

## 入力例 2

${fence('4')}

## 出力例 2

${fence('LR')}
`);
  expect(told.match(/^#+ .*$/gm)).toEqual([
    ...['# A - 庭', '## 問題文', '## 得点', '## 入力', '## 出力', '## 入力生成方法'],
    ...['## 入力例 1', '## 出力例 1'],
  ]);
  for (const kept of ['実行時間制限: 2 秒', '$N$ 個の点を巡れ。', '得点は $S$ である。', 'U, D, L, R', 'UD'])
    expect(told).toContain(kept);
  expect(told).not.toMatch(/順位|揺れる|Web版|庭がある/);
});

test('what has no such parts stays as it is, and a story that is the task stays', () => {
  for (const text of [
    '# A\n\nPrint a tour.\n',
    '# A\n\n## Story\n\nPrint a tour of $N$ towns.\n\n## Input\n\n```\nN\n```\n',
    '',
    '```\nnever closed\n## Tools\n',
  ])
    expect(statementText(text)).toBe(text === '' ? '\n' : text);
});
