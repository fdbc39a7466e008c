/**
 * Money movements of strategies without an order.
 *
 *   transfer · advertise · p2pTrade ─▶ denials ─▶ money intents (journal) ─▶ venue
 *   venue ─▶ holdings, P2P book ─▶ events ─▶ strategies
 */
import { itemsOf } from '../model/result.ts';
import type { Balance, CashFlow } from '../model/trading/account.ts';
import type { AdvertiseAction, P2pTradeAction, TransferAction } from '../model/trading/action.ts';
import type { Denied } from '../model/trading/deny-reason.ts';
import type { SpreadOf } from '../model/funds/p2p-price-rule.ts';
import type { Cancel } from '../model/ports.ts';
import type { StrategyTreasury, TreasuryChange } from '../model/funds/strategy-treasury.ts';
import type { MoneyEvent } from '../model/venue.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isOffer, isReduction, isRetreat } from '../spine/money/kinds.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { Advertisements } from './advertisements.ts';
import { BY_HAND, byHandOf } from './by-hand.ts';
import { Holdings } from './holdings.ts';
import { MoneyIntents, type Movement } from './money-intents.ts';
import { P2pBook } from './p2p-book.ts';
import { advertiseDenial, tradeDenial, tradeRequest } from './p2p-denials.ts';
import { blockedBy, stoppingDenial, type TreasuryPort } from './port.ts';
import { flowOf, lateFlows, transferDenial, transferRequest } from './transfers.ts';

type TreasuryAction = TransferAction | AdvertiseAction | P2pTradeAction;

export class TreasuryService {
  readonly holdings = new Holdings();
  readonly byHand: ReturnType<typeof byHandOf>;
  readonly advertisements: Advertisements;
  readonly #book = new P2pBook();
  readonly #port: TreasuryPort;
  readonly #intents: MoneyIntents;
  #late: readonly CashFlow[] = [];
  #looking: Cancel | null = null;

  constructor(port: TreasuryPort) {
    this.#port = port;
    this.#intents = new MoneyIntents(port, {
      gate: (movement) => this.#gate(movement),
      doubtsRefusals: true,
      onEvidence: ({ advertisements }) =>
        this.#hear(itemsOf(advertisements).map((advertisement) => ({ kind: 'advertisement', advertisement }))),
      onEnd: (record, was) => this.#ended(record, was),
    });
    this.advertisements = new Advertisements(port, this.#send, this.#book);
    this.byHand = byHandOf(port, this.#intents, this.holdings);
  }

  submit(slot: StrategySlot, action: TreasuryAction): void {
    const denial = this.#begin(slot, action);
    const ref = action.kind === 'p2pTrade' ? action.tradeId : action.ref;
    if (denial !== null) this.#port.deny(slot.tag, action.kind, denial, undefined, ref);
  }

  work(): void {
    this.advertisements.work();
    this.#look();
  }

  balances(rows: readonly Balance[], whole: boolean): void {
    for (const balance of this.holdings.apply(rows, whole, this.#port.now())) this.#emit({ kind: 'account', balance });
  }

  /** Call once, after the state is restored. */
  findLate(): void {
    this.#late = lateFlows(this.#port);
    this.bookLate();
  }

  /** Flows that wait for the price of their currency. */
  get hasLate(): boolean {
    return this.#late.length > 0;
  }

  /** A movement that was resolved while no session ran is booked once its currency has a price. */
  bookLate(): void {
    if (this.#late.length === 0) return;
    const late = Map.groupBy(this.#late, ({ currency }) => !Number.isNaN(this.#port.risk.valuation.rate(currency)));
    for (const flow of late.get(true) ?? []) this.#port.flowed(flow);
    this.#late = late.get(false) ?? [];
  }

  view(tag: string): StrategyTreasury {
    const book = this.#book;
    return Object.freeze({
      accounts: () => this.holdings.all(),
      p2pMarkets: () => [...book.markets.values()],
      p2pMarket: (marketId: string) => book.view(marketId, this.#spreadOf),
      advertisements: () => [...book.advertisements.values()],
      p2pTrades: () => [...book.trades.values()],
      p2pUserId: () => book.userId,
      advertisementOf: (ref: string) => book.advertisements.get(this.#port.state.money.advertisementOf(tag, ref) ?? ''),
      listen: (listener: (change: TreasuryChange) => void) =>
        this.#port.turn.listen((event) => {
          if (isChange(event)) listener(event);
        }),
    });
  }

  event(event: MoneyEvent): void {
    this.#port.workWanted = true;
    switch (event.kind) {
      case 'money-outcome': {
        const { intentId, outcome } = event;
        // The next step must not wait for a poll.
        const value = outcome.kind === 'accepted' ? outcome.value : null;
        if (value !== null && 'maker' in value) this.#hear([{ kind: 'advertisement', advertisement: value }]);
        if (value !== null && 'sellUserId' in value) this.#hear([{ kind: 'p2pTrade', trade: value }]);
        this.#intents.outcome(intentId, outcome);
        return;
      }
      case 'accounts':
        this.balances(event.balances, event.whole);
        return;
      case 'p2pMarkets':
        this.#hear(event.markets.map((market) => ({ kind: 'p2pMarket', market })));
        return;
      case 'p2pProfile':
        this.#book.userId = event.user.userId;
        return;
      case 'p2pTrades':
        this.#hear(event.trades.map((trade) => ({ kind: 'p2pTrade', trade })));
        return;
      case 'advertisements':
        this.#hear(event.advertisements.map((advertisement) => ({ kind: 'advertisement', advertisement })));
        if (!event.whole) return;
        this.#book.known = true;
        // The kill's hide request may have failed, or its process died.
        if (this.#port.kill.on) this.advertisements.withdraw();
    }
  }

  readonly #send: MoneyIntents['send'] = (movement, done) => {
    this.#port.risk.countMessage(movement.strategy, this.#port.now());
    return this.#intents.send(movement, done);
  };

  #begin(slot: StrategySlot, action: TreasuryAction): Denied | null {
    const port = this.#port;
    const { tag: strategy } = slot;
    switch (action.kind) {
      case 'advertise': {
        const denial = advertiseDenial(port, this.#book, slot, action, this.#spreadOf);
        if (denial === null) this.advertisements.wish(strategy, action);
        return denial;
      }
      case 'p2pTrade':
        return (
          tradeDenial(port, this.#book, slot, action) ??
          this.#send({ request: tradeRequest(action), strategy, before: null })
        );
      case 'transfer': {
        const denial = transferDenial(port, this.holdings, slot, action);
        if (denial !== null) return denial;
        const request = transferRequest(action);
        return this.#send({ request, strategy, ref: action.ref, before: this.holdings.baseline(request) });
      }
    }
  }

  /** A stop that withdraws offers also drops what would become an offer, as it does for orders. */
  #gate({ request, strategy, ref }: Pick<Movement, 'request' | 'strategy' | 'ref'>): Denied | null {
    if (isRetreat(request) || (strategy === BY_HAND && isReduction(request))) return null;
    const isWithdrawn = isOffer(request) && !this.advertisements.wants(strategy, ref);
    return (isWithdrawn ? stoppingDenial(this.#port, strategy) : null) ?? blockedBy(this.#port);
  }

  #ended(record: MoneyRecord, was: MoneyRecord['fate']): void {
    const port = this.#port;
    const { request, strategy, intentId, fate, reason } = record;
    port.workWanted = true;
    const what = `${strategy === BY_HAND ? 'by hand' : strategy}: ${request.kind} ${intentId}`;
    if (was === 'refused' && fate === 'accepted')
      port.alarm('money_refused', `${what} was refused and happened: ${reason ?? ''}`);
    else if (was === 'refused') port.deps.logger.info({ strategy, intent: intentId }, `the refusal of ${what} is true`);
    else if (fate === 'unknown') port.alarm('money_unknown', `${what} may have happened: ${reason ?? ''}`);
    else if (fate === 'refused') port.alarm('money_refused', `${what} was refused, ${reason ?? ''}`);
    else port.deps.logger.info({ strategy, intent: intentId, request }, `${request.kind} ended ${fate}`);
    const flow = flowOf(record);
    if (flow !== null) port.flowed(flow);
  }

  /** Without money queries nothing can be resolved. */
  #look(): void {
    const { clock, options, logger, venue } = this.#port.deps;
    if (this.#looking !== null || venue.query.transactions === undefined) return;
    if (this.#port.state.money.inDoubt().length === 0) return;
    this.#looking = clock.after(options.reconcile.urgentIntervalMs, () => {
      void this.#intents.resolve().then((resolutions) => {
        for (const { record, verdict } of resolutions)
          logger.info({ intent: record.intentId }, `${verdict.kind}: ${verdict.why}`);
        this.#looking = null;
        this.#port.turn.run(() => {
          this.#port.workWanted = true;
        });
      });
    });
  }

  readonly #spreadOf: SpreadOf = (symbol) => {
    const { market, instruments } = this.#port.deps;
    const instrument = instruments.find(symbol);
    const best = instrument === undefined ? undefined : market.best(symbol);
    if (instrument === undefined || best === undefined || best.bidLots === 0 || best.askLots === 0) return null;
    return { bid: instrument.exactPrice(best.bidTicks), ask: instrument.exactPrice(best.askTicks) };
  };

  #hear(changes: readonly Parameters<P2pBook['hear']>[0][]): void {
    for (const change of changes) if (this.#book.hear(change)) this.#emit(change);
  }

  #emit(change: TreasuryChange): void {
    this.#port.turn.emit(change);
  }
}

const changes: ReadonlySet<string> = new Set<TreasuryChange['kind']>([
  'account',
  'advertisement',
  'p2pTrade',
  'p2pMarket',
]);

function isChange(event: { readonly kind: string }): event is TreasuryChange {
  return changes.has(event.kind);
}
