/** What the analyst is told. */
export const analysisPrompts = {
  analyse: `Read the problem as somebody who will write the program. Reply with one JSON object of these fields and nothing else:

- "title": as the statement has it.
- "time_limit_ms", "memory_limit_mb": numbers; null where nothing is said.
- "problem_statement_summary": in at most ten sentences: what is given, what is chosen, what must hold, what is scored. Name every rule whose breach makes an output invalid.
- "constraints": for each symbol {"min", "max", "type", "description"}; a bound is a number, or an expression of symbols as a text: "N", "2*N-1".
- "input_format_description", "output_format_description": line by line, with indices from 0 or 1 as the statement has them.
- "input_variables", "output_variables": lists in the order in which they are read and written, each {"name", "type"}, with "count" where there are several (a number or an expression) and "object_schema" for records.
- "scoring_rules": {"description": how a case is scored, whether more or less is better, absolute or relative, what an invalid output costs; "formula_example": the formula}.
- "problem_type_tags": a few, in snake_case: what kind of optimisation this is (assignment, packing, routing, scheduling, partition, interactive, online …), on what (grid, graph, geometry, permutation …), and what decides it (local_moves_cheap, long_horizon, hidden_information, tiny_time_budget …).
- "extracted_keywords": words of the statement under which somebody would look for similar problems.

Where the statement says nothing of a field, say so in it; guess nothing.`,
  rejectedBefore: `This was made before:

{{before}}

The person for whom it is made rejects it, with these words, which go before the above:

{{reason}}`,
  analysisWrong: `That is not of the form that was asked for:

{{problems}}

Send the whole object again, corrected, and nothing else.`,
} as const;
