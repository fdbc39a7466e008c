/** decimal.js with the precision and rounding of `src/model/decimal.ts`: whoever judges decimals by it does not judge them by themselves. */
import { Decimal as BaseDecimal } from 'decimal.js';

export const Oracle = BaseDecimal.clone({
  precision: 60,
  rounding: BaseDecimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  defaults: true,
});
export type Oracle = InstanceType<typeof Oracle>;

/** Canonical text: zero has no sign. */
export function oracleText(value: Oracle): string {
  return value.isZero() ? '0' : value.toFixed();
}
