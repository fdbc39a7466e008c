/** A local server that speaks the Bot API: updates with offsets, long polling, messages that were sent. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentMessage {
  readonly chat_id: string;
  readonly text: string;
}

type Fault = 'hang' | 'reset' | 'html' | 'endless' | { readonly status: number; readonly retryAfterS?: number };

interface Update {
  readonly update_id: number;
  readonly message?: object;
}

export class BotApiServer {
  readonly token = '123456:a-token-of-the-bot';
  readonly sent: SentMessage[] = [];
  readonly offsets: number[] = [];
  readonly refusedTokens: string[] = [];
  calls = 0;
  fault: Fault | null = null;
  sendFault: Fault | null = null;
  #updates: Update[] = [];
  #nextId = 100;
  #waiting: { readonly offset: number; readonly response: ServerResponse }[] = [];
  readonly #server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#call(request.url ?? '', Buffer.concat(parts).toString('utf8'), response));
  });

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A text from a chat; `date` in Unix seconds. */
  write(chat: number, text: string, date: number): void {
    this.push({ message: { message_id: 1, date, chat: { id: chat, type: 'private' }, text } });
  }

  push(update: object): void {
    this.#updates.push({ update_id: this.#nextId++, ...update });
    for (const { offset, response } of this.#waiting.splice(0)) this.#answerUpdates(offset, response);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #call(url: string, body: string, response: ServerResponse): void {
    this.calls++;
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url) ?? [];
    if (token !== this.token) {
      this.refusedTokens.push(url);
      return reply(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    }
    const args = JSON.parse(body) as { readonly offset: number; readonly timeout: number };
    const fault = method === 'sendMessage' ? this.sendFault : this.fault;
    if (fault !== null) return failed(response, fault);
    if (method === 'sendMessage') {
      this.sent.push(args as unknown as SentMessage);
      return reply(response, 200, { ok: true, result: { message_id: this.sent.length } });
    }
    if (method !== 'getUpdates') return reply(response, 200, { ok: true, result: true });
    this.offsets.push(args.offset);
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= args.offset);
    if (this.#updates.length === 0 && args.timeout > 0) this.#waiting.push({ offset: args.offset, response });
    else this.#answerUpdates(args.offset, response);
  }

  #answerUpdates(offset: number, response: ServerResponse): void {
    const result = this.#updates.filter(({ update_id: id }) => id >= offset);
    reply(response, 200, { ok: true, result });
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function failed(response: ServerResponse, fault: Fault): void {
  if (fault === 'reset') response.socket?.destroy();
  else if (fault === 'html') response.writeHead(502).end('<html>bad gateway</html>');
  else if (fault === 'endless') {
    response.writeHead(200);
    const part = Buffer.alloc(2 ** 20, 32);
    const more = (): void => {
      if (!response.destroyed && !response.write(part)) response.once('drain', more);
      else if (!response.destroyed) setImmediate(more);
    };
    more();
  } else if (fault !== 'hang')
    reply(response, fault.status, { ok: false, parameters: { retry_after: fault.retryAfterS } });
}
