/**
 * Found from outside: the side of an own trade was believed against its own order. An exchange that gives the taker's side there,
 * as public feeds do, made a maker sell in its books what it had bought: each fill led away from the target, without an alarm,
 * until the money was gone. Frames with a side that was turned did the same to an order that takes. A fill has the side of its order;
 * what is told besides is compared.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dec, ZERO } from '../../src/model/numbers/money.ts';
import { listSessions } from '../../src/session/store/store.ts';
import { freshFolder, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from '../e2e/exchange-process.ts';
import { SYMBOL, until, type Stack, type World } from '../e2e/live-stack.ts';
import { limit, market, scenario } from '../e2e/scenario.ts';
import { entriesOf } from '../e2e/session-view.ts';

const byTheTaker = { match: {}, fault: 'takerSide' };
const DOUBT = 'own_trade_side';

/** Each side of own trades the other one. */
function turned(text: string): string {
  if (!text.includes('"tradeId"') || !text.includes('"liquidity"')) return text;
  return text.replaceAll(/"side":"(buy|sell)"/g, (_, side) => `"side":"${side === 'buy' ? 'sell' : 'buy'}"`);
}

function doubts(stack: Stack): number {
  return stack.alarms().filter((alarm) => alarm.startsWith(DOUBT)).length;
}

function held(stack: Stack): string {
  return stack.executor.account('maker').position(SYMBOL).quantity;
}

async function rests(world: World, count: number): Promise<void> {
  await until(() => world.alice.active.size === count, `${count} orders rest`);
}

async function baseOf(exchange: ExchangeProcess) {
  const { json } = await exchange.get('/api/v1/accounting/client/report-account/accounts/overview');
  const rows = json as readonly { readonly account: string; readonly currency: string; readonly total: string }[];
  return dec(rows.find(({ account, currency }) => account === 'unified-trading' && currency === 'BTC')?.total ?? '0');
}

/** The stack quotes both sides, and bob takes from the side that is named. */
async function isTaken(world: World, stack: Stack, side: 'buy' | 'sell'): Promise<void> {
  const before = world.alice.trades.length;
  const booked = (): number => stack.rows().filter(({ entry }) => entry.kind === 'fill').length;
  stack.act('maker', limit(side, side === 'buy' ? '59995' : '60005'));
  await rests(world, 1);
  world.trade('bob', side === 'buy' ? 'sell' : 'buy', side === 'buy' ? '59995' : '60005', '0.01', true);
  await until(() => world.alice.trades.length === before + 1 && booked() === before + 1, 'the fill is booked');
}

describe('own trades that bear the side of the taker', () => {
  it.each([
    ['by the stream and the lists', [byTheTaker]],
    ['by the stream alone', [{ match: { channel: '*@my-trades' }, fault: 'takerSide' }]],
    [
      'by the lists alone',
      [
        { match: { path: '*/list/my' }, fault: 'takerSide' },
        { match: { channel: '*@my-trades' }, fault: 'mute' },
      ],
    ],
  ])(
    '%s are booked by their orders, with one alarm, and new risk goes on once the balance has moved so',
    (_how, rules) =>
      scenario({ ids: true, alarms: [DOUBT] }, async ({ world, stack }) => {
        await world.faults(...rules);
        await isTaken(world, stack, 'buy');
        expect(Number(held(stack))).toBeGreaterThan(0);
        await until(() => doubts(stack) === 1, 'the alarm');
        await stack.whenReady();
        await isTaken(world, stack, 'sell');
        await stack.whenReady();
        await isTaken(world, stack, 'sell');
        expect(Number(held(stack))).toBeLessThan(0);
        expect(doubts(stack)).toBe(1);
      }),
  );

  it('that are said to do so are no reason for an alarm, and those that do not are', async () => {
    await scenario({ ids: true, ownTradeSide: 'taker' }, async ({ world, stack }) => {
      await world.faults(byTheTaker);
      await isTaken(world, stack, 'buy');
      expect(Number(held(stack))).toBeGreaterThan(0);
    });
    await scenario({ ids: true, ownTradeSide: 'taker', alarms: [DOUBT] }, async ({ world, stack }) => {
      await isTaken(world, stack, 'buy');
      expect(Number(held(stack))).toBeGreaterThan(0);
      await until(() => doubts(stack) === 1, 'the alarm');
    });
  });

  it.each(['own', 'taker'] as const)(
    'of an order of a human are booked to the account as what they were (ownTradeSide: %s)',
    (ownTradeSide) =>
      scenario({ ids: true, ownTradeSide, alarms: [] }, async ({ world, stack, foreign }) => {
        await world.faults(byTheTaker);
        stack.act('maker', limit('buy', '59900'));
        await rests(world, 1);
        // What an opening holds already is not booked again.
        const isOpened = (): boolean =>
          stack.rows().some(({ entry }) => entry.kind === 'adjustment' && entry.cause === 'opening');
        await until(isOpened, 'the opening');
        foreign.push(world.trade('alice', 'buy', '59996', '0.02'));
        world.trade('bob', 'sell', '59996', '0.02', true);
        const moved = (): readonly string[] =>
          stack
            .rows()
            .flatMap(({ entry }) =>
              entry.kind === 'adjustment' && entry.cause === 'trade of others'
                ? [`${entry.name} ${entry.quantity}`]
                : [],
            );
        await until(
          () => moved().length === 2,
          () => `the trade is booked (${moved().join()})`,
        );
        expect(moved().map((what) => what.replace(/0\.01999\d*/, '0.02'))).toEqual(['BTC 0.02', 'USDT -1199.92']);
      }),
  );
});

it('the shipped market maker stands where its books say', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  await exchange.control('faults', { rules: [byTheTaker] });
  const before = await baseOf(exchange);
  const args = ['run', strategyFile('spread-maker'), '--config', writeExchangeConfig(cwd, exchange.line)];
  const bot = start([...args, '--live', '--confirm', exchange.user.login, '--json'], { cwd, env: exchange.keys });
  await bot.during('open orders', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  const [{ path } = { path: '' }] = listSessions(join(cwd, 'data', 'sessions'));
  const fills = () => entriesOf(path, 'fill').map(({ fill }) => fill);
  const ofQuotes = () => fills().filter(({ liquidity }) => liquidity === 'maker');
  await bot.during('two fills of quotes', () => (ofQuotes().length >= 2 ? true : undefined));
  const ended = await bot.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  const booked = fills().reduce((sum, { side, quantity, fee, feeCurrency }) => {
    const held = side === 'buy' ? sum.plus(quantity) : sum.minus(quantity);
    return feeCurrency === 'BTC' ? held.minus(fee) : held;
  }, ZERO);
  expect(booked.toFixed()).toBe((await baseOf(exchange)).minus(before).toFixed());
  expect(entriesOf(path, 'alarm').map(({ code }) => code)).toEqual([DOUBT]);
}, 60_000);

describe('frames of own trades whose side is turned', () => {
  it('do not lead a target away from it, and are seen', () =>
    scenario({ ids: true, alarms: [DOUBT] }, async ({ world, stack }) => {
      world.frames = turned;
      stack.act('taker', { kind: 'target', symbol: SYMBOL, quantity: '0.01' });
      await until(() => stack.rows().some(({ entry }) => entry.kind === 'fill'), 'the fill');
      await stack.whenReady();
      // What the target wants after the fill is decided by then: the market order behind it is the next that leaves.
      stack.act('maker', market('sell', '0.005'));
      await until(() => world.alice.trades.some(({ side }) => side === 'sell'), 'the sale');
      const bought = world.alice.trades
        .filter(({ side }) => side === 'buy')
        .reduce((sum, { quantity }) => sum.plus(quantity), dec('0'));
      expect(bought.toFixed()).toBe('0.01');
      expect(doubts(stack)).toBe(1);
    }));
});

describe('the first fill of a session', () => {
  it('takes no new risk before the balance has moved as it is booked', () =>
    scenario({ ids: true }, async ({ world, stack }) => {
      await world.faults({ match: { path: '*/accounts/overview' }, fault: 'status', status: 503 });
      await isTaken(world, stack, 'buy');
      stack.act('maker', limit('buy', '59994'), limit('sell', '60006', '0.005'));
      await until(
        () => stack.denials().length === 2,
        () => `two denials (${stack.denials().join()})`,
      );
      expect(stack.denials()).toEqual(['not_reconciled', 'not_reconciled']);
      const reduction = { kind: 'place', symbol: SYMBOL, side: 'sell', type: 'limit', price: '60006' } as const;
      stack.act('maker', { ...reduction, quantity: '0.005', reduceOnly: true });
      await rests(world, 1);
      await world.faults();
      await stack.whenReady();
      stack.act('maker', limit('buy', '59994'));
      await rests(world, 2);
    }));
});

describe('a fill that contradicts its order', () => {
  const halted = (stack: Stack): boolean => stack.denials().includes('overfilled');

  function told(from: RegExp, to: string): (text: string) => string {
    return (text) => (text.includes('"tradeId"') && text.includes('"liquidity"') ? text.replaceAll(from, to) : text);
  }

  const contradictions = [
    ['symbol', told(/"symbol":"BTCUSDT"/g, '"symbol":"ETHUSDT"')],
    ['market', told(/"market":"spot"/g, '"market":"derivative"')],
    ['price', told(/"price":"[^"]+"/g, '"price":"61000"')],
    ['quantity', told(/"quantity":"[^"]+"/g, '"quantity":"0.5"')],
  ] as const;

  it.each(contradictions)(
    'in its %s by the stream alone halts the symbol, and what the list says is booked',
    (_what, change) =>
      scenario({ ids: true, alarms: ['fill_contradiction'] }, async ({ world, stack }) => {
        world.frames = change;
        await isTaken(world, stack, 'buy');
        expect(held(stack)).toMatch(/^0\.0099/);
        await until(() => stack.reconciler.gate.closedBecause(SYMBOL) === null, 'the account agrees');
        stack.act('maker', limit('buy', '59994'));
        await until(() => halted(stack), 'the symbol is halted');
        expect(stack.alarms().some((alarm) => alarm.startsWith('fill_contradiction'))).toBe(true);
      }),
  );
});
