/** A process that asks a site, and says when it was let: `node ask-child.ts TURNS_FILE URL COUNT SPACING_MS`. */
import { createHttp } from '../../src/io/http.ts';
import { sharedTurns } from '../../src/io/spacing.ts';

const [turnsFile = '', url = '', count = '0', spacingMs = '0'] = process.argv.slice(2);
const turns = sharedTurns(turnsFile);
const http = createHttp({
  identity: { tool: 'polya-test', version: '0' },
  spacingMs: () => Number(spacingMs),
  takeTurn: async (...asked) => {
    const at = await turns(...asked);
    console.log(at);
    return at;
  },
});
await Promise.all(Array.from({ length: Number(count) }, () => http.request({ method: 'GET', url })));
process.exit(0);
