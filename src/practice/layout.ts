/** What all pages of the site have around their own words. */

export type Frame = {
  readonly title: string;
  /** Null: not logged in. */
  readonly visitor: string | null;
  readonly main: string;
};

export function layout({ title, visitor, main }: Frame): string {
  const who =
    visitor === null
      ? '<a href="/auth/login">[Log In]</a>'
      : `<span class="user">${escapeHtml(visitor)}</span> <a href="/auth/logout">[Log Out]</a>`;
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><title>${title} - The Snowline</title></head>
<body>
<header><h1><a href="/">The Snowline</a></h1> <p>A practice site on this machine. ${who}</p></header>
<main>
${main}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
