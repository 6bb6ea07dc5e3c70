/** What a container engine's refusal means, in the words of Docker and of podman; others are passed on unchanged. */
import { UnavailableError } from '../../core/errors.ts';

/** An answer of the engine with a status other than success, as dockerode throws it. */
export type DockerRejection = { readonly status: number; readonly said: string };

export function parseRejection(error: unknown): DockerRejection | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return null;
  const text = error.message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim();
  return { status: error.statusCode, said: text };
}

/** Podman answers 500 where Docker answers 409. */
export function isNameInUse(error: unknown): boolean {
  const dockerRejection = parseRejection(error);
  return (
    dockerRejection !== null &&
    (dockerRejection.status === 409 || dockerRejection.status === 500) &&
    / already in use/.test(dockerRejection.said)
  );
}

export function isNotFound(error: unknown): boolean {
  return parseRejection(error)?.status === 404;
}

/** Why no engine answers at an endpoint, in half a sentence; null where nothing is there at all. */
export function describeConnectionError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return null;
  if (code === 'EACCES') return 'you may not use it (your user is not in its group, often `docker`)';
  if (code === 'ECONNREFUSED') return 'nobody listens there; the engine is not running';
  const dockerRejection = parseRejection(error);
  if (dockerRejection !== null) return `it answered ${dockerRejection.status}: ${dockerRejection.said}`;
  return error instanceof Error ? error.message : String(error);
}

/** For what goes wrong once an engine was found: a refusal, or an engine that died. */
export function engineError(activity: string, error: unknown): UnavailableError {
  const refusal = parseRejection(error);
  const text = refusal?.said ?? (error instanceof Error ? error.message : String(error));
  return new UnavailableError({
    code: 'engine-failed',
    what: `The container engine failed at ${activity}.`,
    why: refusal === null ? `The connection broke: ${text}.` : `It answered ${refusal.status}: ${text}.`,
    fix:
      refusal === null
        ? 'See whether it still runs (`docker info`), then try again; `polya doctor` tells what works.'
        : 'See its own log; `polya doctor` tries again.',
  });
}
