/** The site's pages as HTML. The phrases that programs look for are those of the real site; the rest is ours. */
import { renderMarkup } from '../text/markup.ts';
import type { Reply } from './judging.ts';
import type { AnyPuzzle } from './puzzle.ts';

type VisitorAccount = {
  readonly name: string;
  readonly stars: number;
  /** To the parts that are answered. */
  readonly answers: readonly string[];
  /** The days of the event that lack stars. */
  readonly missing: readonly MissingStars[];
};

type MissingStars = { readonly day: number; readonly stars: number };

export type EventList = {
  readonly year: number;
  /** A title is null while its day is locked. */
  readonly days: readonly { readonly day: number; readonly title: string | null; readonly stars: number }[];
};

export function indexPage(events: readonly EventList[], visitor: string | null): string {
  const lists = events.map(({ year, days }) => {
    const items = days.map(({ day, title, stars }) =>
      title === null
        ? `<li>Day ${day} is still locked</li>`
        : `<li><a href="/${year}/day/${day}">Day ${day}: ${title}</a> ${'*'.repeat(stars)}</li>`,
    );
    return `<h2>${year}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return layout('Practice', visitor, `<p>Puzzles to practise on:</p>\n${lists.join('\n')}`);
}

/** `visitor`: null where no one is logged in; then the page has the first part alone. The last day has no second part. */
export function dayPage(year: number, puzzle: AnyPuzzle, visitor: VisitorAccount | null): string {
  const [first = '', second] = puzzle.parts;
  const [one, two] = visitor?.answers ?? [];
  const parts = [
    renderArticle(`--- Day ${puzzle.day}: ${puzzle.title} ---`, first),
    solved(one),
    one !== undefined && second !== undefined ? renderArticle('--- Part Two ---', second) : '',
    solved(two),
    visitor
      ? progress(puzzle, visitor)
      : '<p>To play, please identify yourself: <a href="/auth/login">[Log In]</a></p>',
  ];
  return layout(`Day ${puzzle.day} of ${year}`, visitor?.name ?? null, parts.filter(Boolean).join('\n'));
}

export function replyPage(year: number, day: number, reply: Reply, visitor: string): string {
  const back = `<a href="/${year}/day/${day}">[Return to Day ${day}]</a>`;
  const main = `<article><p>${replyText(reply)} ${back}</p></article>`;
  return layout(`Day ${day} of ${year}`, visitor, main);
}

function renderArticle(heading: string, html: string): string {
  return `<article class="day-desc"><h2>${heading}</h2>${html}</article>`;
}

function solved(answer: string | undefined): string {
  return answer === undefined ? '' : `<p>Your puzzle answer was <code>${renderMarkup(answer)}</code>.</p>`;
}

function progress({ day, parts }: AnyPuzzle, { stars, answers, missing }: VisitorAccount): string {
  if (stars === 2) {
    return '<p class="day-success">Both parts of this puzzle are complete! They provide two gold stars: **</p>';
  }
  const half =
    stars === 1
      ? '<p class="day-success">The first half of this puzzle is complete! It provides one gold star: *</p>\n'
      : '';
  return half + (answers.length === parts.length ? waiting(missing) : form(day, answers.length + 1));
}

/** On the last day there is nothing more to answer, but there may be on others. */
function waiting(missing: readonly MissingStars[]): string {
  const days = missing.map(({ day, stars }) => `${stars} of day ${day}`);
  const total = missing.reduce((sum, { stars }) => sum + stars, 0);
  return `<p>The second star needs no answer: it comes by itself as soon as you have all the others. You still need
<code>${total}</code>: ${days.join(', ')}.</p>`;
}

function form(day: number, level: number): string {
  return `<p>To begin, <a href="${day}/input">get your puzzle input</a>.</p>
<form method="post" action="${day}/answer"><input type="hidden" name="level" value="${level}"/>
<p>Answer: <input type="text" name="answer" autocomplete="off"/> <input type="submit" value="[Submit]"/></p></form>`;
}

function replyText(reply: Reply): string {
  switch (reply.kind) {
    case 'right':
      return `That's the right answer! The Snowline owes you one gold star. ${whatNext(reply)}`;
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

function whatNext({ stars, isAnswered, lastDay }: Extract<Reply, { kind: 'right' }>): string {
  if (lastDay !== null) {
    return `Both parts of this puzzle are complete! And as you have all the other stars now, the second star of day ${lastDay} has come by itself.`;
  }
  if (stars === 2) return 'Both parts of this puzzle are complete!';
  return isAnswered
    ? 'The second star of this day will come by itself, as soon as you have all the others.'
    : 'Part two is open now.';
}

/** The real site's form: `45s`, `1m 5s`. Never less than the rest of the wait. */
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

/** What all pages have around their own words. */
function layout(title: string, visitor: string | null, main: string): string {
  const name =
    visitor === null
      ? '<a href="/auth/login">[Log In]</a>'
      : `<span class="user">${renderMarkup(visitor)}</span> <a href="/auth/logout">[Log Out]</a>`;
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><title>${title} - The Snowline</title></head>
<body>
<header><h1><a href="/">The Snowline</a></h1> <p>A practice site on this machine. ${name}</p></header>
<main>
${main}
</main>
</body>
</html>
`;
}
