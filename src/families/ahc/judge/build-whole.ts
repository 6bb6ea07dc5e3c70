/** A build that is waited for to its end: one that was broken off is no program that does not compile. */
import type { BuildRequest, BuildResult, Sandbox } from '../../../core/sandbox.ts';

/** Throws why it was broken off. */
export async function buildWhole(
  sandbox: Pick<Sandbox, 'build'>,
  request: BuildRequest,
  signal: AbortSignal,
): Promise<BuildResult> {
  const built = await sandbox.build(request, signal);
  if (!built.executable) signal.throwIfAborted();
  return built;
}
