/**
 * The session's side of the bridge: sends live parts and books while somebody looks, and carries out commands. All of it
 * in timers of the machine's clock, never inside the handling of an event or an order.
 */
import { pageRead } from '../../exchange/client/page-read.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import type { Asked, Told, ToServer, ToSession, Wanted } from '../thread/messages.ts';
import { candlesOf } from './candles.ts';
import { bookOf, curveOf, livePartOf, topsOf } from './live-part.ts';

const LIVE_MS = 250;
const MARKET_MS = 100;
const BOOKS_MAX = 16;

export interface PumpDeps {
  readonly session: RunningSession;
  readonly endsAt: number | null;
  readonly clock: Clock;
  readonly post: (message: ToServer) => void;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
}

const NOT_READY: RemoteAnswer = {
  kind: 'failed',
  code: 'bridge_not_commandable',
  message: 'the session takes no commands from outside',
  remedy: 'Use the terminal.',
};

export class LivePump {
  readonly #deps: PumpDeps;
  #wanted: Wanted = { live: false, books: {} };
  #stopLive: Cancel | null = null;
  #stopMarket: Cancel | null = null;

  constructor(deps: PumpDeps) {
    this.#deps = deps;
  }

  hear(message: ToSession): void {
    if (message.kind === 'wanted') this.#want(message.wanted);
    else if (message.kind === 'order') void this.#order(message.id, message.order);
    else if (message.kind === 'ask') void this.#ask(message.id, message.asked);
  }

  stop(): void {
    this.#want({ live: false, books: {} });
  }

  #want(wanted: Wanted): void {
    const { clock } = this.#deps;
    const wasLive = this.#wanted.live;
    this.#wanted = wanted;
    if (wanted.live && !wasLive) {
      this.#sendLive();
      this.#stopLive = clock.every(LIVE_MS, () => this.#sendLive());
      this.#stopMarket = clock.every(MARKET_MS, () => this.#sendMarket());
    }
    if (!wanted.live && wasLive) {
      this.#stopLive?.();
      this.#stopMarket?.();
    }
  }

  #sendLive(): void {
    const { session, endsAt, post } = this.#deps;
    post({ kind: 'live', part: livePartOf(session, endsAt) });
  }

  #sendMarket(): void {
    const { session, post } = this.#deps;
    const wished = Object.entries(this.#wanted.books).slice(0, BOOKS_MAX);
    if (wished.length === 0) return;
    const books = wished.flatMap(([symbol, depth]) => bookOf(session, symbol, depth) ?? []);
    post({ kind: 'market', at: session.clock.now(), tops: topsOf(session), books });
  }

  async #order(id: number, order: RemoteOrder): Promise<void> {
    const { session, post } = this.#deps;
    const answer = (await session.remote?.carryOut(order)) ?? NOT_READY;
    post({ kind: 'answer', id, answer });
  }

  async #ask(id: number, asked: Asked): Promise<void> {
    const { session, post } = this.#deps;
    post({ kind: 'told', id, told: await this.#told(session, asked) });
  }

  async #told(session: RunningSession, asked: Asked): Promise<Told> {
    switch (asked.kind) {
      case 'curve':
        return { kind: 'curve', points: curveOf(session) };
      case 'candles':
        return { kind: 'candles', candles: await candlesOf(session, asked) };
      case 'exchange': {
        const { exchange, publicKey } = session.options.connection;
        const source = { http: exchange.http, endpoints: exchange.endpoints, hasKey: publicKey !== null };
        return { kind: 'exchange', read: await pageRead(source, asked.call) };
      }
      case 'metrics':
        return { kind: 'metrics', text: await this.#deps.metrics() };
      case 'signal':
        return { kind: 'signal', taken: session.signals.take(asked.signal) };
    }
  }
}
