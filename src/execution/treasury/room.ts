/**
 * Money beside orders, as the executor has it: the desks of the three actions, what is known of accounts and P2P, and the
 * look-ups of what is unknown. One per executor; without a treasury every such action is denied.
 *
 *   transfer · advertise · p2pTrade ─▶ desk (limits) ─▶ money desk (journal) ─▶ treasury
 *   treasury ─▶ holdings, P2P book ─▶ events ─▶ strategies
 */
import type { AdvertiseAction, P2pTradeAction, TransferAction } from '../../model/action.ts';
import type { Balance } from '../../model/account.ts';
import { denied, type Denied } from '../../model/deny-reason.ts';
import { dec, decimalText } from '../../model/money.ts';
import type { Spread } from '../../model/p2p-price-rule.ts';
import type { Cancel } from '../../model/ports.ts';
import type { StrategyTreasury, TreasuryChange } from '../../model/strategy-treasury.ts';
import type { MoneyAnswers, MoneyKind, Treasury, TreasuryEvent } from '../../model/treasury.ts';
import type { Core, Desk } from '../core.ts';
import type { StrategySlot } from '../executor-types.ts';
import { AdvertisementDesk } from './advertisement-desk.ts';
import { isRetreat, MoneyDesk } from './desk.ts';
import { Holdings } from './holdings.ts';
import { P2pBook } from './p2p-book.ts';
import { tradingSign, type MoneyRecord } from './state.ts';
import { TradeDesk } from './trade-desk.ts';
import { TransferDesk } from './transfer-desk.ts';

/** How far the exchange's clock may lie before ours in its own records. */
const CLOCK_SLACK_MS = 1_000;

interface Desks {
  readonly money: MoneyDesk;
  readonly transfers: TransferDesk;
  readonly advertisements: AdvertisementDesk;
  readonly trades: TradeDesk;
}

export class TreasuryRoom implements Desk {
  readonly holdings = new Holdings();
  readonly #book = new P2pBook();
  readonly #core: Core;
  readonly #desks: Desks | null;
  #looking: Cancel | null = null;

  constructor(core: Core, treasury: Treasury | undefined) {
    this.#core = core;
    this.#desks = treasury === undefined ? null : this.#open(treasury);
  }

  transfer(slot: StrategySlot, action: TransferAction): void {
    if (this.#desks === null) this.#core.deny(slot.tag, 'transfer', UNSUPPORTED, undefined, action.ref);
    else this.#desks.transfers.transfer(slot, action);
  }

  advertise(slot: StrategySlot, action: AdvertiseAction): void {
    if (this.#desks === null) this.#core.deny(slot.tag, 'advertise', UNSUPPORTED, undefined, action.ref);
    else this.#desks.advertisements.advertise(slot, action);
  }

  p2pTrade(slot: StrategySlot, action: P2pTradeAction): void {
    if (this.#desks === null) this.#core.deny(slot.tag, 'p2pTrade', UNSUPPORTED, undefined, action.tradeId);
    else this.#desks.trades.step(slot, action);
  }

  /** Hides the advertisements of a strategy, or of all. */
  withdraw(tag?: string): void {
    this.#desks?.advertisements.withdraw(tag);
  }

  busy(tag: string): boolean {
    return this.#desks?.advertisements.busy(tag) ?? false;
  }

  work(): void {
    this.#desks?.advertisements.work();
    this.#look();
  }

  /** Rows of any account, from the venue or the treasury. */
  balances(rows: readonly Balance[], whole: boolean): void {
    for (const balance of this.holdings.apply(rows, whole, this.#core.now())) this.#tell({ kind: 'account', balance });
  }

  view(tag: string): StrategyTreasury {
    const book = this.#book;
    const { turn } = this.#core;
    return Object.freeze({
      accounts: () => this.holdings.all(),
      p2pMarkets: () => [...book.markets.values()],
      p2pMarket: (marketId: string) => book.view(marketId, (symbol) => this.#spreadOf(symbol)),
      advertisements: () => [...book.advertisements.values()],
      p2pTrades: () => [...book.trades.values()],
      p2pUserId: () => book.userId,
      advertisementOf: (ref: string) => {
        const id = this.#core.state.money.advertisementOf(tag, ref);
        return id === undefined ? undefined : book.advertisements.get(id);
      },
      listen: (listener: (change: TreasuryChange) => void) =>
        turn.listen((event) => {
          if (isChange(event)) listener(event);
        }),
    });
  }

  #open(treasury: Treasury): Desks {
    const core = this.#core;
    const { venue, clock, wall, options, bootId } = core.deps;
    const money = new MoneyDesk({
      treasury,
      writer: core.writer,
      state: () => core.state.money,
      clock,
      wall,
      bootId,
      gate: ({ request }) => this.#gate(isRetreat(request)),
      intentTtlMs: options.risk.intentTtlMs,
      fenceMs: options.reconcile.signatureWindowMs + options.reconcile.fenceMarginMs,
      clockSlackMs: CLOCK_SLACK_MS,
      historyLagMs: options.reconcile.historyLagMs,
      clientOrderIds: venue.clientOrderIds,
      turn: (work) => core.turn.run(work),
      onEnd: (record) => this.#ended(record),
    });
    treasury.listen((event) => core.turn.run(() => this.#event(money, event)));
    return {
      money,
      transfers: new TransferDesk(core, money, this.holdings),
      advertisements: new AdvertisementDesk(core, money, this.#book, (symbol) => this.#spreadOf(symbol)),
      trades: new TradeDesk(core, money, this.#book),
    };
  }

  /** Asked again just before the bytes leave. */
  #gate(isFree: boolean): Denied | null {
    return isFree ? null : (this.#core.gates.denial('', null) ?? this.#core.kill.denial(false));
  }

  #event(money: MoneyDesk, event: TreasuryEvent): void {
    const core = this.#core;
    const book = this.#book;
    core.workWanted = true;
    switch (event.kind) {
      case 'outcome': {
        const { outcome } = event;
        if (outcome.kind === 'accepted') this.#learn(outcome.value);
        money.outcome(event.intentId, outcome);
        return;
      }
      case 'balances':
        this.balances(event.balances, event.whole);
        return;
      case 'markets':
        for (const market of event.markets) if (book.setMarket(market)) this.#tell({ kind: 'p2pMarket', market });
        return;
      case 'profile':
        book.userId = event.user.userId;
        return;
      case 'trades':
        for (const trade of event.trades) if (book.setTrade(trade)) this.#tell({ kind: 'p2pTrade', trade });
        return;
      case 'advertisements':
        if (event.whole) book.known = true;
        for (const advertisement of event.advertisements)
          if (book.setAdvertisement(advertisement)) this.#tell({ kind: 'advertisement', advertisement });
    }
  }

  /** An answer is a report, too: what comes next must not wait for the poll. */
  #learn(value: MoneyAnswers[MoneyKind]): void {
    const book = this.#book;
    if ('maker' in value && book.setAdvertisement(value)) this.#tell({ kind: 'advertisement', advertisement: value });
    else if ('sellUserId' in value && book.setTrade(value)) this.#tell({ kind: 'p2pTrade', trade: value });
  }

  #ended(ended: MoneyRecord): void {
    const core = this.#core;
    const record = core.state.money.find(ended.intentId) ?? ended;
    const { request, strategy, intentId, fate, reason } = record;
    core.workWanted = true;
    const what = `${strategy}: ${request.kind} ${intentId}`;
    if (fate === 'unknown') core.alarm('money_unknown', `${what} may have happened: ${reason ?? ''}`);
    else if (fate === 'refused') core.alarm('money_refused', `${what} was refused, ${reason ?? ''}`);
    else core.deps.logger.info({ strategy, intent: intentId, request }, `${request.kind} ended ${fate}`);
    const sign = tradingSign(request);
    if (fate === 'accepted' && request.kind === 'transfer' && sign !== 0) {
      const { currency, amount } = request;
      const signed = decimalText(dec(amount).times(sign));
      core.flowed({ id: intentId, currency, amount: signed, at: record.sentAt, cause: 'own transfer' });
    }
  }

  /** While something is unknown: until readings prove it. */
  #look(): void {
    const unresolved = this.#core.state.money.unresolved();
    const money = this.#desks?.money;
    if (unresolved.length === 0 || money === undefined || this.#looking !== null) return;
    if (!unresolved.some(({ fate }) => fate === 'unknown')) return;
    const { clock, options } = this.#core.deps;
    this.#looking = clock.after(options.reconcile.urgentIntervalMs, () => {
      void money.resolve().then((resolutions) => {
        for (const { record, verdict } of resolutions)
          this.#core.deps.logger.info({ intent: record.intentId }, `${verdict.kind}: ${verdict.why}`);
        this.#looking = null;
        this.#core.turn.run(() => {
          this.#core.workWanted = true;
        });
      });
    });
  }

  #spreadOf(symbol: string): Spread | null {
    const { market, instruments } = this.#core.deps;
    const instrument = instruments.find(symbol);
    const best = instrument === undefined ? undefined : market.best(symbol);
    if (instrument === undefined || best === undefined || best.bidLots === 0 || best.askLots === 0) return null;
    return { bid: instrument.exactPrice(best.bidTicks), ask: instrument.exactPrice(best.askTicks) };
  }

  #tell(change: TreasuryChange): void {
    this.#core.turn.emit(Object.freeze(change));
  }
}

const UNSUPPORTED = denied('unsupported', 'this session has no treasury');

const changes: ReadonlySet<string> = new Set<TreasuryChange['kind']>([
  'account',
  'advertisement',
  'p2pTrade',
  'p2pMarket',
]);

function isChange(event: { readonly kind: string }): event is TreasuryChange {
  return changes.has(event.kind);
}
