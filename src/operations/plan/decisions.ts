/**
 * Decisions for a human: a liquidation's attribution, whose position others have closed, and which order is one of
 * unknown outcome. Pure; `heal` carries them out.
 */
import { choicesOf, closedByOthers, isClosedByOthers, NONE, quantitiesOf } from '../../execution/intake/division.ts';
import { AS_BOOKED, AS_LISTED } from '../../execution/intake/contradicted-trade.ts';
import { contradictionText } from '../../risk/gates.ts';
import { executionErrors } from '../../execution/errors.ts';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import type { Finding } from '../../reconciler/finding.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { UndividedLiquidation } from '../../spine/undivided.ts';
import { dec, decimalText, ONE, type Decimal } from '../../model/numbers/money.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { ContradictedEntry } from '../../model/entries/journal.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Said } from '../../session/healing/heal.ts';

/** A strategy's share of a liquidation and its position without and with it; signed base units. */
export interface ChoiceShare {
  readonly strategy: string;
  readonly quantity: string;
  readonly before: string;
  readonly after: string;
}

export interface Choice {
  readonly name: string;
  readonly does: string;
  readonly shares: readonly ChoiceShare[];
}

export interface Decision {
  readonly id: string;
  /** `position`: both sides agree, so it may stay open. */
  readonly kind: 'liquidation' | 'position' | 'order' | 'trade';
  readonly what: string;
  readonly seen: readonly string[];
  readonly choices: readonly Choice[];
}

/** As given: `ID=CHOICE`. */
export interface Wish {
  readonly id: string;
  readonly choice: string;
}

const ORDER = 'order/';
const OURS = 'ours';
const NOT_OURS = 'not-ours';

type Doubt = Extract<Finding, { kind: 'ambiguous' }>;

export function decisionsOf(state: StateView, findings: readonly Finding[]): readonly Decision[] {
  const doubts = findings.filter((finding) => finding.kind === 'ambiguous');
  return [
    ...state.undivided.all.map((one) => ofLiquidation(state, one)),
    ...[...state.contradicted].map(([id, entry]) => ofTrade(state, id, entry)),
    ...closedByOthers(state)
      .filter(({ id }) => state.undivided.chosen(id) === undefined)
      .map((one) => ofClosed(state, one, findings)),
    ...doubts.flatMap((doubt) => doubt.orders.map((report) => ofOrder(state, report, doubt))),
  ];
}

/** Those that stop something until they are made. */
export function pressing(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.filter(({ kind }) => kind !== 'position');
}

/** For `heal`, which checks liquidations. Throws `decision_not_open`, `decision_choice` for orders. */
export function saidOf(wishes: readonly Wish[], state: StateView, findings: readonly Finding[], reason: string): Said {
  const doubts = findings.filter((finding) => finding.kind === 'ambiguous');
  const isOrder = ({ id }: Wish): boolean => id.startsWith(ORDER);
  return {
    ownership: wishes.filter(isOrder).map((wish) => ownershipOf(wish, state, doubts)),
    divisions: wishes.filter((wish) => !isOrder(wish)),
    reason,
  };
}

function ofLiquidation(state: StateView, liquidation: UndividedLiquidation): Decision {
  const { id, orderId, fills, holders, others, symbol } = liquidation;
  const [first] = fills;
  const whole = fills.reduce((sum, { quantity }) => dec(quantity).plus(sum), dec(0));
  return {
    id,
    kind: 'liquidation',
    what: `to whom is the liquidation attributed: ${first?.side ?? ''} ${decimalText(whole)} ${symbol} (order ${orderId})`,
    seen: [
      ...fills.map(tradeText),
      ...holders.map(({ strategy, quantity }) => `${strategy} held ${quantity} then`),
      ...(others === undefined
        ? []
        : [`external holdings were ${others}, and external trades may have happened just before`]),
    ],
    choices: choicesOf(liquidation).map((name) => divided(state, liquidation, name)),
  };
}

function ofTrade(state: StateView, id: string, entry: ContradictedEntry): Decision {
  const { fill, booked, intentId } = entry;
  const held = decimalText(state.orders.byIntent(intentId)?.progress.fillQuantity ?? dec(0));
  return {
    id,
    kind: 'trade',
    what: contradictionText(state, entry),
    seen: [`listed: ${tradeText(fill)}`, `the order's trades add up to ${held} by the journal`],
    choices: [
      {
        name: AS_LISTED,
        does: `the difference is booked: ${fill.quantity} at ${fill.price}; ${fill.symbol} resumes`,
        shares: [],
      },
      { name: AS_BOOKED, does: `the list is wrong: ${booked.quantity} at ${booked.price} stays`, shares: [] },
    ],
  };
}

function ofClosed(state: StateView, closed: UndividedLiquidation, findings: readonly Finding[]): Decision {
  const { id, symbol, fills, holders } = closed;
  const [{ side, quantity } = { side: 'sell', quantity: '0' }] = fills;
  const trades = findings.flatMap((finding) =>
    finding.kind === 'external-fill' && finding.fill.symbol === symbol ? [finding.fill] : [],
  );
  return {
    id,
    kind: 'position',
    what: `whose position did external trades ${side}, ${quantity} ${symbol}: the account holds that much less than the strategies' books`,
    seen: [...holders.map((one) => `${one.strategy} holds ${one.quantity} by its book`), ...trades.map(tradeText)],
    choices: choicesOf(closed).map((name) => divided(state, closed, name)),
  };
}

function tradeText({ tradeId, side, quantity, price, ts }: VenueFill): string {
  return `trade ${tradeId}: ${side} ${quantity} at ${price}, ${new Date(ts).toISOString()}`;
}

function divided(state: StateView, liquidation: UndividedLiquidation, name: string): Choice {
  const [first] = liquidation.fills;
  const held = state.positions.all().filter(({ instrument: { symbol } }) => symbol === liquidation.symbol);
  const lot = held[0]?.instrument.exactQuantity(1) ?? ONE;
  const signed = (quantity: Decimal): Decimal => (first?.side === 'buy' ? quantity : quantity.neg());
  const shares = [...(quantitiesOf(liquidation, name, lot) ?? [])].map(([strategy, quantity]): ChoiceShare => {
    const position = held.find(
      (one) => one.strategy === strategy && one.positionSide === (first?.positionSide ?? 'both'),
    );
    const before = position?.position.quantity ?? dec(0);
    const after = before.plus(signed(quantity));
    return {
      strategy,
      quantity: decimalText(quantity),
      before: decimalText(before),
      after: decimalText(after),
    };
  });
  const each = shares.map(({ strategy, quantity, before, after }) => `${strategy} ${quantity} (${before} → ${after})`);
  const at = isClosedByOthers(liquidation) ? `, at the mark, or at a price: ${name}@PRICE` : '';
  const does =
    name === NONE
      ? 'it was an external position: the strategies keep their positions'
      : `booked to ${each.join(', ')}${at}`;
  return { name, does, shares };
}

function ofOrder(state: StateView, report: OrderReport, { intentIds }: Doubt): Decision {
  const { orderId, side, filledQuantity, quantity, symbol, price, status, createdAt } = report;
  return {
    id: `${ORDER}${orderId}`,
    kind: 'order',
    what: `is order ${orderId} at the exchange an own order of unknown outcome`,
    seen: [
      `${side} ${filledQuantity}/${quantity} ${symbol} at ${price ?? 'market'}, ${status}, ${new Date(createdAt).toISOString()}`,
    ],
    choices: [
      ...intentIds.map((intentId) => ({
        name: oursName(state, intentId, intentIds),
        does: `it is ${refOf(state, intentId)} (${clientOrderIdOf(intentId)})`,
        shares: [],
      })),
      { name: NOT_OURS, does: 'it is an external order', shares: [] },
    ],
  };
}

function refOf(state: StateView, intentId: string): string {
  return state.orders.byIntent(intentId)?.ref ?? intentId;
}

/** By its ref where unique, else by its intent id. */
function oursName(state: StateView, intentId: string, intentIds: readonly string[]): string {
  if (intentIds.length === 1) return OURS;
  const ref = refOf(state, intentId);
  const isAlone = intentIds.filter((one) => refOf(state, one) === ref).length === 1;
  return `${OURS}:${isAlone ? ref : clientOrderIdOf(intentId)}`;
}

function ownershipOf({ id, choice }: Wish, state: StateView, doubts: readonly Doubt[]): Said['ownership'][number] {
  const orderId = id.slice(ORDER.length);
  const doubt = doubts.find(({ orders }) => orders.some((order) => order.orderId === orderId));
  if (doubt === undefined)
    throw executionErrors.make('decision_not_open', `${id} is not open: that order is not in doubt`);
  if (choice === NOT_OURS) return { orderId, intentId: null };
  const intentId = doubt.intentIds.find((one) => oursName(state, one, doubt.intentIds) === choice);
  if (intentId !== undefined) return { orderId, intentId };
  const names = [...doubt.intentIds.map((one) => oursName(state, one, doubt.intentIds)), NOT_OURS];
  throw executionErrors.make('decision_choice', `${choice} is no choice of ${id}: ${names.join(', ')}`);
}
