/**
 * The private stream of the venue: which channels it needs, when it is ready, and when something was missed. `ready`
 * means logged in and every channel acknowledged or heard from; replies to subscriptions are undocumented, so silence
 * on some channel is forgiven after 5 s once anything at all was heard. Without a word on any of them the request is taken
 * as lost and the connection is made anew, since pings, which are answered, would keep it for ever. A gap in a channel's
 * `seq`, a frame that does not decode or one that is torn is reported as lost and ready again: own events are missing and the
 * reconciler must look (wall 4).
 * A channel that is silent about a fill is subscribed to again (`after-fills.ts`). One that the exchange refuses keeps the stream
 * lost, and is asked for again: a key without permission is refused for good, an exchange that has just come back is not.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Market } from '../model/instrument.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Logger } from '../model/ports.ts';
import type { VenueListener } from '../model/venue.ts';
import { AfterFills } from './after-fills.ts';
import type { ChannelFrame, ChannelListener, ChannelSource, SocketState } from './client/channel-source.ts';
import type { ChannelTable } from './interface/channels.ts';
import { failureText } from './wire/decoded.ts';
import { decodePrivateFrame } from './wire/private-frames.ts';

export interface TradedSymbol {
  readonly symbol: string;
  readonly market: Market;
}

export interface PrivateStreamDeps {
  readonly source: ChannelSource;
  readonly channels: ChannelTable;
  readonly symbols: readonly TradedSymbol[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: VenueListener;
  readonly knobs?: Knobs;
}

const READY_WITHOUT_ALL_MS = 5000;
/** A refused channel is asked for again after so long; each time twice as long, up to a minute. */
const REFUSED_RETRY_MS = 5000;
const REFUSED_RETRY_MS_MAX = 60_000;

/** The private channels of a set of symbols (interface, "Channels"). */
export function privateChannels(channels: ChannelTable, symbols: readonly TradedSymbol[]): readonly string[] {
  const names: string[] = [];
  if (symbols.some(({ market }) => market === 'spot')) names.push(channels.name('spotBalances'));
  if (symbols.some(({ market }) => market === 'derivative')) {
    names.push(channels.name('futuresBalances'), channels.name('positions'));
  }
  for (const { symbol } of symbols) {
    for (const kind of ['orderInfo', 'orderHistory', 'myTrades'] as const) names.push(channels.name(kind, symbol));
  }
  return names;
}

export class PrivateStream implements ChannelListener {
  readonly #deps: PrivateStreamDeps;
  #symbols: readonly TradedSymbol[];
  #wanted: readonly string[];
  readonly #silent = new Set<string>();
  readonly #lastSeq = new Map<string, number>();
  readonly #silenceMsMax: number;
  readonly #afterFills: AfterFills;
  /** Channels that the exchange refused when they were last asked for. */
  readonly #refused = new Set<string>();
  #retryMs = REFUSED_RETRY_MS;
  #retry: Cancel | null = null;
  #ready = false;
  #generation = 0;
  #forgive: Cancel | null = null;
  #unlisten: Cancel | null = null;

  constructor(deps: PrivateStreamDeps) {
    this.#deps = deps;
    this.#symbols = deps.symbols;
    this.#wanted = privateChannels(deps.channels, deps.symbols);
    this.#silenceMsMax = (deps.knobs ?? asWritten)('private-silence', READY_WITHOUT_ALL_MS);
    this.#afterFills = new AfterFills(deps.clock, (channel) => this.#renew(channel), deps.knobs);
  }

  /** Listens and asks for the channels; the owner of the source starts it. */
  start(): void {
    const { source } = this.#deps;
    this.#unlisten ??= source.listen(this);
    source.subscribe(this.#wanted);
  }

  /**
   * A symbol that nobody named before the start: its channels are asked for with its first order. The stream stays ready
   * meanwhile, or that very order would be denied as unreconciled: what it does before the channels speak stands in its
   * answer, and a fill that is missing behind that answer is a doubt that the reconciler follows at once.
   */
  cover(symbol: string, market: Market): void {
    if (this.#symbols.some((traded) => traded.symbol === symbol)) return;
    this.#symbols = [...this.#symbols, { symbol, market }];
    const known = new Set(this.#wanted);
    this.#wanted = privateChannels(this.#deps.channels, this.#symbols);
    const added = this.#wanted.filter((channel) => !known.has(channel));
    for (const channel of added) this.#silent.add(channel);
    this.#deps.source.subscribe(added);
  }

  stop(): void {
    this.#forgive?.();
    this.#endRetry();
    this.#afterFills.clear();
    this.#unlisten?.();
    this.#unlisten = null;
    this.#lost('stopped');
  }

  state(state: SocketState): void {
    this.#generation = state.generation;
    this.#endRetry();
    if (state.kind === 'open') this.#opened();
    else this.#lost(state.kind === 'connecting' ? 'connecting' : state.reason);
  }

  acknowledged(channels: readonly string[]): void {
    for (const channel of channels) {
      this.#refused.delete(channel);
      this.#heard(channel);
    }
  }

  refused(channel: string, error: string): void {
    if (!this.#wanted.includes(channel)) return;
    const isNews = this.#refused.size === 0 && this.#retryMs === REFUSED_RETRY_MS;
    this.#refused.add(channel);
    this.#silent.add(channel);
    this.#lost(`the exchange refused channel ${channel}: ${error}`, isNews);
    if (this.#retry !== null) return;
    this.#retry = this.#deps.clock.after(this.#retryMs, () => this.#askAgain());
    this.#retryMs = Math.min(2 * this.#retryMs, REFUSED_RETRY_MS_MAX);
  }

  /** Whose channel it was cannot be told, and the next number of that channel may be long in coming. */
  unreadable(problem: string): void {
    this.#missed(`a frame could not be read: ${problem}`);
  }

  frame(frame: ChannelFrame): void {
    const missed = this.#gapBefore(frame);
    // Before what the frame tells: nobody may act on that as if nothing were missing.
    if (missed !== null) this.#missed(missed);
    const decoded = decodePrivateFrame(frame, this.#deps.channels);
    const { emit } = this.#deps;
    switch (decoded.kind) {
      case 'orders':
        emit(decoded.orders.map((order) => ({ kind: 'order', order })));
        break;
      case 'fills':
        emit(decoded.fills.map((fill) => ({ kind: 'fill', fill })));
        for (const fill of decoded.fills) this.#afterFills.filled(this.#toldOf(fill));
        break;
      // A push after the first carries changed rows only, and no push says which it is.
      case 'balances':
        emit([{ kind: 'balances', balances: decoded.balances, whole: false }]);
        break;
      case 'positions':
        emit([{ kind: 'positions', positions: decoded.positions, whole: false }]);
        break;
      case 'ignored':
        return;
      case 'failure':
        this.#deps.logger.warn({ ...decoded }, 'a private frame does not decode');
    }
    this.#afterFills.spoke(frame.channel);
    this.#heard(frame.channel);
    if (decoded.kind === 'failure') this.#missed(failureText(decoded));
  }

  #askAgain(): void {
    this.#retry = null;
    const again = [...this.#refused];
    if (again.length === 0) return;
    this.#refused.clear();
    for (const channel of again) this.#silent.add(channel);
    this.#waitForSilent();
    this.#deps.source.unsubscribe(again);
    this.#deps.source.subscribe(again);
  }

  #opened(): void {
    this.#silent.clear();
    for (const channel of this.#wanted) this.#silent.add(channel);
    this.#lastSeq.clear();
    this.#afterFills.clear();
    this.#waitForSilent();
    if (this.#wanted.length === 0) this.#becomeReady('no private channels are needed');
  }

  #endRetry(): void {
    this.#retry?.();
    this.#retry = null;
    this.#retryMs = REFUSED_RETRY_MS;
    this.#refused.clear();
  }

  #waitForSilent(): void {
    this.#forgive?.();
    this.#forgive = this.#deps.clock.after(this.#silenceMsMax, () => this.#endSilence());
  }

  #endSilence(): void {
    if (this.#silent.size === this.#wanted.length) {
      this.#deps.source.reconnect('logged in, and no word on any private channel');
      return;
    }
    this.#becomeReady(`no word on ${[...this.#silent].join(', ')} yet`);
  }

  #heard(channel: string): void {
    if (!this.#silent.delete(channel)) return;
    if (this.#silent.size > 0) return;
    if (!this.#ready) this.#becomeReady('all channels subscribed');
  }

  #becomeReady(reason: string): void {
    if (this.#ready || this.#refused.size > 0) return;
    this.#ready = true;
    this.#retryMs = REFUSED_RETRY_MS;
    this.#forgive?.();
    this.#emitState('ready', reason);
  }

  /** `isNews`: told although it was not ready before. */
  #lost(reason: string, isNews = false): void {
    this.#forgive?.();
    this.#afterFills.clear();
    if (!this.#ready && !isNews) return;
    this.#ready = false;
    this.#emitState('lost', reason);
  }

  #missed(reason: string): void {
    if (!this.#ready) return;
    this.#emitState('lost', reason);
    this.#emitState('ready', `the stream goes on after: ${reason}`);
  }

  /** The channels that tell of a fill beside the one of the trades. */
  #toldOf({ symbol, market }: VenueFill): readonly string[] {
    const { channels } = this.#deps;
    const own = [channels.name('orderInfo', symbol)];
    if (market === 'spot') own.push(channels.name('spotBalances'));
    else own.push(channels.name('futuresBalances'), channels.name('positions'));
    return own.filter((channel) => this.#wanted.includes(channel));
  }

  #renew(channel: string): void {
    this.#deps.logger.warn({ channel }, 'a private channel is silent about a fill; it is subscribed to again');
    this.#deps.source.resubscribe(channel);
  }

  #emitState(state: 'ready' | 'lost', reason: string): void {
    this.#deps.emit([{ kind: 'stream', state, generation: this.#generation, reason }]);
  }

  /**
   * `seq` counts the pushes of one user's channel; the first of a connection says where it stands. One that goes back is
   * late, or the exchange counts anew (S15): what is missing then cannot be told.
   */
  #gapBefore(frame: ChannelFrame): string | null {
    const { channel, seq } = frame;
    if (seq === null) return null;
    const last = this.#lastSeq.get(channel);
    this.#lastSeq.set(channel, seq);
    if (last === undefined || seq === last || seq === last + 1) return null;
    return `${channel} went from seq ${last} to ${seq}`;
  }
}
