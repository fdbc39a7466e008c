/** Advice on a refusal by its code (`interface/refusals.ts`). */
import { otherErrorCodes, type BusinessRefusalCode } from '../../exchange/interface/refusals.ts';

// prettier-ignore
const rows: Readonly<Partial<Record<BusinessRefusalCode | typeof otherErrorCodes.notFound, string>>> = {
  insufficient_balance: '`tidewire account overview` shows what is where, `tidewire transfer make` moves it',
  below_minimum: 'raise the amount to the minimum that is named',
  above_maximum: 'lower the amount to the maximum that is named',
  off_tick: 'round the price to the step of the pair',
  off_lot: 'round the quantity to the step of the pair',
  unknown_symbol: 'check the symbol: BTCUSDT is spot, perpetuals (`tidewire futures instruments`) end in PERP',
  symbol_halted: 'wait until the pair trades again',
  illegal_transition: 'its state has changed: read it again before you continue',
  limit_reached: 'end one of those that are open first',
  route_not_available: '`tidewire transfer routes` lists what can be sent where',
  price_out_of_bounds: '`tidewire p2p markets` shows the bounds of the pair',
  whitelist_required: 'make a key with an IP whitelist: `tidewire keys create`',
  leverage_too_high: '`tidewire futures tiers SYMBOL` shows the leverage of each size',
  reduce_only_violation: '`tidewire futures positions` shows what there is to close',
  not_owner: 'it belongs to another user; check the id and whose key is set (`tidewire account me`)',
  [otherErrorCodes.notFound]: 'check the id',
  two_factor_invalid: 'take a fresh 2FA code; it depends on the clock of the device',
};

const byCode: ReadonlyMap<string, string> = new Map(Object.entries(rows));

/** Without a full stop; null without advice. */
export function adviceOn(code: string): string | null {
  return byCode.get(code) ?? null;
}
