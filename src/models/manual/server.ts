/** A local page and JSON API to answer questions of any number of runs. It refuses requests from other sites' pages. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { UserError } from '../../core/errors.ts';
import { checkAnswer, type PersonAnswer, type Question, type RequestAnswer } from './answer.ts';
import { imagesIn, placeText, promptText } from './prompt-text.ts';

type ReplyServer = { readonly url: string; readonly ask: RequestAnswer; close(): Promise<void> };

type Waiting = Question & {
  readonly id: string;
  readonly sinceMs: number;
  answer(answer: PersonAnswer): void;
};

const host = '127.0.0.1';

/** Port 0 is any that is free. Throws `UserError` where the port is taken. */
export async function openReplyServer(port: number): Promise<ReplyServer> {
  const waiting = new Map<string, Waiting>();
  const { server, url } = await listen(replyServerApp(waiting), port);
  return {
    url,
    ask: (question) => wait(waiting, question),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function listen(app: Hono, port: number) {
  return new Promise<{ server: ReturnType<typeof serve>; url: string }>((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (info) =>
      resolve({ server, url: `http://${host}:${info.port}/` }),
    );
    server.on('error', (error) =>
      reject(
        new UserError({
          code: 'port-taken',
          what: `Nobody can be asked at port ${port}: ${error.message}.`,
          fix: 'Name another port, or `manual:http` for any that is free.',
        }),
      ),
    );
  });
}

function wait(waiting: Map<string, Waiting>, { request, call }: Question): Promise<PersonAnswer> {
  const id = randomUUID();
  const { promise, resolve: answer, reject } = Promise.withResolvers<PersonAnswer>();
  const onAbort = () => reject(call.signal.reason);
  call.signal.addEventListener('abort', onAbort);
  waiting.set(id, { request, call, id, sinceMs: Date.now(), answer });
  return promise.finally(() => {
    waiting.delete(id);
    call.signal.removeEventListener('abort', onAbort);
  });
}

function replyServerApp(waiting: ReadonlyMap<string, Waiting>): Hono {
  const app = new Hono();
  const page = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');
  app.use(async (context, next) => {
    const { host: named = '', origin } = Object.fromEntries(context.req.raw.headers);
    const isLocal = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(named);
    if (!isLocal || (origin !== undefined && origin !== `http://${named}`)) {
      return context.json({ error: 'This desk is for its own machine and its own page.' }, 403);
    }
    return next();
  });
  app.use(async (context, next) => {
    await next();
    // No picture, and no other document of a question, is a page of this place.
    context.header(
      'content-security-policy',
      context.req.path === '/' ? policyOf(page) : "default-src 'none'; sandbox",
    );
    context.header('x-content-type-options', 'nosniff');
  });
  app.get('/', (context) => context.html(page));
  app.get('/waiting', (context) => context.json({ waiting: [...waiting.values()].map(describeQuestion) }));
  app.get('/waiting/:id', (context) => {
    const found = waiting.get(context.req.param('id'));
    return found ? context.json(describeQuestion(found)) : context.json(gone, 404);
  });
  app.get('/waiting/:id/images/:number', (context) => {
    const found = waiting.get(context.req.param('id'));
    const image = found && imagesIn(found.request)[Number(context.req.param('number')) - 1];
    if (!image) return context.json(gone, 404);
    return context.body(Buffer.from(image.data, 'base64'), 200, { 'content-type': image.mediaType });
  });
  app.post(
    '/waiting/:id',
    bodyLimit({ maxSize: largestBodyBytes, onError: (context) => context.json(tooLarge, 413) }),
    async (context) => {
      // A form of another site cannot send this type without asking first.
      if (!context.req.header('content-type')?.startsWith('application/json')) {
        return context.json({ error: 'Send JSON, and say so: content-type: application/json.' }, 415);
      }
      const found = waiting.get(context.req.param('id'));
      if (!found) return context.json(gone, 404);
      const body: unknown = await context.req.json().catch(() => undefined);
      if (body === undefined) return context.json({ error: 'The body is no JSON.' }, 400);
      const checked = checkAnswer(body, found.request);
      if (!checked.ok) return context.json({ error: checked.problem }, 400);
      found.answer(checked.answer);
      return context.json({ answered: found.id });
    },
  );
  return app;
}

/** Its own script and styles, pictures and answers of its own place; nothing else runs or is fetched. */
function policyOf(page: string): string {
  const script = /<script[^>]*>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`;
}

const largestBodyBytes = 16 * 1024 * 1024;
const tooLarge = {
  error: `An answer has at most ${largestBodyBytes / 1024 ** 2} MB. Nothing was taken of this one.`,
};

const gone = { error: 'Nothing waits under this name: it was answered, or its run has ended.' };

function describeQuestion({ id, request, call, sinceMs }: Waiting) {
  const { run = null, role, branch, index, attempt } = call;
  return {
    id,
    run,
    role,
    branch,
    index,
    attempt,
    since: new Date(sinceMs).toISOString(),
    place: placeText(call),
    prompt: promptText(request),
    messages: request.messages.map(withoutImages),
    tools: request.tools ?? [],
    output: request.output ?? null,
    images: imagesIn(request).map(({ mediaType }, at) => ({
      mediaType,
      url: `/waiting/${id}/images/${at + 1}`,
    })),
  };
}

function withoutImages(message: Question['request']['messages'][number]) {
  if (typeof message.content === 'string') return message;
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === 'image' ? { type: 'image', mediaType: part.mediaType } : part,
    ),
  };
}
