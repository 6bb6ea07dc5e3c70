/** Prompts are texts with places: `{{name}}`. What fills a place is put in verbatim and never read for places itself. */

export function fillPlaces(template: string, places: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([a-zA-Z]+)\}\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(places, name) ? places[name] : undefined;
    if (value === undefined) throw new Error(`The prompt has a place {{${name}}} that nothing fills.`);
    return value;
  });
}
