/** The program in a model's reply: the block of code that is one. Pure. */
import type { Answer, Misfit } from '../../../core/problem.ts';
import { sourceLimitBytes } from '../contest.ts';

const cpp = /^(c\+\+|cpp|cc|cxx|c)?(\d+)?$/i;

/** The last block that has a `main`: what stands before it are drafts and pieces. */
export function programIn(reply: string): Answer | Misfit {
  const { blocks, isOpen } = blocksOf(reply);
  const isBare = blocks.length === 0 && !isOpen && hasMain(reply);
  const source = blocks.findLast(hasMain) ?? (isBare ? bare(reply) : undefined);
  if (source === undefined) return misfit(isOpen ? 'cut' : blocks.length > 0 ? 'no main' : 'no block');
  if (new TextEncoder().encode(source).length > sourceLimitBytes) return misfit('too long');
  return { type: 'source', language: 'cpp', source };
}

function blocksOf(reply: string): { readonly blocks: readonly string[]; readonly isOpen: boolean } {
  const blocks: string[] = [];
  let open: { fence: string; isCpp: boolean; lines: string[] } | null = null;
  for (const line of reply.split(/\r?\n/)) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? [];
    if (open === null) {
      if (fence !== '') open = { fence, isCpp: cpp.test(info.trim().split(/\s/)[0] ?? ''), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      if (open.isCpp) blocks.push(`${open.lines.join('\n')}\n`);
      open = null;
    } else open.lines.push(line);
  }
  return { blocks, isOpen: open !== null };
}

function hasMain(source: string): boolean {
  return /\bmain\s*\(/.test(source) && /#\s*include|\bimport\s+std\b/.test(source);
}

/** A program and nothing else, without a fence around it; words before it are no part of it. */
function bare(reply: string): string | undefined {
  const from = reply.search(/^[ \t]*(\/\/|\/\*|#)/m);
  return from < 0 ? undefined : `${reply.slice(from).trim()}\n`;
}

const feedback = {
  cut: 'The block of code is not closed: the reply was cut off, or its last fence is missing.',
  'no main': 'No block of code is a whole program: none has both an #include and a main.',
  'no block': 'There is no block of code.',
  'too long': `The program is longer than the judge takes (${sourceLimitBytes} bytes).`,
} as const;

function misfit(why: keyof typeof feedback): Misfit {
  return {
    type: 'misfit',
    feedback: `${feedback[why]} Send one complete C++ program, in one block fenced by \`\`\`cpp and \`\`\`.`,
  };
}
