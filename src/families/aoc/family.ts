/**
 * The family of Advent of Code puzzles, on the real site or on one that speaks its wire.
 * A problem is one day in one language; its two parts are stages. Knows no agent, no model and no secret.
 */
import { UnavailableError } from '../../core/errors.ts';
import type { Io } from '../../core/io.ts';
import type { Family, Grade, Problem, ProblemFace, Submission } from '../../core/problem.ts';
import type { SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import { briefOf } from './brief.ts';
import { checkDay } from './calendar.ts';
import { createClient, siteOf } from './client.ts';
import { languageName } from './languages.ts';
import { toMarkdown } from './markdown.ts';
import { plainText } from './page.ts';
import { parseReference } from './reference.ts';
import type { AocReference, AocSettings } from './sites.ts';
import { inputTool } from './tool-input.ts';
import { runTool } from './tool-run.ts';
import { statementTool } from './tool-statement.ts';
import { submitTool } from './tool-submit.ts';
import { type Puzzle, stages } from './tools.ts';

export function aocFamily(settings: AocSettings): Family {
  return {
    name: 'aoc',
    async pose(json, io, signal) {
      const reference = parseReference(json);
      checkDay(siteOf(settings, reference.site), reference, io.clock.now());
      return poseDay(settings, reference, { io, signal });
    },
    open: (face) => openDay({ face, settings, reference: parseReference(face.reference) }),
  };
}

async function poseDay(
  settings: AocSettings,
  reference: AocReference,
  asking: { readonly io: Io; readonly signal: AbortSignal },
): Promise<ProblemFace> {
  const { site, year, day, lang } = reference;
  const sandbox = await asking.io.sandbox.info();
  const toolchain = toolchainOf(sandbox, reference);
  const client = createClient(settings, reference, asking);
  const page = await client.page('kept');
  const input = await client.input();
  const partOne = page.parts[0] ?? '';
  return {
    family: 'aoc',
    id: `aoc/${site}/${year}/${day}/${lang}`,
    title: page.title ?? `Day ${day} of ${year}`,
    reference,
    // The words, not the markup: a new version of the Markdown writer must not make this another problem.
    contentHash: await settings.hashText(JSON.stringify([plainText(partOne), input])),
    statement: [{ type: 'text', text: toMarkdown(partOne) }],
    brief: briefOf(reference, toolchain, sandbox),
    stages,
    detail: { toolchain: toolchain.version, level: toolchain.level },
  };
}

function toolchainOf(sandbox: SandboxInfo, { lang }: AocReference): Toolchain {
  const toolchain = sandbox.toolchains.find(({ language }) => language === lang);
  if (toolchain) return toolchain;
  throw new UnavailableError({
    what: `This machine cannot run ${languageName(lang)} programs.`,
    why: `The sandbox ${sandbox.backend} found no toolchain for it.`,
    fix: 'Run `polya setup`, which installs what is missing, or choose another language.',
  });
}

function openDay(puzzle: Puzzle): Problem {
  return {
    face: puzzle.face,
    tools: [statementTool(puzzle), inputTool(puzzle), runTool(puzzle), submitTool(puzzle)],
    grade: async (submission) => gradeOf(submission),
  };
}

/** The site has judged already: what counts is which parts this run has opened and closed. */
function gradeOf({ stagesDone }: Submission): Grade {
  const done = stages.filter((stage) => stagesDone.includes(stage)).length;
  const explanations = [
    'No part was solved.',
    'Part 1 was solved, part 2 was not.',
    'Both parts were solved.',
  ];
  return {
    correct: done === stages.length,
    explanation: explanations[done] ?? '',
    data: { partsSolved: done },
  };
}
