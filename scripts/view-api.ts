/** Writes docs/view-api.md (`npm run api`); a test looks whether it is the page of today. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeTable } from '../src/server/route-table.ts';

const root = join(import.meta.dirname, '..');

export const viewApiPage = join(root, 'docs', 'view-api.md');

export function viewApiMarkdown(): string {
  const source = readFileSync(join(root, 'src', 'notes', 'page-items.ts'), 'utf8');
  const types =
    source.match(/^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export type \w+ = \{[\s\S]*?^\};$/gm) ?? [];
  return routesMarkdown(types.join('\n\n').replaceAll('readonly ', '').replaceAll('export type', 'type'));
}

/** `types`: the declarations of what is answered. */
function routesMarkdown(types: string): string {
  const parts = routeTable.flatMap(({ method, path, about, query, body, answer, events, errors }) => [
    `### ${method} ${path}`,
    about,
    [
      ...listed('query', query),
      ...(body === undefined ? [] : [`- body: ${body}`]),
      `- answer: ${answer}`,
      ...listed('event', events),
      ...listed('error', errors),
    ].join('\n'),
  ]);
  return `${[head, ...parts, '## What is answered', `\`\`\`ts\n${types.trim()}\n\`\`\``].join('\n\n')}\n`;
}

function listed(what: string, entries: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(entries).map(([name, words]) => `- ${what} \`${name}\`: ${words}`);
}

const head = `# The routes of the page

This page is for authors of scripts and of pages that use the server of \`polya view\`. It serves these routes on this machine alone. The page is made from the code by \`npm run api\`; [The page](view.md) is the guide.

The path of every route begins with \`/api/v1\`. Fields and routes may be added; existing ones stay as long as it is \`v1\`.

**Access.** Send \`Authorization: Bearer TOKEN\`. The token is a part of the address that \`polya view\` prints (\`--json\` prints it as JSON). A browser that opens that address gets a cookie instead.

**Errors** are \`{"error": "…"}\`, a sentence for people, never a stack. Any route may answer 401 (no token, or an old one), 403 (another host or origin), 404, 405 (neither GET nor POST), 413 (the body is larger than 1 MB), 415 (the body is not declared as JSON), 500.

**Streams** are server-sent events. Each begins with \`open\`. \`beat\` comes after ten seconds without another event; \`trouble\` holds an \`error\`, and \`end\` says that the server ends. After a lost connection, reconnect with \`Last-Event-ID\`, as browsers do, or with \`?after=\`. The stream of a run then continues behind that number, without gaps or repetitions. Streams of runs and of sets send the current state again.

**Lines of JSON** hold one value in each line. To read them in parts, send \`?after=\` with the last number that you have.

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" "$URL/api/v1/runs/ID/events?after=100&limit=50"
curl -N -H "Authorization: Bearer $TOKEN" -H "Last-Event-ID: 150" "$URL/api/v1/runs/ID/stream"
curl -H "Authorization: Bearer $TOKEN" -H "content-type: application/json" -d '{"text": "Mind the edges."}' "$URL/api/v1/runs/ID/tell"
\`\`\`

## Routes`;

if (process.argv[1] === import.meta.filename) writeFileSync(viewApiPage, viewApiMarkdown());
