/**
 * Questions that have one answer: from a data set of the user's, or in their own words. Answers are found in replies
 * and compared as mathematics. The gold answer stands in the journal's header, is known to the grading alone, and is
 * taken out of the spec that agents see. Knows no agent and no model.
 */
import { type Answers, type EqualOptions, extract, type ProfileName } from '../../answers/index.ts';
import { UserError } from '../../core/errors.ts';
import type { Io } from '../../core/io.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Answer, Brief, Family, Grade, Mismatch, Problem, ProblemSpec } from '../../core/problem.ts';
import type { SandboxInfo } from '../../core/sandbox.ts';
import { titleFrom } from '../../text/format.ts';
import {
  contentOf,
  type DataSet,
  goldFormOf,
  goldIssue,
  goldOf,
  profileFor,
  type Question,
  readDataSet,
} from './data-set.ts';
import { programTool } from './program-tool.ts';
import { flawedFileError } from './records.ts';
import {
  type LineReference,
  parseReference,
  type QaReference,
  qaReference,
  type WordsReference,
} from './reference.ts';

export type QaSettings = {
  /** Opened before the family is made: `equal` answers at once. */
  readonly answers: Answers;
  /** The bytes of a file that the user has named. Throws `UserError` where it cannot be read. */
  readBytes(path: string): Promise<Uint8Array>;
  /** Another after each change of a file; null where that cannot be said. */
  stampOf(path: string): Promise<string | null>;
  absolute(path: string): string;
  hashText(text: string): string;
};

export function qaFamily(settings: QaSettings): Family {
  const load = createDataSetCache(settings);
  return {
    name: 'qa',
    reference: qaReference,
    travels: true,
    offers: ['parse', 'equal'],
    mayOffer: ['tools'],
    async load(json, io) {
      const reference = parseReference(json);
      const prompt = 'file' in reference ? fromLine(await load(reference), reference) : fromWords(reference);
      return specOf(settings, prompt, io);
    },
    open: (spec) => openQuestion(settings.answers, spec),
  };
}

type Posed = {
  readonly reference: QaReference;
  readonly dataSet: string | null;
  readonly question: Omit<Question, 'line'>;
  readonly profile: ProfileName;
};

/** The rows of a run-set are posed one after the other: a file that has not changed is read as a data set once. */
function createDataSetCache(settings: QaSettings) {
  let kept: { readonly key: string; readonly bytes: Uint8Array; readonly dataSet: DataSet } | null = null;
  let keptStamp: string | null = null;
  return async (reference: LineReference): Promise<DataSet> => {
    const path = settings.absolute(reference.file);
    const {
      questionColumn: question,
      answerColumn: answer,
      idColumn: id,
      typeColumns: types,
      profile,
    } = reference;
    const options = { path, question, answer, id, types, profile };
    const key = JSON.stringify(options);
    // Taken before it is read: what changes meanwhile has another afterwards.
    const stamp = await settings.stampOf(path);
    if (kept?.key === key && stamp !== null && stamp === keptStamp) return kept.dataSet;
    const bytes = await settings.readBytes(path);
    if (kept?.key !== key || Buffer.compare(kept.bytes, bytes) !== 0) {
      kept = { key, bytes, dataSet: readDataSet(bytes, options) };
    }
    keptStamp = stamp;
    return kept.dataSet;
  };
}

function fromLine(dataSet: DataSet, reference: LineReference): Posed {
  const { id, line } = reference;
  const question = dataSet.questions.find((each) =>
    line === undefined ? each.id === id : each.line === line,
  );
  if (!question) throw questionNotFound(dataSet, reference);
  const { path, name, profile } = dataSet;
  return { reference: { ...reference, file: path }, dataSet: name, question, profile };
}

function questionNotFound({ path, flaws, questions }: DataSet, { id, line }: LineReference): UserError {
  const flaw = flaws.find((each) => each.line === line);
  if (flaw) return flawedFileError(path, [flaw], 'Correct the line, or name another one.');
  const question = line === undefined ? `with the id ${JSON.stringify(id)}` : `on line ${line}`;
  const incorrect = flaws.length > 0 ? `, and ${flaws.length} lines that cannot be used` : '';
  return new UserError({
    code: 'no-such-question',
    what: `${path} has no question ${question}.`,
    why: `It has ${questions.length} questions, the first with the id ${JSON.stringify(questions[0]?.id)}${incorrect}.`,
    fix: 'Name one that is there.',
  });
}

function fromWords(reference: WordsReference): Posed {
  const { question: text, answer } = reference;
  if (text.trim() === '')
    throw new UserError({
      code: 'question-empty',
      what: 'The question is empty.',
      fix: 'Write what is to be asked.',
    });
  const form = goldFormOf(answer === undefined ? [] : [answer]);
  const read = answer === undefined ? { gold: null } : goldOf(answer, form);
  if ('flaw' in read) throw badGold(read.flaw);
  const profile = reference.profile ?? profileFor(form, read.gold === null ? [] : [read.gold]);
  const wrong = read.gold === null ? null : goldIssue(read.gold, profile);
  if (wrong !== null) throw badGold(wrong);
  return { reference, dataSet: null, question: { id: '', text, gold: read.gold, types: {} }, profile };
}

function badGold(issue: string): UserError {
  return new UserError({
    code: 'gold-answer-unreadable',
    what: `The gold answer of the question cannot be used: ${issue}.`,
    fix: 'Correct it, or leave it out: then nothing is graded.',
  });
}

async function specOf({ hashText }: QaSettings, prompt: Posed, io: Io): Promise<ProblemSpec> {
  const { reference, dataSet, question, profile } = prompt;
  const { text, gold, types } = question;
  const contentHash = hashText(contentOf(question));
  const sandbox = await io.sandbox.info().catch(() => null);
  return {
    family: 'qa',
    id: dataSet === null ? `qa/${contentHash.slice(0, 12)}` : `qa/${dataSet}/${question.id}`,
    title: titleFrom(text),
    reference,
    contentHash,
    statement: [{ type: 'text', text }],
    brief: questionBrief(profile, sandbox),
    stages: [],
    detail: { gold, profile, types, dataSet },
  };
}

/**
 * Whoever wrote the reference had read the file: its rows must not be of two versions of it. Not said when it is posed:
 * a run that is gone on with compares the hashes itself, and takes an error for a file that cannot be read now.
 */
function assertUnchanged({ reference, contentHash }: ProblemSpec): void {
  const { file, id, line } = reference;
  if ((reference.contentHash ?? contentHash) === contentHash) return;
  throw new UserError({
    code: 'question-changed',
    what: `The question ${id ?? `on line ${line}`} of ${file} has changed.`,
    why: 'Its words or its gold answer are others than when the run was planned.',
    fix: 'Put the file back as it was, or plan the runs anew.',
  });
}

function openQuestion(answers: Answers, spec: ProblemSpec): Problem {
  assertUnchanged(spec);
  const { gold, profile } = spec.detail as { gold: string | null; profile: ProfileName };
  const options = comparisonOf(spec.reference);
  return {
    spec: withoutGold(spec),
    // The environment is said where there is a Python to run.
    tools: spec.brief.environment === '' ? [] : [programTool],
    parse: (reply) => parseReply(reply, profile),
    equal: (a, b) => a.type === 'text' && b.type === 'text' && answers.agree(a.text, b.text, options).equal,
    accepts: (a, b) =>
      a.type === 'text' && b.type === 'text'
        ? readings.filter((each) => answers.equal(a.text, b.text, { ...options, ...each }).equal).length
        : 0,
    grade: gold === null ? undefined : async ({ answer }) => gradeAnswer(answer, { gold, options, answers }),
  };
}

/** How strictly a grading may look at the form of an answer. */
const readings = [{}, { allowSetRelation: true }, { allowSetRelation: true, percent: 'either' }] as const;

/** What an agent is handed: not even a careless prompt could tell a model what is right. */
function withoutGold(spec: ProblemSpec): ProblemSpec {
  const { answer: _, ...reference } = spec.reference;
  const { gold: __, ...detail } = spec.detail;
  return { ...spec, reference, detail };
}

function comparisonOf(reference: JsonObject): EqualOptions {
  const names = ['percent', 'precision', 'strict', 'allowSetRelation'];
  return Object.fromEntries(names.filter((name) => name in reference).map((name) => [name, reference[name]]));
}

function parseReply(reply: string, profile: ProfileName): Answer | Mismatch {
  const { answer, how } = extract(reply, { profile });
  if (answer) return { type: 'text', text: answer.text };
  return { type: 'misfit', feedback: `No answer was found: ${how}.` };
}

const formats: Readonly<Record<ProfileName, string>> = {
  math: 'End with the final answer alone in \\boxed{}, as a value or an expression in its simplest form.',
  latex: 'End with the final answer alone in \\boxed{}, as a value or an expression in LaTeX.',
  boxed: 'End with the final answer alone in \\boxed{}.',
  number: 'End with the final answer alone in \\boxed{}: one number, without words and units.',
  choice: 'End with a last line of the form "Answer: X", where X is the letter of the choice.',
  marker: 'End with a last line of the form "Final answer: …", with the answer alone.',
  expr: 'End with a last line of the form "Final answer: …", with the answer alone, in plain text.',
};

function questionBrief(profile: ProfileName, sandbox: SandboxInfo | null): Brief {
  return {
    task: 'Answer the question.',
    answerFormat: formats[profile],
    criteria:
      profile === 'choice'
        ? 'The letter decides.'
        : 'The final answer is compared as mathematics: equal forms of it count as the same. The last answer that is set like this counts.',
    environment: environmentOf(sandbox),
  };
}

/** Empty where no Python can be run: agents that need it say so themselves. */
function environmentOf(sandbox: SandboxInfo | null): string {
  const python = sandbox?.toolchains.find(({ language }) => language === 'python');
  if (!sandbox || !python) return '';
  const { cpuMs, memoryBytes } = sandbox.limits;
  return [
    `Programs are run by ${python.version} as one file, ${python.sourceFile}, without network.`,
    ...(python.notes.length > 0 ? python.notes : ['There is the standard library only.']),
    `Limits of a run: ${cpuMs / 1000} s and ${Math.round(memoryBytes / 2 ** 20)} MiB of memory.`,
  ].join(' ');
}

type Grading = {
  readonly gold: string;
  readonly options: EqualOptions;
  readonly answers: Answers;
};

function gradeAnswer(answer: Answer | null, { gold, options, answers }: Grading): Grade {
  if (answer?.type !== 'text' || answer.text.trim() === '') {
    return { correct: false, explanation: 'No answer was handed in.', data: { gold } };
  }
  const { equal, reason } = answers.equal(gold, answer.text, options);
  return graded(equal, reason, gold);
}

function graded(correct: boolean, reason: string, gold: string): Grade {
  const why = reason ? `: ${reason}` : '';
  return {
    correct,
    explanation: `${correct ? 'It is' : 'It is not'} what the gold answer asks for${why}.`,
    data: { gold },
  };
}
