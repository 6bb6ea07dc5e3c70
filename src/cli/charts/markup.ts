/** The frame of every HTML document: it opens anywhere, and holds no script. */
import { markup } from '../../text/markup.ts';

export type HtmlDocument = {
  readonly title: string;
  readonly style: string;
  readonly body: string;
};

/** A page that opens anywhere: a reader's browser is told that it holds no script, and nothing from elsewhere. */
export function htmlDocument({ title, style, body }: HtmlDocument): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markup(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
