/** `polya models MODEL --probe`: what the server of a model refuses, and the lines for `polya.config.ts`. */
import { exitCodes, UserError } from '../../core/errors.ts';
import type { ServerQuirk } from '../../core/model.ts';
import { isInCatalogue } from '../../models/catalogue.ts';
import { describeModel } from '../../models/describe.ts';
import {
  maxProbeCalls,
  type Probe,
  type ProbeCheck,
  probeModel,
  probeOutputTokens,
} from '../../models/probe.ts';
import { oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { type Output, print, type Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';

type ProbeOptions = {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly json: boolean | undefined;
};

export async function probeServer(
  shell: Shell,
  { model: spec, baseUrl, json }: ProbeOptions,
): Promise<number> {
  if (spec === undefined) throw noModel('--probe needs the name of a model.');
  if (isInCatalogue(spec)) await describeModel(spec, shell.env);
  const probe = await withPolya(shell, async ({ world }) => {
    const model = await world.model(spec, baseUrl === undefined ? {} : { baseUrl });
    if (model.kind !== 'live')
      throw noModel(`${spec} has no server: it is a ${model.kind}, and refuses nothing.`);
    shell.err.write(
      `${maxProbeCalls} small calls go to ${spec}, each with a reply of at most ${probeOutputTokens} tokens; what is refused is asked once more without it. They may cost a fraction of a cent.\n`,
    );
    return probeModel(model, new AbortController().signal);
  });
  print(
    shell.out,
    json ? { ...probe, config: configOf(spec, probe.quirks) } : probeText(shell.out, spec, probe),
  );
  return probe.checks[0]?.failure === null ? exitCodes.ok : exitCodes.unavailable;
}

function noModel(what: string): UserError {
  return new UserError({
    code: 'no-live-model',
    what,
    fix: 'Name a model of a provider, such as `polya models openai-compatible/NAME --probe`.',
  });
}

function probeText(output: Output, spec: string, { checks, quirks, calls, refusedCalls }: Probe): string {
  const rows = checks.map((check) => [check.name, resultText(check)]);
  const config = configOf(spec, quirks);
  const advice =
    checks[0]?.failure !== null
      ? 'Nothing more was asked.'
      : config === null
        ? 'Nothing needs to be configured.'
        : `A run finds this out by itself. To spare it the refused calls, write into polya.config.ts:\n\n  ${config}`;
  return `${table(output, ['asked for', 'result'], rows)}\n${calls} answered, ${refusedCalls} refused. ${advice}\n`;
}

function resultText({ quirks, failure }: ProbeCheck): string {
  if (failure !== null) return oneLine(failure);
  return quirks.length === 0 ? 'taken' : `taken with ${quirks.join(', ')}`;
}

/** Null where nothing is to be configured. */
function configOf(spec: string, quirks: readonly ServerQuirk[]): string | null {
  if (quirks.length === 0) return null;
  return `quirks: { '${spec}': [${quirks.map((quirk) => `'${quirk}'`).join(', ')}] },`;
}
