/**
 * Money of strategies without an order.
 *
 *   transfer · advertise · p2pTrade ─▶ rules ─▶ money intents (journal) ─▶ venue
 *   venue ─▶ holdings, P2P book ─▶ events ─▶ strategies
 */
import type { AdvertiseAction, P2pTradeAction, TransferAction } from '../model/action.ts';
import type { Balance } from '../model/account.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import { decimalText } from '../model/money.ts';
import type { Advertisement } from '../model/p2p.ts';
import type { Spread } from '../model/p2p-price-rule.ts';
import type { Cancel } from '../model/ports.ts';
import type { StrategyTreasury, TreasuryChange } from '../model/strategy-treasury.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest } from '../model/money-commands.ts';
import type { MoneyEvent } from '../model/venue.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isOffer, isRetreat } from '../spine/money/kinds.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { AdvertisementPlanner } from './advertisement-planner.ts';
import { itemsOf } from './evidence.ts';
import { Holdings } from './holdings.ts';
import { MoneyIntents } from './money-intents.ts';
import { P2pBook } from './p2p-book.ts';
import { tradeDenial, tradeRequest } from './p2p-trades.ts';
import { blockedBy, type TreasuryPort } from './port.ts';
import { TransferFlows } from './transfer-flows.ts';
import { transferDenial } from './transfers.ts';

type TreasuryAction = TransferAction | AdvertiseAction | P2pTradeAction;

export class TreasuryService {
  readonly holdings = new Holdings();
  readonly flows: TransferFlows;
  readonly #book = new P2pBook();
  readonly #port: TreasuryPort;
  readonly #intents: MoneyIntents;
  readonly #advertisements: AdvertisementPlanner;
  #looking: Cancel | null = null;

  constructor(port: TreasuryPort) {
    this.#port = port;
    this.flows = new TransferFlows(port);
    this.#intents = this.#makeIntents();
    this.#advertisements = new AdvertisementPlanner(port, this.#send, this.#book, (symbol) => this.#spreadOf(symbol));
  }

  submit(slot: StrategySlot, action: TreasuryAction): void {
    const denial = this.#begin(slot, action);
    const ref = action.kind === 'p2pTrade' ? action.tradeId : action.ref;
    if (denial !== null) this.#port.deny(slot.tag, action.kind, denial, undefined, ref);
  }

  withdraw(tag?: string): void {
    this.#advertisements.withdraw(tag);
  }

  busy(tag: string): boolean {
    return this.#advertisements.busy(tag);
  }

  work(): void {
    this.#advertisements.work();
    this.#look();
  }

  /** Rows of any account. */
  balances(rows: readonly Balance[], whole: boolean): void {
    for (const balance of this.holdings.apply(rows, whole, this.#port.now())) this.#emit({ kind: 'account', balance });
  }

  view(tag: string): StrategyTreasury {
    const book = this.#book;
    const { turn } = this.#port;
    return Object.freeze({
      accounts: () => this.holdings.all(),
      p2pMarkets: () => [...book.markets.values()],
      p2pMarket: (marketId: string) => book.view(marketId, (symbol) => this.#spreadOf(symbol)),
      advertisements: () => [...book.advertisements.values()],
      p2pTrades: () => [...book.trades.values()],
      p2pUserId: () => book.userId,
      advertisementOf: (ref: string) => {
        const id = this.#port.state.money.advertisementOf(tag, ref);
        return id === undefined ? undefined : book.advertisements.get(id);
      },
      listen: (listener: (change: TreasuryChange) => void) =>
        turn.listen((event) => {
          if (isChange(event)) listener(event);
        }),
    });
  }

  #makeIntents(): MoneyIntents {
    const port = this.#port;
    const { venue, options, bootId } = port.deps;
    return new MoneyIntents({
      query: venue.query,
      spine: port.spine,
      departures: port.departures,
      bootId,
      gate: (request, strategy) =>
        isRetreat(request) ? null : (stoppingDenial(port, request, strategy) ?? blockedBy(port)),
      intentTtlMs: options.risk.intentTtlMs,
      times: options.reconcile,
      clientOrderIds: venue.clientOrderIds,
      turn: (work) => port.turn.run(work),
      onEvidence: ({ advertisements }) => this.#advertised(itemsOf(advertisements)),
      onEnd: (record) => this.#ended(record),
    });
  }

  readonly #send: MoneyIntents['send'] = (movement, done) => {
    this.#port.risk.countMessage(movement.strategy, this.#port.now());
    return this.#intents.send(movement, done);
  };

  #begin(slot: StrategySlot, action: TreasuryAction): Denied | null {
    const { tag: strategy } = slot;
    switch (action.kind) {
      case 'advertise':
        return this.#advertisements.advertise(slot, action);
      case 'p2pTrade':
        return (
          tradeDenial(this.#port, this.#book, slot, action) ??
          this.#send({ request: tradeRequest(action), strategy, before: null })
        );
      case 'transfer': {
        const denial = transferDenial(this.#port, this.holdings, slot, action);
        if (denial !== null) return denial;
        const { from, to, currency, ref } = action;
        const request = { kind: 'transfer', from, to, currency, amount: decimalText(action.amount) } as const;
        return this.#send({ request, strategy, ref, before: this.holdings.baseline(request) });
      }
    }
  }

  event(event: MoneyEvent): void {
    const book = this.#book;
    this.#port.workWanted = true;
    switch (event.kind) {
      case 'money-outcome': {
        const { outcome } = event;
        if (outcome.kind === 'accepted') this.#learn(outcome.value);
        this.#intents.outcome(event.intentId, outcome);
        return;
      }
      case 'accounts':
        this.balances(event.balances, event.whole);
        return;
      case 'p2pMarkets':
        for (const market of event.markets) if (book.setMarket(market)) this.#emit({ kind: 'p2pMarket', market });
        return;
      case 'p2pProfile':
        book.userId = event.user.userId;
        return;
      case 'p2pTrades':
        for (const trade of event.trades) if (book.setTrade(trade)) this.#emit({ kind: 'p2pTrade', trade });
        return;
      case 'advertisements':
        this.#advertised(event.advertisements);
        if (!event.whole) return;
        book.known = true;
        // A hide at the kill may have failed, or its process died.
        if (this.#port.kill.on) this.withdraw();
    }
  }

  #advertised(rows: readonly Advertisement[]): void {
    for (const advertisement of rows)
      if (this.#book.setAdvertisement(advertisement)) this.#emit({ kind: 'advertisement', advertisement });
  }

  /** The next step must not wait for a poll. */
  #learn(value: MoneyAnswers[MoneyKind]): void {
    const book = this.#book;
    if ('maker' in value) this.#advertised([value]);
    else if ('sellUserId' in value && book.setTrade(value)) this.#emit({ kind: 'p2pTrade', trade: value });
  }

  #ended(record: MoneyRecord): void {
    const port = this.#port;
    const { request, strategy, intentId, fate, reason } = record;
    port.workWanted = true;
    const what = `${strategy}: ${request.kind} ${intentId}`;
    if (fate === 'unknown') port.alarm('money_unknown', `${what} may have happened: ${reason ?? ''}`);
    else if (fate === 'refused') port.alarm('money_refused', `${what} was refused, ${reason ?? ''}`);
    else port.deps.logger.info({ strategy, intent: intentId, request }, `${request.kind} ended ${fate}`);
    this.flows.ended(record);
  }

  #look(): void {
    // Nothing is proved where money is not read.
    if (this.#looking !== null || this.#port.deps.venue.query.transactions === undefined) return;
    if (!this.#port.state.money.unresolved().some(({ fate }) => fate === 'unknown')) return;
    const { clock, options, logger } = this.#port.deps;
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

  #spreadOf(symbol: string): Spread | null {
    const { market, instruments } = this.#port.deps;
    const instrument = instruments.find(symbol);
    const best = instrument === undefined ? undefined : market.best(symbol);
    if (instrument === undefined || best === undefined || best.bidLots === 0 || best.askLots === 0) return null;
    return { bid: instrument.exactPrice(best.bidTicks), ask: instrument.exactPrice(best.askTicks) };
  }

  #emit(change: TreasuryChange): void {
    this.#port.turn.emit(Object.freeze(change));
  }
}

/** What would become an offer stays behind, as an order does. */
function stoppingDenial({ stopping }: TreasuryPort, request: MoneyRequest, strategy: string): Denied | null {
  return isOffer(request) && stopping.has(strategy) ? denied('stopping', `${strategy} is stopping`) : null;
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
