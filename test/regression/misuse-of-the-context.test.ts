/**
 * A strategy that called its context wrongly got an answer that looked right (flat of a misspelt symbol, rounded to the
 * nearest of an unknown way, an option left out), a raw TypeError, or an error located in tidewire's own code.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throwError } from 'rxjs';
import { defineCandleStrategy, defineStrategy, z, type StrategyContext } from 'tidewire';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { TestAccount, World } from '../strategy/world.ts';

let world: World;
let remove: () => void;

beforeEach(() => {
  world = new World();
  remove = installVirtualTime(world.clock, { unhandled: () => {} });
});
afterEach(() => {
  vi.restoreAllMocks();
  world.stopAll();
  remove();
});

type Context = StrategyContext<unknown>;

/** As a caller without types writes it. */
const loose = (value: unknown): never => value as never;

function errorOfSetup(setup: (context: Context) => unknown): { code: string; message: string } | undefined {
  const definition = defineStrategy({ name: 'mine', setup: (context) => loose(setup(context)) });
  const { errors } = world.start(definition);
  return errors[0];
}

const WRONG: readonly (readonly [string, string, (context: Context) => unknown])[] = [
  ['unknown_symbol', 'no instrument "BTCUSD"; nearest: BTCUSDT', ({ account }) => account.position('BTCUSD')],
  ['unknown_symbol', 'no instrument "BTCUSD"; nearest: BTCUSDT', ({ account }) => account.openOrders('BTCUSD')],
  ['unknown_symbol', 'no instrument "undefined"; known are', ({ account }) => account.position(loose(undefined))],
  [
    'strategy_argument_invalid',
    "account.position: positionSide must be one of both, long, short, got 'sideways'",
    ({ account }) => account.position('BTCUSDT', loose('sideways')),
  ],
  [
    'bad_rounding',
    "roundPrice: the way must be one of down, up, nearest, got 'floor'; write roundPrice(1.239, 'down')",
    ({ market }) => market.instrument('BTCUSDT').roundPrice(1.239, loose('floor')),
  ],
  [
    'bad_rounding',
    'roundQuantity: the way must be one of down, up, nearest, got undefined',
    ({ market }) => market.instrument('BTCUSDT').roundQuantity('0.019', loose(undefined)),
  ],
  [
    'strategy_definition',
    "clock.every: 1000 is not a duration such as '30s' or '1m'; write '1000ms'",
    ({ clock }) => clock.every(loose(1000)),
  ],
  [
    'bad_interval',
    "candle interval undefined is not a duration such as 1m, 5m or 1h; write candles('BTCUSDT', '1m')",
    ({ market }) => market.candles('BTCUSDT', loose(undefined)),
  ],
  [
    'strategy_argument_invalid',
    "market.top: there is no 'evry'; did you mean every?",
    ({ market }) => market.top('BTCUSDT', loose({ evry: '10s' })),
  ],
  [
    'strategy_argument_invalid',
    "market.book: options must be an object with every, got '10s'",
    ({ market }) => market.book('BTCUSDT', loose('10s')),
  ],
  [
    'strategy_argument_invalid',
    "market.candles: there is no 'form'; did you mean forming?",
    ({ market }) => market.candles('BTCUSDT', '1m', loose({ form: true })),
  ],
  [
    'strategy_argument_invalid',
    'market.bars: symbols must name at least one',
    ({ market }) => market.bars(loose({}), '1m'),
  ],
  [
    'strategy_state_invalid',
    'state mine/s: initial cannot be kept',
    ({ state }) => state(z.number(), loose('x'), 's').get(),
  ],
  ['strategy_state_invalid', 'state mine/s: initial', ({ state }) => state(z.number().positive(), 0, 's')],
  ['strategy_state_invalid', 'state mine/s: initial', ({ state }) => state(z.number(), loose(undefined), 's')],
  ['strategy_threw', 'threw {"a":1}, which is not an Error at', () => throwError(() => ({ a: 1 }))],
  ['strategy_definition', 'got a promise: remove async from the function that answers it', async () => {}],
];

test.each(WRONG)('strategy/misuse/%s: %s', (code, message, setup) => {
  const error = errorOfSetup(setup);
  expect(error).toMatchObject({ code });
  expect(error?.message).toContain(message);
  expect(error?.message).toMatch(/at \S*misuse-of-the-context\.test\.ts:\d+:\d+, at event setup$/);
});

test('strategy/misuse/right-calls-are-taken', () => {
  const error = errorOfSetup(({ account, market, state }) => {
    expect(account.position('BTCUSDT', 'both').isFlat).toBe(true);
    expect(account.openOrders()).toEqual([]);
    // A wallet may lack a currency.
    expect(account.balance('DOGE').free).toBe(0);
    expect(state(z.string().optional(), undefined).get()).toBeUndefined();
    market.top('BTCUSDT', { every: '1s' });
    market.candles('BTCUSDT', '1m', { forming: true });
  });
  expect(error).toBeUndefined();
});

test('strategy/misuse/async-onCandle', () => {
  const definition = defineCandleStrategy({
    name: 'mine',
    symbols: () => ['BTCUSDT'],
    interval: '1m',
    onCandle: loose(async () => {}),
  });
  const { errors } = world.start(definition);
  world.trade(100);
  world.to(120_000);
  world.trade(100);
  expect(errors[0]?.message).toContain('expected an action, got a promise: remove async from the function');
});

test('strategy/misuse/error-of-a-stream-is-not-its-own-event', () => {
  vi.spyOn(TestAccount.prototype, 'fillsSince').mockImplementation(() => {
    throw Object.assign(new Error('no such cursor'), { code: 'gone' });
  });
  const error = errorOfSetup(({ account }) => account.fillsSince('nope'));
  expect(error?.message).toMatch(/no such cursor at \S+, at event fill$/);
});

test('strategy/misuse/throw-of-a-subscriber-names-its-event', () => {
  const definition = defineStrategy({
    name: 'mine',
    setup({ market }) {
      market.trades('BTCUSDT').subscribe(() => {
        throw new Error('of a subscriber');
      });
    },
  });
  const { errors } = world.start(definition);
  world.trade(100);
  world.to(1_000);
  expect(errors[0]?.message).toMatch(/of a subscriber at \S+, at event trade BTCUSDT \{.*price: 100/);
});
