/** One reply of the server of models: it asks the model, says what came on the wire, and misbehaves as it was told. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from '../../core/model.ts';
import type { Conduct } from './conduct.ts';
import type { Exchange } from './exchange.ts';
import { saidOf } from './said.ts';

import { Refusal, type Told, type Wire, type WireRequest } from './wire.ts';

export type ReplierOptions = {
  readonly wire: Wire;
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  readonly conduct: Conduct;
  readonly options: { readonly model: Model; readonly role?: string };
};

export class Replier {
  readonly #parts: ReplierOptions;
  readonly #gone = new AbortController();

  constructor(parts: ReplierOptions) {
    this.#parts = parts;
    void parts.exchange.abandoned.then(() => this.#gone.abort());
  }

  async reply(isJson: boolean, url: URL): Promise<void> {
    const { wire, exchange, conduct, response } = this.#parts;
    if (conduct.firstByteMs)
      await sleep(conduct.firstByteMs, undefined, { signal: this.#gone.signal }).catch(() => {});
    if (this.#gone.signal.aborted || conduct.hangsAfter === 0) return;
    if (conduct.fails) return this.#fail(conduct.fails);
    if (wire.key && !exchange.headers[wire.key] && !url.searchParams.has('key')) return this.#fail(noKey);
    if (conduct.garbage) return this.#raw('application/json', '{"cho');
    if (conduct.empty) return this.#raw('text/event-stream', '');
    if (conduct.page)
      return this.#raw('text/html', '<!doctype html><p>Please <b>log in</b> to this network.</p>');
    if (conduct.cutAfter === 0) return void response.destroy();
    try {
      if (!isJson) throw new Refusal('We could not parse the JSON body of your request.');
      await this.#ask(wire.read(exchange.body, url));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#fail(error.told);
    }
  }

  async #ask({ request, model: name, streams }: WireRequest): Promise<void> {
    const { wire, exchange, options, response } = this.#parts;
    const reply = await options.model.generate(request, {
      role: options.role ?? 'solver',
      branch: '',
      index: request.messages.filter(({ role }) => role === 'assistant').length,
      attempt: 0,
      signal: this.#gone.signal,
    });
    if (this.#gone.signal.aborted) return;
    if (!reply.ok) {
      if (reply.error.kind === 'network') return void response.destroy();
      if (reply.error.kind === 'malformed') return this.#raw('application/json', '{"cho');
      return this.#fail(reply.error);
    }
    const said = saidOf(reply, { id: String(exchange.number), model: name });
    if (streams) await this.#stream(wire.events(said, exchange.body));
    else this.#whole(JSON.stringify(wire.whole(said, exchange.body)));
  }

  async #stream(events: Iterable<string>): Promise<void> {
    const { wire, conduct, response } = this.#parts;
    this.#head(200, 'text/event-stream; charset=utf-8');
    let sent = 0;
    for (const event of events) {
      if (sent === conduct.cutAfter) return this.#cut();
      if (sent === conduct.hangsAfter) return;
      if (sent === conduct.endsAfter) break;
      if (sent === conduct.failsAfter?.events) {
        response.write(wire.errorEvent(conduct.failsAfter.told));
        break;
      }
      response.write(event);
      sent += 1;
    }
    response.end();
  }

  /** What was written before has to arrive before the connection is gone. */
  #cut(): void {
    const { response } = this.#parts;
    response.write(': \n\n', () => setTimeout(() => response.destroy(), 20));
  }

  #whole(text: string): void {
    const { conduct, response } = this.#parts;
    this.#head(200, 'application/json');
    const isCut = conduct.cutAfter !== undefined;
    if (conduct.hangsAfter === undefined && conduct.endsAfter === undefined && !isCut)
      return void response.end(text);
    response.write(text.slice(0, text.length / 2));
    if (conduct.endsAfter !== undefined) response.end();
    if (isCut) setTimeout(() => response.destroy(), 20);
  }

  #fail(told: Told): void {
    const { status, body, headers = {} } = this.#parts.wire.error(told);
    this.#head(status, 'application/json', headers);
    this.#parts.response.end(JSON.stringify(body));
  }

  #raw(type: string, text: string): void {
    this.#head(200, type);
    this.#parts.response.end(text);
  }

  #head(status: number, type: string, more: Readonly<Record<string, string>> = {}): void {
    const { wire, conduct, response } = this.#parts;
    response.writeHead(status, { 'content-type': type, ...wire.headers, ...more, ...conduct.headers });
  }
}

const noKey: Told = { kind: 'auth', message: "You didn't provide an API key." };
