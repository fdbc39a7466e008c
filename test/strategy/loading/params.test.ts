import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineStrategy, z } from 'tidewire';
import { coerceText } from '../../../src/strategy/loading/coerce-text.ts';
import { parseParamTexts, resolveParams } from '../../../src/strategy/loading/params.ts';

function strategyOf<Schema extends z.ZodObject>(params: Schema) {
  return defineStrategy({ name: 'demo', params, setup: () => {} });
}

/** What a user gets for `--param value=TEXT`. */
function given(schema: z.ZodType, text: string): unknown {
  return resolveParams(strategyOf(z.object({ value: schema })), {}, { value: text })['value'];
}

describe('text is coerced by the type of the schema', () => {
  test('a string stays the text that was written', () => {
    fc.assert(fc.property(fc.string(), (text) => given(z.string(), text) === text));
    expect(given(z.string().default('x'), '0.10')).toBe('0.10');
    expect(given(z.string().optional(), 'true')).toBe('true');
  });

  test('any finite number comes back from its text', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => Object.is(given(z.number(), String(value)), value) || (value === 0 && given(z.number(), '0') === 0),
      ),
    );
    fc.assert(fc.property(fc.integer(), (value) => given(z.number().int(), String(value)) === value));
  });

  test('any list of numbers, words or flags comes back from its text, with commas or as JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 8 }), (values) => {
        const schema = z.array(z.number());
        expect(given(schema, values.join(','))).toEqual(values);
        expect(given(schema, JSON.stringify(values))).toEqual(values);
      }),
    );
    expect(given(z.array(z.string()), 'BTCUSDT, ETHUSDT')).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(given(z.tuple([z.number(), z.string()]), '1,1')).toEqual([1, '1']);
  });

  test('flags, words, unions, nothing', () => {
    expect(given(z.boolean(), 'true')).toBe(true);
    expect(given(z.boolean().default(true), 'no')).toBe(false);
    expect(given(z.enum(['fast', 'slow']), 'slow')).toBe('slow');
    expect(given(z.literal([1, 2]), '2')).toBe(2);
    expect(given(z.union([z.number(), z.literal('auto')]), 'auto')).toBe('auto');
    expect(given(z.union([z.number(), z.literal('auto')]), '5')).toBe(5);
    expect(given(z.number().nullable(), 'null')).toBe(null);
    expect(given(z.object({ a: z.number() }), '{"a":1}')).toEqual({ a: 1 });
    expect(given(z.bigint(), '12345678901234567890')).toBe(12345678901234567890n);
    expect(coerceText(z.number(), '1e3x')).toBe('1e3x');
    expect(coerceText(z.number(), '')).toBe('');
  });
});

describe('what does not fit is a readable error', () => {
  const demo = strategyOf(
    z.object({ halfSpreadBps: z.number().positive().default(5), quantity: z.string().default('0.001') }),
  );

  test('an unknown parameter names the nearest', () => {
    expect(() => resolveParams(demo, {}, { halfSpredBps: '1' })).toThrow(
      /has no parameter halfSpredBps; did you mean halfSpreadBps\?/,
    );
    expect(() => resolveParams(demo, { zzzzzzzzzzzzzzzzzzzzz: 1 })).toThrow(/it has halfSpreadBps, quantity/);
  });

  test('a value that does not fit names the parameter, what was expected and what was given', () => {
    expect(() => resolveParams(demo, {}, { halfSpreadBps: 'wide' })).toThrow(
      /halfSpreadBps: .*expected number.*\(got 'wide'\)/,
    );
    expect(() => resolveParams(demo, {}, { halfSpreadBps: '-1' })).toThrow(/halfSpreadBps: .*\(got -1\)/);
    expect(() => resolveParams(demo, { quantity: 0.001 })).toThrow(/quantity: .*write it in quotes: "0.001"/);
  });

  test('a parameter without default must be given', () => {
    expect(() => resolveParams(strategyOf(z.object({ symbol: z.string() })))).toThrow(/symbol: .*nothing was given/);
  });

  test('key=value, the value with further signs', () => {
    expect(parseParamTexts(['a=1', 'expression=x=y'])).toEqual({ a: '1', expression: 'x=y' });
    expect(() => parseParamTexts(['alone'])).toThrow(/expected key=value/);
  });
});

test('flags win over the configuration, the configuration over defaults', () => {
  const demo = strategyOf(z.object({ a: z.number().default(1), b: z.number().default(1), c: z.number().default(1) }));
  expect(resolveParams(demo, { b: 2, c: 2 }, { c: '3' })).toEqual({ a: 1, b: 2, c: 3 });
});
