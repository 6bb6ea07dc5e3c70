/** Replies that are programs, objects or verdicts: what a careful reader takes from each is what its agent takes. */
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../src/agents/ensemble/planner.ts';
import { readInstruction, readOutputs, readProgram } from '../../src/agents/induction-graph/replies.ts';
import { assistant, type ReplyReading } from '../../src/agents/kit/asking.ts';
import { applyBlocks } from '../../src/agents/search/operators/blocks.ts';
import { blocksIn } from '../../src/agents/search/operators/blocks-in-reply.ts';
import { readProposal } from '../../src/agents/search/operators/proposal-in-reply.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { ModelSuccess } from '../../src/core/model.ts';
import { programIn } from '../../src/families/ahc/problem/grade.ts';
import { pythonIn } from '../../src/text/code-blocks.ts';
import { jsonInReply } from '../../src/text/model-json.ts';
import { bare, type Case, casesOf, finishOf, missesIn } from './suite.ts';

/** As a provider hands it over: with its value, where a form was asked for. */
function success(each: Case): ModelSuccess {
  return {
    ok: true,
    message: assistant(each.reply),
    finish: finishOf(each),
    usage: { tokens: null, costUsd: null },
    object: each.form === 'structured' ? jsonInReply(each.reply) : undefined,
  };
}

function objectOf({ takes }: Case): JsonObject | null {
  return isJsonObject(takes.object) ? takes.object : null;
}

const sameText = (one: string, other: unknown): boolean =>
  typeof other === 'string' && bare(one) === bare(other);

function misses(cases: readonly Case[], isRead: (each: Case) => boolean) {
  expect(cases.length).toBeGreaterThan(0);
  return missesIn(cases, isRead);
}

const readers: Readonly<Record<string, (each: Case) => boolean>> = {
  instruction(each) {
    const read = readInstruction(success(each));
    const meant = objectOf(each);
    if (!meant || !read.ok) return !meant && !read.ok;
    const { text, ...rest } = read.value;
    return Object.entries({ instruction: text, ...rest }).every(
      ([name, value]) =>
        !(name in meant) ||
        (typeof value === 'string' ? sameText(value, meant[name]) : value === meant[name]),
    );
  },
  programmer(each) {
    const read: ReplyReading<{ source: string }> = readProgram(success(each));
    const meant = objectOf(each)?.program ?? null;
    return read.ok ? sameText(read.value.source, meant) : meant === null;
  },
  generator(each) {
    const meant = objectOf(each);
    const counts = { train: itemsIn(meant?.train_outputs), test: itemsIn(meant?.test_outputs) };
    const { outputs, isReadable, problems } = readOutputs(success(each), counts);
    if (!meant) return !isReadable || problems.length > 0;
    return (
      problems.length === 0 &&
      areSame(outputs.train, meant.train_outputs) &&
      areSame(outputs.test, meant.test_outputs)
    );
  },
};

function items(value: Json | undefined): readonly { sample: number; grid: Json }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, at) => {
    if (!isJsonObject(item)) return [];
    return [{ sample: typeof item.sample === 'number' ? item.sample : at + 1, grid: item.grid ?? null }];
  });
}

const itemsIn = (value: Json | undefined): number => Math.max(0, ...items(value).map(({ sample }) => sample));

/** Grids of the suite are rows of digits. */
function areSame(
  grids: readonly (readonly (readonly number[])[] | null)[],
  value: Json | undefined,
): boolean {
  return items(value).every(({ sample, grid }) => {
    const read = grids[sample - 1] ?? null;
    const rows = Array.isArray(grid)
      ? grid.map((row) => (Array.isArray(row) ? row.join('') : String(row)))
      : null;
    return JSON.stringify(read?.map((row) => row.join('')) ?? null) === JSON.stringify(rows);
  });
}

describe('of the replies', () => {
  test.each(['instruction', 'programmer', 'generator'])('of the %s of the induction graph', (role) => {
    const cases = casesOf('induction-graph', role);
    expect(misses(cases, (each) => readers[role]?.(each) ?? false)).toEqual([]);
  });

  test('of planners: type, plan and recommendation', () => {
    // A plan that was cut off is used as far as it goes.
    const cases = casesOf('ensemble', 'planner').filter(({ takes }) => takes.why !== 'truncated');
    const isRead = (each: Case): boolean => {
      const plan = readPlan(each.reply, success(each).object);
      const meant = objectOf(each);
      if (!meant) return plan.reading === 'none';
      return Object.entries(meant).every(([name, value]) => {
        if (name === 'recommendation')
          return value === null
            ? plan.recommended !== 'stated'
            : new RegExp(plan.recommendation, 'i').test(String(value));
        return name !== 'problemType' || plan.problemType === value;
      });
    };
    expect(misses(cases, isRead)).toEqual([]);
  });

  test('that are Python programs', () => {
    const cases = casesOf('program', 'solver');
    const isRead = (each: Case): boolean => {
      const block = pythonIn(each.reply);
      const isWhole = block && (block.isClosed || finishOf(each) !== 'length');
      const { program = null } = each.takes;
      return isWhole ? sameText(block.code, program) : program === null;
    };
    expect(misses(cases, isRead)).toEqual([]);
  });

  test('of programmers for contests: whole programs, and changes of one', () => {
    const cases = casesOf('evolution', 'solver');
    const isRead = ({ reply, question, takes }: Case): boolean => {
      const blocks = blocksIn(reply);
      const whole = programIn(reply);
      if (typeof takes.whole === 'string')
        return whole.type === 'source' && sameText(whole.source, takes.whole);
      if (!Array.isArray(takes.patch)) return (blocks?.length ?? 0) === 0 && whole.type === 'misfit';
      const program = question.slice(question.indexOf('\n') + 1);
      const lines = (text: Json | undefined): string[] => (text === '' ? [] : String(text).split('\n'));
      const meant = takes.patch
        .filter(isJsonObject)
        .map(({ search, replace }) => ({ search: lines(search), replace: lines(replace) }));
      const made = applyBlocks(program, blocks ?? []);
      return made.source !== null && made.source === applyBlocks(program, meant).source;
    };
    expect(misses(cases, isRead)).toEqual([]);
  });
});

test('changes of one program, as a search reads them: 67 of 83 fresh ones at first, then 23 of 24', () => {
  const [{ reply: program } = { reply: '' }] = casesOf('proposals', 'program');
  const cases = casesOf('proposals', 'solver');
  const isRead = (each: Case): boolean => {
    const { source } = readProposal({ text: each.reply, finish: finishOf(each) }, program);
    const { whole, patch } = each.takes;
    if (typeof whole === 'string') return sameText(source ?? '', whole);
    if (!Array.isArray(patch)) return source === null;
    const meant = patch
      .filter(isJsonObject)
      .reduce((text, { search, replace }) => text.replace(String(search), () => String(replace)), program);
    return source === meant;
  };
  expect(misses(cases, isRead)).toEqual([]);
});

/** Fields that the suite names; texts but for blanks, words of a list of choices in any case. */
function isMeant(value: Json | undefined, meant: Json): boolean {
  if (typeof meant === 'string')
    return sameText(String(value), meant) || String(value).toLowerCase() === meant.toLowerCase();
  if (Array.isArray(meant))
    return Array.isArray(value) && meant.every((each, at) => isMeant(value[at], each ?? null));
  if (!isJsonObject(meant)) return value === meant || Number(value) === meant;
  return (
    isJsonObject(value) && Object.entries(meant).every(([name, inner]) => isMeant(value[name], inner ?? null))
  );
}

test.each(['verify-loop', 'proof-grader', 'evolution'])('objects in the replies of %s', (agent) => {
  const cases = casesOf(agent).filter(({ takes }) => takes.why !== 'none' && 'object' in takes);
  const isRead = ({ reply, takes }: Case): boolean => {
    const value = jsonInReply(reply);
    return takes.object == null ? !isJsonObject(value) : isMeant(value, takes.object);
  };
  expect(agent === 'proof-grader' ? missesIn(cases, isRead) : misses(cases, isRead)).toEqual([]);
});
