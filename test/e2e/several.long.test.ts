/** Several strategies in one configuration: shared streams and account, each with its own tag, fate and orders. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, freshFolder, run, strategyFile } from './cli.ts';
import { startExchange, writeExchangeConfig } from './exchange-process.ts';
import { entriesOf, sessions } from './session-view.ts';
import { writeStrategy } from './strategies.ts';

let cwd = '';
beforeEach(() => {
  cwd = freshFolder();
});

interface Summary {
  readonly strategy: string;
  readonly warnings: readonly string[];
  readonly orders: Readonly<Record<string, number>>;
  readonly fills: number;
  readonly files: Readonly<Record<string, string>>;
}

describe('several strategies in one configuration', () => {
  it('share one stream a symbol, act under their tags, and outlive one that throws (1 at the end)', async () => {
    const maker = strategyFile('spread-maker');
    writeStrategy(cwd, 'throws');
    const config = [
      'strategies:',
      `  - { file: ${maker}, tag: tight, params: { halfSpreadBps: 0.5 } }`,
      `  - { file: ${maker}, tag: wide, params: { halfSpreadBps: 20 } }`,
      '  - { file: throws.ts, tag: doomed }',
      '',
    ].join('\n');
    writeFileSync(join(cwd, 'several.yaml'), config);
    const ended = await run(['paper', '--config', 'several.yaml', '--for', '6s', '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(1);
    const summary = documentOf<Summary>(ended);
    expect(summary.warnings).toEqual([
      expect.stringMatching(/^doomed: out of ideas at throws\.ts:/),
      expect.stringMatching(/^(nothing is annualised|it did not trade)/),
    ]);

    const [session] = await sessions(cwd);
    const path = session?.path ?? '';
    expect(session).toMatchObject({ clean: true, openOrders: [] });
    const creates = entriesOf(path, 'intent').filter((entry) => entry.command === 'create');
    const byTag = (tag: string) => creates.filter(({ strategy }) => strategy === tag);
    expect(new Set(creates.map(({ strategy }) => strategy))).toEqual(new Set(['tight', 'wide', 'doomed']));
    // The others went on after the throw.
    const actions = readFileSync(join(path, 'actions.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly ts: number; readonly tag: string });
    const lastOf = (tag: string): number => Math.max(...actions.filter((row) => row.tag === tag).map(({ ts }) => ts));
    expect(lastOf('tight')).toBeGreaterThan(lastOf('doomed'));
    expect(lastOf('wide')).toBeGreaterThan(lastOf('doomed'));
    const prices = (tag: string): number[] => byTag(tag).map(({ order }) => Number(order.price));
    expect(Math.min(...prices('wide'))).toBeLessThan(Math.min(...prices('tight')));

    const info = await run(['data', 'info', summary.files['recording'] ?? '', '--json'], { cwd });
    const { symbols } = documentOf<{ readonly symbols: Readonly<Record<string, { readonly snapshots: number }>> }>(
      info,
    );
    expect(symbols).toMatchObject({ BTCUSDT: { snapshots: 1 } });
  });

  it('trade a symbol that is named in the code alone, on paper and live', async () => {
    const file = writeStrategy(cwd, 'fixed');
    const paper = await run(['paper', file, '--for', '3s', '--json'], { cwd });
    expect(paper.code, paper.stderr).toBe(0);
    expect(documentOf<Summary>(paper).fills).toBe(1);

    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['run', file, '--config', config, '--live', '--confirm', exchange.user.login, '--for', '3s', '--json'];
    const live = await run(args, { cwd, env: exchange.keys });
    expect(live.code, live.stderr).toBe(0);
    expect(documentOf<Summary>(live).fills).toBeGreaterThan(0);
    const [order] = await exchange.orderHistory();
    expect(order).toMatchObject({ status: 'filled', quantity: '0.01' });
  });
});
