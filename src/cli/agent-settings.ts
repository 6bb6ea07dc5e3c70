/** Settings of an agent, as `--agent-setting name=value` says them. Pure; what an agent takes, its own schema says. */
import { type Command, Option } from 'commander';
import { UserError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';

export type AgentSettingOptions = { readonly agentSetting?: readonly string[] };

export function agentSettingOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--agent-setting <name=value>',
      'a setting of the agent, its value as JSON or as bare words (votesToWin=1); may be repeated',
    ).argParser((value: string, before: readonly string[] = []) => [...before, value]),
  );
}

/** `strategies.python=["chain"]` sets a part of a setting. */
export function agentSettingsOf({ agentSetting = [] }: AgentSettingOptions): JsonObject {
  const settings: { [name: string]: Json | undefined } = {};
  for (const text of agentSetting) {
    const { name = '', value = '' } = /^(?<name>[A-Za-z][\w.-]*)=(?<value>.*)$/s.exec(text)?.groups ?? {};
    if (name === '') throw noSetting(text);
    put(settings, name.split('.'), jsonOr(value));
  }
  return settings;
}

function put(
  target: { [name: string]: Json | undefined },
  [name = '', ...rest]: readonly string[],
  value: Json,
): void {
  if (name === '' || name === '__proto__') throw noSetting(name);
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

function noSetting(text: string): UserError {
  return new UserError({
    what: `"${text}" sets nothing.`,
    fix: 'Write `--agent-setting NAME=VALUE`, such as votesToWin=1 or strategies.python=["chain"].',
  });
}
