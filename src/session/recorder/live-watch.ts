/** Marks a live session's own trading to market. Capital is set once all prices are known. */
import type { Subscription } from 'rxjs';
import type { Balance } from '../../model/trading/account.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import { accountPositions } from '../../spine/account-positions.ts';
import type { EarlierLegs } from '../result/earlier-legs.ts';
import type { EquityStart } from './equity-start.ts';
import type { RunningSession, SessionOptions } from '../store/running-session.ts';
import type { AccountValues, RunRecorder } from './run-recorder.ts';

const TRADING = 'unified-trading';

export class LiveWatch {
  readonly #recorder: RunRecorder;
  readonly #totals = new Map<string, string>();
  readonly #subscriptions: Subscription[] = [];
  #session: RunningSession | null = null;
  #awaiting = false;
  #lastMs: number;

  #held = false;

  constructor(recorder: RunRecorder, earlier: EarlierLegs | null, fromMs: number) {
    this.#recorder = recorder;
    this.#lastMs = fromMs;
    recorder.begin(fromMs, () => (this.#totals.size === 0 ? null : this.#values()));
    const start = earlier?.start ?? null;
    if (start !== null) this.#hold(start);
  }

  start(session: RunningSession): void {
    this.#session = session;
    session.followed.each((symbol) => this.#follow(session, symbol));
    session.engine.executor.listen((event) => {
      if (event.kind === 'balance') this.#balance(event.balance);
      if (event.kind === 'fill') {
        this.#recorder.traded(event.fill);
        this.#recorder.equity.point(this.#now());
      }
      if (event.kind === 'funding') {
        this.#recorder.funded(this.#now(), event.payment.currency, event.payment.amount);
        this.#recorder.equity.point(this.#now());
      }
    });
  }

  end(atMs: number): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    if (!this.#held) this.#hold(null);
    this.#recorder.end(this.#at(atMs));
  }

  #follow({ stream: { market } }: RunningSession, symbol: string): void {
    // Until a mark price comes, a perpetual is valued at its mid.
    let isByMid = market.instrument(symbol).market === 'derivative';
    if (isByMid) {
      const marks = market.mark(symbol).subscribe(({ markPrice }) => {
        isByMid = false;
        this.#price(symbol, markPrice);
      });
      this.#subscriptions.push(marks);
    }
    const tops = market.top(symbol).subscribe(({ mid }) => {
      this.#recorder.mark(this.#now(), symbol, mid);
      if (isByMid) this.#price(symbol, mid);
      this.#tryToHold();
    });
    this.#subscriptions.push(tops);
  }

  #price(symbol: string, price: number): void {
    this.#recorder.equity.price(this.#now(), symbol, price);
  }

  /** The start needs all balances of one message. */
  #balance({ account, currency, total }: Balance): void {
    if (account !== TRADING) return;
    this.#totals.set(currency, total);
    if (this.#awaiting || this.#held) return;
    this.#awaiting = true;
    this.#session?.clock.after(0, () => {
      this.#awaiting = false;
      this.#tryToHold();
    });
  }

  #tryToHold(): void {
    const { symbols = [] } = this.#session ?? {};
    if (this.#held || this.#awaiting || this.#totals.size === 0 || this.#awaitsPositions()) return;
    if (symbols.every((symbol) => this.#recorder.isPriced(symbol))) this.#hold(null);
  }

  /** External positions belong to the start. A spot-only session gets no positions. */
  #awaitsPositions(): boolean {
    if (this.#session === null) return false;
    const { engine, symbols, options } = this.#session;
    const isOfPerpetuals = symbols.some((symbol) => instrumentOf(options, symbol)?.market === 'derivative');
    return isOfPerpetuals && !engine.executor.state.heard.knowsPositions;
  }

  #hold(start: EquityStart | null): void {
    this.#held = true;
    this.#recorder.hold(start);
  }

  #values(): AccountValues {
    if (this.#session === null) return { totals: this.#totals, positions: [] };
    return { totals: withOthers(this.#totals, this.#session), positions: positionsOf(this.#session) };
  }

  #now(): number {
    return this.#at(this.#session?.clock.now() ?? this.#lastMs);
  }

  /** Times of the curve never decrease. */
  #at(ms: number): number {
    this.#lastMs = Math.max(ms, this.#lastMs);
    return this.#lastMs;
  }
}

function instrumentOf({ connection }: SessionOptions, symbol: string): Instrument | undefined {
  return connection.instruments.find(symbol);
}

/** Includes the reported open profit of positions in other symbols, which have no price here. */
function withOthers(
  totals: ReadonlyMap<string, string>,
  { engine, options, symbols }: RunningSession,
): ReadonlyMap<string, string> {
  const all = new Map(totals);
  for (const { symbol, unrealizedPnl } of engine.executor.state.heard.positions.values()) {
    const settle = symbols.includes(symbol) ? undefined : instrumentOf(options, symbol)?.settle;
    if (settle !== undefined) all.set(settle, decimalText(dec(all.get(settle) ?? 0).plus(unrealizedPnl)));
  }
  return all;
}

/** In symbols of the session. */
function positionsOf({ engine, options, symbols }: RunningSession): AccountValues['positions'] {
  const find = (symbol: string): Instrument | undefined =>
    symbols.includes(symbol) ? instrumentOf(options, symbol) : undefined;
  return accountPositions(engine.executor.state, find).map(
    ({ instrument: { symbol, contractSize }, quantity, cost }) => ({
      symbol,
      quantity: decimalText(quantity),
      cost: decimalText(cost.times(contractSize)),
    }),
  );
}
