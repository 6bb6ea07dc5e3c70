/** Wraps agents and families of the user's: errors before a run begins name the user's code, and long waits are told. */
import type { Agent } from '../../core/agent.ts';
import { ExplainedError, errorOf, UserCodeError } from '../../core/errors.ts';
import type { Family } from '../../core/problem.ts';
import { placeOf } from './failures.ts';
import { waitingFor } from './waits.ts';

/** One wrapper for each: a file is found by the agent that it brought. */
const guarded = new WeakMap<object, Agent | Family>();

export function guardedAgent(agent: Agent): Agent {
  const { name, settings, needs, roles, prompts, usualTurns } = agent;
  const known = guarded.get(agent);
  if (known && 'solve' in known) return known;
  const who = `The agent ${name}`;
  const made: Agent = {
    name,
    settings,
    needs,
    roles,
    prompts,
    usualTurns,
    usual: agent.usual && blamed(who, 'usual', agent.usual.bind(agent)),
    decide: agent.decide && blamed(who, 'decide', agent.decide.bind(agent)),
    demands: agent.demands && blamed(who, 'demands', agent.demands.bind(agent)),
    solve: agent.solve.bind(agent),
  };
  guarded.set(agent, made).set(made, made);
  return made;
}

export function guardedFamily(family: Family): Family {
  const { name, reference, offers, mayOffer, travels } = family;
  const known = guarded.get(family);
  if (known && 'load' in known) return known;
  const who = `The family ${name}`;
  const load: Family['load'] = async (...asked) => {
    const work = (async () => family.load(...asked))();
    const loaded = waitingFor(`\`load\` of the family ${name}`, work);
    return loaded.catch((thrown) => Promise.reject(asUsers(who, 'load', thrown)));
  };
  const open = blamed(who, 'open', family.open.bind(family));
  const made: Family = { name, reference, offers, mayOffer, travels, load, open };
  guarded.set(family, made).set(made, made);
  return made;
}

function blamed<Asked extends unknown[], Given>(
  who: string,
  name: string,
  work: (...asked: Asked) => Given,
): (...asked: Asked) => Given {
  return (...asked) => {
    try {
      return work(...asked);
    } catch (thrown) {
      throw asUsers(who, name, thrown);
    }
  };
}

/** An error that already explains itself stays as it is. */
function asUsers(who: string, name: string, thrown: unknown): Error {
  const error = errorOf(thrown);
  if (error instanceof ExplainedError) return error;
  const place = placeOf(error);
  return new UserCodeError({
    code: 'user-code-throws',
    what: `${who} throws in \`${name}\`${place ? ` (${place})` : ''}: ${error.message}`,
    fix: 'Correct it; nothing was begun.',
  });
}
