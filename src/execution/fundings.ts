/**
 * Books funding once per id: to the named symbol, else to the only perpetual held in that currency. Strategies share it
 * by signed position; without a net position the account bears it.
 */
import { fundingKey } from '../spine/external-keys.ts';
import type { FundingPayment } from '../model/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/money.ts';
import type { Core } from './core.ts';
import { positionTold } from './holdings.ts';
import type { HeldPosition } from '../spine/positions.ts';

/** Decimal places of a share; the last share takes the rest. */
const SHARE_PLACES = 18;

export function bookFunding(core: Core, payment: FundingPayment): void {
  if (core.state.isBooked(fundingKey(payment.id))) return;
  core.turn.emit(Object.freeze({ kind: 'funding', payment }));
  const holders = holdersOf(core, payment);
  let net = ZERO;
  for (const held of holders) net = net.plus(held.position.quantity);
  if (net.isZero()) {
    put(core, payment, null, payment.amount);
    return;
  }
  const amount = dec(payment.amount);
  let left = amount;
  for (const [index, held] of holders.entries()) {
    const isLast = index === holders.length - 1;
    const share = isLast ? left : shareOf(amount, held.position.quantity, net);
    left = left.minus(share);
    put(core, payment, held, decimalText(share));
  }
}

function put(core: Core, { id, symbol, currency }: FundingPayment, held: HeldPosition | null, amount: string): void {
  if (held !== null) core.putInstrument(held.instrument);
  core.spine.commit({
    kind: 'funding',
    id,
    strategy: held?.strategy ?? null,
    symbol: held?.instrument.symbol ?? symbol,
    positionSide: held?.positionSide ?? 'both',
    currency,
    amount,
  });
  if (held !== null) core.turn.emit(positionTold(core, held));
}

function holdersOf({ state }: Core, { symbol, currency }: FundingPayment): readonly HeldPosition[] {
  const held = state.positions
    .all()
    .filter(
      ({ instrument, lots }) => instrument.market === 'derivative' && instrument.settle === currency && lots !== 0,
    );
  if (symbol !== null) return held.filter(({ instrument }) => instrument.symbol === symbol);
  const symbols = new Set(held.map(({ instrument }) => instrument.symbol));
  return symbols.size === 1 ? held : [];
}

function shareOf(amount: Decimal, quantity: Decimal, net: Decimal): Decimal {
  return amount.times(quantity).div(net).toDecimalPlaces(SHARE_PLACES);
}
