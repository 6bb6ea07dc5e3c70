/** Every provider against the one suite of models, over real HTTP. */
import { modelConformance, type Subject } from './conformance.ts';
import { contacts, meet, wires } from './mock.ts';

const streamed = contacts.map((contact) => ({ contact, stream: true }));
const whole = wires.map((contact) => ({ contact, stream: false }));

for (const { contact, stream } of [...streamed, ...whole]) {
  const subject: Subject = {
    name: `${contact.id}, ${stream ? 'streamed' : 'whole'}`,
    failures: ['rate-limit', 'overloaded', 'timeout', 'auth', 'bad-request', 'malformed', 'network', 'other'],
    // Anthropic's and Gemini's wires carry objects only.
    writesRawArguments: contact.wire.startsWith('openai'),
    prepare: (intent) => meet(contact, { intent, stream }),
  };
  modelConformance(subject);
}
