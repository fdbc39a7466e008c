/**
 * Found by reading: a mistyped symbol under `risk.symbols` was taken as it stood, so that its limits held for nothing and
 * the symbol that was meant had none, while a mistyped key anywhere else is an error.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { sessions } from '../e2e/session-view.ts';

interface Summary {
  readonly warnings: readonly string[];
  readonly files: { readonly result: string };
}

it('is refused by a live start with the nearest symbol, and a warning on paper', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const file = writeExchangeConfig(cwd, exchange.line);
  const config = join(cwd, 'typed.yaml');
  const limits = 'risk: { symbols: { BTCUSD: { maxPosition: "0.01" }, ETHUSDT: { maxPosition: "1" } } }';
  writeFileSync(config, `${readFileSync(file, 'utf8')}\n${limits}\n`);
  const maker = strategyFile('spread-maker');
  const live = ['run', maker, '--live', '--confirm', exchange.user.login, '--config', config, '--for', '1s', '--json'];
  const refused = await run(live, { cwd, env: exchange.keys });
  expect(refused.code).toBe(2);
  expect(errorOf(refused)).toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/risk\.symbols\.BTCUSD: .* has no instrument BTCUSD.*BTCUSDT/),
  });
  expect(await sessions(cwd)).toEqual([]);
  const paper = await run(['paper', maker, '--config', config, '--for', '1s', '--json'], { cwd });
  expect(paper.stderr).toMatch(/warn risk\.symbols\.BTCUSD: /);
  expect(paper.code).toBe(0);
  const { warnings, files } = documentOf<Summary>(paper);
  // Whether it traded within a second is the market's word; either way there is something to warn of.
  expect(warnings).toContainEqual(expect.stringMatching(/^(it did not trade|nothing is annualised): /));
  expect(JSON.parse(readFileSync(files.result, 'utf8'))).toMatchObject({ warnings });
}, 60_000);
