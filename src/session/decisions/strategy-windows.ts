/** What a strategy may ask beside the market, interceptable. */
import type { AccountEvent, StrategyAccount } from '../../model/trading/account.ts';
import type { InboundSignal, SignalSource } from '../../model/inbound-signal.ts';
import type { Cancel, StateStore } from '../../model/ports.ts';
import type { StrategyTreasury, TreasuryChange } from '../../model/funds/strategy-treasury.ts';
import type { WarmupCandles } from '../../strategy/context/history.ts';

export interface StrategyWindows {
  readonly account: StrategyAccount;
  readonly treasury: StrategyTreasury;
  readonly state: StateStore;
  readonly warmup: WarmupCandles;
  readonly signals: SignalSource;
  /** Any other question of a strategy. */
  readonly answer: <T>(ask: string, live: () => T) => T;
}

export interface Between {
  /** `live` asks the window itself. */
  answer<T>(ask: string, live: () => T): T;
  /** Before a change is published. */
  account(event: AccountEvent): void;
  treasury(change: TreasuryChange): void;
  signal(signal: InboundSignal): void;
}

export class Hub<Event> {
  /** Replaced, never mutated: a new listener gets the next event. */
  #listeners: readonly ((event: Event) => void)[] = [];
  readonly #listen: (hear: (event: Event) => void) => Cancel;
  #cancel: Cancel | undefined;

  constructor(listen: (hear: (event: Event) => void) => Cancel) {
    this.#listen = listen;
  }

  readonly listen = (listener: (event: Event) => void): Cancel => {
    this.#listeners = [...this.#listeners, listener];
    this.#cancel ??= this.#listen((event) => this.tell(event));
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
      if (this.#listeners.length > 0) return;
      this.#cancel?.();
      this.#cancel = undefined;
    };
  };

  tell(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** Warm-up candles are asked for here. */
export function windowsThrough(
  { account, treasury, state, warmup, signals, answer }: StrategyWindows,
  between: Between,
): StrategyWindows {
  const ask = <T>(name: string, live: () => T): T => between.answer(name, live);
  const events = new Hub<AccountEvent>((hear) =>
    account.listen((event) => {
      between.account(event);
      hear(event);
    }),
  );
  const changes = new Hub<TreasuryChange>((hear) =>
    treasury.listen((change) => {
      between.treasury(change);
      hear(change);
    }),
  );
  const inbound = new Hub<InboundSignal>((hear) =>
    signals.listen((signal) => {
      between.signal(signal);
      hear(signal);
    }),
  );
  return {
    account: {
      openOrders: (symbol) => ask(`openOrders ${symbol ?? ''}`, () => account.openOrders(symbol)),
      orderByRef: (ref) => ask(`order ${ref}`, () => account.orderByRef(ref)),
      programs: () => ask('programs', () => account.programs()),
      programByRef: (ref) => ask(`program ${ref}`, () => account.programByRef(ref)),
      position: (symbol, side) => ask(`position ${symbol} ${side ?? ''}`, () => account.position(symbol, side)),
      positions: () => ask('positions', () => account.positions()),
      balance: (currency) => ask(`balance ${currency}`, () => account.balance(currency)),
      balances: () => ask('balances', () => account.balances()),
      fillsSince: (cursor) => ask(`fillsSince ${cursor ?? ''}`, () => account.fillsSince(cursor)),
      listen: events.listen,
    },
    treasury: {
      accounts: () => ask('accounts', () => treasury.accounts()),
      p2pMarkets: () => ask('p2pMarkets', () => treasury.p2pMarkets()),
      p2pMarket: (marketId) => ask(`p2pMarket ${marketId}`, () => treasury.p2pMarket(marketId)),
      advertisements: () => ask('advertisements', () => treasury.advertisements()),
      p2pTrades: () => ask('p2pTrades', () => treasury.p2pTrades()),
      p2pUserId: () => ask('p2pUserId', () => treasury.p2pUserId()),
      advertisementOf: (ref) => ask(`advertisement ${ref}`, () => treasury.advertisementOf(ref)),
      listen: changes.listen,
    },
    state: {
      get: (key) => ask(`state ${key}`, () => state.get(key)),
      set: (key, json) => state.set(key, json),
    },
    signals: { listen: inbound.listen },
    answer: (name, live) => ask(name, () => answer(name, live)),
    warmup: new Map(ask('warmup', () => [...warmup])),
  };
}
