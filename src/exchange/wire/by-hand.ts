/**
 * Rows that come often (orders, own trades, balances) are read by hand: a zod object costs a dozen times as much, and every
 * push and every poll is made of them. What the hand does not take goes to zod, which has the last word and names the
 * field: so both say the same of every row that is refused, and a test holds them together for those that are read.
 */
import { z } from 'zod';

/** `read` answers undefined for whatever it does not take as it is. */
export function readByHand<T>(schema: z.ZodType<T>, read: (value: unknown) => T | undefined): z.ZodType<T> {
  return z.transform((value, context): T => {
    const quick = read(value);
    if (quick !== undefined) return quick;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues)
      context.issues.push({ code: 'custom', input: value, path: [...path], message });
    return z.NEVER;
  });
}

/** One of the values that a field may have, or undefined. */
export function oneOf<T extends string | boolean>(values: readonly T[]): (value: unknown) => T | undefined {
  return (value) => values.find((each) => each === value);
}

/** A field that may be null or absent, read as null then. */
export function orNull<T>(read: (value: unknown) => T | undefined): (value: unknown) => T | null | undefined {
  return (value) => (value === null || value === undefined ? null : read(value));
}

type Whole<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> };

/** Every field was read. */
export function isWhole<T extends object>(row: T): row is T & Whole<T> {
  for (const name in row) if (row[name] === undefined) return false;
  return true;
}
