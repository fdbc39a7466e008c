/** `file()`: input files of a strategy, and the files that it opens by itself. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLogger } from '../../../src/model/ports.ts';
import { backtest, type BacktestRun } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { changedInputs } from '../../../src/session/feed/input-watch.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { csvRows } from '../../../src/strategy/inputs/csv-rows.ts';
import { loadStrategy, type LoadedStrategy } from '../../../src/strategy/loading/load.ts';
import { tellFiles } from '../../../src/strategy/traps/told-files.ts';
import { symbolOf, writeTogether } from '../../recording/many-symbols.ts';
import { World } from '../world.ts';

const SYMBOL = symbolOf(0);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Notes `said` at the first change of the best price. */
function strategy(head: string, inSetup: string, said: string): string {
  return put(
    'one.ts',
    `import { defineStrategy, file, note, z } from 'tidewire';
     import { readFileSync } from 'node:fs';
     import { map, take } from 'rxjs';
     ${head}
     export default defineStrategy({
       name: 'one',
       params: z.object({ symbol: z.string().default('${SYMBOL}') }),
       setup: ({ params, market }) => {
         ${inSetup}
         return market.top(params.symbol).pipe(take(1), map(() => note(String(${said}))));
       },
     });`,
  );
}

interface Ran extends BacktestRun {
  readonly notes: readonly string[];
}

async function ran(path: string): Promise<Ran> {
  const data = join(folder, 'recording');
  const notes: string[] = [];
  if (!existsSync(data)) await writeTogether(data, { symbols: 1, framesPerSymbol: 20, everyMs: 500, seed: 3 });
  const strategies = await prepareStrategies({ file: path, params: {}, entries: [] });
  const run = await backtest({
    config: configSchema.parse({}),
    strategies,
    data: [data],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
    onActions: (_, __, actions) => {
      for (const action of actions) if (action.kind === 'note') notes.push(action.text);
    },
  });
  return { ...run, notes };
}

describe('csv', () => {
  test('quotes, line breaks in quotes, a byte order mark and empty lines', () => {
    expect(csvRows('\uFEFFa, b\r\n1,"x, ""y""\nz"\r\n\r\n2,\n')).toEqual([
      { a: '1', b: 'x, "y"\nz' },
      { a: '2', b: '' },
    ]);
  });

  test.each([
    ['', /no header/],
    ['a,a\n1,2', /line 1: two columns/],
    ['a,b\n1,2\n3', /line 3: 1 fields, the header names 2/],
    ['a,b\n1,"2', /line 2: a quote is not closed/],
  ])('%j is refused with its line', (text, problem) => {
    expect(() => csvRows(text)).toThrow(problem);
  });

  test('what is written quoted is read again', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [['x', 'y'], ...rows].map((row) => row.map(quoted).join(',')).join('\n');
        expect(csvRows(text).map(({ x, y }) => [x, y])).toEqual(rows);
      }),
    );
  });
});

describe('file()', () => {
  test('at load and in setup: its rows reach the decision, its content the run hash', async () => {
    put('data/sizes.csv', 'size,label\n1.5,a\n2.5,b\n');
    put('weights.json', '{"w": [1, 2]}');
    const path = strategy(
      "const sizes = file('data/sizes.csv').rows(z.object({ size: z.coerce.number() }));",
      "const { w } = file('weights.json').json(z.object({ w: z.array(z.number()) }));",
      'sizes[1].size + w[1]',
    );
    const first = await ran(path);
    expect(first.notes).toEqual(['4.5']);
    expect(first.result.warnings.join()).not.toMatch(/file/);
    expect((await ran(path)).result.runHash).toBe(first.result.runHash);
    put('weights.json', '{"w": [1, 3]}');
    const second = await ran(path);
    expect(second.notes).toEqual(['5.5']);
    expect(second.result.runHash).not.toBe(first.result.runHash);
    put('data/sizes.csv', 'size,label\n1.5,a\n2.5,c\n');
    expect((await ran(path)).result.runHash).not.toBe(second.result.runHash);
  });

  test('a first call while it runs stops the strategy; what was read before is at hand', async () => {
    put('late.json', '1');
    const late = await ran(strategy('', '', "file('late.json').json()"));
    expect(late.failures.get('one')).toMatchObject({ code: 'strategy_file_late' });
    const known = await ran(strategy("file('late.json');", '', "file('late.json').json()"));
    expect(known.notes).toEqual(['1']);
  });

  test.each([
    ["file('none.json')", 'strategy_file_unreadable', /none\.json/],
    ["file('.')", 'strategy_file_unreadable', /no file of a disk/],
    ["file('bad.json').json()", 'strategy_file_invalid', /bad\.json/],
    ["file('bad.csv').rows()", 'strategy_file_invalid', /line 2/],
    ["file('n.csv').rows(z.object({ n: z.coerce.number() }))", 'strategy_file_invalid', /row 2 after the header/],
  ])('%s is a typed error of the start', async (call, code, message) => {
    put('bad.json', '{');
    put('bad.csv', 'a\n1,2');
    put('n.csv', 'n\n1\nx');
    const failed = loadStrategy(strategy(`${call};`, '', '1'));
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  test('read once: a change is told and not taken', async () => {
    const data = put('w.json', '1');
    const path = strategy("const w = file('w.json');", "if (file('w.json') !== w) throw new Error('twice');", 'w.text');
    const [prepared] = await prepareStrategies({ file: path, params: {}, entries: [] });
    expect(changedInputs([prepared!])).toEqual([]);
    utimesSync(data, 1, 1);
    expect(changedInputs([prepared!])).toEqual([]);
    writeFileSync(data, '2');
    expect(changedInputs([prepared!])).toEqual([expect.stringMatching(/^one: w\.json has changed/)]);
    rmSync(data);
    expect(changedInputs([prepared!])).toHaveLength(1);
  });
});

describe('a file that the strategy opens by itself', () => {
  const SELF = "const own = readFileSync(new URL('own.txt', import.meta.url), 'utf8');";

  test('at load: hashed, with a warning that names file()', async () => {
    put('own.txt', 'a');
    const first = await ran(strategy(SELF, '', 'own'));
    expect(first.notes).toEqual(['a']);
    expect(first.result.warnings.join()).toMatch(/fs\.readFileSync\(\) at .*one\.ts:4 .*file\(\)/);
    put('own.txt', 'b');
    expect((await ran(strategy(SELF, '', 'own'))).result.runHash).not.toBe(first.result.runHash);
  });

  test('while it runs: a backtest stops the strategy', async () => {
    put('own.txt', 'a');
    const { failures } = await ran(strategy('', '', "readFileSync(new URL('own.txt', import.meta.url), 'utf8')"));
    expect(failures.get('one')?.message).toMatch(/file\(\)/);
  });

  function live(loaded: LoadedStrategy): { readonly notes: readonly unknown[]; readonly told: readonly string[] } {
    const told: string[] = [];
    const stop = tellFiles((_, message) => told.push(message));
    const world = new World();
    const { actions, errors } = world.start(loaded.definition, { files: loaded.files, params: { symbol: 'BTCUSDT' } });
    world.book(99, 101);
    world.stopAll();
    stop();
    expect(errors).toEqual([]);
    return { notes: actions, told };
  }

  test('on paper and live: hashed at load, told while it runs, refused never', async () => {
    put('own.txt', 'a');
    const path = strategy(SELF, '', "readFileSync(new URL('own.txt', import.meta.url), 'utf8') + own");
    const loaded = await loadStrategy(path, { inRealTime: true });
    expect(loaded.warnings).toEqual([expect.stringMatching(/one\.ts:4 .*file\(\)/)]);
    expect(loaded.inputs.filesRead).toEqual(['own.txt']);
    const { notes, told } = live(loaded);
    expect(notes).toEqual([expect.objectContaining({ text: 'aa' })]);
    expect(told).toEqual([expect.stringMatching(/^one: fs\.readFileSync\(\) at .*one\.ts:\d+ opens a file while/)]);
  });

  test('nothing is told of the code around it', async () => {
    put('own.txt', 'a');
    const loaded = await loadStrategy(strategy("const own = file('own.txt').text;", '', 'own'), { inRealTime: true });
    expect(loaded.warnings).toEqual([]);
    expect(live(loaded).told).toEqual([]);
    expect(z.string().parse(loaded.hash)).toHaveLength(64);
  });
});
