/** Prompts are texts with places: `{{name}}`. What fills a place is put in word for word and not read for places. */

const place = /\{\{([a-zA-Z]+)\}\}/g;

/** The names of a prompt's places. */
export function findPlaceholders(template: string): ReadonlySet<string> {
  return new Set([...template.matchAll(place)].map(([, name = '']) => name));
}

export function fillTemplate(template: string, places: Readonly<Record<string, string>>): string {
  return template.replace(place, (_whole, name: string) => {
    const value = Object.hasOwn(places, name) ? places[name] : undefined;
    if (value === undefined) throw new Error(`The prompt has a place {{${name}}} that nothing fills.`);
    return value;
  });
}
