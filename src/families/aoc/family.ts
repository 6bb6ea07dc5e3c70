/**
 * The family of Advent of Code puzzles, on the real site or on one that speaks its wire.
 * A problem is one day in one language; its two parts are stages. Knows no agent, no model and no secret.
 */
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type {
  Family,
  Portability,
  PreviousToolCall,
  Problem,
  ProblemSpec,
  StageAnswer,
  Submission,
} from '../../core/problem.ts';
import type { SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import { checkDay, isLastDay, isOfRunningEvent } from './calendar.ts';
import { withAbsolutePaths } from './local-day.ts';
import { markdownOf, wordsOf } from './page.ts';
import { type AocReference, aocReference, filesSite, languageName, parseReference } from './reference.ts';
import { samplesOfDay } from './samples.ts';
import { createClient, siteOf } from './site-client.ts';
import type { AocSettings, Asking } from './sites.ts';
import { runTool } from './tool-run.ts';
import { submitTool } from './tool-submit.ts';
import {
  stages as allStages,
  dayBrief,
  inputPreview,
  inputTool,
  outputCharactersOf,
  type Puzzle,
  statementTool,
  toolForm,
} from './tools.ts';

export function aocFamily(settings: AocSettings): Family {
  return {
    name: 'aoc',
    reference: aocReference,
    offers: ['tools', 'stages', 'samples'],
    travels: ({ reference }) => dayPortability(settings, parseReference(reference)),
    async load(json, io, signal) {
      const reference = parseReference(json);
      if (settings.files && reference.site === filesSite) {
        return createDayProblem(settings, withAbsolutePaths(settings.files, reference), { io, signal });
      }
      checkDay(siteOf(settings, reference.site), reference, io.clock.now());
      return createDayProblem(settings, reference, { io, signal });
    },
    open: (spec) => openDay({ spec, settings, reference: parseReference(spec.reference) }),
  };
}

/** Journals hold excerpts of inputs alone, and those of adventofcode.com are not to be passed on. */
function dayPortability({ sites }: AocSettings, reference: AocReference): Portability {
  const { site, statement, statement2, input, aocd } = reference;
  if (aocd !== undefined)
    return {
      staysBecause: `its puzzle is in a cache of aocd on this host (${aocd}), and inputs there are private`,
    };
  if (site === filesSite)
    return { files: [statement, statement2, input].filter((each) => each !== undefined) };
  const staysBecause =
    'its site is asked with a session cookie of this host, and puzzle inputs of adventofcode.com are private';
  return sites[site]?.isEverywhere ? {} : { staysBecause };
}

async function createDayProblem(
  settings: AocSettings,
  reference: AocReference,
  request: Asking,
): Promise<ProblemSpec> {
  const { site, year, day, lang } = reference;
  const sandbox = await request.io.sandbox.info();
  const toolchain = toolchainOf(sandbox, reference);
  const client = createClient(settings, reference, request);
  const page = await client.page('kept');
  const input = await client.input();
  const partOne = page.parts[0] ?? { format: 'text', source: '' };
  const event = site === filesSite ? null : siteOf(settings, site);
  // Part 2 of a day that its user has not solved yet is nowhere to be seen, and still a stage; of files, it is not.
  const hasOnePart = event ? isLastDay(event, reference) : page.parts.length < 2;
  const stages = hasOnePart ? allStages.slice(0, 1) : allStages;
  return {
    family: 'aoc',
    id: `aoc/${site}/${year}/${day}/${lang}`,
    title: page.title ?? (day > 0 ? `Day ${day} of ${year}` : 'A puzzle from files'),
    reference,
    // The words, not the markup: a new version of the Markdown writer must not make this another problem.
    contentHash: await settings.hashText(JSON.stringify([wordsOf(partOne), input])),
    statement: [
      { type: 'text', text: markdownOf(partOne) },
      { type: 'text', text: inputPreview(input) },
    ],
    brief: dayBrief(reference, toolchain, sandbox, {
      partCount: stages.length,
      outputCharacters: outputCharactersOf({ reference, settings }),
      isJudged: reference.site !== filesSite || page.answers[0] !== undefined,
    }),
    stages,
    detail: {
      tools: toolForm,
      toolchain: toolchain.version,
      level: toolchain.level,
      inputHash: await settings.hashText(input),
      // Written down, because its user said that it should be solved all the same.
      runningEvent: (event && isOfRunningEvent(event, reference, request.io.clock.now())) || undefined,
    },
  };
}

function toolchainOf(sandbox: SandboxInfo, { lang }: AocReference): Toolchain {
  const toolchain = sandbox.toolchains.find(({ language }) => language === lang);
  if (toolchain) return toolchain;
  throw new UnavailableError({
    code: 'no-toolchain',
    what: `This machine cannot run ${languageName(lang)} programs.`,
    why: `The sandbox ${sandbox.backend} found no toolchain for it.`,
    fix: 'Run `polya setup`, which installs what is missing, or choose another language.',
  });
}

function openDay(puzzle: Puzzle): Problem {
  return {
    spec: puzzle.spec,
    tools: [statementTool(puzzle), inputTool(puzzle), runTool(puzzle), submitTool(puzzle)],
    samples: samplesOfDay(puzzle),
    grade: async (submission, { past }) => gradeOf(puzzle.spec.stages, submission, past),
  };
}

const judgedAnswer = z.object({
  verdict: z.string(),
  answer: z.string().optional(),
  stars: z.number().optional(),
});

/** `stages` are those of the spec: the last day of an event has one. */
function gradeOf(
  stages: readonly string[],
  { stagesDone }: Submission,
  previous: readonly PreviousToolCall[],
) {
  const verdicts = stages.map((stage) => lastVerdict(previous, stage));
  const isRight = (stage: string, index: number) =>
    stagesDone.includes(stage) && verdicts[index]?.verdict !== 'unjudged';
  const right = stages.filter(isRight).length;
  const unjudged = verdicts.some((each) => each?.verdict === 'unjudged');
  const answers = stages.flatMap((stage) => lastAnswer(previous, stage) ?? []);
  return {
    // An answer that cannot be judged is not called wrong.
    correct: unjudged ? undefined : right === stages.length,
    explanation: unjudged
      ? 'Nobody here knows whether the answers are right.'
      : explainScore(stages, right, verdicts[0]?.stars),
    answers,
    data: { partsSolved: right },
  };
}

function lastVerdict(past: readonly PreviousToolCall[], stage: string) {
  const call = past.findLast(({ tool, stage: of, result }) => {
    return tool === 'SubmitAnswer' && of === stage && result.advance !== undefined;
  });
  return judgedAnswer.safeParse(call?.result.data).data;
}

/** The last answer to the stage that was judged, or taken without a judgement. */
function lastAnswer(previous: readonly PreviousToolCall[], stage: string): StageAnswer | null {
  const correct: Readonly<Record<string, boolean | null>> = {
    right: true,
    wrong: false,
    'too-high': false,
    'too-low': false,
    unjudged: null,
  };
  const found = previous
    .filter((call) => call.tool === 'SubmitAnswer' && call.stage === stage)
    .map(({ result }) => judgedAnswer.safeParse(result.data).data)
    .findLast((each) => each !== undefined && each.verdict in correct);
  if (found?.answer === undefined) return null;
  return { stage, answer: found.answer, correct: correct[found.verdict] ?? null };
}

function explainScore(stages: readonly string[], right: number, stars: number | undefined): string {
  if (right === 0) return 'No part was solved.';
  if (stages.length > 1)
    return right === 1 ? 'Part 1 was solved, part 2 was not.' : 'Both parts were solved.';
  return stars === 2
    ? 'The only part was solved; the second star has come by itself.'
    : 'The only part was solved.';
}
