/**
 * A mistyped symbol under `simulation.perpetuals.symbols`, and a leverage above the maximum of the instrument, were taken
 * without a word, so that the symbol that was meant had the common terms, or no order could open a position.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { marketOrder, quote, World } from '../conformance/contracts-world.ts';
import { freshFolder, run, strategyFile } from '../e2e/cli.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 2, 1);

async function warningsOf(
  perpetuals: string,
  market: 'derivative' | 'spot' = 'derivative',
): Promise<readonly string[]> {
  const rows = [0, 1000, 2000].map((at) => quote(T0 + at, ['999', '5'], ['1001', '5']));
  const { path } = await world.record(rows, '--market', market);
  const steps = [{ at: T0 + 100, actions: [marketOrder('buy', '1', 'long')] }];
  const config = world.write('typed.yaml', `simulation: { perpetuals: ${perpetuals} }\n`);
  const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', config];
  const { result } = await world.run('scripted.ts', [path], ...flags);
  return result.warnings.filter((text) => text.startsWith('simulation.perpetuals'));
}

it('is a warning of a backtest', async () => {
  expect(await warningsOf('{ symbols: { AAUSDT: { leverage: 5 } } }')).toEqual([
    expect.stringMatching(
      /^simulation\.perpetuals\.symbols\.AAUSDT: the data has no instrument AAUSDT; nearest: AAAUSDT$/,
    ),
  ]);
  expect(await warningsOf('{ symbols: { AAAUSDT: { leverage: 101 } } }')).toEqual([
    expect.stringMatching(/^simulation\.perpetuals\.symbols\.AAAUSDT\.leverage: AAAUSDT takes at most 100, /),
  ]);
  expect(await warningsOf('{ leverage: 101 }')).toEqual([
    expect.stringMatching(/^simulation\.perpetuals\.leverage: AAAUSDT takes at most 100, /),
  ]);
  expect(await warningsOf('{ leverage: 100, symbols: { AAAUSDT: { leverage: 5 } } }')).toEqual([]);
  expect(await warningsOf('{ leverage: 101, symbols: { AAUSDT: { leverage: 5 } } }', 'spot')).toEqual([]);
});

it('is a warning on paper', async () => {
  const cwd = freshFolder();
  const config = join(cwd, 'typed.yaml');
  const symbols = '{ BTCUSDTPRP: { leverage: 5 }, ETHUSDTPERP: { leverage: 900 } }';
  writeFileSync(config, `simulation: { perpetuals: { symbols: ${symbols} } }\n`);
  const paper = await run(['paper', strategyFile('spread-maker'), '--config', config, '--for', '1s', '--json'], {
    cwd,
  });
  expect(paper.stderr).toMatch(/warn simulation\.perpetuals\.symbols\.BTCUSDTPRP: .* nearest: BTCUSDTPERP/);
  expect(paper.stderr).toMatch(
    /warn simulation\.perpetuals\.symbols\.ETHUSDTPERP\.leverage: ETHUSDTPERP takes at most/,
  );
  expect(paper.code, paper.stderr).toBe(0);
}, 60_000);
