/** Every provider against the one suite of models, over real HTTP. */
import { modelConformance, type Subject } from './conformance.ts';
import { contacts, meet } from './mock.ts';

for (const contact of contacts) {
  const subject: Subject = {
    name: contact.id,
    failures: ['rate-limit', 'overloaded', 'timeout', 'auth', 'bad-request', 'malformed', 'network', 'other'],
    // Anthropic's and Gemini's wires carry objects only.
    writesRawArguments: contact.wire.startsWith('openai'),
    prepare: (intent) => meet(contact, { intent }),
  };
  modelConformance(subject);
}
