/**
 * What one user knows from the two sockets alone: snapshots and pushes applied in the order in which they came. Sequence
 * numbers have to be contiguous from the first frame of a channel on. Faults are kept until `faults` is read, since a
 * frame arrives in the middle of the exchange's own work.
 */
import type { ServerConnection } from '../../src/sandbox/sockets/socket-session.ts';
import { hmac, type KeyPair } from './signing.ts';
import { lineOf } from './mismatch.ts';

interface Frame {
  readonly channel?: string;
  readonly seq?: number;
  readonly data?: unknown;
  readonly success?: boolean;
  readonly event?: string;
}

type Row = Readonly<Record<string, unknown>>;

export interface BookSides {
  readonly bids: Map<string, string>;
  readonly asks: Map<string, string>;
  seq: number;
}

/** Reasons of the exchange's own. */
const FORCED = new Set<unknown>(['liquidation', 'insufficient_balance']);
const ACTIVE = new Set<unknown>(['new', 'partially_filled']);
/** Channels that begin with a snapshot; the others begin with their first push, which is number 1 in a new world. */
const WITH_SNAPSHOT = ['@depth', '@my-balances'];

export class Feed {
  readonly name: string;
  readonly balances = new Map<string, string>();
  readonly margin = new Map<string, string>();
  readonly active = new Map<string, string>();
  readonly ended = new Map<string, string>();
  readonly trades = new Map<string, string>();
  readonly positions = new Map<string, string>();
  readonly books = new Map<string, BookSides>();
  readonly publicTrades = new Map<string, string[]>();
  readonly advertisements = new Map<string, string>();
  readonly p2pTrades = new Map<string, string>();
  /** Frames so far. */
  frames = 0;
  readonly #sequences = new Map<string, number>();
  /** Channels whose next frame is a snapshot that has to say the number of the last push. */
  readonly #awaited = new Set<string>();
  readonly #faults: string[] = [];
  #forced: Row[] = [];
  send: (text: string) => void = () => {};
  leaveP2p: () => void = () => {};

  constructor(name: string) {
    this.name = name;
  }

  /** Empties the list. */
  get faults(): readonly string[] {
    return this.#faults.splice(0);
  }

  /** Orders that the exchange canceled or made on its own, up to a time, once. */
  takeForced(beforeMs: number): readonly Row[] {
    const taken = this.#forced.filter((row) => Number(row['updatedAt']) < beforeMs);
    this.#forced = this.#forced.filter((row) => !taken.includes(row));
    return taken;
  }

  connection(): ServerConnection {
    const over = (reason: string): void => void this.#faults.push(`the exchange socket ended: ${reason}`);
    return {
      send: (text) => this.#receive(JSON.parse(text) as Frame),
      bufferedBytes: 0,
      close: (code, reason) => over(`${code} ${reason}`),
      terminate: () => over('terminated'),
    };
  }

  p2pConnection(): ServerConnection {
    return {
      send: (text) => this.#receiveP2p(JSON.parse(text) as Frame),
      bufferedBytes: 0,
      close: () => {},
      terminate: () => void this.#faults.push('the P2P socket was terminated'),
    };
  }

  open({ publicKey, secretKey }: KeyPair, now: number, symbols: readonly string[]): void {
    const signature = hmac(secretKey, `${now}\n${publicKey}`);
    this.send(JSON.stringify({ method: 'auth', key: publicKey, timestamp: now, signature }));
    const perSymbol = ['depth', 'trades', 'order-info', 'order-history', 'my-trades'];
    const channels = symbols.flatMap((symbol) => perSymbol.map((kind) => `${symbol}@${kind}`));
    channels.push('CLNTF@my-balances', 'HLORD@my-balances', 'position-info');
    this.send(JSON.stringify({ id: 1, method: 'subscribe', data: channels }));
  }

  ping(): void {
    this.send('{"method":"ping"}');
  }

  /** Leaves a channel and comes back: nothing happens meanwhile, so nothing may be missed or told anew. */
  resubscribe(channel: string): void {
    this.send(JSON.stringify({ id: 2, method: 'unsubscribe', data: [channel] }));
    const hasSnapshot = WITH_SNAPSHOT.some((end) => channel.endsWith(end));
    if (hasSnapshot) this.#awaited.add(channel);
    this.send(JSON.stringify({ id: 3, method: 'subscribe', data: [channel] }));
    if (this.#awaited.delete(channel)) this.#faults.push(`${channel}: no snapshot comes after subscribing again`);
  }

  /** What REST said when the P2P socket opened. */
  startP2p(advertisements: readonly { readonly id: string }[], trades: readonly { readonly id: string }[]): void {
    this.advertisements.clear();
    this.p2pTrades.clear();
    for (const item of advertisements) this.advertisements.set(item.id, advertisementLine(item));
    for (const item of trades) this.p2pTrades.set(item.id, lineOf(item));
  }

  #receive(frame: Frame): void {
    this.frames++;
    if (frame.channel === undefined || frame.seq === undefined) {
      if (frame.success === false) this.#faults.push(`refused: ${JSON.stringify(frame)}`);
      return;
    }
    const { channel, seq, data } = frame;
    const last = this.#sequences.get(channel);
    this.#sequences.set(channel, seq);
    const isAgain = this.#awaited.delete(channel);
    if (isAgain) this.#forget(channel);
    const first = WITH_SNAPSHOT.some((end) => channel.endsWith(end)) ? seq : 1;
    const next = last === undefined ? first : last + 1;
    if (seq !== (isAgain ? last : next)) this.#faults.push(`${channel}: ${seq} follows ${last ?? 0}`);
    const at = channel.indexOf('@');
    this.#apply(at < 0 ? channel : channel.slice(at + 1), at < 0 ? '' : channel.slice(0, at), seq, data);
  }

  #forget(channel: string): void {
    if (channel.startsWith('CLNTF')) this.balances.clear();
    else if (channel.startsWith('HLORD')) this.margin.clear();
  }

  #apply(kind: string, symbol: string, seq: number, data: unknown): void {
    switch (kind) {
      case 'my-balances':
        for (const row of data as readonly Row[]) {
          const rows = symbol === 'HLORD' ? this.margin : this.balances;
          rows.set(`${String(row['account'])}/${String(row['currency'])}`, lineOf(row));
        }
        return;
      case 'order-info': {
        const order = data as Row;
        if (ACTIVE.has(order['status'])) this.active.set(String(order['orderId']), lineOf(order));
        else this.active.delete(String(order['orderId']));
        return;
      }
      case 'order-history':
        this.#once(this.ended, String((data as Row)['orderId']), lineOf(data), 'order-history');
        if (FORCED.has((data as Row)['reason'])) this.#forced.push(data as Row);
        return;
      case 'my-trades':
        for (const row of data as readonly Row[]) {
          this.#once(this.trades, String(row['tradeId']), lineOf(row), 'my-trades');
        }
        return;
      case 'trades':
        this.publicTrades.set(symbol, [
          ...(this.publicTrades.get(symbol) ?? []),
          ...(data as readonly Row[]).map((row) => lineOf(row, ['tradeId'])),
        ]);
        return;
      case 'depth':
        this.#depth(symbol, seq, data as { type: string; bids: [string, string][]; asks: [string, string][] });
        return;
      case 'position-info':
        for (const row of data as readonly Row[]) {
          const name = `${String(row['symbol'])}/${String(row['positionSide'])}`;
          if (row['quantity'] === '0') this.positions.delete(name);
          else this.positions.set(name, lineOf(row, ['markPrice', 'unrealizedPnl', 'liquidationPrice']));
        }
    }
  }

  #depth(
    symbol: string,
    seq: number,
    data: { type: string; bids: [string, string][]; asks: [string, string][] },
  ): void {
    let book = this.books.get(symbol);
    if (book === undefined || data.type === 'snapshot') book = { bids: new Map(), asks: new Map(), seq };
    this.books.set(symbol, book);
    book.seq = seq;
    for (const side of ['bids', 'asks'] as const) {
      for (const [price, quantity] of data[side]) {
        // A level that came and went within one command is told as gone, though it was never shown.
        if (quantity === '0') book[side].delete(price);
        else book[side].set(price, quantity);
      }
    }
  }

  #once(lines: Map<string, string>, id: string, line: string, channel: string): void {
    if (lines.has(id)) this.#faults.push(`${channel} tells ${id} twice`);
    lines.set(id, line);
  }

  #receiveP2p({ event, data }: Frame): void {
    this.frames++;
    const { id } = data as { readonly id: string };
    if (event === 'trade') this.p2pTrades.set(id, lineOf(data));
    else if (event === 'advertisement') this.advertisements.set(id, advertisementLine(data));
  }
}

/** Without what is told elsewhere: trades have events of their own, the maker's record changes with other things. */
export function advertisementLine(advertisement: unknown): string {
  return lineOf(advertisement, ['trades', 'user']);
}
