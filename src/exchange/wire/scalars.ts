/**
 * Decimals as numbers or text, times as Unix ms, numeric text or ISO 8601, ids as text or safe integers. They give
 * canonical text and Unix ms.
 */
import { z } from 'zod';
import { dec, decimalText } from '../../model/numbers/money.ts';
import { parseTime } from '../../model/time.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** Excludes "-0". */
const CANONICAL = /^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/;
const DECIMAL_LENGTH_MAX = 80;
const TIME_MS_MAX = 8.64e15;

/** Canonical text. Numbers above 2^53 have lost digits and are refused. */
export function readDecimal(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.length > DECIMAL_LENGTH_MAX) return undefined;
    if (CANONICAL.test(value)) return value;
    return DECIMAL.test(value) ? decimalText(dec(value)) : undefined;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return undefined;
  return Number.isInteger(value) ? String(value) : decimalText(dec(value));
}

/** Exact: 1e-300 is off every grid instead of zero. */
export function gridText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const text = String(value);
  return text.includes('e') ? decimalText(value) : text;
}

/** Unix ms. */
export function readTime(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseTime(value) : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 && ms <= TIME_MS_MAX ? ms : undefined;
}

/** Unsafe integers are refused: two ids could collide. */
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

export function readPositive(value: unknown): string | undefined {
  const read = readDecimal(value);
  return read !== undefined && read !== '0' && !read.startsWith('-') ? read : undefined;
}

export const positiveDecimal = scalar('a decimal above zero', readPositive);

export function readAmount(value: unknown): string | undefined {
  const read = readDecimal(value);
  return read !== undefined && !read.startsWith('-') ? read : undefined;
}

export const amount = scalar('a decimal of zero or above', readAmount);

export const time = scalar('a time', readTime);

export const id = scalar('an id', readId);

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const symbol = scalar('a symbol', readText);

/** For display only. */
export const displayNumber = scalar('a decimal', (value) => {
  const text = readDecimal(value);
  return text === undefined ? undefined : Number(text);
});

/** Null, absent or empty reads as null. */
function optional<T>(expected: string, read: (value: unknown) => T | null | undefined): z.ZodType<T | null> {
  return scalar<T | null>(`${expected} or null`, orNone(read)).default(null);
}

function orNone<T>(read: (value: unknown) => T | null | undefined): (value: unknown) => T | null | undefined {
  return (value) => (value === null || value === undefined || value === '' ? null : read(value));
}

/** Null, absent, empty or zero: none. */
export const readOptionalPrice = orNone((value) => {
  const read = readDecimal(value);
  return read === '0' ? null : read;
});

export const optionalPrice = optional('a decimal', readOptionalPrice);

export const readOptionalDecimal = orNone(readDecimal);

export const optionalDecimal = optional('a decimal', readDecimal);

export const readOptionalText = orNone((value) => (typeof value === 'string' ? value : undefined));

export const optionalText = optional('text', readOptionalText);

export const optionalTime = optional('a time', readTime);

export const text = scalar('text', readText);
