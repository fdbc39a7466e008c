/**
 * On bars every markout was 0: the mid of a bar stands until the next one, so nothing moved within 30 s of a fill. It is
 * unknown instead (docs/metrics.md, "Execution").
 */
import { expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';

const T0 = 1_700_000_000_000;

function midsAfter(bars: boolean): unknown {
  const recorder = new RunRecorder(new Instruments([]), 'USDT', { bars });
  recorder.mark(T0, 'BTCUSDT', 100);
  recorder.venueFilled('BTCUSDT', 't1', T0, null);
  recorder.mark(T0 + 60_000, 'BTCUSDT', 101);
  recorder.end(T0 + 120_000);
  recorder.onExecutorEvent({
    kind: 'fill',
    strategy: 'maker',
    mid: 100,
    fill: {
      ts: T0,
      symbol: 'BTCUSDT',
      side: 'buy',
      price: '100',
      quantity: '1',
      fee: '0',
      feeCurrency: 'USDT',
      liquidity: 'taker',
      ref: 'maker-1',
      tag: 'maker',
      tradeId: 't1',
    },
  } as never);
  return recorder.fills[0]?.midAfter;
}

it('leaves markouts out where the mids are those of bars', () => {
  expect(midsAfter(true)).toEqual([null, null, null]);
  expect(midsAfter(false)).toEqual([100, 100, 100]);
});
