/**
 * The family of AtCoder Heuristic Contests: a workspace as a problem, whose answer is one C++ program that is measured by
 * the official tools. Knows no agent and no model; workspaces and files reach it through what it is given.
 */
import type { Family, Problem, ProblemSpec } from '../../core/problem.ts';
import { type AhcDesk, type AhcParts, openDesk } from './problem/desk.ts';
import { factsIn } from './problem/facts.ts';
import { gradeProgram } from './problem/grade.ts';
import { poseContest } from './problem/load.ts';
import { programTask } from './problem/program.ts';
import { ahcReference, parseReference } from './problem/reference.ts';
import { programIn } from './problem/reply.ts';
import { toolsOf } from './problem/tools.ts';
import type { Measuring } from './problem/work.ts';

export function ahcFamily(parts: AhcParts): Family {
  const desk = openDesk(parts);
  return {
    name: 'ahc',
    reference: ahcReference,
    offers: ['tools', 'program', 'parse'],
    load: async (json, io) => poseContest(parts, parseReference(json), io),
    open: (spec) => openContest(desk, spec),
  };
}

function openContest(desk: AhcDesk, spec: ProblemSpec): Problem {
  const facts = factsIn(spec);
  const measuring: Measuring = { desk, facts, path: parseReference(spec.reference).workspace };
  return {
    spec,
    tools: toolsOf(desk, measuring.path, { statement: wordsOf(spec), contest: facts.contest.id }),
    program: programTask(measuring),
    parse: programIn,
    grade: (submission, context) => gradeProgram(measuring, submission, context),
  };
}

function wordsOf({ statement }: ProblemSpec): string {
  return statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
