/** The strategy of outside signals, in scenarios and in a backtest with a signal file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { readSignals } from '../../src/session/signals/recorded-signals.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { scenario } from '../../src/testing/index.ts';
import strategy from '../../strategies/external-signals.ts';

const begun = () => scenario({ strategy, params: { silenceMinutes: 5 } }).book({ bid: 60_000, ask: 60_001 });
const share = (value: unknown, more: object = {}) => ({ name: 'desk', data: { share: value as number }, ...more });

it('holds the share that was said last, each id once, over a crash too', async () => {
  const scene = await begun().signal(share(0.5, { id: 'a' }));
  expect(scene.position().size).toBeCloseTo(0.005, 4);
  await scene.signal(share(-1, { id: 'b' }));
  expect(scene.position().size).toBeCloseTo(-0.01, 4);
  await scene
    .crash()
    .book({ bid: 60_000, ask: 60_001 })
    .signal(share(0.5, { id: 'a' }));
  expect(scene.position().size).toBeCloseTo(-0.01, 4);
  expect(scene.denials).toEqual([]);
});

it('follows neither other names, nor old signals, nor what is no share', async () => {
  const scene = await begun()
    .advance('1m')
    .signal({ name: 'other', data: { share: 1 } })
    .signal(share(2))
    .signal(share('much'))
    .signal({ name: 'desk', data: null });
  await scene.signal(share(1, { ts: scene.now - 11_000 })).expect({ fills: [] });
  await scene.signal(share(1, { ts: scene.now - 9_000 })).expect({ fills: [{ side: 'buy', quantity: '0.01' }] });
});

it('leaves when the signals have stopped, and each signal puts that off', async () => {
  const scene = await begun()
    .signal(share(1))
    .advance('4m')
    .signal(share(1))
    .advance('4m')
    .expect({ fills: [{}] });
  await scene.advance('2m').expect({ fills: [{}, { side: 'sell' }] });
  expect(scene.position().isFlat).toBe(true);
});

it('trades in a backtest what a file of signals says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-signals-'));
  try {
    const file = join(folder, 'signals.jsonl');
    const from = Date.parse('2026-11-21T04:44:00Z');
    const lines = [1, -0.5, 0].map((value, index) => ({ ...share(value), id: `${index}`, ts: from + index * 60_000 }));
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { result, failures } = await backtest({
      config: configSchema.parse({}),
      strategies: await prepareStrategies({ file: 'strategies/external-signals.ts', params: {}, entries: [] }),
      data: ['data/sample'],
      signals: readSignals(file),
      seed: 1,
      repeat: 1,
      logger: silentLogger,
    });
    expect([...failures.values()]).toEqual([]);
    expect(result.fills.map(({ side }) => side)).toEqual(['buy', 'sell', 'sell', 'buy']);
    expect(result.denials).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
