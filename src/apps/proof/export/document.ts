/** A proof as a document for others, in the forms there are. */
import type { ProofReport } from '../report.ts';
import { contentOf } from './content.ts';

export const documentFormats = ['markdown', 'html', 'latex'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export async function documentOf(report: ProofReport, format: DocumentFormat): Promise<string> {
  const content = contentOf(report);
  switch (format) {
    case 'markdown':
      // Loaded here, as are the others, because a proof on the screen needs no reader of Markdown and no typesetter.
      return (await import('./markdown.ts')).markdownOf(content);
    case 'html':
      // Loaded here for the same reason.
      return (await import('./html.ts')).htmlOf(content);
    case 'latex':
      // Loaded here for the same reason.
      return (await import('./latex.ts')).latexOf(content);
  }
}
