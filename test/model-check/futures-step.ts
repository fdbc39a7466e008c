/** Commands of perpetuals, and quotes in the spot books that move their mark. */
import fc from 'fast-check';
import { PICK_MAX } from './setting.ts';

/** A small grid, so that the users meet; the last of each is off it, too small or too large. */
export const futuresGrids: Readonly<
  Record<string, { readonly prices: readonly string[]; readonly sizes: readonly string[] }>
> = {
  BTCUSDTPERP: {
    prices: ['48000', '49500', '50000', '50000.1', '50500', '52000', '49500', '50000', '50500', '50000.05'],
    sizes: ['0.01', '0.5', '2', '10', '40', '10', '40', '2', '8', '18', '12.3456', '0.0001', '0.00005', '2000'],
  },
  ETHUSDTPERP: {
    prices: ['2400', '2475', '2500', '2500.01', '2525', '2600', '2475', '2500', '2500.001'],
    sizes: ['0.1', '10', '100', '400', '250', '400', '77.777', '0.001', '0.0005', '20000'],
  },
};

const who = fc.nat(1);
const pick = fc.nat(PICK_MAX);
const symbol = fc.constantFrom('BTCUSDTPERP', 'BTCUSDTPERP', 'BTCUSDTPERP', 'ETHUSDTPERP');
/** `open` and `close` take the side that fits the mode of the account. */
const position = fc.constantFrom(
  ...Array<'open'>(12).fill('open'),
  'close' as const,
  'close' as const,
  'both' as const,
  'long' as const,
);

export const futuresStep = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('f-place' as const),
      who,
      symbol: fc.oneof({ weight: 30, arbitrary: symbol }, { weight: 1, arbitrary: fc.constant('XYZUSDTPERP') }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      type: fc.constantFrom('limit' as const, 'limit' as const, 'limit' as const, 'market' as const),
      timeInForce: fc.constantFrom('gtc' as const, 'gtc' as const, 'ioc' as const),
      price: fc.nat(15),
      size: fc.nat(15),
      position,
      reduceOnly: fc.constantFrom(false, false, false, false, false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('f-cancel' as const), who, pick, old: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('f-close' as const),
      who,
      symbol,
      position: fc.constantFrom(
        ...Array<'open'>(4).fill('open'),
        'close' as const,
        'both' as const,
        'long' as const,
        'short' as const,
      ),
      quantity: fc.constantFrom(null, null, '0.1', '999'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      who,
      symbol,
      leverage: fc.constantFrom(1, 5, 10, 20, 20, 20, 20, 50, 50, 100, 101),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('margin-type' as const),
      who,
      symbol,
      marginType: fc.constantFrom('isolated' as const, 'isolated' as const, 'cross' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      who,
      mode: fc.constantFrom('one-way' as const, 'one-way' as const, 'hedge' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      symbol: fc.constantFrom('BTCUSDT' as const, 'BTCUSDT' as const, 'ETHUSDT' as const),
      /** Percent of the usual price. */
      level: fc.constantFrom(80, 80, 120, 94, 97, 99, 100, 101, 103, 106, 120),
    }),
  },
);
export type FuturesStep = typeof futuresStep extends fc.Arbitrary<infer Step> ? Step : never;
