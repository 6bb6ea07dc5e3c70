/** What the adviser is asked every so many candidates. */
export const insightsPrompts = {
  insights: `Programs for this problem are being evolved. Below is what was tried of late, and what came of it. Say what it shows: which kinds of changes helped, which did not, and why that may be. Then recommend what to try next, the most promising first.

{{standing}}

What was tried of late:
{{tried}}

{{before}}

Reply with one JSON object and nothing else: {"summary": "in at most five sentences", "recommendations": ["one sentence each, at most five"]}. Recommend nothing that was tried and came to nothing.`,
} as const;
