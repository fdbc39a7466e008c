/**
 * An exchange that does nothing but answer, so that what is measured is the client: plain HTTP and WebSocket of the wire
 * profile with fixed answers, orders that expire at once, and depth updates sent one at a time on request. It measures
 * the time from a depth update's send to the whole create request's arrival, by its own clock.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export const SYMBOL = 'BTCUSDT';
const DEPTH = `${SYMBOL}@depth`;
const LEVELS = 10;
const TICK_DEADLINE_MS = 500;

const instrument = {
  symbol: SYMBOL,
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 5,
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '9000',
  minNotional: '5',
  status: 'trading',
};

const balances = ['USDT', 'BTC'].map((currency) => ({
  account: 'unified-trading',
  currency,
  available: '1000000',
  locked: '0',
  total: '1000000',
}));

/** Ten levels a side; the quantity at the touch follows `seq`, so that every update is a new best. */
function levels(seq: number): { readonly bids: readonly string[][]; readonly asks: readonly string[][] } {
  const side = (sign: 1 | -1) =>
    Array.from({ length: LEVELS }, (_, row) => [
      (60_000 + sign * (1 + row)).toFixed(2).replace(/\.?0+$/, ''),
      row === 0 ? String(1 + (seq % 7)) : '2.5',
    ]);
  return { bids: side(-1), asks: side(1) };
}

function answerTo(path: string): unknown {
  const now = Date.now();
  if (path.endsWith('/public/time')) return { serverTime: now };
  if (path.endsWith('/spot/list')) return [instrument];
  if (path.endsWith('/auth/me')) return { userId: '1', login: 'bench', username: 'bench' };
  if (path.endsWith('/accounts/overview')) return balances;
  if (path.endsWith('/orderbook')) return { symbol: SYMBOL, seq: 0, ts: now, ...levels(0) };
  if (path.endsWith('/cancel-many')) return { canceled: [], failed: [] };
  if (/\/(history|my)$/.test(path)) return { items: [], nextCursor: null };
  return [];
}

/** One client under measurement: its depth subscription. */
interface Subscriber {
  readonly socket: WebSocket;
  seq: number;
}

export class ScriptedExchange {
  readonly url: string;
  readonly #wsUrl: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #subscribers = new Map<string, Subscriber>();
  #orders = 0;
  #sentAt = 0;
  #arrived: ((tookUs: number) => void) | null = null;

  static async open(): Promise<ScriptedExchange> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedExchange(server);
  }

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.#wsUrl = `ws://127.0.0.1:${port}`;
    this.#server = server;
    this.#sockets = new WebSocketServer({ server });
    server.keepAliveTimeout = 60_000;
    server.on('request', (request, response) => this.#onRequest(request, response));
    this.#sockets.on('connection', (socket, request) => this.#onSocket(socket, request.url?.split('/')[1] ?? ''));
  }

  /** Where a client connects to; its name is how it is known. */
  socketUrl(client: string): string {
    return `${this.#wsUrl}/${client}`;
  }

  has(client: string): boolean {
    return this.#subscribers.has(client);
  }

  /** Sends one depth update to a client; answers µs until its create request was here, or null when none came. */
  tick(client: string): Promise<number | null> {
    const subscriber = this.#subscribers.get(client);
    if (subscriber === undefined) return Promise.resolve(null);
    const seq = ++subscriber.seq;
    const update = { channel: DEPTH, seq, ts: Date.now(), data: { type: 'update', ...levels(seq) } };
    const text = JSON.stringify(update);
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        this.#arrived = null;
        resolve(null);
      }, TICK_DEADLINE_MS);
      this.#arrived = (tookUs) => {
        clearTimeout(deadline);
        this.#arrived = null;
        resolve(tookUs);
      };
      this.#sentAt = performance.now();
      subscriber.socket.send(text);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrivedAt = performance.now();
      const path = (request.url ?? '').split('?')[0] ?? '';
      const creates = request.method === 'POST' && path.endsWith('/order/spot');
      const answer = creates ? this.#order(Buffer.concat(chunks).toString()) : answerTo(path);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer), () => {
        if (creates) this.#arrived?.((arrivedAt - this.#sentAt) * 1000);
      });
    });
  }

  /** Expired at once: nothing rests, nothing is left to cancel. */
  #order(body: string): object {
    const now = Date.now();
    const asked: Record<string, unknown> = JSON.parse(body);
    const ended = { market: 'spot', filledQuantity: '0', averagePrice: null, status: 'expired' };
    return { orderId: String(++this.#orders), ...asked, ...ended, createdAt: now, updatedAt: now };
  }

  #onSocket(socket: WebSocket, client: string): void {
    const say = (message: object): void => socket.send(JSON.stringify(message));
    socket.on('message', (data: Buffer) => {
      const {
        id,
        method,
        data: channels,
      }: { id?: number; method: string; data?: string[] } = JSON.parse(data.toString());
      if (method === 'ping') say({ pong: Date.now() });
      else if (method === 'auth') say({ method, success: true });
      else say({ id, method, success: true, data: channels });
      if (method !== 'subscribe') return;
      const push = (channel: string, content: unknown): void => say({ channel, seq: 0, ts: Date.now(), data: content });
      for (const channel of channels ?? []) {
        if (channel.endsWith('my-balances')) push(channel, balances);
        if (channel !== DEPTH) continue;
        push(channel, { type: 'snapshot', ...levels(0) });
        this.#subscribers.set(client, { socket, seq: 0 });
      }
    });
  }
}
