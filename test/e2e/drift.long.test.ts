/**
 * Recorded paper sessions go through their strategies again: every decision is the same, also across a hole in the
 * stream, and the parts of the gap between what a session made and what its backtest says add up to it to the last digit. `REPLAY_SESSIONS` says how many sessions; two here.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dec, ZERO } from '../../src/model/numbers/money.ts';
import { documentOf, errorOf, freshFolder, run, start, strategyFile, type Ended } from './cli.ts';
import { startExchange, writeExchangeConfig } from './exchange-process.ts';
import { sessionWhen } from './session-view.ts';

const SESSIONS = Math.max(2, Number(process.env['REPLAY_SESSIONS'] ?? '2'));

/** Strategy and its parameters, one after the other. */
const STRATEGIES: readonly (readonly [string, ...string[]])[] = [
  ['spread-maker', 'halfSpreadBps=1'],
  ['spread-maker', 'halfSpreadBps=0.5', 'quantity=0.01'],
  ['imbalance'],
  ['spread-maker', 'halfSpreadBps=0.2', 'quantity=0.05'],
  ['spread-maker', 'symbol=ETHUSDT', 'quantity=0.02'],
];

interface Replayed {
  readonly left: number;
  readonly right: number;
  readonly equal: number;
  readonly first: unknown;
  readonly account: string;
  readonly fills: { readonly session: number; readonly backtest: number } | null;
}

interface Drifted {
  readonly gap: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly result: Readonly<Record<'session' | 'backtest', { readonly pnl: string; readonly fills: number }>>;
  readonly orders: { readonly sent: number; readonly differ: number };
}

interface Side {
  readonly decisions: number;
}

interface Shadowed {
  readonly running: boolean;
  readonly original: Side;
  readonly shadow: Side & { readonly orders: Readonly<Record<string, number>> };
  readonly decisions: { readonly first: unknown };
}

function paperArguments(index: number, config: string): readonly string[] {
  const [name, ...params] = STRATEGIES[index % STRATEGIES.length]!;
  const given = params.flatMap((param) => ['--param', param]);
  return ['paper', strategyFile(name), '--new', '--config', config, '--seed', String(index + 1), '--json', ...given];
}

function sessionOf(ended: Ended): string {
  expect(ended.code, ended.stderr).toBe(0);
  return documentOf<{ readonly session: string }>(ended).session;
}

async function replayed(cwd: string, config: string, session: string, ...more: readonly string[]): Promise<Replayed> {
  const ended = await run(['replay', session, '--config', config, '--json', ...more], { cwd });
  const report = documentOf<Replayed>(ended);
  expect(report.first, `${session}: ${JSON.stringify(report)}`).toBeNull();
  expect(ended.code, ended.stderr).toBe(0);
  return report;
}

async function drifted(cwd: string, config: string, session: string): Promise<Drifted> {
  const ended = await run(['drift', session, '--config', config, '--json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const report = documentOf<Drifted>(ended);
  const sum = Object.values(report.parts).reduce((total, part) => total.plus(part), ZERO);
  expect(sum.eq(report.gap), `${session}: ${JSON.stringify(report)}`).toBe(true);
  expect(dec(report.result.session.pnl).minus(report.result.backtest.pnl).eq(report.gap)).toBe(true);
  return report;
}

/** Another version beside a session: it has decisions and orders of its own and the same end, and changes nothing. */
async function shadowed(cwd: string, config: string, session: string): Promise<void> {
  const other = ['shadow', strategyFile('spread-maker'), '--param', 'halfSpreadBps=0.1', '--config', config, '--json'];
  const ended = await run([...other, '--against', session], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const again = await run([...other, '--against', session], { cwd });
  const report = documentOf<Shadowed>(ended);
  expect(documentOf<Shadowed>(again)).toEqual(report);
  expect(report.running).toBe(false);
  expect(report.original.decisions).toBeGreaterThan(0);
  expect(report.shadow.decisions).toBeGreaterThan(0);
  expect(report.shadow.orders['submitted']).toBeGreaterThan(0);
  expect(report.decisions.first).not.toBeNull();
  const nowhere = await run([...other, '--against', 'paper-nobody'], { cwd });
  expect([nowhere.code, errorOf(nowhere).code]).toEqual([2, 'session_not_found']);
}

describe('sessions that are run again', () => {
  it('decide the same across a hole in the stream, and drift by parts that add up', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const running = start(paperArguments(0, config), { cwd });
    await sessionWhen(running, cwd, 'an order', ({ openOrders }) => openOrders.length > 0);
    const holes = [{ fault: 'gap', match: { channel: '*' }, times: 20 }];
    await exchange.control('faults', { rules: holes });
    const { rows } = await sessionWhen(running, cwd, 'a few more rows', () => true);
    await sessionWhen(running, cwd, 'decisions after the hole', (session) => session.rows > rows + 60);
    const session = sessionOf(await running.signal('SIGINT'));
    const info = await run(['data', 'info', join(cwd, 'data/sessions', session, 'recording'), '--json'], { cwd });
    const { symbols } = documentOf<{ readonly symbols: Readonly<Record<string, { readonly gaps: number }>> }>(info);
    expect(symbols['BTCUSDT']?.gaps).toBeGreaterThan(0);
    const { left, account } = await replayed(cwd, config, session);
    expect(account).toBe('recorded');
    expect(left).toBeGreaterThan(5);
    const { fills } = await replayed(cwd, config, session, '--simulate');
    expect(fills?.backtest).toBe(fills?.session);
    const report = await drifted(cwd, config, session);
    expect(report.orders.sent).toBeGreaterThan(0);
    const other = join(cwd, 'other.yaml');
    const fees = '  fees: { maker: 0.0001, taker: 0.0003 }';
    writeFileSync(other, `simulation:\n  latency: { entryMs: 90, responseMs: 90 }\n  queue: risk-averse\n${fees}\n`);
    const apart = await drifted(cwd, other, session);
    expect(apart.result.session.pnl).toBe(report.result.session.pnl);
    if (report.result.session.fills > 0) expect(dec(apart.parts['fees']!).isNegative()).toBe(true);
  });

  it(`decide the same with other strategies and seeds (${SESSIONS - 1} sessions)`, async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    for (let index = 1; index < SESSIONS; index++) {
      const ended = await run([...paperArguments(index, config), '--for', '4s'], { cwd });
      const session = sessionOf(ended);
      const { left, right } = await replayed(cwd, config, session);
      expect(right).toBe(left);
      await drifted(cwd, config, session);
      await shadowed(cwd, config, session);
    }
  }, 240_000);
});
