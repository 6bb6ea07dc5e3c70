/** A server of this machine alone: where it listens, and how it ends. Knows nothing of what is asked of it. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { UnavailableError } from '../core/errors.ts';

export type ListeningServer = {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
};

/** Port 0 is any that is free; `name` is for people. Throws `UnavailableError` where the port is taken. */
export async function listenHere(
  server: Server & { closeAllConnections?(): void },
  { port = 0, name }: { readonly port?: number | undefined; readonly name: string },
): Promise<ListeningServer> {
  const listening = once(server, 'listening');
  try {
    server.listen(port, '127.0.0.1');
    await listening;
  } catch (error) {
    listening.catch(() => undefined);
    throw portInUseError(port, name, error);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`${name} has no port.`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Clients keep their connections open for a next request, which will not come.
      server.closeAllConnections?.();
      await closed;
    },
  };
}

function portInUseError(port: number, name: string, error: unknown): UnavailableError {
  return new UnavailableError({
    code: 'port-taken',
    what: `${name} could not be started on port ${port}.`,
    why: error instanceof Error ? error.message : String(error),
    fix: 'Choose another port, or none: then a free one is taken.',
  });
}
