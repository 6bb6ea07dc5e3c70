/** What is typed at a confirmation: taken, edited, chosen from, rejected. Pure; knows no session. */

export type Reply =
  | { readonly type: 'take' }
  | { readonly type: 'edit' }
  /** Places from 0, in the order in which they were named. */
  | { readonly type: 'choose'; readonly places: readonly number[] }
  /** Null: the reason is to be asked for. */
  | { readonly type: 'reject'; readonly reason: string | null }
  | { readonly type: 'unclear'; readonly why: string };

export function replyIn(line: string, { choices }: { readonly choices: number }): Reply {
  const text = line.normalize('NFKC').trim();
  if (/^(?:y|yes|ok|take|はい)?$/i.test(text)) return { type: 'take' };
  if (/^(?:e|edit|編集)$/i.test(text)) return { type: 'edit' };
  const rejected = /^(?:n|no|reject|いいえ)(?:[\s:,、]+(?<reason>.+))?$/is.exec(text);
  if (rejected) return { type: 'reject', reason: rejected.groups?.reason?.trim() ?? null };
  if (choices > 0 && /^\d+(?:[\s,、]+\d+)*$/.test(text)) return chosen(text, choices);
  return { type: 'unclear', why: `"${line.trim()}" is no reply to this.` };
}

function chosen(text: string, choices: number): Reply {
  const places = [...new Set(text.split(/[\s,、]+/).map((each) => Number(each) - 1))];
  const wrong = places.find((place) => place < 0 || place >= choices);
  if (wrong !== undefined)
    return { type: 'unclear', why: `There is no number ${wrong + 1}: 1 to ${choices}.` };
  return { type: 'choose', places };
}
