/** The scratchpad: what worked in a search so far, in a few words, as later prompts show it. Pure. */
import { z } from 'zod';
import { line } from './one-line.ts';

export const mostRecommendations = 5;
const summaryCharacters = 600;

const insights = z.object({
  summary: z.string().min(1),
  recommendations: z.array(z.string().min(1)).default([]),
});

export type Insights = z.infer<typeof insights>;

/** Null where a reply is of another form; more than five recommendations are cut to five. */
export function readInsights(value: unknown): Insights | null {
  const read = insights.safeParse(value);
  if (!read.success) return null;
  const { summary, recommendations } = read.data;
  return {
    summary: line(summary, summaryCharacters),
    recommendations: recommendations.slice(0, mostRecommendations).map((each) => line(each)),
  };
}

export function insightsText(found: Insights | null): string {
  if (!found) return '';
  const { summary, recommendations } = found;
  const lines = recommendations.map((each) => `- ${each}`);
  return [
    `What the search has shown so far: ${summary}`,
    ...(lines.length > 0 ? ['Recommended now:', ...lines] : []),
  ].join('\n');
}
