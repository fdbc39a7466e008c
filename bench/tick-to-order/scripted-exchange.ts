/**
 * An exchange that does nothing but answer, so that what is measured is the client: plain HTTP and WebSocket of the wire
 * profile with fixed answers, `ioc` orders that expire at once and others that rest until they are cancelled, each told on
 * the private channels once it is answered, and depth updates sent one at a time on request. It measures the time from a depth update's send to the arrival of the last
 * request that answers it, whole, by its own clock.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export const SYMBOL = 'BTCUSDT';
const DEPTH = `${SYMBOL}@depth`;
const ORDERS = `${SYMBOL}@order-info`;
const ENDED_ORDERS = `${SYMBOL}@order-history`;
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

type Order = Readonly<Record<string, unknown>>;

function answerTo(path: string, resting: readonly Order[]): unknown {
  const now = Date.now();
  if (path.endsWith('/public/time')) return { serverTime: now };
  if (path.endsWith('/spot/list')) return [instrument];
  if (path.endsWith('/auth/me')) return { userId: '1', login: 'bench', username: 'bench' };
  if (path.endsWith('/accounts/overview')) return balances;
  if (path.endsWith('/orderbook')) return { symbol: SYMBOL, seq: 0, ts: now, ...levels(0) };
  if (path.endsWith('/order/active')) return resting;
  if (path.endsWith('/cancel-many')) return { canceled: [], failed: [] };
  if (/\/(history|my)$/.test(path)) return { items: [], nextCursor: null };
  return [];
}

/** One channel of one client. */
interface Subscriber {
  readonly socket: WebSocket;
  seq: number;
}

export class ScriptedExchange {
  readonly url: string;
  readonly #wsUrl: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  /** Client → channel. */
  readonly #subscribers = new Map<string, Map<string, Subscriber>>();
  /** By public key. */
  readonly #clients = new Map<string, string>();
  /** By client, by order id. */
  readonly #resting = new Map<string, Map<string, Order>>();
  #orders = 0;
  #sentAt = 0;
  /** Of the present tick. */
  #awaited = 0;
  #answered: ((tookUs: number) => void) | null = null;
  /** Answers to those that have come: they leave when all are here, so that no answer is made while a request is under way. */
  #answers: (() => void)[] = [];

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

  /** Each client has a key of its own, so that each sees its own orders. */
  publicKey(client: string): string {
    const key = createHash('sha256').update(client).digest('hex');
    this.#clients.set(key, client);
    return key;
  }

  /** Sends one depth update to a client; answers µs until the last of so many requests was here, or null when one did not come. */
  tick(client: string, requests: number): Promise<number | null> {
    const subscriber = this.#subscribers.get(client)?.get(DEPTH);
    if (subscriber === undefined) return Promise.resolve(null);
    const seq = ++subscriber.seq;
    const text = JSON.stringify({ channel: DEPTH, seq, ts: Date.now(), data: { type: 'update', ...levels(seq) } });
    return new Promise((resolve) => {
      const end = (tookUs: number | null): void => {
        clearTimeout(deadline);
        this.#awaited = 0;
        this.#answered = null;
        for (const answer of this.#answers.splice(0)) answer();
        resolve(tookUs);
      };
      const deadline = setTimeout(() => end(null), TICK_DEADLINE_MS);
      this.#answered = end;
      this.#awaited = requests;
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
      const client = this.#clients.get(String(request.headers['x-api-key'] ?? '')) ?? '';
      const resting = this.#restingOf(client);
      const creates = request.method === 'POST' && path.endsWith('/order/spot');
      const cancels = request.method === 'DELETE';
      const answer = creates
        ? this.#create(resting, Buffer.concat(chunks).toString())
        : cancels
          ? cancel(resting, path.slice(path.lastIndexOf('/') + 1))
          : answerTo(path, [...resting.values()]);
      const send = (): void => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
        if (creates || cancels) this.#tell(client, answer as Order);
      };
      if (this.#awaited === 0 || !(creates || cancels)) return send();
      this.#answers.push(send);
      if (--this.#awaited === 0) this.#answered?.((arrivedAt - this.#sentAt) * 1000);
    });
  }

  #restingOf(client: string): Map<string, Order> {
    let resting = this.#resting.get(client);
    if (resting === undefined) this.#resting.set(client, (resting = new Map()));
    return resting;
  }

  /** An end is believed at two words: the answer is one. */
  #tell(client: string, order: Order): void {
    const channel = order['status'] === 'new' ? ORDERS : ENDED_ORDERS;
    const subscriber = this.#subscribers.get(client)?.get(channel);
    if (subscriber === undefined) return;
    const push = { channel, seq: ++subscriber.seq, ts: Date.now(), data: order };
    subscriber.socket.send(JSON.stringify(push));
  }

  #create(resting: Map<string, Order>, body: string): Order {
    const now = Date.now();
    const asked: Order = JSON.parse(body);
    const orderId = String(++this.#orders);
    const rests = asked['timeInForce'] !== 'ioc';
    const state = { market: 'spot', filledQuantity: '0', averagePrice: null, status: rests ? 'new' : 'expired' };
    const order = { orderId, ...asked, ...state, createdAt: now, updatedAt: now };
    if (rests) resting.set(orderId, order);
    return order;
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
      let subscribers = this.#subscribers.get(client);
      if (subscribers === undefined) this.#subscribers.set(client, (subscribers = new Map()));
      for (const channel of channels ?? []) {
        subscribers.set(channel, { socket, seq: 0 });
        if (channel.endsWith('my-balances')) push(channel, balances);
        if (channel === DEPTH) push(channel, { type: 'snapshot', ...levels(0) });
      }
    });
  }
}

function cancel(resting: Map<string, Order>, orderId: string): Order {
  const order = resting.get(orderId);
  resting.delete(orderId);
  return { ...order, orderId, status: 'canceled', updatedAt: Date.now() };
}
