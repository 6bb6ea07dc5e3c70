/**
 * Where a container engine may listen, in the order in which it is looked for. Pure: it looks at nothing, connects
 * to nothing. `DOCKER_HOST` decides alone where it is set, as it does for the engine's own tools.
 */
import { join } from 'node:path';

export type Endpoint =
  | { readonly kind: 'socket'; readonly path: string }
  /** Another machine, or this one by network. */
  | { readonly kind: 'remote'; readonly address: string };

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly uid: number;
};

const systemSockets = ['/var/run/docker.sock', '/run/podman/podman.sock'] as const;

export function endpoints({ env, home, uid }: Surroundings): readonly Endpoint[] {
  const named = env.DOCKER_HOST?.trim();
  if (named) return [parseAddress(named)];
  const [docker, podman] = systemSockets;
  const runtime = env.XDG_RUNTIME_DIR?.trim() || `/run/user/${uid}`;
  const paths = [
    docker,
    // Docker without root, and Docker Desktop.
    join(runtime, 'docker.sock'),
    join(home, '.docker', 'run', 'docker.sock'),
    join(home, '.docker', 'desktop', 'docker.sock'),
    join(runtime, 'podman', 'podman.sock'),
    podman,
  ];
  return [...new Set(paths)].map((path) => ({ kind: 'socket', path }));
}

export function endpointName(endpoint: Endpoint): string {
  return endpoint.kind === 'socket' ? endpoint.path : endpoint.address;
}

function parseAddress(address: string): Endpoint {
  const [, path] = /^unix:\/\/(.*)$/.exec(address) ?? [];
  if (path !== undefined) return { kind: 'socket', path: path || systemSockets[0] };
  return { kind: 'remote', address };
}
