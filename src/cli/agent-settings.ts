/** Settings of an agent, as `--agent-setting name=value` says them. Pure; what an agent takes, its own schema says. */
import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { collectRepeated } from './options.ts';

export type AgentSettingOptions = { readonly agentSetting?: readonly string[] };

export function agentSettingOption(command: Command): Command {
  return command.option(
    '--agent-setting <[agent:]name=value>',
    'a setting of the agent, its value as JSON or as bare words (votesToWin=1); of one agent among several: ensemble:votesToWin=1; may be repeated',
    collectRepeated,
  );
}

type Settings = { [name: string]: Json | undefined };

/** With an agent's name: what is set for it, and what is set for all; without, agents are not told apart. */
export function agentSettingsOf({ agentSetting = [] }: AgentSettingOptions, agent?: string): JsonObject {
  const settings: Settings = {};
  for (const input of agentSetting) {
    const of = agentIn(input);
    if (agent !== undefined && of !== undefined && of !== agent) continue;
    const text = agent === undefined || of === undefined ? input : input.slice(of.length + 1);
    const { name = '', value = '' } = /^(?<name>[A-Za-z][\w./-]*)=(?<value>.*)$/s.exec(text)?.groups ?? {};
    if (name === '') throw setsNothing(input);
    put(settings, name.split('.'), jsonOr(value));
  }
  return settings;
}

/** A misspelt agent would go without the setting. */
export function refuseStrangers({ agentSetting = [] }: AgentSettingOptions, agents: readonly string[]): void {
  for (const input of agentSetting) {
    const of = agentIn(input);
    if (of === undefined || agents.includes(of)) continue;
    throw new UserError({
      code: 'no-such-setting',
      what: `"${input}" is a setting of ${of}, which answers nothing here.`,
      fix: `The agents are: ${agents.join(', ')}.`,
    });
  }
}

function agentIn(input: string): string | undefined {
  return /^(?<of>[A-Za-z][\w-]*):/.exec(input)?.groups?.of;
}

/** What `--set name=value` makes of the settings that a run has: those that it names, whole or in part. */
export function changedSettings(before: JsonObject, assignments: readonly string[]): JsonObject {
  const changed: Settings = {};
  for (const input of assignments) {
    const { name = '', value = '' } = /^(?<name>[^=\s]+)=(?<value>.*)$/s.exec(input)?.groups ?? {};
    const path = name.split('.');
    const [first = ''] = path;
    if (path.includes('') || path.includes('__proto__')) {
      throw new UserError({
        code: 'setting-unchanged',
        what: `"${input}" sets nothing.`,
        fix: 'Write `--set KEY=VALUE`, such as `--set reminders=0` or `--set compat.verdict=strict`.',
      });
    }
    if (!Object.hasOwn(changed, first)) changed[first] = before[first];
    put(changed, path, jsonOr(value));
  }
  return changed;
}

/** `strategies.python=["chain"]` sets a part of a setting. */
function put(target: Settings, [name = '', ...rest]: readonly string[], value: Json): void {
  if (name === '' || name === '__proto__') throw setsNothing(name);
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const before = target[name];
  const inner = isJsonObject(before) ? { ...before } : {};
  put(inner, rest, value);
  target[name] = inner;
}

function jsonOr(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function setsNothing(text: string): UserError {
  return new UserError({
    code: 'no-such-setting',
    what: `"${text}" sets nothing.`,
    fix: 'Write `--agent-setting NAME=VALUE`, such as votesToWin=1 or strategies.python=["chain"].',
  });
}
