/** Numbers as text: grouped, with a true minus, with as many digits as tell something. Decimals arrive as text and stay exact. */

import { worthText } from '../../../../src/model/text/money-text.ts';

export const MINUS = '−';
/** What stands where nothing is known. */
export const NONE = '–';

const formats = new Map<number, Intl.NumberFormat>();

export function grouped(value: number, decimals: number): string {
  let format = formats.get(decimals);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    formats.set(decimals, format);
  }
  // No sign before a figure that shows as nothing.
  const text = format.format(value);
  return /[1-9]/.test(text) ? text.replace('-', MINUS) : text.replace('-', '');
}

export function money(value: number | null | undefined, decimals?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return decimals === undefined ? decimalText(worthText(value)) : grouped(value, decimals);
}

/** With its sign, so that no colour is needed to read it. */
export function signed(value: number | null | undefined, decimals?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const text = money(Math.abs(value), decimals);
  if (!/[1-9]/.test(text)) return text;
  return `${value < 0 ? MINUS : '+'}${text}`;
}

export function percent(share: number | null | undefined, decimals = 2): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  return `${grouped(share * 100, decimals)} %`;
}

/** Decimal text with groups of three; its digits are not touched. */
export function decimalText(text: string | number | null | undefined): string {
  if (text === null || text === undefined || text === '') return NONE;
  const [whole = '', fraction] = String(text).split('.');
  const spaced = whole.replace('-', MINUS).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** step;
  return `${grouped(value, step === 0 || value >= 100 ? 0 : 1)} ${units[step]}`;
}

export function whole(count: number | null | undefined): string {
  return count === null || count === undefined ? NONE : grouped(count, 0);
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count, 0)} ${count === 1 ? noun : many}`;
}

/** Decimal text with at least so many digits after the point, so that a column of them stands in line. */
export function padded(text: string, decimals: number): string {
  const missing = decimals - decimalsIn(text);
  if (missing <= 0) return decimalText(text);
  return decimalText(`${text}${text.includes('.') ? '' : '.'}${'0'.repeat(missing)}`);
}

/** How many digits after the point a decimal text has. */
export function decimalsIn(text: string | null | undefined): number {
  return text?.split('.')[1]?.length ?? 0;
}

/** Digits that tell neighbouring values of a range apart. */
export function decimalsOf(low: number, high: number): number {
  return high > low ? Math.min(8, Math.max(2, 3 - Math.floor(Math.log10(high - low)))) : 2;
}

/** The end of a path, which tells the file; the whole of it belongs into a title. */
export function shortPath(path: string): string {
  return path.split('/').slice(-2).join('/');
}
