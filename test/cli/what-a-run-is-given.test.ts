/** What a run is given that cannot be meant is refused as usage (exit 2), by name, before anything runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { callCli } from './call-cli.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tidewire-given-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const strategy = resolve('strategies/spread-maker.ts');
const data = ['--data', resolve('data/sample')];
const search = ['--space', resolve('config/spread-maker.space.yaml'), '--trials', '1'];

async function refused(...argv: readonly string[]): Promise<unknown> {
  const { code, stdout } = await callCli([...argv, '--json'], cwd);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string; readonly message: string } };
  return [code, error.code, error.message];
}

describe('--start', () => {
  const runs: readonly (readonly string[])[] = [
    ['backtest', strategy, ...data],
    ['backtest', strategy, ...data, '--without-lockbox'],
    ['sweep', strategy, ...data, ...search],
    ['validate', strategy, ...data],
    ['paper', strategy, '--for', '1s'],
  ];
  it.each(runs)('start/unknown-currency: %s names those that there are and the nearest', async (...argv) => {
    const start = ['--start', '10000USDT,0.5BTX'];
    const message = expect.stringMatching(/has the currency BTX; nearest: BTC; it has BTC, ETH,.*USDT/);
    expect(await refused(...argv, ...start)).toEqual([2, 'currency_unknown_here', message]);
  });
});

describe('--param', () => {
  it.each([
    ['backtest', ...data],
    ['paper', '--for', '1s'],
  ])('param/empty-symbol: %s', async (command, ...more) => {
    const message = expect.stringContaining('has no instrument ""; it has ');
    expect(await refused(command, strategy, ...more, '--param', 'symbol=')).toEqual([
      2,
      'symbol_unknown_here',
      message,
    ]);
  });
});

it.each(['2025-02-30', '2025-02-29T12:00:00Z', '2025-04-31 10:00', '2025-13-01'])(
  'time/of-no-day: %s',
  async (time) => {
    const message = expect.stringContaining(`--from ${time} is not a time`);
    expect(await refused('backtest', strategy, ...data, '--from', time)).toEqual([2, 'bad_option', message]);
    expect(await refused('selfcheck', '--from', time)).toEqual([2, 'bad_option', message]);
    expect(await refused('why-not', `BTCUSDT@${time}`)).toEqual([2, 'bad_option', expect.stringContaining(time)]);
  },
);

describe('validate', () => {
  it.each([
    ['--folds', '5000', /periods are too few for 5000 folds/],
    ['--purge', '400d', /too few for a purge of \d+/],
  ])('validate/folds-that-never-fit: %s %s', async (option, value, why) => {
    const message = expect.stringMatching(why);
    expect(await refused('validate', strategy, ...data, option, value)).toEqual([2, 'bad_option', message]);
  });
});

it('new/keeps-the-lockbox: the backtest that it proposes leaves the unseen part alone', async () => {
  const { code, stdout } = await callCli(['new', 'my-maker'], cwd);
  expect(code).toBe(0);
  expect(stdout).toMatch(/backtest strategies\/my-maker\.ts --data \S+\/data\/sample --without-lockbox$/m);
});
