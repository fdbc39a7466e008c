/**
 * Exact amounts of the models: integers of 10^-30, so that no decimal library of the project has a part in the check.
 * Whatever is not exact throws: the models never round, but for the one quotient that the exchange rounds.
 */
export type Amount = bigint;

const PLACES = 30;
const ONE = 10n ** BigInt(PLACES);
const AVERAGE_PLACES = 18;

export function amount(text: string): Amount {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new RangeError(`not a canonical decimal: ${text}`);
  const [, sign, whole = '0', fraction = ''] = match;
  if (fraction.length > PLACES) throw new RangeError(`more than ${PLACES} places: ${text}`);
  const size = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -size : size;
}

/** Canonical: no trailing zeros, no "-0". */
export function amountText(value: Amount, places = PLACES): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function product(left: Amount, right: Amount): Amount {
  const exact = left * right;
  if (exact % ONE !== 0n) throw new RangeError(`${amountText(left)} × ${amountText(right)} is finer than the models`);
  return exact / ONE;
}

export function least(left: Amount, right: Amount): Amount {
  return left < right ? left : right;
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A quotient of amounts above zero to 18 places, half even (assumed). */
export function averageText(value: Amount, quantity: Amount): string {
  return amountText(halfEven(value * 10n ** BigInt(AVERAGE_PLACES), quantity), AVERAGE_PLACES);
}

/** An amount above zero to `places`, half even. */
export function rounded(value: Amount, places: number): Amount {
  const unit = 10n ** BigInt(PLACES - places);
  return halfEven(value, unit) * unit;
}
