/**
 * Books funding once per id, to the named symbol or else to the only perpetual held in that currency. Strategies share
 * it by their quantities at its exchange time. External positions pay their own part, and the account carries what no
 * strategy explains, so the parts add up to the whole.
 */
import { fundingKey } from '../../spine/external-keys.ts';
import type { FundingPayment } from '../../model/trading/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { POSITION_SIDES } from '../../model/trading/order.ts';
import type { Core } from '../core.ts';
import { positionTold } from '../rules/holdings.ts';
import { heldBefore, positionName, type HeldPosition } from '../../spine/positions.ts';

/** Decimal places of a share. The last share takes the rest. */
const SHARE_PLACES = 18;

/** No exchange charges more of the value in one settlement. A higher rate shows that the known positions are wrong. */
const RATE_MAX = 0.1;

interface Holder {
  readonly held: HeldPosition;
  /** Signed, at the time of the payment; not zero. */
  readonly quantity: Decimal;
}

export function bookFunding(core: Core, payment: FundingPayment): void {
  if (core.state.isBooked(fundingKey(payment.id))) return;
  core.turn.emit({ kind: 'funding', payment });
  const holders = holdersOf(core, payment);
  const whole = wholeOf(core, payment, holders);
  if (whole === null) return put(core, payment, null, payment.amount);
  let unheld = whole;
  for (const { quantity } of holders) unheld = unheld.minus(quantity);
  const amount = dec(payment.amount);
  let left = amount;
  for (const [index, { held, quantity }] of holders.entries()) {
    const isLast = unheld.isZero() && index === holders.length - 1;
    const share = isLast ? left : amount.times(quantity).div(whole).toDecimalPlaces(SHARE_PLACES);
    left = left.minus(share);
    put(core, payment, held, decimalText(share));
  }
  if (!left.isZero()) put(core, payment, null, decimalText(left));
}

function put(
  core: Core,
  { id, symbol, currency, ts }: FundingPayment,
  held: HeldPosition | null,
  amount: string,
): void {
  if (held !== null) core.putInstrument(held.instrument);
  core.spine.commit({
    kind: 'funding',
    id,
    strategy: held?.strategy ?? null,
    symbol: held?.instrument.symbol ?? symbol,
    positionSide: held?.positionSide ?? 'both',
    currency,
    amount,
    paidAt: ts,
  });
  if (held === null) return;
  core.risk.funded(held.strategy, { currency, amount: Number(amount), at: ts }, core.now());
  core.turn.emit(positionTold(core, held));
}

/** Empty when past quantities are forgotten, or when several symbols fit. */
function holdersOf({ state }: Core, { symbol, currency, ts }: FundingPayment): readonly Holder[] {
  const holders: Holder[] = [];
  for (const held of state.positions.all()) {
    const { market, settle, symbol: named } = held.instrument;
    if (market !== 'derivative' || settle !== currency || (symbol !== null && named !== symbol)) continue;
    const quantity = heldBefore(held, ts);
    if (quantity === undefined) return [];
    if (!quantity.isZero()) holders.push({ held, quantity });
  }
  const symbols = new Set(holders.map(({ held }) => held.instrument.symbol));
  return symbols.size > 1 ? [] : holders;
}

/** Total of strategies and external positions. Null if unknown, or if it does not explain the amount. */
function wholeOf({ state, deps }: Core, { amount, ts }: FundingPayment, holders: readonly Holder[]): Decimal | null {
  const [first] = holders;
  if (first === undefined) return null;
  const { symbol, contractSize } = first.held.instrument;
  let whole = ZERO;
  for (const { quantity } of holders) whole = whole.plus(quantity);
  for (const side of POSITION_SIDES) {
    const name = positionName(symbol, side);
    if ((state.movedByOthers.get(name) ?? 0) > ts) return null;
    whole = whole.plus(state.adjustments.get(`position/${name}`) ?? ZERO);
  }
  if (whole.isZero()) return null;
  // Opposite positions multiply each error of the sum.
  if (!holders.some(({ quantity }) => quantity.abs().gt(whole.abs()))) return whole;
  const price = deps.market.mid(symbol) ?? first.held.position.entryPrice ?? 0;
  const most = whole.abs().times(contractSize).times(price).times(RATE_MAX);
  return dec(amount).abs().gt(most) ? null : whole;
}
