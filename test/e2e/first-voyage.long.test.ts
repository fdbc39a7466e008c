/** The way of a newcomer: write a strategy, trade it on paper, replay what it saw, and look at the report. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, root, run, start, until } from './cli.ts';
import { startExchange, writeExchangeConfig } from './exchange-process.ts';
import { sessions } from './session-view.ts';

const sample = join(root, 'data', 'sample');

describe('the first voyage', () => {
  it.each([[[]], [['--candle']]])(
    'a new strategy %j type-checks and runs as it is, in a folder of its own',
    async (kind) => {
      const cwd = freshFolder();
      const made = await run(['new', 'my-first', ...kind, '--json'], { cwd });
      expect(made.code, made.stderr).toBe(0);
      expect(documentOf(made)).toMatchObject({ typecheck: { kind: 'checked', problems: [] } });
      const again = await run(['new', 'my-first', '--json'], { cwd });
      expect(again.code).toBe(2);
      expect(errorOf(again).code).toBe('strategy_exists');
      const file = join('strategies', 'my-first.ts');
      const tested = await run(
        ['backtest', file, '--data', sample, '--report', 'out/report.html', '--strict', '--json'],
        { cwd },
      );
      expect(tested.code, tested.stderr).toBe(0);
      expect(
        documentOf<{ readonly orders: Readonly<Record<string, number>> }>(tested).orders['submitted'],
      ).toBeGreaterThan(0);
      expect(readFileSync(join(cwd, 'out', 'report.html'), 'utf8').length).toBeGreaterThan(10_000);
      const paper = await run(['paper', file, '--for', '2s', '--json'], { cwd });
      expect(paper.code, paper.stderr).toBe(0);
      expect(documentOf(paper)).toMatchObject({ command: 'paper', strategy: 'my-first' });
    },
  );

  it('what a paper session saw can be backtested with the same strategy', async () => {
    const cwd = freshFolder();
    const maker = join(root, 'strategies', 'spread-maker.ts');
    const paper = await run(['paper', maker, '--for', '4s', '--json'], { cwd });
    expect(paper.code, paper.stderr).toBe(0);
    const { files } = documentOf<{ readonly files: Readonly<Record<string, string>> }>(paper);
    const tested = await run(['backtest', maker, '--data', files['recording'] ?? '', '--json', '--strict'], { cwd });
    expect(tested.code, tested.stderr).toBe(0);
    expect(
      documentOf<{ readonly orders: Readonly<Record<string, number>> }>(tested).orders['submitted'],
    ).toBeGreaterThan(0);
    const [session] = await sessions(cwd);
    const replayed = await run(['replay', session?.id ?? '', '--json'], { cwd });
    expect(replayed.code, replayed.stderr).toBe(0);
    documentOf(replayed);
  });

  it('the sandbox replays a recording as its market, which can be recorded in turn', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd, ['--market', `replay:${sample}`]);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['record', '--symbols', 'BTCUSDT', '--for', '3s', '--out', 'rec', '--config', config, '--json'];
    const recorded = await run(args, { cwd });
    expect(recorded.code, recorded.stderr).toBe(0);
    const info = await run(['data', 'info', 'rec', '--json'], { cwd });
    const { symbols } = documentOf<{ readonly symbols: Readonly<Record<string, Readonly<Record<string, number>>>> }>(
      info,
    );
    expect(symbols['BTCUSDT']?.['depthMessages']).toBeGreaterThan(3);
    expect((await exchange.process.signal('SIGTERM')).code).toBe(0);
  });

  it('the doctor finds nothing wrong with a fresh folder, and says what is wrong with an exchange that is not there', async () => {
    const cwd = freshFolder();
    const well = await run(['doctor', '--json'], { cwd });
    expect(well.code, well.stdout).toBe(0);
    const nowhere = { restUrl: 'http://127.0.0.1:9', gatewayUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' };
    const ill = await run(['doctor', '--config', writeExchangeConfig(cwd, nowhere), '--json'], { cwd });
    expect(ill.code).toBe(1);
    expect(JSON.stringify(documentOf(ill)['checks'])).toContain('did not answer');
  });

  it('a live session that outlives its exchange for a while finds its way back', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const maker = join(root, 'strategies', 'spread-maker.ts');
    const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const running = start(args, { cwd, env: exchange.keys });
    await running.during('orders at the exchange', async () =>
      (await exchange.activeOrders()).length > 0 ? true : undefined,
    );
    const before = (await exchange.orderHistory()).length;
    await exchange.control('faults', { rules: [{ match: {}, fault: 'disconnect', times: 2 }] });
    await until('new orders after the break', async () =>
      (await exchange.orderHistory()).length > before + 4 ? true : undefined,
    );
    const ended = await running.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    expect(await exchange.activeOrders()).toEqual([]);
    expect(existsSync(join(cwd, 'data', 'sessions'))).toBe(true);
  });
});
