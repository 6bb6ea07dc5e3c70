/**
 * The family of AtCoder Heuristic Contests: a workspace as a problem, whose answer is one C++ program that is measured by
 * the official tools. Knows no agent and no model; workspaces and files reach it through what it is given.
 */
import type { Family, Problem, ProblemSpec } from '../../core/problem.ts';
import { ahcReference, contestInfo, parseReference } from './problem/facts.ts';
import { gradeProgram, programIn } from './problem/grade.ts';
import { loadContest } from './problem/load.ts';
import { type ContestProblem, programTask } from './problem/measure.ts';
import { contestPortability, partsAt } from './problem/sent.ts';
import { type AhcParts, type AhcServices, openServices } from './problem/services.ts';
import { toolsOf } from './problem/tools.ts';

export function ahcFamily(parts: AhcParts): Family {
  const services = openServices(parts);
  return {
    name: 'ahc',
    reference: ahcReference,
    offers: ['tools', 'program', 'parse'],
    travels: (spec) => contestPortability(services, spec),
    load: async (json, io) => loadContest(partsAt(parts, io), parseReference(json), io),
    open: (spec) => openContest(services, spec),
  };
}

function openContest(services: AhcServices, spec: ProblemSpec): Problem {
  const facts = contestInfo(spec);
  const problem: ContestProblem = { services, facts, path: parseReference(spec.reference).workspace };
  return {
    spec,
    tools: toolsOf(services, problem.path, { statement: wordsOf(spec), contest: facts.contest.id }),
    program: programTask(problem),
    parse: programIn,
    grade: (submission, context) => gradeProgram(problem, submission, context),
  };
}

function wordsOf({ statement }: ProblemSpec): string {
  return statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
