/**
 * Reads what rustc and cargo print: blocks that begin with `error` or `warning`, and cargo's own lines, of which only
 * its complaints are kept. Pure.
 */
import { cutLine, type Message } from './digest.ts';

const head = /^(?<severity>error|warning)(?:\[[A-Z]\d+\])?: (?<text>.*)$/;
/** What says no more than that something above went wrong. */
const echo =
  /^(?:aborting due to|could not compile|build failed|\d+ warnings? emitted|`[^`]*` \([^)]*\) generated \d+ warning)/;
const aside = /^(?:Some errors have detailed|For more information about|note: run with|To learn more)/;
const progress =
  /^\s*(?:Compiling|Checking|Finished|Updating|Fresh|Running|Downloaded|Blocking|warning: build failed)\b/;
const blockLines = 16;

export function readRustMessages(text: string): readonly Message[] {
  const messages: { severity: Message['severity']; lines: string[] }[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const { severity, text: words = '' } = head.exec(line)?.groups ?? {};
    if (aside.test(line) || progress.test(line) || echo.test(words)) open = null;
    else if (severity !== undefined) {
      const message = {
        severity: severity === 'error' ? ('error' as const) : ('warning' as const),
        lines: [line],
      };
      messages.push(message);
      open = message.lines;
    } else if (open !== null && line.trim() !== '') open.push(line);
  }
  return messages.map(({ severity, lines }) => ({ severity, lines: short(lines) }));
}

function short(lines: readonly string[]): readonly string[] {
  const clean = lines.filter((line) => line.trim() !== '|').map((line) => cutLine(cleanPaths(line)));
  const omitted = clean.length - blockLines;
  return omitted > 1 ? [...clean.slice(0, blockLines), `  (${omitted} lines omitted)`] : clean;
}

function cleanPaths(line: string): string {
  return line
    .replaceAll(/\/(?:box|scratch\/box)\//g, '')
    .replaceAll('/usr/share/cargo/registry/', '')
    .replaceAll(/\/rustc\/[0-9a-f]+\//g, '');
}
