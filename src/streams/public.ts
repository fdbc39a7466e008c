/**
 * The live public stream. Every event goes to the other sinks first, then to the strategies' market (rule T4).
 *
 *   channel source ─▶ decode ─▶ sinks ─▶ MarketData ─▶ strategies
 *        ▲               └────▶ freshness ─▶ gap events, gate
 *        └── subscribe, resubscribe, reconnect ── demand, book recovery, freshness
 */
import type { ChannelFrame, ChannelSource, SocketState } from '../exchange/client/sockets/channel-source.ts';
import { createChannelTable, type ChannelTable } from '../exchange/interface/channels.ts';
import { failureText, type DecodeFailure } from '../exchange/wire/decoded.ts';
import { LevelScratch } from '../exchange/wire/market/depth.ts';
import { decodePublicFrame } from '../exchange/wire/market/public-frames.ts';
import { RepeatedTrades } from '../exchange/wire/market/repeated-trades.ts';
import { messageOf } from '../model/errors.ts';
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import type { DepthEvent, MarketEvent, MarketSink, SequenceRule } from '../model/market/market-event.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import { silentLogger, type Cancel, type Clock, type Gate, type Logger } from '../model/ports.ts';
import { BookRecovery, type FetchSnapshot } from './book-recovery.ts';
import type { Feed } from './feeds/feed.ts';
import { FeedPolls, type ReadFeed } from './feed-polls.ts';
import { Freshness, type ChannelStatus } from './freshness.ts';
import { MarketData } from './market-data.ts';
import type { Subscription, WatchedFeed } from './subscription.ts';

export interface PublicStreamDeps {
  readonly source: ChannelSource;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly log?: Logger;
  readonly channels?: ChannelTable;
  /** See every event before the strategies; must not keep it. A throw is only logged. */
  readonly sinks?: readonly MarketSink[];
  readonly sequenceRule?: (symbol: string) => SequenceRule;
  readonly fetchSnapshot?: FetchSnapshot;
  /** Before a fetched snapshot is delivered, for the recording. */
  readonly onFetched?: (snapshot: DepthEvent) => void;
  /** A book was discarded although no market event says so. */
  readonly onDiscarded?: (symbol: string, reason: string) => void;
  /** A frame was broken, or off the grid of its instrument. */
  readonly onUndecodable?: (symbol: string) => void;
  /** A symbol's book and trades are subscribed for the first time. */
  readonly onFollowed?: (symbol: string) => void;
  /** Delivers a book read over REST in session time; at once when omitted. */
  readonly enter?: (receiveUs: number, run: () => void) => void;
  /** Funding and mark of perpetuals; without it these feeds emit nothing. */
  readonly readFeed?: ReadFeed;
  /** Staleness threshold before a rate is learned, ms; see `subscription.ts`. */
  readonly staleStartMs?: Partial<Readonly<Record<WatchedFeed, number>>>;
  readonly knobs?: Knobs;
}

export interface PublicCounts {
  frames: number;
  events: number;
  /** Frames that could not be decoded; they are still recorded. */
  decodeFailures: number;
  sinkFailures: number;
}

export interface PublicStream {
  readonly market: MarketData;
  /** Closed for a symbol while its data is stale, refused or absent. */
  readonly gate: Gate;
  readonly counts: Readonly<PublicCounts>;
  /** Subscribes a symbol's feed; `depth` and `trades` come together. Throws `unknown_symbol`. */
  demand(symbol: string, feed: Feed): void;
  status(): readonly ChannelStatus[];
  start(): void;
  /** Stops timers, unsubscribes and completes the streams. The caller owns the source. */
  stop(): void;
}

/** Logs only counts that are powers of two. */
function isNotable(count: number): boolean {
  return (count & (count - 1)) === 0;
}

class LivePublicStream implements PublicStream {
  readonly market: MarketData;
  readonly counts: PublicCounts = { frames: 0, events: 0, decodeFailures: 0, sinkFailures: 0 };
  readonly #deps: PublicStreamDeps;
  readonly #log: Logger;
  readonly #channels: ChannelTable;
  readonly #scratch = new LevelScratch();
  readonly #freshness: Freshness;
  readonly #recovery: BookRecovery;
  readonly #polls: FeedPolls | undefined;
  readonly #repeated = new RepeatedTrades();
  readonly #subscribed = new Map<string, Instrument>();
  #unlisten: Cancel | undefined;

  constructor(deps: PublicStreamDeps) {
    const { clock, instruments, source, log = silentLogger, knobs = asWritten, enter = (_, run) => run() } = deps;
    this.#deps = deps;
    this.#log = log;
    this.#channels = deps.channels ?? createChannelTable();
    this.market = new MarketData({
      instruments,
      clock,
      log,
      knobs,
      ...(deps.sequenceRule === undefined ? {} : { sequenceRule: deps.sequenceRule }),
      demand: (symbol, feed) => this.demand(symbol, feed),
      onBookLost: (symbol, reason) => this.#recovery.lost(this.market.instrument(symbol), reason),
    });
    this.#freshness = new Freshness({
      clock,
      log,
      emit: this.#deliver,
      resubscribe: (subscription) => this.#resubscribe(subscription),
      reconnect: (reason) => source.reconnect(reason),
      ...(deps.staleStartMs === undefined ? {} : { startMs: deps.staleStartMs }),
    });
    this.#recovery = new BookRecovery({
      clock,
      log,
      knobs,
      isUsable: (symbol) => this.market.best(symbol) !== undefined,
      resubscribe: (instrument) => source.resubscribe(this.#channels.name('depth', instrument.symbol)),
      deliver: (snapshot) =>
        enter(snapshot.receiveUs, () => {
          deps.onFetched?.(snapshot);
          this.#deliver(snapshot);
        }),
      ...(deps.fetchSnapshot === undefined ? {} : { fetchSnapshot: deps.fetchSnapshot }),
    });
    this.#polls = deps.readFeed === undefined ? undefined : new FeedPolls(clock, deps.readFeed, this.#deliver, log);
  }

  get gate(): Gate {
    return this.#freshness;
  }

  start(): void {
    if (this.#unlisten !== undefined) return;
    this.#unlisten = this.#deps.source.listen({
      frame: (frame) => this.#onFrame(frame),
      state: (state) => this.#onState(state),
      unreadable: (problem) => this.#onUnreadable(problem),
      refused: (channel, error) => this.#onRefused(channel, error),
      acknowledged: (channels) => {
        for (const channel of channels) this.#freshness.accepted(channel);
      },
    });
    this.#freshness.start();
    this.#onState(this.#deps.source.state);
  }

  stop(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#freshness.stop();
    this.#recovery.pause();
    this.#polls?.stop();
    this.#deps.source.unsubscribe([...this.#subscribed.keys()]);
    this.market.close();
  }

  demand(symbol: string, feed: Feed): void {
    const instrument = this.market.instrument(symbol);
    if (feed === 'funding' || feed === 'mark') {
      if (this.#polls === undefined) this.#log.warn({ symbol, feed }, 'no source for this feed: it publishes nothing');
      else this.#polls.add(instrument, feed);
      return;
    }
    if (feed === 'ticker') this.#subscribe(instrument, ['ticker']);
    else if (this.#subscribe(instrument, ['depth', 'trades'])) this.#deps.onFollowed?.(symbol);
  }

  status(): readonly ChannelStatus[] {
    return this.#freshness.status().map((channel) => {
      if (channel.feed !== 'depth') return channel;
      return { ...channel, gaps: channel.gaps + this.market.breaks(channel.symbol) };
    });
  }

  /** Whether one is new. */
  #subscribe(instrument: Instrument, feeds: readonly WatchedFeed[]): boolean {
    const added: string[] = [];
    for (const feed of feeds) {
      const channel = this.#channels.name(feed, instrument.symbol);
      if (this.#subscribed.has(channel)) continue;
      this.#subscribed.set(channel, instrument);
      added.push(channel);
      this.#freshness.watch(channel, instrument, feed);
      if (feed === 'depth') this.#recovery.expect(instrument);
    }
    if (added.length > 0) this.#deps.source.subscribe(added);
    return added.length > 0;
  }

  #onFrame(frame: ChannelFrame): void {
    this.counts.frames++;
    const { instruments } = this.#deps;
    const decoded = decodePublicFrame(frame, instruments, { channels: this.#channels, scratch: this.#scratch });
    if (decoded.kind === 'failure') {
      this.#onUndecodable(frame, decoded);
      return;
    }
    if (decoded.kind === 'ignored') return;
    // First, since decisions on this frame check that the channel is fresh.
    this.#freshness.arrived(frame.channel, frame.seq);
    if (decoded.channel === 'trades' && this.#repeated.has(frame)) return;
    for (const event of decoded.events) this.#deliver(event);
  }

  readonly #deliver = (event: MarketEvent): void => {
    this.counts.events++;
    for (const sink of this.#deps.sinks ?? []) this.#guarded(sink, event);
    this.#guarded(this.market.onEvent, event);
  };

  /** A consumer's fault must not reach the socket or other consumers (S20). */
  #guarded(sink: MarketSink, event: MarketEvent): void {
    try {
      sink(event);
    } catch (thrown) {
      this.counts.sinkFailures++;
      if (!isNotable(this.counts.sinkFailures)) return;
      const { kind, instrument } = event;
      const fields = { kind, symbol: instrument.symbol, count: this.counts.sinkFailures, reason: messageOf(thrown) };
      this.#log.error(fields, 'a consumer of market events threw');
    }
  }

  /** The book lacks an undecodable depth message, numbered or not. */
  #onUndecodable({ channel, seq }: ChannelFrame, failure: DecodeFailure): void {
    this.counts.decodeFailures++;
    if (isNotable(this.counts.decodeFailures)) {
      this.#log.warn({ channel, count: this.counts.decodeFailures }, `could not decode ${failureText(failure)}`);
    }
    const instrument = this.#subscribed.get(channel);
    if (instrument === undefined) return;
    this.#deps.onUndecodable?.(instrument.symbol);
    const kind = this.#channels.parse(channel)?.kind;
    // With a number, the next message shows the loss.
    if (kind === 'trades' && seq === null) this.#freshness.missed(channel, 'a message could not be decoded');
    if (kind !== 'depth') return;
    const reason = `a depth message could not be decoded: ${failure.problem}`;
    this.#discard(instrument, reason);
    this.#recovery.lost(instrument, reason);
  }

  /** Books with numbers detect the loss at the next message; others cannot. */
  #onUnreadable(problem: string): void {
    this.counts.frames++;
    this.counts.decodeFailures++;
    const reason = `a frame could not be read: ${problem}`;
    for (const [channel, instrument] of this.#subscribed) {
      if (this.#channels.parse(channel)?.kind !== 'depth' || this.market.isNumbered(instrument.symbol)) continue;
      this.#discard(instrument, reason);
      this.#recovery.lost(instrument, reason);
    }
  }

  #onRefused(channel: string, error: string): void {
    this.#log.error({ channel, error }, 'the exchange refused a channel');
    this.#freshness.refused(channel, error);
  }

  #onState(state: SocketState): void {
    if (state.kind === 'open') {
      this.#freshness.connectionUp();
      this.#recovery.resume();
      return;
    }
    const reason = state.kind === 'connecting' ? `connecting, attempt ${state.attempt}` : state.reason;
    this.#recovery.pause();
    this.#freshness.connectionDown(reason);
    for (const instrument of this.#subscribed.values()) this.#discard(instrument, reason);
  }

  #discard({ symbol }: Instrument, reason: string): void {
    this.#deps.onDiscarded?.(symbol, reason);
    this.market.discardBook(symbol, reason);
  }

  #resubscribe(subscription: Subscription): void {
    const { channel, feed, instrument } = subscription;
    if (feed === 'depth') {
      this.#discard(instrument, `${channel} is stale`);
      this.#recovery.expect(instrument);
    }
    this.#deps.source.resubscribe(channel);
  }
}

export function createPublicStream(deps: PublicStreamDeps): PublicStream {
  return new LivePublicStream(deps);
}
