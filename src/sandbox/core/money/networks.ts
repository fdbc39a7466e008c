/** Minimum and fee of each currency per network (docs/sandbox.md). */
import { dec, type Decimal } from '../../../model/numbers/money.ts';
import type { Assumed } from '../assumptions.ts';

export interface CurrencyNetwork extends Omit<Assumed['crypto']['currencies'][number], 'minAmount' | 'fee'> {
  readonly minAmount: Decimal;
  readonly fee: Decimal;
  readonly chain: Assumed['crypto']['networks'][number];
}

/** Throws a `RangeError` for an unknown network. */
export function currencyNetworks({ networks, currencies }: Assumed['crypto']): readonly CurrencyNetwork[] {
  return currencies.map((row) => {
    const chain = networks.find(({ network }) => network === row.network);
    if (chain === undefined) throw new RangeError(`no network ${row.network}`);
    return { ...row, chain, minAmount: dec(row.minAmount), fee: dec(row.fee) };
  });
}
