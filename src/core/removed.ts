/** What earlier versions had and this one has not, each with what to use instead: the one list of it. Pure. */

const room = 'The search does this by its room, always';
const noGain = 'No bench showed a lasting gain';
const fixedNow = 'The search has the value that its bench was best with';

const agents: Readonly<Record<string, string>> = {
  portfolio: 'Use `evolution`, which was ahead of it in every bench, or `best-of-n`.',
  'edit-and-test': 'Use `evolution`, or `best-of-n`.',
};

/** By agent; a part of a setting by its path. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'induction-graph': { edition: 'There is one edition: leave it out.' },
  'verify-loop': {
    leftOpen: 'Graders are always asked what a solution leaves open: leave it out.',
    compat: 'The loop as it was published is `judging=published`; `reportFrom` is a setting of its own.',
  },
  'proof-grader': {
    leftOpen: 'Graders are always asked what a proof leaves open: leave it out.',
    judging: 'Graders always give their own verdict: leave it out.',
  },
  evolution: {
    edition: 'There is one edition: leave it out.',
    policy: `${room}: leave it out.`,
    archiveShare: `${noGain}: use \`islands\` for variety.`,
    'operators.simplify': `${noGain}: ask for shorter programs by a hint or in \`mutationPrompts\`.`,
    simplifyLevel: `${noGain}: ask for shorter programs by a hint or in \`mutationPrompts\`.`,
    operatorChoice: `${noGain}: weight operators by \`operators\`.`,
    wordingChoice: `${noGain}: keep in \`mutationPrompts\` the words that \`ahc-agent knowledge\` shows to pay.`,
    insightsEvery: `${noGain}: send a hint instead (\`tell\`).`,
    tabooIdeas: `${noGain}: duplicates are refused anyway.`,
    knowledge: `${noGain}: \`ahc-agent knowledge search\` finds what fits, \`tell\` sends it as a hint.`,
    beginnings: 'It is a part of `room`: `room={"beginnings": 8}`.',
    raceAfter: 'It is a part of `room`: `room={"raceAfter": [5, 12]}`.',
    raceLevel: 'It is a part of `room`: `room={"raceLevel": 0.2}`.',
    timeMargin: `${fixedNow}: leave it out, or correct \`contest.time_limit\` of the configuration.`,
    onFailure:
      'The search decides it: where no repair makes a program of yours sound, its failures count nothing.',
    repairs: `${fixedNow}: leave it out.`,
    noveltyThreshold: `${fixedNow}: leave it out.`,
    islandSize: `${fixedNow}: use \`islands\` for variety.`,
    migrationEvery: `${fixedNow}: use \`islands\`, or leave it out.`,
    reevaluateEvery: `${fixedNow}: leave it out, or raise \`heldOutCases\`.`,
    reevaluateCases: `${fixedNow}: leave it out, or raise \`heldOutCases\`.`,
    finalists: `${fixedNow}: leave it out, or raise \`heldOutCases\`.`,
    tuneEvaluations: `${fixedNow}: use \`ahc-agent tune --evaluations\`.`,
    offered: 'The main.cpp of a workspace takes the place of its template: name programs by `given`.',
    maxOutputTokens: 'It is a setting of the model: `--setting max_output_tokens=N`.',
    reasoningEffort: 'It is a setting of the model: `--setting reasoning_effort=WORD`.',
    children: `${noGain}: use \`linesPerIsland\` for more proposals at once.`,
  },
};

export const removedAgent = (name: string): string | null =>
  Object.hasOwn(agents, name) ? (agents[name] ?? null) : null;

export function removedSetting(agent: string, path: string): string | null {
  const own = Object.hasOwn(settings, agent) ? settings[agent] : undefined;
  return own && Object.hasOwn(own, path) ? (own[path] ?? null) : null;
}
