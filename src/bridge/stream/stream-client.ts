/**
 * One client of the stream: a snapshot, the entries after it without a hole, and what moves in between, conflated.
 *
 *   rows ─▶ cursor ─▶ socket      paced by what the client reads
 *   live, market ─▶ the newest only, once the one before has left
 *
 * A client that takes nothing any more is dropped with 1013, once 4 MiB wait for it or two pings are unanswered.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Cancel, Clock } from '../../model/ports.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { jsonText } from '../../model/text/json-text.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import type { SessionView } from '../fleet/session-view.ts';
import type { LivePart } from '../live/live-part.ts';
import type { Replica } from '../replica/replica.ts';
import type { LiveWatcher } from '../fleet/live-watch.ts';
import { liveMoney } from '../fleet/live-money.ts';
import { positionsOf } from '../fleet/rows.ts';
import type { Book } from '../schemas/market.ts';
import type { StreamMessage, SubscribeMessage } from '../schemas/stream.ts';
import type { ToServer } from '../thread/messages.ts';
import { messageFrom } from './client-message.ts';
import { PassedStream } from './passed-stream.ts';
import type { SharedTexts } from './shared-texts.ts';

/** What waits in the socket and in the journal for a client that takes nothing. */
const BEHIND_BYTES_MAX = 4 * 1_048_576;
/** It takes nothing when nothing has left for so long. */
const DEAF_MS = 2_000;
/** Above this in the socket a client waits for more. */
const PACED_BYTES = 262_144;
const PACE_MS = 20;
const PAGE_ROWS = 200;
/** Further behind than this it gets a snapshot. */
const BEHIND_MAX = 20_000;
const PING_MS = 15_000;
const HEALTH_MS = 1_000;
const TRY_AGAIN_LATER = 1013;

export type Subscription = Required<Pick<SubscribeMessage, 'topics' | 'depth'>> & {
  readonly symbols: readonly string[] | null;
};

export interface StreamClientDeps {
  readonly socket: WebSocket;
  /** Under it. */
  readonly wire: Duplex;
  readonly texts: SharedTexts;
  readonly view: SessionView;
  readonly clock: Clock;
  /** The entry that it has; null: none. */
  readonly after: number | null;
  readonly subscription: Subscription;
  /** It follows no more. */
  readonly over: () => void;
}

type Market = Extract<ToServer, { kind: 'market' }>;

export class StreamClient {
  readonly #deps: StreamClientDeps;
  readonly #watcher: LiveWatcher;
  /** Null: live parts come to this process. */
  readonly #passed: PassedStream | null;
  #subscription: Subscription;
  #cursor = 0;
  /** When it last took something, and what waited then. */
  #readAt = 0;
  #waiting = 0;
  #pacing: Cancel | null = null;
  #ends: Cancel[] = [];
  #isMarketLeaving = false;
  /** Makes the newest market message. */
  #market: (() => Buffer) | null = null;
  #healthAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  #isOver = false;

  constructor(deps: StreamClientDeps) {
    this.#deps = deps;
    this.#subscription = deps.subscription;
    const { view, clock } = deps;
    this.#passed = view.isOwn ? null : new PassedStream(view, clock, (message) => this.#onPassed(message));
    this.#watcher = { books: {}, live: (part) => this.#live(part), market: (market) => this.#onMarket(market) };
  }

  /** Resolves when the client follows. */
  async start(): Promise<void> {
    const { socket, view, clock } = this.#deps;
    socket.on('message', (data: Buffer, isBinary) => this.#said(isBinary ? null : data.toString('utf8')));
    socket.on('pong', () => (this.#unanswered = 0));
    socket.once('close', () => this.stop());
    socket.on('error', () => socket.terminate());
    try {
      await this.#begin();
    } catch (thrown) {
      const code = isTidewireError(thrown) ? thrown.code : 'bridge_internal';
      this.#send({ type: 'error', error: { code, message: messageOf(thrown) } });
      socket.close(1011, code);
      return;
    }
    if (this.#isOver) return;
    this.#subscribe(this.#subscription);
    const stop = view.replica()?.listen(() => this.#pump()) ?? ((): void => {});
    this.#ends.push(
      stop,
      view.watch.add(this.#watcher),
      clock.every(PING_MS, () => this.#ping()),
    );
    this.#pump();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pacing?.();
    this.#passed?.stop();
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#deps.over();
  }

  /** The server ends. */
  goAway(): void {
    this.stop();
    this.#deps.socket.close(1001, 'the session ends');
  }

  async #begin(): Promise<void> {
    const { view, after } = this.#deps;
    view.catchUp();
    const isAtHand = after !== null && after <= view.seq && view.seq - after <= BEHIND_MAX;
    if (isAtHand) {
      this.#cursor = after;
      return;
    }
    const detail = await view.detail();
    this.#cursor = detail.seq;
    this.#send({ type: 'snapshot', session: view.id, seq: detail.seq, ts: detail.now, detail });
  }

  #said(text: string | null): void {
    if (this.#isOver) return;
    const message = messageFrom(text);
    if (message.type === 'error') this.#send(message);
    else
      this.#subscribe({
        topics: message.topics,
        symbols: message.symbols ?? null,
        depth: message.depth ?? this.#subscription.depth,
      });
  }

  #subscribe(subscription: Subscription): void {
    const { view } = this.#deps;
    this.#subscription = subscription;
    const all = view.watch.newest?.symbols ?? [];
    const symbols = subscription.topics.includes('book') ? (subscription.symbols ?? all) : [];
    this.#watcher.books = Object.fromEntries(symbols.map((symbol) => [symbol, subscription.depth]));
    view.watch.changed();
    const { topics, depth } = subscription;
    const live = topics.filter((topic) => topic !== 'entries');
    this.#passed?.want({ topics: live, symbols: subscription.symbols, depth, after: this.#cursor });
    this.#pump();
  }

  /** Sends what it lacks, as fast as it reads: never more than one row beyond `PACED_BYTES` waits in the socket. */
  #pump(): void {
    const { wire } = this.#deps;
    // One write for all that it lacks.
    wire.cork();
    this.#fill();
    wire.uncork();
  }

  #fill(): void {
    const { view, socket } = this.#deps;
    this.#pacing?.();
    this.#pacing = null;
    if (this.#isOver || !this.#subscription.topics.includes('entries')) return;
    const replica = view.replica();
    while (replica !== null && this.#cursor < replica.seq) {
      if (socket.bufferedAmount > PACED_BYTES) return this.#pace(replica);
      this.#readAt = this.#deps.clock.now();
      for (const row of replica.rows(this.#cursor, PAGE_ROWS)) {
        this.#entry(row);
        if (socket.bufferedAmount > PACED_BYTES) break;
      }
    }
  }

  #pace(replica: Replica): void {
    const { socket, clock } = this.#deps;
    const waiting = socket.bufferedAmount;
    if (waiting < this.#waiting) this.#readAt = clock.now();
    this.#waiting = waiting;
    const isDeaf = clock.now() - this.#readAt > DEAF_MS;
    // A message has the fields of its row twice.
    const due = waiting + 2 * replica.bytesAfter(this.#cursor);
    if (isDeaf && due > BEHIND_BYTES_MAX) return this.#drop('it does not read');
    this.#pacing = clock.after(PACE_MS, () => this.#pump());
  }

  #entry(row: JournalRow): void {
    this.#cursor = row.seq;
    const { texts, view } = this.#deps;
    this.#sendBytes(texts.entry(row, view.id));
  }

  #live(part: LivePart): void {
    const { view } = this.#deps;
    const { topics } = this.#subscription;
    const { at, streams } = part;
    const replica = view.replica();
    // Its symbols are known from the first part on.
    if (Object.keys(this.#watcher.books).length === 0 && topics.includes('book')) this.#subscribe(this.#subscription);
    if (at - this.#healthAt < HEALTH_MS) return;
    this.#healthAt = at;
    const { equity, ...money } = liveMoney(part, view.history);
    if (topics.includes('equity') && equity !== null) {
      const positions = replica === null ? [] : positionsOf(replica.replay, part.marks);
      const currency = view.currency;
      this.#send({ type: 'equity', session: view.id, ts: at, equity, ...money, currency, positions });
    }
    if (topics.includes('health')) {
      const gates = [...(replica?.digest.gates ?? [])];
      const state = replica?.replay.state.killReason === undefined ? 'running' : 'killed';
      const health = { state, streams: [...streams], gates, loopLagMs: null };
      this.#send({ type: 'health', session: view.id, ts: at, ...health });
    }
  }

  /** While the one before is on its way, only the newest waits. */
  #onMarket(market: Market): void {
    const { view, texts } = this.#deps;
    this.#newestMarket(() =>
      texts.other(market, `${view.id} ${JSON.stringify(this.#watcher.books)}`, () => {
        const books = market.books.flatMap((book) => this.#cut(book) ?? []);
        return { type: 'market', session: view.id, ts: market.at, tops: [...market.tops], books };
      }),
    );
  }

  /** Of the stream of its own server. */
  #onPassed(message: StreamMessage): void {
    if (message.type === 'market') this.#newestMarket(() => Buffer.from(JSON.stringify(message)));
    else if (message.type === 'equity' || message.type === 'health') this.#send(message);
  }

  #newestMarket(make: () => Buffer): void {
    this.#market = make;
    if (!this.#isMarketLeaving) this.#sendMarket();
  }

  #sendMarket(): void {
    const make = this.#market;
    this.#market = null;
    if (make === null || this.#isOver || !this.#subscription.topics.includes('book')) return;
    this.#isMarketLeaving = true;
    this.#sendBytes(make(), () => {
      this.#isMarketLeaving = false;
      this.#sendMarket();
    });
  }

  #cut(book: Book): Book | null {
    const depth = this.#watcher.books[book.symbol];
    if (depth === undefined) return null;
    if (book.bids.length <= depth && book.asks.length <= depth) return book;
    return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
  }

  #send(message: StreamMessage): void {
    this.#sendBytes(Buffer.from(jsonText(message)));
  }

  #sendBytes(bytes: Buffer, left?: () => void): void {
    const { socket } = this.#deps;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(bytes, { binary: false }, () => left?.());
    if (socket.bufferedAmount > BEHIND_BYTES_MAX) this.#drop('it does not read');
  }

  #ping(): void {
    if (this.#unanswered >= 2) return this.#drop('it does not answer');
    this.#unanswered++;
    this.#deps.socket.ping();
  }

  #drop(why: string): void {
    const { socket, clock } = this.#deps;
    this.stop();
    socket.close(TRY_AGAIN_LATER, why);
    // Its close frame waits behind what it does not read.
    const cancel = clock.after(2 * PING_MS, () => socket.terminate());
    socket.once('close', cancel);
  }
}
