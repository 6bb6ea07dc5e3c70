/** Boxed gold answers with what models write around them: nothing of an answer may be lost by it. */
import { expect } from 'vitest';
import { type Answers, extract } from '../../src/answers/index.ts';

/** What is written before and after a box, with numbers and formulas that are none of the answer. */
const styles: readonly ((gold: string) => string)[] = [
  (gold) => `\\boxed{${gold}}`,
  (gold) => `We add 3 and 4.\n\n$$\\boxed{${gold}}$$\n\nLet me know if you want more detail on step 2!`,
  (gold) => `**Final Answer**\n\n\\[\n\\boxed{${gold}}\n\\]\n\nI hope this helps. 😊`,
  (gold) => `So the answer is $\\boxed{${gold}}$. We check: 2 + 2 = 4, so our answer is correct.`,
  (gold) => `It is $\\boxed{${gold}}$.\n\n#### Verification\nPutting $x = 7$ in gives 12, as it should.`,
  (gold) => `It is $\\boxed{${gold}}$.\n\n### Alternative\n1. Count the rows: 5.\n2. Count the columns: 6.`,
  (gold) => `$\\boxed{${gold}}$\n\nNote: if order mattered, the answer would be 14.`,
  (gold) => `$\\boxed{${gold}}$\n\nRemark. Each answer is between 1 and 20, and a common wrong answer is 99.`,
  (gold) =>
    `First I had $\\boxed{0.123}$, but this counts a case twice. So it is $\\boxed{${gold}}$ (see step 3).`,
  (gold) =>
    `<think>Maybe \\boxed{99}? No.</think>\nThe result:\n\n$\\boxed{${gold}}$\n\nThis is the final answer, valid for all 5 cases.`,
  (gold) => `Donc la réponse est $\\boxed{${gold}}$.\n\nN'hésitez pas si vous avez 2 ou 3 questions !`,
  (gold) => `所以答案是 $\\boxed{${gold}}$。\n\n检验：$1+1=2$，正确。`,
  (gold) =>
    `#### Step 1: Set up\nLet x be 5.\n\n#### Step 2: Solve\nThus \\boxed{${gold}}\n\nConfidence: 95%`,
  (gold) =>
    `You are right, I apologise: my earlier 41 was wrong.\n\nANSWER: $\\boxed{${gold}}$\n\n---\n*Sources: none, 0 tools used.*`,
  (gold) => `\\boxed{${gold}}\n\n\`\`\`python\nprint(42)  # a check\n\`\`\``,
];

export function expectNothingLost(golds: readonly string[], answers: Answers): void {
  const lost = golds.flatMap((gold) =>
    styles.flatMap((style) => {
      const found = extract(style(gold)).answer;
      const isFound =
        found !== null && (found.text.trim() === gold.trim() || answers.equal(gold, found).equal);
      return isFound ? [] : [`${gold} | ${found?.text ?? 'none'} | ${style(gold)}`];
    }),
  );
  expect(lost).toEqual([]);
}
