/** `model()`: ONNX models asked synchronously, in the hashes of a run, recorded for replay. Needs `onnxruntime-node`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { replaySession } from '../../../src/session/replay/replay.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { tensorsFor, type TensorSlot } from '../../../src/strategy/models/tensor.ts';
import { loadStrategy } from '../../../src/strategy/loading/load.ts';
import { symbolOf, writeTogether } from '../../recording/many-symbols.ts';
import { realSession } from '../../session/replay/real-session.ts';
import { linear, logarithm } from './onnx-file.ts';

function hasRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return true;
  } catch {
    return false;
  }
}

const withRuntime = describe.skipIf(!hasRuntime());

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-model-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Notes what the model makes of bid and ask; `at`: where it is asked for. */
function strategy(at: 'head' | 'setup' = 'head', inputs = '{ x: [bid, ask] }'): string {
  const file = join(folder, 'one.ts');
  const asked = "const net = model('net.onnx');";
  writeFileSync(
    file,
    `import { defineStrategy, model, note, z } from 'tidewire';
     import { map } from 'rxjs';
     ${at === 'head' ? asked : ''}
     export default defineStrategy({
       name: 'one',
       params: z.object({ symbol: z.string().default('BTCUSDT') }),
       setup: ({ params, market, clock }) => {
         ${at === 'setup' ? asked : ''}
         return market.top(params.symbol, { every: '100ms' }).pipe(map(({ bid, ask }) => {
           const before = clock.now();
           const { y } = net.run(${inputs});
           return note('y', { y: y.data[0], bid, ask, took: clock.now() - before });
         }));
       },
     });`,
  );
  return file;
}

function put(bytes: Uint8Array): void {
  writeFileSync(join(folder, 'net.onnx'), bytes);
}

async function ran(file: string) {
  const data = join(folder, 'recording');
  if (!existsSync(data)) await writeTogether(data, { symbols: 1, framesPerSymbol: 20, everyMs: 500, seed: 3 });
  const strategies = await prepareStrategies({ file, params: { symbol: symbolOf(0) }, entries: [] });
  const config = configSchema.parse({});
  const run = await backtest({ config, strategies, data: [data], seed: 1, repeat: 1, logger: silentLogger });
  return {
    ...run,
    notes: run.result.notes.map(({ data: told }) => told as Readonly<Record<'y' | 'bid' | 'ask' | 'took', number>>),
  };
}

describe('inputs', () => {
  const slots: readonly TensorSlot[] = [{ name: 'x', type: 'float32', shape: ['N', 2] }];

  test('numbers alone take the shape of the model', () => {
    expect(tensorsFor('m', slots, { x: [1, 2, 3, 4] })['x']).toEqual({ dims: [2, 2], data: [1, 2, 3, 4] });
    expect(tensorsFor('m', slots, { x: Float32Array.of(1, 2) })['x']?.dims).toEqual([1, 2]);
    expect(tensorsFor('m', slots, { x: { dims: [1, 2], data: [1, 2] } })['x']?.dims).toEqual([1, 2]);
  });

  test.each([
    [{}, /input x is missing/],
    [{ x: [1, 2], z: [1] }, /no input z; it has x/],
    [{ x: [1, Number.NaN] }, /input x has NaN at 1/],
    [{ x: [1, 2, 3] }, /input x has 3 numbers, its shape is N × 2/],
    [{ x: { dims: [3, 2], data: [1] } }, /has 1 numbers, its shape is 3 × 2/],
  ])('%j is refused', (inputs, problem) => expect(() => tensorsFor('m', slots, inputs)).toThrow(problem));
});

test('a file that is missing is an error of the start', async () => {
  await expect(loadStrategy(strategy())).rejects.toMatchObject({ code: 'strategy_file_unreadable' });
});

test('without ONNX Runtime the start says what to install', () => {
  put(linear(1, 1, 0));
  const hook = join(folder, 'without.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve: (name, context, next) => {
       if (name.startsWith('onnxruntime-node')) throw Object.assign(new Error('none'), { code: 'MODULE_NOT_FOUND' });
       return next(name, context);
     } });`,
  );
  const load = resolve('src/strategy/loading/load.ts');
  const script = join(folder, 'load.mjs');
  writeFileSync(
    script,
    `import { loadStrategy } from ${JSON.stringify(load)};
    await loadStrategy(${JSON.stringify(strategy())}).catch(({ code, remedy }) => console.log(code, remedy));`,
  );
  const said = execFileSync(process.execPath, ['--import', hook, script], { encoding: 'utf8' });
  expect(said).toMatch(/^strategy_model_runtime .*npm install onnxruntime-node/);
});

withRuntime('a model', () => {
  test('is asked synchronously: time stands still, and its bytes are in code hash and run hash', async () => {
    put(linear(0.25, 0.75, 3));
    const file = strategy();
    const first = await ran(file);
    expect([...first.failures.values()]).toEqual([]);
    expect(first.notes.length).toBeGreaterThan(5);
    for (const { y, bid, ask, took } of first.notes) {
      expect(y).toBeCloseTo(0.25 * bid + 0.75 * ask + 3, 2);
      expect(took).toBe(0);
    }
    const again = await ran(file);
    expect(again.notes).toEqual(first.notes);
    expect(again.result.runHash).toBe(first.result.runHash);
    expect(first.result.warnings.join()).not.toMatch(/onnx|Atomics|Worker/);
    put(linear(0.25, 0.75, 4));
    const other = await ran(file);
    expect(other.notes[0]!.y).toBeCloseTo(first.notes[0]!.y + 1, 2);
    expect(other.trial.codeHash).not.toBe(first.trial.codeHash);
    expect(other.result.runHash).not.toBe(first.result.runHash);
  });

  test('may be named in setup; its bytes are in code hash and run hash all the same', async () => {
    put(linear(1, 0, 0));
    const first = await ran(strategy('setup'));
    expect(first.notes[0]!.y).toBeCloseTo(first.notes[0]!.bid, 2);
    expect((await ran(strategy('setup'))).trial.codeHash).toBe(first.trial.codeHash);
    put(linear(0, 1, 0));
    const second = await ran(strategy('setup'));
    expect(second.trial.codeHash).not.toBe(first.trial.codeHash);
    expect(second.result.hashes.code).not.toBe(first.result.hashes.code);
    expect(second.result.runHash).not.toBe(first.result.runHash);
  });

  test('that is none is an error of the start', async () => {
    put(Uint8Array.from([1, 2, 3]));
    await expect(loadStrategy(strategy())).rejects.toMatchObject({ code: 'strategy_model_invalid' });
  });

  test.each([
    ['{ x: [-1] }', 'strategy_model_output', /output y is NaN at 0/],
    ['{ x: [1, 2] }', 'strategy_model_input', /input x has 2 numbers/],
    ['{}', 'strategy_model_input', /input x is missing/],
  ])('asked with %s stops the strategy before it decides', async (inputs, code, message) => {
    put(logarithm());
    const { failures, notes } = await ran(strategy('head', inputs));
    expect(failures.get('one')).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(notes).toEqual([]);
  });

  test.each([
    ['head', /the code of one is not that of the session/],
    ['setup', /net.onnx, which one reads, is not that of the session/],
  ] as const)(
    'answers on paper are recorded: a replay decides the same with other weights (%s)',
    async (at, warning) => {
      put(linear(0.5, 0.5, 0));
      const file = strategy(at);
      const session = await realSession({ file, params: { symbol: 'BTCUSDT' }, seed: 4, decisions: 8 });
      put(linear(7, 0, 0));
      const report = await replaySession({ ...session, logger: silentLogger });
      expect(report.first).toBeNull();
      expect(report.warnings.join()).toMatch(warning);
    },
  );
});
