/** Text to a zod schema's value. What does not fit stays text, for zod's message. */
import { z } from 'zod';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parts(text: string): readonly string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : trimmed.split(',').map((part) => part.trim());
}

function flag(text: string): unknown {
  const lower = text.toLowerCase();
  if (TRUE.has(lower)) return true;
  return FALSE.has(lower) ? false : text;
}

function bigint(text: string): unknown {
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : text;
}

/** The member written like the text. */
function member(values: Iterable<unknown>, text: string): unknown {
  for (const value of values) if (String(value) === text) return value;
  return text;
}

/** JSON (`[1,2]`) or comma-separated elements. */
function list(text: string, elementAt: (index: number) => z.core.$ZodType | undefined): unknown {
  if (text.trimStart().startsWith('[')) return json(text);
  return parts(text).map((part, index) => {
    const schema = elementAt(index);
    return schema === undefined ? part : coerceText(schema, part);
  });
}

function firstFitting(options: readonly z.core.$ZodType[], text: string): unknown {
  for (const option of options) {
    const value = coerceText(option, text);
    if (z.safeParse(option, value).success) return value;
  }
  return text;
}

export function coerceText(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return NUMBER.test(text.trim()) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return flag(text);
  if (schema instanceof z.ZodBigInt) return bigint(text);
  if (schema instanceof z.ZodEnum) return member(schema.options, text);
  if (schema instanceof z.ZodLiteral) return member(schema.values, text);
  if (schema instanceof z.ZodArray) return list(text, () => schema.element);
  if (schema instanceof z.ZodTuple) return list(text, (index) => schema.def.items[index]);
  if (schema instanceof z.ZodUnion) return firstFitting(schema.options, text);
  if (schema instanceof z.ZodNullable) return text === 'null' ? null : coerceText(schema.unwrap(), text);
  if (schema instanceof z.ZodDate) return new Date(NUMBER.test(text) ? Number(text) : text);
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return json(text);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return json(text);
  if (schema instanceof z.ZodPipe) return coerceText(schema.in, text);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodLazy
  ) {
    return coerceText(schema.unwrap(), text);
  }
  return text;
}
