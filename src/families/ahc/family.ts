/**
 * The family of AtCoder Heuristic Contests: a workspace as a problem, whose answer is one C++ program that is measured by
 * the official tools. Knows no agent and no model; workspaces and files reach it through what it is given.
 */
import type { Family, Problem, ProblemFace } from '../../core/problem.ts';
import { type AhcDesk, type AhcParts, openDesk } from './problem/desk.ts';
import { factsIn } from './problem/facts.ts';
import { gradeProgram } from './problem/grade.ts';
import { poseContest } from './problem/pose.ts';
import { programTask } from './problem/program.ts';
import { parseReference } from './problem/reference.ts';
import { programIn } from './problem/reply.ts';
import { toolsOf } from './problem/tools.ts';
import type { Measuring } from './problem/work.ts';

export function ahcFamily(parts: AhcParts): Family {
  const desk = openDesk(parts);
  return {
    name: 'ahc',
    pose: async (json, io) => poseContest(parts, parseReference(json), io),
    open: (face) => openContest(desk, face),
  };
}

function openContest(desk: AhcDesk, face: ProblemFace): Problem {
  const facts = factsIn(face);
  const measuring: Measuring = { desk, facts, path: parseReference(face.reference).workspace };
  return {
    face,
    tools: toolsOf(desk, measuring.path, { statement: wordsOf(face), contest: facts.contest.id }),
    program: programTask(measuring),
    parse: programIn,
    grade: (submission, context) => gradeProgram(measuring, submission, context),
  };
}

function wordsOf({ statement }: ProblemFace): string {
  return statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
