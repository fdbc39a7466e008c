/**
 * Applies what the venue or the reconciler reports, and journals it before anybody is notified. Events of unknown
 * orders are kept while a create in flight could own them.
 */
import type { Balance, VenuePosition } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Source } from '../../model/entries/journal.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Gate } from '../../model/ports.ts';
import type { Outcome } from '../../model/result.ts';
import type { VenueEvent } from '../../model/venue.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { fillEntry, noteTaken, pricesOf, returnTrade, tellFill } from './bookings.ts';
import { compareListed } from './contradicted-trade.ts';
import { BookedTrades } from './moved-trades.ts';
import { PUSHED } from './ends-in-doubt.ts';
import { boundFill, contradictionOf, misreported } from '../../spine/orders/fill-check.ts';
import { bookFunding } from './fundings.ts';
import type { AlarmCode } from '../../spine/events.ts';
import { isLiquidation } from '../../spine/external-keys.ts';
import { Liquidations } from './liquidations.ts';
import { intentIdOf } from '../../spine/intent-id.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import { type OwnOrder, lotsOf } from '../../spine/orders/own-order.ts';
import { PerpetualSettings, PositionModeGate } from '../venue-gates.ts';
import type { TreasuryService } from '../../treasury/service.ts';
import { takeSentElsewhere } from './adopt.ts';
import { Strays } from './strays.ts';
import { MISBOUND } from '../../spine/trading-state.ts';

export class Intake {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #treasury: TreasuryService;
  readonly #strays: Strays;
  readonly liquidations: Liquidations;
  readonly #settings: PerpetualSettings;
  readonly #mode: PositionModeGate;
  /** Symbols with a fill since the start. */
  readonly #filled = new Set<string>();
  readonly #trades = new BookedTrades();
  /** Their contradiction is alarmed. */
  readonly #misreported = new WeakSet<OwnOrder>();

  constructor(core: Core, dispatcher: Dispatcher, treasury: TreasuryService) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#treasury = treasury;
    this.#strays = new Strays(core.deps.knobs);
    this.liquidations = new Liquidations(core);
    this.#settings = new PerpetualSettings(core);
    this.#mode = new PositionModeGate(core);
  }

  get gates(): readonly Gate[] {
    return [this.liquidations, this.#settings, this.#mode];
  }

  event(event: VenueEvent): void {
    switch (event.kind) {
      case 'outcome':
        return this.#outcome(event.intentId, event.outcome);
      case 'order':
        return void this.report(event.order, 'stream');
      case 'fill':
        return void this.fill(event.fill, 'stream');
      case 'balances':
        return this.balances(event.balances, event.whole);
      case 'positions':
        return this.positions(event.positions, event.whole);
      case 'funding':
        return bookFunding(this.#core, event.payment);
      case 'stream':
        this.#core.spine.hear(event);
        this.#core.signal({ kind: 'stream', event });
        return;
      default:
        this.#treasury.event(event);
    }
  }

  /** True for an own order. */
  report(report: OrderReport, source: Source): boolean {
    const order = this.#ownerOf(report) ?? this.#sentElsewhere(report);
    if (order === undefined) {
      if (isLiquidation(report)) this.liquidation(report);
      else this.#stray(report.orderId, report.symbol, { kind: 'order', order: report });
      return false;
    }
    this.applyReport(order, report, source);
    if (source === 'stream' && isOver(report)) this.#dispatcher.ends.heard(order, PUSHED);
    return true;
  }

  /** False: nothing changed, because it is known already or the ids contradict each other. */
  applyReport(order: OwnOrder, report: OrderReport, source: Source): boolean {
    const core = this.#core;
    const wasBound = order.orderId !== undefined;
    const wasClosed = isClosed(order.progress);
    const flags = this.#dispatcher.commit(order, { kind: 'order', intentId: order.intentId, report, source });
    if (flags === MISBOUND) {
      core.alarm('contradiction', `${order.ref} is order ${order.orderId ?? '?'}, a report names it ${report.orderId}`);
      return false;
    }
    // The history lists an order long after a human has looked.
    if (!wasClosed) this.#checkTerms(order, report);
    if (!wasBound) this.#claimStrays(order);
    return flags > 0;
  }

  /**
   * Reopens an order that the venue reported over but still lists as active. False, without effect, if it is fully
   * filled.
   */
  reopen(order: OwnOrder, report: OrderReport): boolean {
    const core = this.#core;
    const from = order.progress.state;
    if (order.progress.fillLots >= order.progress.lots) return false;
    const cause = `the venue reported it as ${from} and shows it as active since then`;
    const flags = core.spine.reopen(order, report, cause);
    core.alarm('contradiction', `${order.ref}: ${cause}; it is cancelled`);
    this.#dispatcher.ends.false(order);
    this.#dispatcher.changed(order, from, flags);
    return true;
  }

  /** Withdraws a reported quantity beyond its fills, if the history shows exactly those. False otherwise. */
  lower(order: OwnOrder, report: OrderReport): boolean {
    const { fillLots, reportedLots, state } = order.progress;
    if (fillLots >= reportedLots || lotsOf(order.instrument, report.filledQuantity) !== fillLots) return false;
    const cause = `the venue reported it as ${state}, but its lists agree on ${report.filledQuantity} filled`;
    this.#core.spine.reopen(order, report, cause);
    this.#core.alarm('contradiction', `${order.ref}: ${cause}`);
    this.applyReport(order, report, 'reconcile');
    return true;
  }

  /** Also books its fills that came before. */
  liquidation(report: OrderReport): void {
    this.liquidations.report(report);
    for (const stray of this.#strays.take(report.orderId)) {
      if (stray.kind === 'fill') this.liquidations.fill(stray.fill, 'stream');
    }
  }

  /** True when booked to an own order, or part of a liquidation. */
  fill(fill: VenueFill, source: Source): boolean {
    const order = this.#core.state.orders.byOrderId(fill.orderId);
    if (order === undefined) {
      if (this.liquidations.fill(fill, source)) return true;
      this.#stray(fill.orderId, fill.symbol, { kind: 'fill', fill });
      return false;
    }
    return this.#book(order, fill, source);
  }

  balances(told: readonly Balance[], whole: boolean): void {
    const rows = told.map((row) => (Object.isFrozen(row) ? row : Object.freeze({ ...row })));
    this.#treasury.balances(rows, false);
    for (const balance of this.#core.spine.hear({ kind: 'balances', balances: rows, whole })) {
      this.#core.turn.emit({ kind: 'balance', balance });
    }
    this.#core.workWanted = true;
  }

  positions(positions: readonly VenuePosition[], whole: boolean): void {
    this.#settings.told(positions, whole);
    this.#core.spine.hear({ kind: 'positions', positions, whole });
  }

  #outcome(intentId: string, outcome: Outcome): void {
    const order = this.#core.state.orders.byIntent(intentId);
    const wasBound = order?.orderId !== undefined;
    const isKnown = this.#dispatcher.outcome(intentId, order, outcome);
    if (!isKnown) this.#core.deps.logger.warn({ intentId }, 'an outcome names an unknown intent');
    if (order === undefined) return;
    this.#mode.answered(order, outcome);
    if (outcome.kind !== 'accepted' || outcome.order === undefined) return;
    this.#checkTerms(order, outcome.order);
    if (!wasBound) this.#claimStrays(order);
    const { reportedLots, fillLots } = order.progress;
    if (reportedLots > fillLots) this.#core.signal({ kind: 'unbooked' });
  }

  #ownerOf(report: OrderReport): OwnOrder | undefined {
    const { orders } = this.#core.state;
    const bound = orders.byOrderId(report.orderId);
    if (bound !== undefined) return bound;
    const intentId = intentIdOf(report.clientOrderId);
    return intentId === undefined ? undefined : orders.byIntent(intentId);
  }

  /** Another process may have sent it for this session. */
  #sentElsewhere(report: OrderReport): OwnOrder | undefined {
    if (intentIdOf(report.clientOrderId) === undefined) return undefined;
    takeSentElsewhere(this.#core);
    return this.#ownerOf(report);
  }

  /** Nobody knows what rests there: the symbol is halted until a human has looked. */
  #checkTerms(order: OwnOrder, report: OrderReport): void {
    const what = misreported(order, report);
    if (what === null || this.#misreported.has(order)) return;
    this.#misreported.add(order);
    this.#haltFor(order, 'contradiction', `the report of order ${report.orderId} contradicts it: ${what}`);
  }

  #haltFor(order: OwnOrder, code: AlarmCode, what: string): void {
    const core = this.#core;
    const message = `${order.ref}: ${what}`;
    core.alarm(code, message);
    core.halt(order.instrument.symbol, message);
    core.doubt(message);
  }

  /** False: booked before, or it contradicts its order. */
  #book(order: OwnOrder, told: VenueFill, source: Source): boolean {
    const core = this.#core;
    const { instrument } = order;
    const before = order.progress.state;
    if (source === 'reconcile') compareListed(core, order, told);
    if (order.progress.trades?.has(told.tradeId) === true) return false;
    if (source === 'stream' && this.#isOfAnother(order, told)) return false;
    const fill = boundFill(order, told);
    const contradiction = contradictionOf(order, told);
    if (contradiction !== null) {
      this.#haltFor(order, 'fill_contradiction', `trade ${told.tradeId} contradicts its order: ${contradiction}`);
      // The list of own trades decides (reliability M13).
      if (source === 'stream') return false;
    }
    const { intentId, strategy, ref, tag, arrivalMid } = order;
    const prices = pricesOf(core, instrument, fill);
    returnTrade(core, fill);
    const flags = core.spine.commitTo(order, fillEntry(intentId, fill, prices, source));
    if (flags <= 0) {
      if (flags === MISBOUND) core.alarm('contradiction', `${ref}: trade ${fill.tradeId} names order ${fill.orderId}`);
      return false;
    }
    this.#trades.note(order, fill.tradeId);
    this.#prove(order, told);
    core.news.moved.add(instrument.symbol);
    noteTaken(core, order, fill);
    core.risk.executed(order, core.now());
    core.surveillance.filled(order, core.now());
    core.signal({ kind: 'booked', fill });
    if (Number.isNaN(instrument.lotsOf(fill.quantity))) {
      core.alarm('off_grid_fill', `${ref}: trade ${fill.tradeId} of ${fill.quantity} is no multiple of the lot size`);
    }
    tellFill(core, strategy, { ...fill, ref, tag }, prices, arrivalMid);
    if (source === 'stream') core.deps.market.traded?.(fill);
    this.#dispatcher.changed(order, before, flags);
    return true;
  }

  /** It is booked already, for another own order. The list of own trades decides. */
  #isOfAnother(order: OwnOrder, { tradeId }: VenueFill): boolean {
    const other = this.#trades.otherOwner(order, tradeId);
    if (other === undefined) return false;
    const what = `trade ${tradeId} is reported for ${order.ref}, and is booked for ${other.ref}`;
    this.#core.alarm('contradiction', what);
    this.#core.doubt(what);
    return true;
  }

  /**
   * Asks for a confirming poll at a symbol's first fill since the start, and at the first fill with another side than
   * its order.
   */
  #prove(order: OwnOrder, told: VenueFill): void {
    const core = this.#core;
    const { symbol } = order.instrument;
    const isDoubt = core.toldSides.heard(told, order.side, order.instrument);
    if (isDoubt) {
      const what = `trade ${told.tradeId} is reported as a ${told.side} (${told.liquidity}), but its order is a ${order.side}`;
      core.alarm('own_trade_side', `${order.ref}: ${what}: booked as its order; exchange.ownTradeSide is in doubt`);
    } else if (this.#filled.has(symbol)) return;
    this.#filled.add(symbol);
    core.signal({ kind: 'unproved', symbol });
    core.doubt(`whether ${symbol} moved as booked`);
  }

  /** Kept only while a create without an id is in flight in the symbol, or a perpetual held there may be liquidated. */
  #stray(orderId: string, symbol: string, event: Parameters<Strays['keep']>[1]): void {
    const core = this.#core;
    core.signal({ kind: 'unowned', orderId });
    const awaited = core.state.orders.live(symbol).some((order) => order.orderId === undefined && order.handed);
    const isClose = this.liquidations.concerns(symbol);
    if (!awaited && !isClose) return;
    // Only polls show what it means for our position.
    if (isClose && event.kind === 'fill') core.doubt(`an external trade of ${symbol}`);
    if (this.#strays.keep(orderId, event)) return;
    core.alarm(
      'stray_overflow',
      `too many events of unknown orders on ${symbol}: the reconciler will find what was dropped`,
    );
    core.doubt('events of unknown orders were dropped');
  }

  #claimStrays(order: OwnOrder): void {
    if (order.orderId === undefined) return;
    for (const stray of this.#strays.take(order.orderId)) {
      if (stray.kind === 'order') this.applyReport(order, stray.order, 'stream');
      else this.#book(order, stray.fill, 'stream');
    }
  }
}

function isOver({ status }: OrderReport): boolean {
  return status !== 'new' && status !== 'partially_filled';
}
