/** Commands of spot trading. */
import fc from 'fast-check';

/** A small grid, so that the users meet; the last of each is off it, too small or too large. */
export const spotGrids: Readonly<
  Record<string, { readonly prices: readonly string[]; readonly sizes: readonly string[] }>
> = {
  BTCUSDT: {
    prices: ['49800', '49900', '50000', '50000.01', '50100', '50200', '50000.005'],
    sizes: ['0.001', '0.5', '2', '3.33333', '8', '0.5', '1.5', '4', '12', '0.00001', '1.000001', '0.000001', '2000'],
  },
  ETHUSDT: {
    prices: ['2480', '2490', '2500', '2510.55', '2520', '2500.001'],
    sizes: ['0.01', '5', '33.3333', '80', '0.0001', '1.00001', '20000'],
  },
  ETHBTC: {
    prices: ['0.0499', '0.05', '0.05001', '0.0502', '0.050001'],
    sizes: ['0.01', '5', '33.3333', '80', '0.0001', '20000'],
  },
  USDTRUB: {
    prices: ['94', '95', '95.5', '96', '95.001'],
    sizes: ['100', '5000', '33333.33', '300000', '0.5', '1.001', '20000000'],
  },
};
const usual = ['BTCUSDT', 'BTCUSDT', 'BTCUSDT', 'ETHUSDT', 'ETHBTC'] as const;
const SYMBOLS: readonly string[] = [...usual, ...usual, ...usual, 'USDTRUB', 'XYZUSDT'];

export const spotStep = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      who: fc.nat(1),
      symbol: fc.constantFrom(...SYMBOLS),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      type: fc.constantFrom('limit' as const, 'limit' as const, 'limit' as const, 'market' as const),
      timeInForce: fc.constantFrom('gtc' as const, 'gtc' as const, 'ioc' as const, null),
      price: fc.nat(13),
      size: fc.nat(13),
      id: fc.option(fc.nat(40).map(String), { freq: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), who: fc.nat(1), pick: fc.nat(60), old: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancel-many' as const),
      who: fc.nat(1),
      which: fc.constantFrom('all' as const, 'symbol' as const, 'some' as const),
      picks: fc.array(fc.nat(60), { maxLength: 4 }),
    }),
  },
);
export type SpotStep = typeof spotStep extends fc.Arbitrary<infer Step> ? Step : never;
