/**
 * Decimal text to scaled integer and back, without a Decimal object: the border between the wire's strings and the
 * hot path's ticks and lots. Exact below 2^53; anything that does not fit is `NaN`, never a rounded value.
 */

const POWERS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * `"60000.50"` at scale 2 is `6000050`. Digits beyond the scale must be zeros.
 * @returns the integer, or `NaN` when the text is not a plain decimal, is finer than the scale or exceeds 2^53.
 */
export function parseScaled(text: string, scale: number): number {
  const length = text.length;
  let index = 0;
  let negative = false;
  if (length > 0 && text.charCodeAt(0) === 45) {
    negative = true;
    index = 1;
  }
  let value = 0;
  let digits = 0;
  let point = -1;
  let fraction = 0;
  for (; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (point >= 0 || digits === 0) return Number.NaN;
      point = index;
      continue;
    }
    const digit = code - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    digits++;
    if (point >= 0) {
      if (fraction === scale) {
        if (digit !== 0) return Number.NaN;
        continue;
      }
      fraction++;
    }
    value = value * 10 + digit;
  }
  if (digits === 0 || point === length - 1) return Number.NaN;
  if (fraction < scale) value *= POWERS[scale - fraction] ?? Number.NaN;
  if (value > Number.MAX_SAFE_INTEGER) return Number.NaN;
  return negative && value !== 0 ? -value : value;
}

/** `6000050` at scale 2 is `"60000.5"`: canonical text of a scaled safe integer. */
export function formatScaled(value: number, scale: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
  const negative = value < 0;
  const digits = String(negative ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let end = digits.length;
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end--;
  const fraction = digits.slice(whole.length, end);
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
