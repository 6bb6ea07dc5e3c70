/**
 * A grid is taken where the words around it make it one: a plain label, a size that agrees, nothing behind it that goes on.
 * What is abridged, turned, a piece, another thing than the output, or of another test is refused, or put in its place.
 */
import { describe, expect, test } from 'vitest';
import { answerIn } from '../../src/families/arc/answer.ts';
import { findGrids } from '../../src/grids/parse.ts';

const g = '1 2\n3 4';
const F = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;

/** `12/34 | 21/43 ;; 5`: rows, attempts, tests. */
function taken(reply: string, tests: number): string {
  const answer = answerIn(reply, tests);
  if (answer.type !== 'grids') return answer.type;
  const attempts = answer.attempts.map((grids) =>
    grids.map((grid) => grid.map((row) => row.join('')).join('/')).join(' | '),
  );
  return attempts.join(' ;; ');
}

const refused: readonly (readonly [reply: string, tests?: number])[] = [
  ['<think>\n1 1\n1 1\n'],
  [`Output:\n${g}\n(rest unchanged)`],
  [`Output:\n${g}\n\nThe remaining 6 rows are all zeros.`],
  [`Output (first two of ten rows):\n${g}`],
  ['[[0,0,0],\n [0,1,0],\n # ... \n [0,0,0]]'],
  ['[[0,0,0],\n [0,1,0],\n // 4 more like this\n [0,0,0]]'],
  ['[[0,0,0],\n [0,1,0] // 4 more like this\n]'],
  [`Output:\n${g}\n(tile 2×2 for the full output)`],
  [`The output is this tile repeated twice horizontally:\n${g}`],
  [`${F(g)}\nThen mirror this to the right to obtain the final output.`],
  [`The full grid is the following with a border of 0 added:\n${F(g)}`],
  [`Output:\n${g}\n\nOops, I forgot the last row: 5 6`],
  [`Output has 3 rows and 2 columns:\n${g}`],
  ['The output is 4x3 (rows x columns):\n1 2 3\n4 5 6'],
  ['The output is 4x3.\n\n1 2 3\n4 5 6'],
  ['Output (4 rows):\n1 2 3\n4 5 6'],
  [`Bottom row first:\n${g}`],
  [`Output (columns and rows swapped):\n${g}`],
  [`Ausgabe (transponiert):\n${g}`],
  [`Output:\n(x across, y up; first line is y=0)\n${g}`],
  [`Output:\n${g}\n(x across, y up; first line is y=0)`],
  ['Answer = transpose of [[1,2],[3,4]]'],
  ['np.array([[1,2],[3,4]]).T'],
  ['np.rot90([[1,2],[3,4]])'],
  ['Answer: the mirror image of [[1,2],[3,4]]'],
  [F('out = [[1,2],[3,4]]\nout[0][1] = 5')],
  [`out = [[1,2],[3,4]]\nout[0][1] = 5`],
  [`Output:\n${g}\n\nCorrection: row 2 should be 3 5.`],
  [`Object coordinates (row col):\n${g}`],
  [`Changed positions:\n${g}\n\nOutput not computed.`],
  [`Output:\n${g}\n\nOutput not computed.`],
  [`Differences only (0 = unchanged):\n${g}`],
  [`Output (compressed, run-length):\n${g}`],
  [`I could not work out the rule. The input is\n${g}`],
  [`Here is the test input again:\n${g}`],
  [`Train output 1:\n${g}\n\nI do not know the test output.`],
  [`Train output 1:\n${F(g)}`],
  ['Input      Output\n1 2        2 1\n3 4        4 3'],
  ['| Input | Output |\n|---|---|\n| 1 2 | 2 1 |\n| 3 4 | 4 3 |'],
  ['1 2 | 2 1\n3 4 | 4 3'],
  ['1 2   2 1\n3 4   4 3'],
  ['1 2 -> 2 1\n3 4 -> 4 3'],
  [`Upper block:\n${g}\n\nLower block:\n${g}`],
  [`Upper block:\n${F(g)}\nLower block:\n${F(g)}`],
  [`Output:\n${F(g)}\nand below that\n${F(g)}`],
  [`Output:\n${F(g)}\nfollowed by\n${F(g)}`],
  [`The output in two chunks as it is long:\n${F(g)}\n${F(g)}`],
  [`Predicted output (6×2):\n${F('1 2\n3 4\n5 6')}\n${F('1 2\n3 4\n5 6')}`],
  [`Old:\n${F(g)}\nNew:\n${F(g)}`],
  [`Ist:\n${F(g)}\nSoll:\n${F(g)}`],
  ['Before → After: [[1,2],[3,4]] → [[2,1],[4,3]]'],
  [`Candidate A:\n${F(g)}\nCandidate B:\n${F('2 1\n4 3')}\nB fits the examples.`],
  ['grid: 1\n2\n3'],
  [`1 1\n1 1\n\n2 2\n2 2`],
  [`<thinking>\nOutput:\n${g}\n`],
  [`Output:\n${F(g)}\nThe last three rows are copies of these.`],
  [`Output:\n${F(g)}\n*(everything else stays 0)*`],
  [`Output:\n${g}\n... and the same below`],
  [`Output:\n${F(g)}\nAppend two rows of zeros.`],
  [`Output:\n${F(g)}\nFlip it vertically to get the answer.`],
  [`Output:\n${F(g)}\nNow rotate it by 90 degrees.`],
  [`Ausgabe:\n${F(g)}\nDann nach rechts spiegeln.`],
  [`Output (top-left corner):\n${g}`],
  [`Output, non-zero part:\n${F(g)}`],
  [`Cropped output:\n${F(g)}`],
  [`Output upside down:\n${F(g)}`],
  [`Sortie (transposée) :\n${g}`],
  [`Salida (solo las primeras filas):\n${g}`],
  [`Output size 3x3:\n${g}`],
  [`A 3 by 3 output:\n${F(g)}`],
  [`Output: 5 rows, 2 columns\n${g}`],
  [`Output grid (3 × 2)\n${F(g)}`],
  [F('result = np.flipud([[1,2],[3,4]])', 'python')],
  [F('a = [[1,2],[3,4]]\nresult = np.transpose(a)', 'python')],
  [F('out = np.array([[1,2],[3,4]])\nout = out.T', 'python')],
  ['output = list(zip(*[[1,2],[3,4]]))'],
  ['answer = [[1,2],[3,4]][::-1]'],
  ['Output = 2 * [[1,2],[3,4]]'],
  ['[[1,2],[3,4]] transposed'],
  ['[[1,2],[3,4]], transposed, is the output.'],
  ['[[1,2],[3,4]] rotated by 90° is the answer'],
  [`Wait, I made a mistake in this one:\n${F(g)}`],
  [`Number of cells per colour:\n${g}`],
  [`Bounding boxes:\n${F(g)}`],
  [`Mask:\n${F(g)}`],
  [`The grid before the last step:\n${F(g)}`],
  [`Not the output:\n${F(g)}`],
  [`The test input, to be transformed:\n${F(g)}`],
  [`This is the input.\n${F(g)}`],
  [`Training example 2 output:\n${F(g)}`],
  ['Eingabe | Ausgabe\n1 2 | 2 1\n3 4 | 4 3'],
  ['Input:   Output:\n1 2      2 1\n3 4      4 3'],
  ['1 2  =>  2 1\n3 4  =>  4 3'],
  ['| 1 2 | 2 1 |\n| 3 4 | 4 3 |'],
  ['1 2\t2 1\n3 4\t4 3'],
  ['12 21\n34 43'],
  [`Output:\n${F(g)}\ncontinued:\n${F(g)}`],
  [`vorher\n${F(g)}\nnachher\n${F(g)}`],
  [`Option 1:\n${F(g)}\nOption 2:\n${F('2 1\n4 3')}\n2 is more likely.`],
  [`Output, page 1:\n${F(g)}\nOutput, page 2:\n${F(g)}`],
  [`Output:\n${F(g)}\n\n${F(g)}\n(the second fence goes to the right of the first)`],
  ['Answer: 1\n2\n3'],
  ['Test 1:\n1 1\n1 1\n\nTest 1:\n2 2\n2 2', 2],
  ['Test 2:\n1 1\n1 1\n\nTest 3:\n2 2\n2 2', 2],
  ['Output 2:\n1 1\n1 1\n\nOutput:\n2 2\n2 2', 2],
  [`Output:\n${F(g)}\nRow 1 is wrong, it must be 2 1.`],
  [`Output:\n${F(g)}\nI am unable to give the remaining part of the output.`],
  [`Output:\n${F(g)}\nEdit: cell (1,1) must be 5.`],
  [`Output:\n${F(g)}\nP.S. replace every 3 by 5.`],
  [`Output:\n${F(g)}\nwhere each cell stands for a 2x2 block`],
  [`Output:\n${F(g)}\nEach cell stands for a 2x2 block.`],
  [`Output:\n${F(g)}\n×2`],
  [`I output a 4x2 grid:\n${F(g)}`],
];

const read: readonly (readonly [reply: string, grids: string, tests?: number])[] = [
  ['<think>\n1 1\n1 1\n</think>\n2 2\n2 2', '22/22'],
  ['Test 2:\n2 2 2\n3 3 3\n\nTest 1:\n1 1\n1 1', '11/11 ;; 222/333', 2],
  [
    'Output for the second test:\n2 2 2\n3 3 3\n\nOutput for the first test:\n1 1\n1 1',
    '11/11 ;; 222/333',
    2,
  ],
  ['Second: [[1,1]]\nFirst: [[2,2]]', '22 ;; 11', 2],
  [`${F('1 2')}\n${F('3 4')}\n${F('5 6')}`, '12/34/56'],
  ['Test 1:\n1 1\n1 1\n\nTest 2:\n2 2 2', '11/11 ;; 222', 2],
  ['a) 1 2\nb) 3 4', '12/34'],
  ['<table>\n<tr><td>1</td><td>2</td></tr>\n<tr>\n<td>3</td>\n<td>4</td>\n</tr>\n</table>', '12/34'],
  ['2 3\n1 2 3\n4 5 6', '123/456'],
  ['3 3\n1 2 3\n4 5 6\n7 8 9', '123/456/789'],
  ['Output row 1 → 1 2\nOutput row 2 → 3 4', '12/34'],
  ['Applying the rule to the test input:\n1 2\n3 4', '12/34'],
  ['So for the test input we get:\n```\n1 2\n3 4\n```\nThe output keeps the border.', '12/34'],
  ['**Test output (2x2):**\n1 2\n3 4', '12/34'],
  ['Final answer for test 1:\n1 2\n3 4', '12/34'],
  ['Each row is mirrored.\n\n```\n1 2\n3 4\n```\n\nConfidence: high', '12/34'],
  ['The 3x3 input becomes a 2x2 output:\n1 2\n3 4', '12/34'],
  ['{"attempt_1": [[1,2],[3,4]], "attempt_2": [[2,1],[4,3]]}', '12/34 | 21/43'],
  ['Attempt 1:\n1 2\n3 4\n\nAttempt 2:\n2 1\n4 3', '12/34 | 21/43'],
  [
    `Test 1, guess 1:\n${F('1 1')}\nTest 1, guess 2:\n${F('2 2')}\nTest 2, guess 1:\n${F('3 3')}\nTest 2, guess 2:\n${F('4 4')}`,
    '11 | 22 ;; 33 | 44',
    2,
  ],
  [`Test 2:\n${F('3 3')}\n${F('4 4')}\nTest 1:\n${F('1 1')}\n${F('2 2')}`, '11 | 22 ;; 33 | 44', 2],
  [`My first guess (filled):\n${F(g)}\nMy second guess (mirrored):\n${F('2 1\n4 3')}`, '12/34 | 21/43'],
  ['Das Ergebnis für Test 1 ist:\n1 2\n3 4', '12/34'],
  ['La grille finale est la suivante :\n1 2\n3 4', '12/34'],
  ['答案如下：\n1 2\n3 4', '12/34'],
  [`The output is obtained by mirroring. Here is the output grid:\n${F(g)}`, '12/34'],
  [`**Final Answer:**\n\n${F(g)}\n\nThis follows from the rule that each object is mirrored.`, '12/34'],
  [`After applying the transformation, the test output is:\n${F(g)}`, '12/34'],
  [
    'I mirrored the grid from left to right.\n\n' +
      F(g) +
      '\n\nThe colours stay the same; only the left half changes.',
    '12/34',
  ],
  [`${F(g)}\n\n**Explanation:** Each cell of the input is mirrored.`, '12/34'],
  [`${F(g)}\n\n### Explanation\nRows are swapped.`, '12/34'],
  [`The predicted output for test input 1:\n${F(g)}`, '12/34'],
  [`Thus the answer (2 rows × 2 columns):\n${F(g)}`, '12/34'],
  [`Here is my solution:\n${F(g)}`, '12/34'],
  [`The resulting grid:\n${F(g)}`, '12/34'],
  [`The transformed grid is:\n${F(g)}`, '12/34'],
  [`Output grid:\n${F(g)}\nLet me know if you need anything else!`, '12/34'],
  [`Applying this rule:\n${F(g)}`, '12/34'],
  ['Test output:\n\n1 2\n3 4\n\nNote that the border stays.', '12/34'],
  [`The completed grid:\n${F(g)}`, '12/34'],
  [`Filling the holes with 4 produces:\n${F(g)}`, '12/34'],
  [`The test output should be:\n${F(g)}`, '12/34'],
  [`My answer:\n${F(g)}\nSecond guess:\n${F('2 1\n4 3')}`, '12/34 | 21/43'],
  [`${F(g)}\n\n${F('2 1\n4 3')}`, '12/34 | 21/43'],
  [`Most likely:\n${F(g)}\nLess likely:\n${F('2 1\n4 3')}`, '12/34 | 21/43'],
  [`Primary answer:\n${F(g)}\nBackup answer:\n${F('2 1\n4 3')}`, '12/34 | 21/43'],
  [`For test input 1:\n${F('1 1')}\nFor test input 2:\n${F('2 2')}`, '11 ;; 22', 2],
  [`Output for Test 1:\n${F('1 1')}\nOutput for Test 2:\n${F('2 2')}`, '11 ;; 22', 2],
  [
    'The rule is simple: rotate by 90 degrees.\n\nTest output:\n' +
      F(g) +
      '\n\nI verified each training pair.',
    '12/34',
  ],
  [`The final grid after these steps is\n${F(g)}`, '12/34'],
  [`The output grid after filling the holes is:\n${F(g)}`, '12/34'],
  [`The answer would therefore be:\n${F(g)}`, '12/34'],
  [`Solution grid:\n${F(g)}`, '12/34'],
  [`Voici la réponse :\n${F(g)}`, '12/34'],
  [`La respuesta es:\n${F(g)}`, '12/34'],
  [`Die Lösung lautet:\n${F(g)}`, '12/34'],
  [`最终答案：\n${F(g)}`, '12/34'],
  [`Following the pattern from the examples (rows reversed):\n${F(g)}`, '12/34'],
  [`- Fill the interior with 2s\n${F(g)}`, '12/34'],
  [`### Output Generation\n${F(g)}`, '12/34'],
  [`Final output grid (rows 1 to 2):\n${F(g)}`, '12/34'],
  [`Here is the complete output grid, as required:\n${F(g)}`, '12/34'],
  ['1.1 2\n2. 3 4\n3.5 6', '12/34/56'],
  [
    `# First guess\n\nTest input 1:\n${F(g)}\nTest input 2:\n${F('5 6')}\n\n# Second guess\n\nTest input 1:\n${F('2 1')}\nTest input 2:\n${F('6 5')}`,
    '12/34 | 21 ;; 56 | 65',
    2,
  ],
  [`### Test 1\n${F(g)}\n### Test 2\n${F('5 6')}\nAlternative:\n${F('6 5')}`, '12/34 ;; 56 | 65', 2],
  [`Test 1:\n${F(g)}\nSecond guess for test 1:\n${F('2 1')}\nTest 2:\n${F('5 6')}`, '12/34 | 21 ;; 56', 2],
  [`Checking training pair 1:\n${F('2 1')}\nThat matches.\n\nOutput:\n${F(g)}`, '12/34'],
  [`Output:\n${F('2 1')}\n\nWait, the first row is wrong.\n\n${F(g)}`, '12/34'],
  [`Output:\n${F('2 1')}\n\nWait, that is wrong. Corrected output:\n\n${F(g)}`, '12/34'],
  ['The rows are [1, 2] and [3, 4].', '12/34'],
  ['"row1": [1,2], "row2": [3,4]', '12/34'],
  ['+---+---+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+', '12/34'],
  [`所以输出是：\n${F(g)}`, '12/34'],
];

describe('issue 20: which grids of a reply are its answer', () => {
  test.each(refused.map(([reply, tests = 1]) => [reply, tests] as const))(
    'is refused: %j',
    (reply, tests) => {
      expect(taken(reply, tests)).toBe('misfit');
    },
  );

  test.each(read.map(([reply, grids, tests = 1]) => [reply, grids, tests] as const))(
    'is read: %j',
    (reply, grids, tests) => {
      expect(taken(reply, tests)).toBe(grids);
    },
  );

  test('thoughts count for nothing, and the lines are counted as the reply has them', () => {
    expect(findGrids('<think>\n1 1\n1 1\n</think>\n2 2\n2 2').map(({ line }) => line)).toEqual([5]);
  });

  test('a refusal tells what to write', () => {
    expect(answerIn(`Output (mirrored):\n${g}`, 1)).toMatchObject({
      feedback: expect.stringContaining('Write every row and every cell of the output row by row'),
    });
    expect(answerIn('Test 2:\n1 1\n1 1\n\nTest 3:\n2 2\n2 2', 2)).toMatchObject({
      feedback: expect.stringContaining('Write above each "Test 1", "Test 2" and so on'),
    });
  });
});
