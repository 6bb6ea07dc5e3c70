/** Asks through files NAME.prompt.md and NAME.answer.md or .json. Names tell run and place, so a resumed run finds its answer. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImagePart, ModelCall, ModelRequest } from '../../core/model.ts';
import { type Ask, type CheckedAnswer, checkAnswer, type PersonAnswer } from './answer.ts';
import { placeText, promptText } from './prompt-text.ts';

const lookEveryMs = 200;

export function askInFolder(folder: string): Ask {
  return async ({ request, call }) => {
    const path = join(folder, nameOf(call));
    await mkdir(folder, { recursive: true });
    await writeQuestion(path, request, call);
    try {
      return await awaitAnswer(path, request, call.signal);
    } catch (error) {
      // A run that its user has stopped asks this again when it is resumed, and may find it answered.
      const isStopped = call.signal.aborted && Object(call.signal.reason).by === 'end';
      if (!isStopped) await rm(`${path}.prompt.md`, { force: true });
      throw error;
    }
  };
}

/** What a file name cannot hold of a branch or a role is written as its code. */
function nameOf({ run = 'run', role, branch, index, attempt }: ModelCall): string {
  const words = [run, role, ...(branch ? [branch] : []), String(index + 1).padStart(3, '0')];
  const safe = words.map((word) =>
    word.replaceAll(/[^\w.-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16)}`),
  );
  return `${safe.join('_')}${attempt > 0 ? `_again-${attempt}` : ''}`.slice(0, 200);
}

async function writeQuestion(path: string, request: ModelRequest, call: ModelCall): Promise<void> {
  for (const [index, { mediaType, data }] of imagesIn(request).entries()) {
    await writeWhole(`${path}.image-${index + 1}.${extensionOf(mediaType)}`, Buffer.from(data, 'base64'));
  }
  const name = basename(path);
  const how = `Answer in ${name}.answer.md (the text alone), or in ${name}.answer.json:\n{"text": "…", "toolCalls": [{"name": "…", "args": {}}], "tokens": {"input": 0, "output": 0}}`;
  await writeWhole(`${path}.prompt.md`, `# ${placeText(call)}\n\n${promptText(request)}\n---\n\n${how}\n`);
}

/** A reader of the folder never sees half a file. */
async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}

export function imagesIn({ messages }: ModelRequest): readonly ImagePart[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [];
    return content.flatMap((part) => (part.type === 'image' ? [part] : []));
  });
}

function extensionOf(mediaType: string): string {
  return /^image\/([a-z]+)/.exec(mediaType)?.[1] ?? 'bin';
}

/** An editor may write in pieces: an answer counts when it was the same at two looks. */
async function awaitAnswer(path: string, request: ModelRequest, signal: AbortSignal): Promise<PersonAnswer> {
  let before: string | null = null;
  let refused: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const now = await readAnswer(path);
    if (now !== null && now === before && now !== refused) {
      const checked = checkText(now, request);
      if (checked.ok) {
        await rm(`${path}.problem.txt`, { force: true });
        return checked.answer;
      }
      refused = now;
      await writeWhole(
        `${path}.problem.txt`,
        `${checked.problem}\nChange the answer, and it is read again.\n`,
      );
    }
    before = now;
    await sleep(lookEveryMs, undefined, { signal });
  }
}

/** The first character tells the form: `j` or `m`. */
async function readAnswer(path: string): Promise<string | null> {
  for (const form of ['json', 'md']) {
    // The decoder leaves out the mark that editors of Windows begin files with.
    const bytes = await readFile(`${path}.answer.${form}`).catch(() => null);
    const text = bytes === null ? '' : new TextDecoder().decode(bytes);
    if (text.trim() !== '') return `${form[0]}${text}`;
  }
  return null;
}

function checkText(text: string, request: ModelRequest): CheckedAnswer {
  if (text.startsWith('m')) return checkAnswer({ text: text.slice(1).replace(/\r?\n$/, '') }, request);
  try {
    return checkAnswer(JSON.parse(text.slice(1)), request);
  } catch (error) {
    return { ok: false, problem: `The file is no JSON: ${error instanceof Error ? error.message : error}` };
  }
}
