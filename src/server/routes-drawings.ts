/** Pictures that a tool of a run's problem makes when somebody asks: one after the other, for each has a program run. */
import { Hono } from 'hono';
import { z } from 'zod';
import { ExplainedError } from '../core/errors.ts';
import type { Drawing } from '../notes/panel.ts';
import { rejectRequest } from './guard.ts';
import type { Routes } from './routes.ts';

const shape = z.strictObject({ seq: z.int().min(1), case: z.string().min(1).max(200) });

export function drawingRoutes({ reader, apps, closing }: Routes): Hono {
  const app = new Hono();
  let last: Promise<unknown> = Promise.resolve();
  app.onError((error, context) => {
    if (!(error instanceof ExplainedError)) throw error;
    return rejectRequest(context, 409, error.message);
  });

  app.post('/runs/:id/drawings', async (context) => {
    const id = context.req.param('id');
    const asked = shape.safeParse(await context.req.json().catch(() => null));
    if (!asked.success)
      return rejectRequest(context, 400, `This cannot be asked: ${z.prettifyError(asked.error)}`);
    const signal = AbortSignal.any([closing, context.req.raw.signal]);
    const { events } = await reader.journal(id);
    const drawing = last.then((): Promise<Drawing | null> | undefined => {
      signal.throwIfAborted();
      return apps?.drawing?.(events, asked.data, signal);
    });
    last = drawing.catch(() => undefined);
    const picture = await drawing;
    return picture ? context.json(picture) : rejectRequest(context, 404, 'Nothing is drawn of this run.');
  });

  return app;
}
