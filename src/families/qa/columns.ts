/** Which columns of a data set say what: those that its user names, else those that well-known data sets have. Pure. */
import { UserError } from '../../core/errors.ts';

export type ColumnChoice = {
  readonly question?: string;
  readonly answer?: string;
  readonly id?: string;
  /** What results are told by: subject, level. */
  readonly types?: readonly string[];
};

export type Columns = {
  readonly question: string;
  /** Null: nobody knows what is right. */
  readonly answer: string | null;
  /** Null: a question is named by its line. */
  readonly id: string | null;
  readonly types: readonly string[];
};

const known = {
  question: ['question', 'problem', 'prompt', 'input', 'query'],
  answer: ['answer', 'gold', 'final_answer', 'target', 'expected', 'solution'],
  id: ['id', 'unique_id', 'question_id', 'problem_id', 'task_id', 'uuid'],
  types: ['type', 'subject', 'category', 'topic', 'level', 'difficulty'],
};

export function columnsOf(names: readonly string[], chosen: ColumnChoice, path: string): Columns {
  const named = (column: string | undefined, option: string) => {
    if (column === undefined || names.includes(column)) return column;
    throw noColumn({ path, names, what: `has no column ${JSON.stringify(column)}`, option });
  };
  const find = (candidates: readonly string[]) => candidates.find((name) => names.includes(name));
  const question = named(chosen.question, '--question-column') ?? find(known.question);
  if (question === undefined) {
    throw noColumn({
      path,
      names,
      what: 'has no column that is known to hold questions',
      option: '--question-column',
    });
  }
  return {
    question,
    answer: named(chosen.answer, '--answer-column') ?? find(known.answer) ?? null,
    id: named(chosen.id, '--id-column') ?? find(known.id) ?? null,
    types: chosen.types
      ? chosen.types.flatMap((type) => named(type, '--type-column') ?? [])
      : known.types.filter((name) => names.includes(name)),
  };
}

type Missing = {
  readonly path: string;
  readonly names: readonly string[];
  readonly what: string;
  readonly option: string;
};

function noColumn({ path, names, what, option }: Missing): UserError {
  const there = names.slice(0, 20).map((name) => JSON.stringify(name));
  return new UserError({
    code: 'no-column',
    what: `${path} ${what}.`,
    why: there.length > 0 ? `Its columns are ${there.join(', ')}.` : 'It has no columns at all.',
    fix: `Name one of them with ${option}.`,
  });
}
