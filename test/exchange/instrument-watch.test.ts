import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/exchange/client/operations/answer.ts';
import { exchangeErrors } from '../../src/exchange/errors.ts';
import { InstrumentWatch } from '../../src/exchange/instrument-watch.ts';
import { Instrument, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { ManualClock } from './clocks.ts';

const BTC: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '100',
  minNotional: '5',
  status: 'trading',
};

function watched(first: InstrumentSpec = BTC) {
  const clock = new ManualClock();
  const exchange: { specs: readonly InstrumentSpec[] | null; reads: number } = { specs: [BTC], reads: 0 };
  const read = async (): Promise<Answer<readonly InstrumentSpec[]>> => {
    exchange.reads++;
    if (exchange.specs !== null) return { kind: 'value', value: exchange.specs };
    return { kind: 'failed', error: exchangeErrors.make('exchange_unreachable', 'gone', {}) };
  };
  const traded = [new Instrument(first)];
  const watch = new InstrumentWatch({ traded, read: { spot: read, derivative: read }, clock, logger: silentLogger });
  const reasonNow = async (specs: readonly InstrumentSpec[] | null): Promise<string | null> => {
    exchange.specs = specs;
    await watch.look();
    return watch.closedBecause('BTCUSDT')?.reason ?? null;
  };
  return { clock, exchange, watch, reasonNow };
}

describe('instruments that change while a session trades', () => {
  it('shut the symbol while it is halted, and while its steps are others', async () => {
    const { reasonNow, watch } = watched();
    expect(await reasonNow([{ ...BTC, status: 'halted' }])).toBe('symbol_halted');
    expect(await reasonNow([BTC])).toBeNull();
    expect(await reasonNow([{ ...BTC, lotSize: '0.0001', status: 'halted' }])).toBe('instrument_changed');
    expect(watch.closedBecause('BTCUSDT')?.message).toBe('BTCUSDT: lotSize 0.00001 is 0.0001 now');
    expect(watch.closedBecause('ETHUSDT')).toBeNull();
    expect(await reasonNow([{ ...BTC, tickSize: '0.005' }])).toBe('instrument_changed');
    expect(await reasonNow([{ ...BTC, tickSize: '0.010', minNotional: '10' }])).toBeNull();
  });

  it('take a symbol for delisted after two whole lists without it, and never by one that cannot be read', async () => {
    const { reasonNow } = watched();
    expect(await reasonNow([])).toBeNull();
    expect(await reasonNow([BTC])).toBeNull();
    expect(await reasonNow([])).toBeNull();
    expect(await reasonNow(null)).toBeNull();
    expect(await reasonNow([])).toBe('symbol_halted');
    expect(await reasonNow(null)).toBe('symbol_halted');
    expect(await reasonNow([BTC])).toBeNull();
  });

  it('are read every five minutes, and once a second after refusals that they explain', async () => {
    const { clock, exchange, watch } = watched();
    watch.start();
    clock.advance(300_000);
    await Promise.resolve();
    expect(exchange.reads).toBe(1);
    for (const code of ['off_lot', 'off_tick', 'insufficient_balance']) watch.refused(code);
    clock.advance(1000);
    await Promise.resolve();
    expect(exchange.reads).toBe(2);
    watch.refused('insufficient_balance');
    clock.advance(1000);
    expect(exchange.reads).toBe(2);
    watch.refused('unknown_symbol');
    watch.stop();
    expect(clock.timers).toBe(0);
  });

  it('begin shut where the symbol was halted at the start, and open within half a minute of its end', async () => {
    const { clock, exchange, watch } = watched({ ...BTC, status: 'halted' });
    expect(watch.closedBecause('BTCUSDT')?.reason).toBe('symbol_halted');
    watch.start();
    for (const status of ['halted', 'trading'] as const) {
      exchange.specs = [{ ...BTC, status }];
      clock.advance(30_000);
      await Promise.resolve();
      await Promise.resolve();
      expect(watch.closedBecause('BTCUSDT')?.reason).toBe(status === 'halted' ? 'symbol_halted' : undefined);
    }
    expect(exchange.reads).toBe(2);
    clock.advance(200_000);
    await Promise.resolve();
    expect(exchange.reads).toBe(2);
  });

  it('are read soon after a public frame that cannot be read, and no more for half a minute', async () => {
    const { clock, exchange, watch } = watched();
    watch.start();
    watch.unreadable('ETHUSDT');
    clock.advance(1000);
    expect(exchange.reads).toBe(0);
    for (const wanted of [1, 1, 2]) {
      watch.unreadable('BTCUSDT');
      clock.advance(1000);
      await Promise.resolve();
      expect(exchange.reads).toBe(wanted);
      if (wanted === 1) clock.advance(14_500);
      await Promise.resolve();
    }
    watch.stop();
    watch.unreadable('BTCUSDT');
    expect(clock.timers).toBe(0);
  });
});
