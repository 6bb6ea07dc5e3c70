/**
 * The site's pages as HTML. The phrases that programs look for are those of the real site's wire; the rest is ours.
 * Knows nothing of requests, accounts or how an answer was judged.
 */
import type { Reply } from './judging.ts';
import { type Puzzle, practiceYear } from './puzzle.ts';

export type Visitor = {
  readonly name: string;
  readonly stars: number;
  readonly answers: readonly [string, string];
};

export function indexPage(puzzles: readonly Puzzle[], visitor: string | null): string {
  const days = puzzles.map(
    ({ day, title }) => `<li><a href="/${practiceYear}/day/${day}">Day ${day}: ${title}</a></li>`,
  );
  return layout('Practice', visitor, `<p>Puzzles to practise on:</p>\n<ul>\n${days.join('\n')}\n</ul>`);
}

/** Whoever is not logged in reads the first part only. */
export function dayPage(puzzle: Puzzle, visitor: Visitor | null): string {
  const stars = visitor?.stars ?? 0;
  const solved = (part: 0 | 1) =>
    visitor && stars > part
      ? `<p>Your puzzle answer was <code>${escapeHtml(visitor.answers[part])}</code>.</p>`
      : '';
  const parts = [
    article(`--- Day ${puzzle.day}: ${puzzle.title} ---`, puzzle.parts[0]),
    solved(0),
    stars > 0 ? article('--- Part Two ---', puzzle.parts[1]) : '',
    solved(1),
    visitor
      ? progress(puzzle.day, stars)
      : '<p>To play, please identify yourself: <a href="/auth/login">[Log In]</a></p>',
  ];
  return layout(`Day ${puzzle.day}`, visitor?.name ?? null, parts.filter(Boolean).join('\n'));
}

export function replyPage(day: number, reply: Reply, visitor: string): string {
  const back = `<a href="/${practiceYear}/day/${day}">[Return to Day ${day}]</a>`;
  return layout(`Day ${day}`, visitor, `<article><p>${replyText(reply)} ${back}</p></article>`);
}

function replyText(reply: Reply): string {
  switch (reply.kind) {
    case 'right': {
      const next = reply.level === 1 ? 'Part two is open now.' : 'Both parts of this puzzle are complete!';
      return `That's the right answer! The Snowline owes you one gold star. ${next}`;
    }
    case 'wrong': {
      const hint = reply.hint ? `; your answer is ${reply.hint}` : '';
      return `That's not the right answer${hint}. Please wait ${inWords(reply.waitMs)} before trying again.`;
    }
    case 'too-recent':
      return `You gave an answer too recently; you have to wait after submitting an answer before trying again. You have ${waitText(reply.leftMs)} left to wait.`;
    case 'wrong-level':
      return "You don't seem to be solving the right level. Did you already complete it?";
    case 'finished':
      return "You've finished every puzzle! There is nothing left to answer.";
    case 'too-much-data':
      return "You're posting too much data.";
  }
}

/** As the real site writes it: `45s`, `1m 5s`. Never less than what is left. */
function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
}

function article(heading: string, html: string): string {
  return `<article class="day-desc"><h2>${heading}</h2>${html}</article>`;
}

function progress(day: number, stars: number): string {
  if (stars === 2) {
    return '<p class="day-success">Both parts of this puzzle are complete! They provide two gold stars: **</p>';
  }
  const half =
    stars === 1
      ? '<p class="day-success">The first half of this puzzle is complete! It provides one gold star: *</p>\n'
      : '';
  return `${half}<p>To begin, <a href="${day}/input">get your puzzle input</a>.</p>
<form method="post" action="${day}/answer"><input type="hidden" name="level" value="${stars + 1}"/>
<p>Answer: <input type="text" name="answer" autocomplete="off"/> <input type="submit" value="[Submit]"/></p></form>`;
}

function layout(title: string, visitor: string | null, main: string): string {
  const who =
    visitor === null
      ? '<a href="/auth/login">[Log In]</a>'
      : `<span class="user">${escapeHtml(visitor)}</span>`;
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><title>${title} - The Snowline, ${practiceYear}</title></head>
<body>
<header><h1><a href="/">The Snowline</a></h1> <p>A practice site on this machine. ${who}</p></header>
<main>
${main}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
