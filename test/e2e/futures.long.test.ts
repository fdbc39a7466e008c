/**
 * Spot and perpetual together from the outside: the strategy funding-carry over a settlement of funding in a backtest, on
 * paper and in a backtest of what that session recorded, and live with kill -9 and a restart in between.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import { fundingFrame, markFrame } from '../../src/recording/frames/polled-frame.ts';
import { createRecorder } from '../../src/recording/frames/recorder.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { documentOf, freshFolder, run, start, strategyFile } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';
import { entriesOf, sessionWhen, type SessionView } from './session-view.ts';

const carry = strategyFile('funding-carry');
/** Whatever the sandbox's rate is at that moment: these tests are about the legs. */
const always = ['--param', 'enterRate=-1', '--param', 'exitRate=-2', '--param', 'quantity=0.05'];
const SPOT = 'BTCUSDT';
const PERPETUAL = 'BTCUSDTPERP';

interface Run {
  readonly session: string;
  readonly fills: number;
  readonly orders: Readonly<Record<string, number>>;
  readonly stats: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

function held({ positions }: SessionView, symbol: string): number {
  return Number(positions.find((position) => position.symbol === symbol)?.quantity ?? 0);
}

/** Long spot and short the perpetual, the legs at most a lot of the perpetual and a fee apart. */
function isHedged(session: SessionView): boolean {
  const long = held(session, SPOT);
  return long > 0.049 && Math.abs(long + held(session, PERPETUAL)) < 0.001;
}

async function venuePositions(exchange: ExchangeProcess): Promise<readonly { symbol: string; quantity: string }[]> {
  const { json } = await exchange.get('/api/v2/exchange/client/positions/list');
  return json as readonly { symbol: string; quantity: string }[];
}

const common = { base: 'BTC', quote: 'USDT', maxQuantity: '1000', minNotional: '5', status: 'trading' } as const;
const specs: readonly InstrumentSpec[] = [
  { ...common, symbol: SPOT, market: 'spot', tickSize: '0.01', lotSize: '0.00001', minQuantity: '0.00001' },
  {
    ...common,
    symbol: PERPETUAL,
    market: 'derivative',
    settle: 'USDT',
    contractSize: '1',
    tickSize: '0.1',
    lotSize: '0.001',
    minQuantity: '0.001',
    maxLeverage: 100,
    fundingIntervalHours: 8,
    maintenanceMarginRate: '0.005',
  },
];

/** Two minutes around a settlement of funding, at 60,000 and 60,030, as a session of ours would have recorded them. */
async function recordSettlement(dir: string, settlesAt: number, rate: string): Promise<void> {
  const recorder = createRecorder({ dir, clock: createSystemClock(), instruments: specs });
  for (let second = -60; second <= 60; second++) {
    const ts = settlesAt + second * 1000;
    const put = (text: string): void => recorder.frame('public', text, (ts + 2) * 1000, 1);
    const book = (symbol: string, bid: string, ask: string): string =>
      JSON.stringify({
        channel: `${symbol}@depth`,
        seq: second + 61,
        ts,
        data: { type: 'snapshot', bids: [[bid, '9']], asks: [[ask, '9']] },
      });
    put(book(SPOT, '59999.99', '60000.01'));
    put(book(PERPETUAL, '60029.9', '60030.1'));
    if (second % 3 === 0) put(markFrame({ symbol: PERPETUAL, markPrice: '60030', indexPrice: '60000', ts }));
    const nextFundingTime = second < 0 ? settlesAt : settlesAt + 8 * 3_600_000;
    if (second % 60 === 0) put(fundingFrame({ symbol: PERPETUAL, rate, nextFundingTime, history: [] }, ts));
  }
  const { failure } = await recorder.close();
  if (failure !== null) throw failure;
}

describe('in a backtest', () => {
  it('holds both legs over the settlement: the short one receives rate · mark · quantity', async () => {
    const cwd = freshFolder();
    await recordSettlement(join(cwd, 'rec'), Date.UTC(2026, 0, 5, 8), '0.0005');
    const quantity = ['--param', 'quantity=0.05'];
    const ended = await run(['backtest', carry, ...quantity, '--data', 'rec', '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(0);
    const result = documentOf<Run>(ended);
    expect(result.orders).toMatchObject({ submitted: 2, filled: 2, denied: 0 });
    // 0.0005 · 60,030 · 0.05.
    expect(result.stats['funding']).toBeCloseTo(1.50075, 9);
    const low = await run(['backtest', carry, '--param', 'enterRate=0.001', '--data', 'rec', '--json'], { cwd });
    expect(documentOf<Run>(low).orders).toMatchObject({ submitted: 0 });
  });
});

describe('on paper', () => {
  it('opens both legs, a replay decides the same, and a backtest of the recording opens them too', async () => {
    const cwd = freshFolder();
    const running = start(['paper', carry, ...always, '--json'], { cwd });
    await sessionWhen(running, cwd, 'both legs', isHedged);
    const paper = await running.signal('SIGINT');
    expect(paper.code, paper.stderr).toBe(0);
    const seen = documentOf<Run>(paper);
    expect(seen.orders).toMatchObject({ submitted: 2, filled: 2, denied: 0 });
    expect(seen.warnings).toEqual([expect.stringMatching(/^nothing is annualised/)]);

    const data = seen.files['recording'] ?? '';
    const again = await run(['backtest', carry, ...always, '--data', data, '--json'], { cwd });
    expect(again.code, again.stderr).toBe(0);
    // It begins with the recording, some milliseconds before the session had compared the account: the book may differ.
    const { orders, stats } = documentOf<Run>(again);
    expect(orders).toEqual(seen.orders);
    expect(stats['funding']).toBe(seen.stats['funding']);
    expect(stats['fees']).toBeCloseTo(seen.stats['fees'] ?? 0, 2);
    const replayed = await run(['replay', seen.session, '--json'], { cwd });
    expect(replayed.code, replayed.stdout).toBe(0);
  });
});

describe('live', () => {
  it('keeps both legs over kill -9 and a restart, loses and doubles nothing, and panic closes what is left', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const { login } = exchange.user;
    const args = ['run', carry, ...always, '--config', config, '--live', '--confirm', login, '--json'];
    const first = start(args, { cwd, env: exchange.keys });
    const before = await sessionWhen(first, cwd, 'both legs', isHedged);
    await first.signal('SIGKILL');
    const orders = await exchange.orderHistory();
    expect(orders.map(({ side, status }) => `${side} ${status}`).toSorted()).toEqual(['buy filled', 'sell filled']);
    expect(await venuePositions(exchange)).toMatchObject([{ symbol: PERPETUAL, quantity: '-0.05' }]);

    const second = start(args, { cwd, env: exchange.keys });
    const after = await sessionWhen(second, cwd, 'a second boot that is reconciled', ({ boots, path }) => {
      const opened = entriesOf(path, 'session').filter(({ event }) => event === 'start').length;
      return boots === 2 && opened === 2;
    });
    const ended = await second.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    expect(documentOf<Run>(ended).warnings).toContainEqual(expect.stringMatching(/^nothing is annualised/));
    expect([held(after, SPOT), held(after, PERPETUAL)]).toEqual([held(before, SPOT), held(before, PERPETUAL)]);
    expect(await exchange.orderHistory()).toEqual(orders);
    expect(await venuePositions(exchange)).toMatchObject([{ quantity: '-0.05' }]);

    const panic = await run(['panic', '--flatten', '--config', config, '--json'], { cwd, env: exchange.keys });
    expect(panic.code, panic.stderr + panic.stdout).toBe(0);
    expect(await venuePositions(exchange)).toEqual([]);
    const closing = (await exchange.orderHistory()).filter(({ orderId }) => !orders.some((o) => o.orderId === orderId));
    expect(closing.map(({ side, quantity }) => `${side} ${quantity}`).toSorted()).toEqual(['buy 0.05', 'sell 0.04997']);
  });
});
