/** A local server that speaks the wires of all providers, for people and for tests. */
import { UserError } from '../core/errors.ts';
import { resolveModel } from '../models/catalogue.ts';
import { faults as modelServerFaults } from '../practice/models/conduct.ts';

export type ModelServerChoice = {
  readonly folder?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** A script file as `scripted:FILE` has it; absent: an echo. */
  readonly script?: string;
  /** The role of the script that answers; absent: solver. */
  readonly role?: string;
  /** A name of `modelServerFaults`, for every `every`-th request (absent: for all). */
  readonly fault?: string;
  readonly every?: number;
  readonly firstByteMs?: number;
  /** Told of each request. */
  readonly onRequest?: (request: {
    readonly number: number;
    readonly wire: string;
    readonly fault: string | null;
  }) => void;
};

/** Serves the wires of all providers until it is closed; nothing of it leaves this machine. */
export async function serveModels(
  choice: ModelServerChoice = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { folder = '.', port, script, role, fault, every = 1, firstByteMs, onRequest } = choice;
  const conduct = fault === undefined ? {} : modelServerFaults[fault];
  if (!conduct) {
    const names = Object.keys(modelServerFaults).join(', ');
    throw new UserError({
      code: 'no-such-fault',
      what: `There is no fault ${fault}.`,
      fix: `There are: ${names}.`,
    });
  }
  // Loaded here because only this command serves models.
  const { startModelServer } = await import('../practice/models/server.ts');
  // Loaded here for the same reason.
  const { echoModel } = await import('../practice/models/echo.ts');
  const model = script
    ? await resolveModel(`scripted:${script}`, { env: {}, folder, priceOf: () => null })
    : echoModel;
  return startModelServer({
    model,
    models: [{ name: 'mock', sees: true }],
    port,
    role,
    conduct: ({ number, wire }) => {
      const isFaulty = fault !== undefined && number % every === 0;
      onRequest?.({ number, wire, fault: isFaulty ? fault : null });
      return { ...(isFaulty ? conduct : {}), ...(firstByteMs ? { firstByteMs } : {}) };
    },
  });
}
