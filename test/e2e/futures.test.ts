/**
 * Spot and perpetual together from the outside: the strategy funding-carry on paper, in a backtest of what that session
 * recorded, and live over real HTTP and WebSocket, with kill -9 and a restart in between.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, freshFolder, run, start, strategyFile } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';
import { entriesOf, sessions, sessionWhen, type SessionView } from './session-view.ts';

const carry = strategyFile('funding-carry');
/** Whatever the sandbox's rate is at that moment: these tests are about the legs. */
const always = ['--param', 'enterRate=-1', '--param', 'exitRate=-2'];
const SPOT = 'BTCUSDT';
const PERPETUAL = 'BTCUSDTPERP';

interface Run {
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

/** Moves the sandbox's clock to shortly before the next settlement of funding. */
async function beforeSettlement(exchange: ExchangeProcess, ms: number): Promise<void> {
  const { json: rate } = await exchange.get(`/api/v2/exchange/public/derivative/funding-rate?symbol=${PERPETUAL}`);
  const { json: time } = await exchange.get('/api/v2/exchange/public/time');
  const { nextFundingTime } = rate as { nextFundingTime: number };
  const advanceMs = nextFundingTime - (time as { serverTime: number }).serverTime - ms;
  expect((await exchange.control('clock', { advanceMs: Math.floor(advanceMs) })).status).toBe(200);
}

describe('on paper', () => {
  it('opens both legs and receives funding at its time; a backtest of the recording does the same', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    await beforeSettlement(exchange, 8000);
    const paper = await run(['paper', carry, ...always, '--config', config, '--for', '10s', '--json'], { cwd });
    expect(paper.code, paper.stderr).toBe(0);
    const seen = documentOf<Run>(paper);
    const [session] = await sessions(cwd);
    if (session === undefined) throw new Error('there is no session');
    expect(isHedged(session), JSON.stringify(session.positions)).toBe(true);
    expect(seen.orders).toMatchObject({ submitted: 2, filled: 2, denied: 0 });
    expect(seen.warnings).toEqual([]);
    const payments = entriesOf(session.path, 'funding');
    expect(payments).toMatchObject([{ symbol: PERPETUAL, currency: 'USDT', strategy: 'funding-carry' }]);
    expect(Number(payments[0]?.amount)).not.toBe(0);
    expect(seen.stats['funding']).toBeCloseTo(Number(payments[0]?.amount), 6);

    const data = seen.files['recording'] ?? '';
    const again = await run(['backtest', carry, ...always, '--data', data, '--json'], { cwd });
    expect(again.code, again.stderr).toBe(0);
    const replayed = documentOf<Run>(again);
    const told = ({ fills, stats }: Run) => ({ fills, fees: stats['fees'], funding: stats['funding'] });
    expect(told(replayed)).toEqual(told(seen));
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
    expect(documentOf<Run>(ended).warnings).toEqual([]);
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
