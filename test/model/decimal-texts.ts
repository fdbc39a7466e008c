/** Decimal texts for property tests, made from big integers, so that Decimal is not its own judge. */
import fc from 'fast-check';

/** Any decimal with up to 20 digits before and 18 after the point, as canonical text. */
export const decimalTexts = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => scaledText(units, scale));

/** An oracle of its own: big integers, no Decimal. */
export function scaledText(units: bigint, scale: number): string {
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}
