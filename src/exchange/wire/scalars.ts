/**
 * The scalar schemas of the wire profile ("Conventions" and the tolerance rules): decimals as JSON numbers or decimal
 * text, times as Unix ms, numeric text or ISO 8601, ids as text or safe integers. They turn into the model's forms:
 * canonical decimal text, Unix ms, text. Every resource codec is built from these.
 */
import { z } from 'zod';
import { dec, decimalText } from '../../model/money.ts';
import { parseTime } from '../../model/time.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;
const DECIMAL_LENGTH_MAX = 80;
const TIME_MS_MAX = 8.64e15;

/**
 * Canonical text of a wire decimal, or undefined. A JSON number above 2^53 is refused: its digits are already lost
 * (reliability M01); its shortest decimal text is what was meant otherwise.
 */
export function readDecimal(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.length <= DECIMAL_LENGTH_MAX && DECIMAL.test(value) ? decimalText(dec(value)) : undefined;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return undefined;
  return decimalText(dec(value));
}

/**
 * Plain decimal text of a price or quantity for the instrument's grid, or undefined. A JSON number is its shortest
 * decimal text, exactly: no tolerance, so 1e-300 is off every grid instead of zero.
 */
export function gridText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const text = String(value);
  return text.includes('e') ? decimalText(value) : text;
}

/** Unix ms of a wire time, or undefined. */
export function readTime(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseTime(value) : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 && ms <= TIME_MS_MAX ? ms : undefined;
}

/** Text of a wire id, or undefined. Unsafe integers are refused: two ids could become one. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

function scalar<T>(expected: string, read: (value: unknown) => T | undefined): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({
      code: 'custom',
      message: value === undefined ? `missing, expected ${expected}` : `expected ${expected}`,
    });
    return z.NEVER;
  });
}

export const decimal = scalar('a decimal', readDecimal);

export const positiveDecimal = scalar('a decimal above zero', (value) => {
  const text = readDecimal(value);
  return text !== undefined && text !== '0' && !text.startsWith('-') ? text : undefined;
});

/** Zero or above. */
export const amount = scalar('a decimal of zero or above', (value) => {
  const text = readDecimal(value);
  return text !== undefined && !text.startsWith('-') ? text : undefined;
});

export const time = scalar('a time', readTime);

export const id = scalar('an id', readId);

export const symbol = scalar('a symbol', (value) => (typeof value === 'string' && value !== '' ? value : undefined));

/** A decimal that is only looked at, never booked: a JS number. */
export const displayNumber = scalar('a decimal', (value) => {
  const text = readDecimal(value);
  return text === undefined ? undefined : Number(text);
});

/** A field that may be null, absent or empty, read as null then. */
function optional<T>(expected: string, read: (value: unknown) => T | null | undefined): z.ZodType<T | null> {
  const present = scalar<T | null>(`${expected} or null`, (value) =>
    value === null || value === '' ? null : read(value),
  );
  return present.default(null);
}

/** A price that means "none" when null, absent, empty or zero. */
export const optionalPrice = optional('a decimal', (value) => {
  const text = readDecimal(value);
  return text === '0' ? null : text;
});

export const optionalDecimal = optional('a decimal', readDecimal);

/** Text that may be null or absent. */
export const optionalText = optional('text', (value) => (typeof value === 'string' ? value : undefined));

/** A time that may be null or absent. */
export const optionalTime = optional('a time', readTime);

/** Text that must be there and say something. */
export const text = scalar('text', (value) => (typeof value === 'string' && value !== '' ? value : undefined));
