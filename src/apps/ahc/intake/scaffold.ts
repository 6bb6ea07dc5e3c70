/** What a workspace has besides problem and tools: configuration, container, records. */
import { stringify } from 'yaml';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { testScript } from '../../../families/ahc/plain/program.ts';
import { initialFile } from '../workspace/edit.ts';
import type { Keeper } from './keeper.ts';

/** The columns of `results.csv`, one line a session (§7.3 of the specification). */
export const resultsHeader =
  'session,started_at,ended_at,best_score,final_generation,parameters,total_tokens,estimated_cost_usd';

/** The configuration first: a folder that has it is a workspace, and can be repaired. */
export async function writeScaffold(
  keeper: Keeper,
  id: string,
  config: Pick<Resolved, 'get'>,
): Promise<void> {
  await keeper.add(layout.config, () => initialFile());
  const mount = String(config.get('docker.mount_path'));
  await keeper.add(layout.ignore, ignored);
  await keeper.add(layout.dockerfile, () => dockerfile(String(config.get('docker.image')), mount));
  await keeper.add(layout.compose, () => composeFile(id, mount));
  await keeper.add(layout.testScript, testScript, 0o777);
  await keeper.add(layout.results, `${resultsHeader}\n`);
}

const ignored = `# The configuration may hold keys; statement and tools are their authors'.
/${layout.config}
/.env
/${layout.records}/
/${layout.problem}/
/${layout.tools}/
# Sessions of \`solve\`: their logs hold whole conversations.
/*/logs/
# What is built.
/main
/out/
*.tmp
`;

function dockerfile(image: string, mount: string): string {
  return `# g++ for the solution. The tools are Rust: \`apt-get install cargo\` here, where they are to be built in it too.
ARG IMAGE=${image}
FROM \${IMAGE}
WORKDIR ${mount}
CMD ["bash"]
`;
}

function composeFile(id: string, mount: string): string {
  const service = {
    build: '.',
    image: `ahc-${id}`,
    volumes: [`.:${mount}`],
    working_dir: mount,
    // What runs here came from elsewhere, and needs nobody.
    network_mode: 'none',
    stdin_open: true,
    tty: true,
  };
  return stringify({ services: { dev: service } }, { lineWidth: 0 });
}
