import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instrument, Instruments, type InstrumentSpec } from '../../../src/model/market/instrument.ts';
import { dec, decimalText } from '../../../src/model/numbers/money.ts';

const spec: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '9000',
  minNotional: '5',
  status: 'trading',
};
const steps = fc.constantFrom('0.01', '0.00001', '1', '0.5', '0.05', '0.25', '5', '10', '0.00000001', '2.5', '0.003');
const ticks = fc.integer({ min: 0, max: 50_000_000 });

describe('an instrument', () => {
  it('takes each grid point back as text, as decimal and as number, for any step', () => {
    fc.assert(
      fc.property(steps, ticks, (tickSize, index) => {
        const instrument = new Instrument({ ...spec, tickSize });
        expect(instrument.ticksOf(instrument.priceText(index))).toBe(index);
        expect(instrument.ticksOf(instrument.exactPrice(index))).toBe(index);
        expect(instrument.ticksOf(instrument.priceOf(index))).toBe(index);
        expect(instrument.priceText(index)).toBe(decimalText(dec(tickSize).times(index)));
        expect(instrument.priceOf(index)).toBe(dec(tickSize).times(index).toNumber());
      }),
    );
  });

  it('makes price × quantity in one step as in three, whatever the size', () => {
    const units = fc.integer({ min: 0, max: 1e12 });
    fc.assert(
      fc.property(steps, steps, units, units, (tickSize, lotSize, ticksOf, lots) => {
        const instrument = new Instrument({ ...spec, tickSize, lotSize });
        const slowly = instrument.exactPrice(ticksOf).times(instrument.exactQuantity(lots));
        expect(instrument.exactNotional(ticksOf, lots).toFixed()).toBe(slowly.toFixed());
      }),
    );
  });

  it('counts lots with their fraction as a division by the step does', () => {
    fc.assert(
      fc.property(steps, fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (lotSize, units) => {
        const instrument = new Instrument({ ...spec, lotSize });
        const quantity = dec(units.toString()).div('1e12');
        expect(instrument.lotsAsNumber(quantity)).toBe(quantity.div(lotSize).toNumber());
      }),
    );
  });

  it('takes numbers within a millionth of a step of the grid, and none beyond', () => {
    const instrument = new Instrument(spec);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (index, part) => {
          expect(instrument.ticksOf((index + part * 0.9e-6) * 0.01)).toBe(index);
          const off = part < 0 ? -0.4 : 0.4;
          expect(instrument.ticksOf((index + off) * 0.01)).toBeNaN();
        },
      ),
    );
  });

  it('takes text and decimals only when they are exact', () => {
    const instrument = new Instrument(spec);
    expect(instrument.ticksOf('60000.50')).toBe(6_000_050);
    expect(instrument.ticksOf('60000.505')).toBeNaN();
    expect(instrument.ticksOf(dec('60000.5000001'))).toBeNaN();
    expect(instrument.ticksOf('6e4')).toBeNaN();
    expect(instrument.ticksOf(Number.NaN)).toBeNaN();
    expect(instrument.ticksOf(Number.POSITIVE_INFINITY)).toBeNaN();
  });

  it('rounds to the neighbours of the grid, and its own answers are on it', () => {
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1e6, noNaN: true }), (tickSize, price) => {
        const instrument = new Instrument({ ...spec, tickSize });
        const down = instrument.ticksOf(instrument.roundPrice(price, 'down'));
        const up = instrument.ticksOf(instrument.roundPrice(price, 'up'));
        const nearest = instrument.ticksOf(instrument.roundPrice(price, 'nearest'));
        expect(up - down === 0 || up - down === 1).toBe(true);
        expect(nearest === down || nearest === up).toBe(true);
        const slack = Number(tickSize) * 1.1e-6;
        expect(instrument.priceOf(down)).toBeLessThanOrEqual(price + slack);
        expect(instrument.priceOf(up)).toBeGreaterThanOrEqual(price - slack);
      }),
    );
  });

  it('refuses a step that is not above zero', () => {
    for (const tickSize of ['0', '-0.01', 'NaN'])
      expect(() => new Instrument({ ...spec, tickSize })).toThrow(RangeError);
  });

  it('is found by its symbol', () => {
    const instruments = new Instruments([spec]);
    expect(instruments.find('BTCUSDT')?.quote).toBe('USDT');
    expect(instruments.find('NOPE')).toBeUndefined();
  });
});
