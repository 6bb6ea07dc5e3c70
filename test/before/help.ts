/** What the help of a command promises: its commands, its options and its arguments. Words do not count. */

export type Promised = {
  readonly commands: readonly string[];
  /** By name: what follows it, `<>` a value, `[]` one that may be left out, `...` several; nothing: a switch. */
  readonly options: Readonly<Record<string, string>>;
  /** By name: the values that it takes, where they are named. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** In their order, `<>` and `[]` as above. */
  readonly arguments: readonly string[];
};

export function promisedIn(help: string): Promised {
  const entries = entriesIn(sectionOf(help, 'Options'));
  const options: Record<string, string> = {};
  const choices: Record<string, readonly string[]> = {};
  for (const { head, text } of entries) {
    for (const name of head.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []) {
      options[name] = formOf(head);
      const named = [...(/choices: ([^)]*)/.exec(text)?.[1] ?? '').matchAll(/"([^"]+)"/g)];
      // The default stands among them once more.
      if (named.length > 0) choices[name] = [...new Set(named.map(([, value = '']) => value))];
    }
  }
  const usage = /^Usage: (.*)$/m.exec(help)?.[1] ?? '';
  return {
    commands: sectionsOfCommands(help).flatMap((name) =>
      entriesIn(sectionOf(help, name)).map(({ head }) => head.split(' ')[0] ?? ''),
    ),
    options,
    choices,
    arguments: (usage.match(/<[^>]+>|\[(?!options|command)[^\]]+\]/g) ?? []).map(formOf),
  };
}

export function broken(now: Promised, then: Promised): readonly string[] {
  return [
    ...then.commands
      .filter((each) => !now.commands.includes(each))
      .map((each) => `the command ${each} is missing`),
    ...Object.entries(then.options)
      .filter(([name, form]) => now.options[name] !== form)
      .map(([name, form]) => `${name} ${form} is ${now.options[name] ?? 'missing'}`),
    ...Object.entries(then.choices).flatMap(([name, values]) =>
      values
        .filter((value) => now.choices[name] && !now.choices[name].includes(value))
        .map((value) => `${name} does not take ${value}`),
    ),
    // More that may be left out may follow.
    ...then.arguments
      .filter((form, at) => now.arguments[at] !== form)
      .map((form, at) => `argument ${at + 1} ${form} is ${now.arguments[at] ?? 'missing'}`),
    ...now.arguments.slice(then.arguments.length).filter((form) => form.startsWith('<')),
  ];
}

/** One, or several with titles of their own. */
function sectionsOfCommands(help: string): readonly string[] {
  const titles = [...help.matchAll(/^([A-Z][\w ]*):$/gm)].map(([, title = '']) => title);
  return titles.filter((title) => !['Options', 'Arguments', 'Examples'].includes(title));
}

function sectionOf(help: string, name: string): string {
  const at = help.indexOf(`\n${name}:\n`);
  if (at < 0) return '';
  const text = help.slice(at + name.length + 3);
  const end = text.search(/\n(?=\S|\n)/);
  return end < 0 ? text : text.slice(0, end);
}

/** An entry begins at two spaces; its words may go on in lines that are indented further. */
function entriesIn(section: string): { head: string; text: string }[] {
  const entries: { head: string; text: string }[] = [];
  for (const line of section.split('\n')) {
    const found = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line);
    const last = entries.at(-1);
    if (found) entries.push({ head: found[1] ?? '', text: found[2] ?? '' });
    else if (last) last.text += ` ${line.trim()}`;
  }
  return entries;
}

function formOf(head: string): string {
  const several = head.includes('...') ? '...' : '';
  if (head.includes('<')) return `<${several}>`;
  return head.includes('[') ? `[${several}]` : '';
}
