/**
 * Fills on bars against others, fill by fill (time, side, price, size): a cross of two averages that goes from long to short
 * and back, on a made-up market with gaps and on the real minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crossBars } from './cross.ts';
import { crossSignals, fillsAtNextOpen } from './ledger.ts';
import { gappedBars, hasRealMinutes, realMinutes } from './markets.ts';
import { peerFills, peerPython } from './peer.ts';

const skipped = [
  ...(hasRealMinutes ? [] : ['../shared/data is absent']),
  ...(peerPython === null ? ['no Python with backtesting.py; name one in TIDEWIRE_BENCH_PYTHON'] : []),
];
if (skipped.length > 0) process.stderr.write(`SKIPPED in part: fills on bars: ${skipped.join('; ')}\n`);

const SPANS = { fast: 5, slow: 20 };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-bars-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('fills on bars are those of', () => {
  it.each([1, 2])('a ledger at the next open, on gapped bars (seed %i)', async (seed) => {
    const bars = gappedBars(seed, 1500);
    const expected = fillsAtNextOpen(bars, crossSignals(bars, SPANS.fast, SPANS.slow));
    expect(expected.length).toBeGreaterThan(100);
    const { fills } = await crossBars(folder, bars, SPANS);
    expect(fills).toEqual(expected);
  });

  it('the same ledger whatever the latency below one bar', async () => {
    const bars = gappedBars(3, 600);
    const expected = fillsAtNextOpen(bars, crossSignals(bars, SPANS.fast, SPANS.slow));
    const simulation = { latency: { entryMs: 20_000, responseMs: 5_000 } };
    const { fills } = await crossBars(folder, bars, { ...SPANS, simulation });
    expect(fills).toEqual(expected);
  });

  it.skipIf(peerPython === null)('backtesting.py, on gapped bars', async () => {
    const bars = gappedBars(4, 1500);
    const expected = peerFills(peerPython!, bars, crossSignals(bars, SPANS.fast, SPANS.slow));
    expect(expected.length).toBeGreaterThan(100);
    const { fills } = await crossBars(folder, bars, SPANS);
    expect(fills).toEqual(expected);
  });

  it.skipIf(!hasRealMinutes)(
    'a ledger and backtesting.py, on a month of real minutes',
    async () => {
      const bars = realMinutes();
      const spans = { fast: 20, slow: 60 };
      const signals = crossSignals(bars, spans.fast, spans.slow);
      const expected = fillsAtNextOpen(bars, signals);
      expect(expected.length).toBeGreaterThan(1000);
      if (peerPython !== null) expect(peerFills(peerPython, bars, signals)).toEqual(expected);
      const { fills } = await crossBars(folder, bars, spans);
      expect(fills).toEqual(expected);
    },
    120_000,
  );
});
