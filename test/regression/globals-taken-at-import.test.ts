/**
 * What a strategy's file, or one that it imports, takes to itself when it is loaded (`const now = Date.now`) was the
 * machine's own, since the traps were put in place after that: the same run gave other fills each time.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { loadStrategy, type LoadedStrategy } from '../../src/strategy/loading/load.ts';
import { freshDir } from '../recording/fixtures.ts';
import { symbolOf, writeTogether } from '../recording/many-symbols.ts';

const SYMBOL = symbolOf(0);

function written(head: string, value: string): string {
  const file = join(freshDir(), 'taken.ts');
  const source = `
import { defineStrategy, note } from 'tidewire';
import { map, timer } from 'rxjs';
${head}

export default defineStrategy({
  name: 'taken',
  symbols: () => ['${SYMBOL}'],
  setup: ({ clock }) => timer(500, 1000).pipe(map(() => note('used', { at: clock.now(), value: ${value} }))),
});
`;
  writeFileSync(file, source);
  return file;
}

describe('what a file took to itself when it was loaded', () => {
  let data = '';
  beforeAll(async () => {
    data = await writeTogether(join(freshDir(), 'data'), { symbols: 1, framesPerSymbol: 40, everyMs: 200, seed: 3 });
  });

  async function run(file: string) {
    const strategies = await prepareStrategies({ file, params: {}, entries: [] });
    return runOf(strategies);
  }

  async function runOf(strategies: Awaited<ReturnType<typeof prepareStrategies>>) {
    const config = configSchema.parse({});
    const { result, failures } = await backtest({
      config,
      strategies,
      data: [data],
      seed: 1,
      repeat: 1,
      logger: silentLogger,
    });
    const used = result.notes.map((one) => (one.data as { readonly value: unknown }).value);
    const times = result.notes.map((one) => (one.data as { readonly at: number }).at);
    return { used, times, warnings: result.warnings, failures: [...failures.values()] };
  }

  test.each([
    ['Date.now', 'const now = Date.now;', 'now()'],
    ['Date', 'const D = Date;', 'new D().getTime()'],
    ['a class of Date', 'class Moment extends Date {}', 'new Moment().getTime()'],
  ])('%s says the time of the session, with one warning', async (_, head, value) => {
    const { used, times, warnings, failures } = await run(written(head, value));
    expect(failures).toEqual([]);
    expect(used.length).toBeGreaterThan(3);
    expect(used).toEqual(times.map(Math.floor));
    expect(
      warnings.filter((warning) => /^taken: Date at .*taken\.ts:\d+ runs on the clock/.test(warning)),
    ).toHaveLength(1);
  });

  test('Math.random is seeded, in every session of the process', async () => {
    const file = written('const { random } = Math;', 'random()');
    const strategies = await prepareStrategies({ file, params: {}, entries: [] });
    const [first, second] = [await runOf(strategies), await runOf(strategies)];
    expect(new Set(first.used).size).toBeGreaterThan(3);
    expect(second.used).toEqual(first.used);
    expect((await run(written('', 'Math.random()'))).used).toEqual(first.used);
    expect(first.warnings.join('\n')).toMatch(/taken: Math\.random at .*taken\.ts:\d+ is seeded/);
  });

  test('a timer runs on the clock of the session', async () => {
    const head = 'const later = setTimeout; let fired = 0;';
    const { used, failures } = await run(written(head, '(later(() => { fired++; }, 10), fired)'));
    expect(failures).toEqual([]);
    expect(used.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  test.each([
    ['performance.now', 'const elapsed = performance.now.bind(performance);', 'elapsed()'],
    ['process.hrtime.bigint', 'const { bigint } = process.hrtime;', 'String(bigint())'],
    ['crypto.randomUUID', "import { randomUUID } from 'node:crypto'; const id = randomUUID;", 'id()'],
    ['fs.readFileSync', "import fs from 'node:fs'; const read = fs.readFileSync;", 'read(import.meta.filename).length'],
    ['new WeakRef', 'const Ref = WeakRef;', 'String(new Ref({}))'],
  ])('%s stops the strategy', async (used, head, value) => {
    const { failures } = await run(written(head, value));
    expect(failures).toMatchObject([{ code: 'strategy_nondeterministic' }]);
    expect(failures[0]?.message).toContain(`${used}()`);
  });

  test('in a file that it imports, too', async () => {
    const file = written("import { stamp } from './stamp.ts';", 'stamp()');
    writeFileSync(join(file, '..', 'stamp.ts'), 'const { now } = Date;\nexport const stamp = (): number => now();\n');
    const { used, times } = await run(file);
    expect(used.length).toBeGreaterThan(3);
    expect(used).toEqual(times.map(Math.floor));
  });

  test('is the real thing where no session runs', async () => {
    const file = written('const now = Date.now; Object.assign(globalThis, { taken: now });', 'now()');
    const strategies = await prepareStrategies({ file, params: {}, entries: [] });
    const { used } = await runOf(strategies);
    const taken = strategies[0]?.loaded.ownNames.get('taken')?.value as () => number;
    expect(Math.abs(taken() - Date.now())).toBeLessThan(10_000);
    expect(used).not.toContain(taken());
  });
});

describe('what a file does while it is loaded', () => {
  test('has no time yet and numbers of its own, with one warning each', async () => {
    const head = 'const at = [Date.now(), new Date().getTime()]; const drawn = [Math.random(), Math.random()];';
    const seen = `${head}\nObject.assign(globalThis, { seen: [at, drawn] });`;
    const file = written(seen, '0');
    const first = await loadStrategy(file);
    const seenBy = ({ ownNames }: LoadedStrategy): unknown => ownNames.get('seen')?.value;
    const [at, drawn] = seenBy(first) as readonly [number[], number[]];
    expect(seenBy(await loadStrategy(file))).toEqual([at, drawn]);
    expect(at).toEqual([0, 0]);
    expect(drawn[0]).not.toBe(drawn[1]);
    expect(first.warnings).toHaveLength(2);
    expect(first.warnings[0]).toMatch(/^Date at .*taken\.ts:4 says 1970 while the file is loaded/);
    expect(first.warnings[1]).toMatch(/^Math\.random at .*taken\.ts:4 gives the same numbers in every run/);
  });

  test.each([
    ['performance.now()', 'performance.now();'],
    ['setInterval()', 'setInterval(() => {}, 10);'],
    ['crypto.randomUUID()', 'try { crypto.randomUUID(); } catch {}'],
    ['process.pid', 'export const seed = process.pid;'],
  ])('%s is refused with file and line', async (used, head) => {
    const thrown: unknown = await loadStrategy(written(head, '0')).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'strategy_nondeterministic', details: { line: 4 } });
    expect((thrown as Error).message).toContain(used);
  });

  test('may read files, with a warning that names file()', async () => {
    const head = "import { readFileSync } from 'node:fs';\nconst length = readFileSync(import.meta.filename).length;";
    const { warnings } = await loadStrategy(written(head, 'length'));
    expect(warnings).toEqual([expect.stringMatching(/^fs\.readFileSync\(\) at .* file\(\)/)]);
  });

  test("is the machine's in real time", async () => {
    const file = written('Object.assign(globalThis, { seen: [Date.now(), Math.random(), performance.now()] });', '0');
    const { warnings } = await loadStrategy(file, { inRealTime: true });
    const [at] = Reflect.get(globalThis, 'seen') as readonly number[];
    expect(Math.abs((at ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(warnings).toEqual([]);
  });
});
