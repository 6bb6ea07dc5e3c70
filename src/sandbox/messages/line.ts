/**
 * Reads compilers that say it in a line, `main.kt:2:22: error: …` or `main.cs(2,22): error CS0103: …`, with perhaps the
 * source and a mark below it: Kotlin's, Mono's and Microsoft's for C#. Pure.
 */
import { cutLine, type Message } from './digest.ts';

const head =
  /^(?:(?<place>[^\s:(][^:(]*(?::\d+:\d+|\(\d+,\d+(?:,\d+,\d+)?\)): ))?(?:fatal )?(?<severity>error|exception|warning|info)(?: [A-Z]+\d+)?: /;
const echo = /^(?:Compilation failed: |Compilation succeeded|exception: (?:WARN|INFO))/;
const belowHead = 3;

export function readLineMessages(text: string): readonly Message[] {
  const messages: { severity: Message['severity']; lines: string[] }[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const severity = head.exec(line.slice(0, 2_000))?.groups?.severity;
    if (echo.test(line) || severity === 'info') open = null;
    else if (severity !== undefined) {
      const message = {
        severity: severity === 'warning' ? ('warning' as const) : ('error' as const),
        lines: [line],
      };
      messages.push(message);
      open = message.lines;
    } else if (open !== null && open.length <= belowHead && line.trim() !== '') open.push(line);
  }
  return messages.map(({ severity, lines }) => ({
    severity,
    lines: lines.map((line) => cutLine(cleanPath(line))),
  }));
}

function cleanPath(line: string): string {
  return line.replaceAll(/\/(?:box|scratch\/box)\//g, '');
}
