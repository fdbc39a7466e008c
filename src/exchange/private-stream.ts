/**
 * Readiness and gaps of the private stream.
 *
 * - `ready`: logged in and every channel acknowledged or received. After 5 s any message suffices, because replies are
 *   undocumented.
 * - A gap is published as lost and ready again, so the reconciler polls.
 * - A refused channel keeps the stream lost and is retried, because the refusal may be temporary.
 */
import type { VenueFill } from '../model/trading/fill.ts';
import type { Market } from '../model/market/instrument.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Logger } from '../model/ports.ts';
import type { VenueListener } from '../model/venue.ts';
import { AfterFills } from './after-fills.ts';
import type { ChannelFrame, ChannelListener, ChannelSource, SocketState } from './client/sockets/channel-source.ts';
import { LOGIN_REFUSED } from './client/sockets/socket.ts';
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
/** Doubles up to a minute. */
const REFUSED_RETRY_MS = 5000;
const REFUSED_RETRY_MS_MAX = 60_000;

/** Interface, "Channels". */
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
  readonly #refused = new Set<string>();
  #retryMs = REFUSED_RETRY_MS;
  #retry: Cancel | null = null;
  #ready = false;
  #lostBecause = '';
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

  start(): void {
    const { source } = this.#deps;
    this.#unlisten ??= source.listen(this);
    source.subscribe(this.#wanted);
  }

  /** At its first order. The stream stays ready, or that order would be denied. */
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
    else if (state.kind === 'connecting') this.#lost('connecting');
    else this.#lost(state.reason, state.reason.startsWith(LOGIN_REFUSED) && state.reason !== this.#lostBecause);
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

  /** The channel is unknown, and its next `seq` may take long. */
  unreadable(problem: string): void {
    this.#missed(`a frame could not be read: ${problem}`);
  }

  frame(frame: ChannelFrame): void {
    const missed = this.#gapBefore(frame);
    // The gap first, so that no listener acts on the frame as if nothing were missing.
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
      // Pushes carry only changed rows, except an unmarked first one.
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
      this.#deps.source.reconnect('logged in, but no private channel has answered');
      return;
    }
    this.#becomeReady(`no answer on ${[...this.#silent].join(', ')} yet`);
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

  /** `isNews`: report even if not ready. */
  #lost(reason: string, isNews = false): void {
    this.#forgive?.();
    this.#afterFills.clear();
    if (!this.#ready && !isNews) return;
    this.#ready = false;
    this.#lostBecause = reason;
    this.#emitState('lost', reason);
  }

  #missed(reason: string): void {
    if (!this.#ready) return;
    this.#emitState('lost', reason);
    this.#emitState('ready', `the stream continues after: ${reason}`);
  }

  /**
   * Channels beside the trades channel that report a fill; of each row one. An order that ends at once was never active,
   * and only the history has it.
   */
  #toldOf({ symbol, market, liquidity }: VenueFill): readonly (readonly string[])[] {
    const { channels } = this.#deps;
    const active = channels.name('orderInfo', symbol);
    const rows = [liquidity === 'maker' ? [active] : [active, channels.name('orderHistory', symbol)]];
    if (market === 'spot') rows.push([channels.name('spotBalances')]);
    else rows.push([channels.name('futuresBalances')], [channels.name('positions')]);
    return rows.filter((row) => row.every((channel) => this.#wanted.includes(channel)));
  }

  #renew(channel: string): void {
    this.#deps.logger.warn({ channel }, `private channel ${channel} did not report a fill; it is subscribed again`);
    this.#deps.source.resubscribe(channel);
  }

  #emitState(state: 'ready' | 'lost', reason: string): void {
    this.#deps.emit([{ kind: 'stream', state, generation: this.#generation, reason }]);
  }

  /** The first `seq` of a connection is the base. A lower one is late or a restarted count. */
  #gapBefore(frame: ChannelFrame): string | null {
    const { channel, seq } = frame;
    if (seq === null) return null;
    const last = this.#lastSeq.get(channel);
    this.#lastSeq.set(channel, seq);
    if (last === undefined || seq === last || seq === last + 1) return null;
    return `${channel} went from seq ${last} to ${seq}`;
  }
}
