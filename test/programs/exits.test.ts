/** `stop`, `trailingStop`, `oco`, `bracket` on the executor. */
import { describe, expect, it } from 'vitest';
import { bracket, cancel, oco, place, stop, trailingStop } from '../../src/index.ts';
import { alarms, denials, trading } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from './program-rig.ts';

const base = { symbol: SYMBOL, quantity: '0.02' } as const;
/** Of what the strategy does not hold. */
const sale = { ...base, side: 'sell', reduceOnly: false } as const;

describe('a stop', () => {
  it('sends nothing until its price is reached, then one market order', () => {
    const rig = programRig();
    submit(rig, stop({ ...sale, trigger: 59_500 }));
    rig.market.move(59_501);
    expect(rig.venue.creates()).toHaveLength(0);
    expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: 'its trigger', next: { trigger: '59500' } });
    rig.market.move(59_500);
    expect(rig.venue.creates()).toMatchObject([{ side: 'sell', type: 'market', quantity: '0.02' }]);
    fills(rig, 'sell', '59500');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'filled', filled: '0.02', averagePrice: '59500' });
    expect(programOf(rig).children).toEqual(['maker-1']);
    expect(rig.market.followers).toBe(0);
  });

  it('takes the side that it trades at: a buy stop looks at the ask', () => {
    const rig = programRig();
    submit(rig, stop({ ...base, side: 'buy', trigger: 60_500 }));
    rig.market.move(60_498);
    expect(rig.venue.creates()).toHaveLength(0);
    rig.market.move(60_499);
    expect(rig.venue.creates()).toHaveLength(1);
  });

  it('with a limit rests that far beyond its trigger', () => {
    const rig = programRig();
    submit(rig, stop({ ...sale, trigger: 59_500, limit: 10 }));
    rig.market.move(59_400);
    expect(resting(rig)).toEqual(['sell 0.02 @ 59490']);
  });

  it('ends with a cancel, and sends nothing afterwards', () => {
    const rig = programRig();
    submit(rig, stop({ ...sale, trigger: 59_500, ref: 'guard' }));
    submit(rig, cancel({ ref: 'guard' }));
    rig.market.move(50_000);
    expect(rig.venue.creates()).toHaveLength(0);
    expect(programOf(rig)).toMatchObject({ ref: 'guard', state: 'canceled' });
  });

  it('waits for the proof of an order of unknown outcome', () => {
    const rig = programRig();
    rig.venue.createMode = 'ack-lost';
    submit(rig, stop({ ...sale, trigger: 59_500 }));
    rig.market.move(59_400);
    rig.clock.advance(60_000);
    rig.market.move(59_300);
    expect(rig.venue.creates()).toHaveLength(1);
    expect(programOf(rig).state).toBe('working');
  });

  it.each([
    ['wrong_side', { side: 'sell', trigger: 60_000 }],
    ['wrong_side', { side: 'buy', trigger: 60_000 }],
    ['unsupported', { side: 'sell', trigger: 59_000, by: 'mark' }],
    ['not_finite', { side: 'sell', trigger: null as unknown as number }],
  ] as const)('is denied as %s: %o', (reason, terms) => {
    const rig = programRig();
    submit(rig, stop({ ...base, ...terms }));
    expect(denials(rig)).toEqual([reason]);
    expect(rig.venue.creates()).toEqual([]);
  });

  it('gives up after five refusals, and says what has no exit', () => {
    const rig = programRig();
    rig.venue.createMode = 'refuse';
    submit(rig, stop({ ...sale, trigger: 59_500 }));
    rig.market.move(59_400);
    // After three in a row the exchange is left alone for a minute each.
    for (let minute = 0; minute < 5; minute++) rig.clock.advance(61_000);
    expect(rig.venue.creates()).toHaveLength(5);
    expect(programOf(rig).state).toBe('failed');
    expect(alarms(rig)).toContain('program_failed');
  });
});

describe('a trailing stop', () => {
  it('follows the best price and fires at its distance', () => {
    const rig = programRig();
    submit(rig, trailingStop({ ...sale, distance: 100 }));
    rig.market.move(60_500);
    rig.market.move(60_401);
    expect(rig.venue.creates()).toHaveLength(0);
    expect(programOf(rig).next).toEqual({ trigger: '60400' });
    rig.market.move(60_400);
    expect(rig.venue.creates()).toHaveLength(1);
  });

  it('begins at its activation, and moves by whole steps', () => {
    const rig = programRig();
    submit(rig, trailingStop({ ...sale, distance: 100, activation: 60_200, step: 50 }));
    rig.market.move(60_000);
    rig.market.move(59_000);
    expect(rig.venue.creates()).toHaveLength(0);
    rig.market.move(60_200);
    rig.market.move(60_249);
    expect(programOf(rig).next).toEqual({ trigger: '60100' });
    rig.market.move(60_300);
    expect(programOf(rig).next).toEqual({ trigger: '60200' });
  });

  it('wants exactly one of distance and bps', () => {
    const rig = programRig();
    submit(rig, trailingStop(sale));
    submit(rig, trailingStop({ ...sale, distance: 1, bps: 1 }));
    expect(denials(rig)).toEqual(['unsupported', 'unsupported']);
    expect(rig.executor.programs()).toEqual([]);
  });
});

describe('an oco', () => {
  const legs = [place({ ...sale, type: 'limit', price: 60_500 }), { ...sale, kind: 'stop', trigger: 59_500 }] as const;

  it('loses in one leg what the other fills, and cancels before it crosses', () => {
    const rig = programRig();
    submit(rig, oco({ symbol: SYMBOL, legs }));
    expect(resting(rig)).toEqual(['sell 0.02 @ 60500']);
    fills(rig, 'sell', '60500', '0.005');
    rig.venue.cancelMode = 'hold';
    rig.market.move(59_400);
    // The cancel is not proved: its lots have an exit at work.
    expect(rig.venue.creates()).toHaveLength(1);
    const { orderId } = rests(rig, 'sell');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    expect(rig.venue.creates()[1]).toMatchObject({ type: 'market', quantity: '0.015' });
  });

  it('is denied with unequal legs, with two limits, with a foreign symbol', () => {
    const rig = programRig();
    const [limit] = legs;
    submit(rig, oco({ symbol: SYMBOL, legs: [limit, { ...sale, kind: 'stop', trigger: 58_000, quantity: '0.03' }] }));
    submit(rig, oco({ symbol: SYMBOL, legs: [limit, limit] }));
    submit(rig, oco({ symbol: SYMBOL, legs: [limit, { ...sale, symbol: 'X', kind: 'stop', trigger: 58_000 }] }));
    expect(denials(rig)).toEqual(['unsupported', 'unsupported', 'unsupported']);
    expect(rig.venue.creates()).toEqual([]);
  });
});

describe('a bracket', () => {
  const entry = { ...base, side: 'buy', type: 'limit', price: 60_000 } as const;
  const exits = { takeProfit: [{ price: 60_600, fraction: 0.5 }, { price: 61_000 }], stopLoss: 59_400 };

  it('says what a take-profit is instead of an object of another shape', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: { price: 60_600 } as unknown as number }));
    const [said] = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
    expect(said).toBe(
      'takeProfit { price: 60600 } is not a decimal number: give a number, its text, {bps} from the entry, or a list of {price, fraction}',
    );
  });

  it('sizes its exits by what the entry has filled', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, ...exits }));
    fills(rig, 'buy', '60000', '0.01');
    expect(resting(rig)).toEqual(['buy 0.02 @ 60000', 'sell 0.005 @ 60600', 'sell 0.005 @ 61000']);
  });

  it('takes all that is left at the stop, once, after its take-profits are gone', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, ...exits }));
    fills(rig, 'buy');
    expect(resting(rig)).toEqual(['sell 0.01 @ 60600', 'sell 0.01 @ 61000']);
    const [first] = rig.venue.resting();
    rig.venue.tellFill(first!.orderId, '0.01');
    rig.market.move(59_400);
    expect(resting(rig)).toEqual(['sell 0.01 @ market']);
    fills(rig, 'sell', '59390');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss', filled: '0.02' });
    expect(size(rig)).toBe(0);
  });

  it('asks again to cancel a take-profit that the exchange has called over, before what is left goes out at the stop', () => {
    const rig = programRig();
    // Somebody compares with the lists, and has not yet.
    rig.executor.reconcilerPort.follow(() => {});
    submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400 }));
    fills(rig, 'buy', '60000');
    const [profit] = rig.venue.resting();
    if (profit === undefined) throw new Error('no take-profit');
    rig.venue.emit({ kind: 'order', order: { ...profit, status: 'canceled' } });
    rig.market.move(59_400);
    const sent = rig.venue.sent.map((command) => command.kind);
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.02' });
    expect(rig.venue.resting()).toEqual([expect.objectContaining({ type: 'market' })]);
    expect(sent.lastIndexOf('cancel')).toBeLessThan(sent.lastIndexOf('create'));
  });

  it('counts a take-profit that fills while it is being cancelled', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400 }));
    fills(rig, 'buy');
    rig.venue.cancelMode = 'hold';
    rig.market.move(59_400);
    expect(rig.venue.creates()).toHaveLength(2);
    fills(rig, 'sell', '60600', '0.015');
    const { orderId } = rests(rig, 'sell');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    expect(rig.venue.creates()[2]).toMatchObject({ type: 'market', quantity: '0.005' });
  });

  it.each(['by another bracket', 'in its next round'])(
    'what fees in base leave of one bracket, less than a lot, is sold %s: it does not pile up',
    (how) => {
      const rig = programRig();
      const isOne = how !== 'by another bracket';
      const terms = {
        entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: '60000', quantity: '0.02' },
        takeProfit: 61_000,
        ...(isOne ? { reentry: { times: 5 } } : {}),
      } as const;
      for (let round = 1; round <= 6; round++) {
        if (!isOne || round === 1) submit(rig, bracket(terms));
        rig.venue.tellFill(rests(rig, 'buy').orderId, '0.02', '60000', { fee: '0.000015', feeCurrency: 'BTC' });
        expect(rests(rig, 'sell').quantity).toBe(round % 2 === 0 ? '0.01999' : '0.01998');
        fills(rig, 'sell');
        expect(size(rig)).toBeLessThan(0.00001);
        rig.clock.advance(1_000);
      }
      expect(rig.executor.account('maker').position(SYMBOL).isFlat).toBe(true);
    },
  );

  it('that sells what the account has not got on spot is denied before anything is sent', () => {
    const rig = programRig();
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '100000'), trading('BTC', '0')], whole: true });
    submit(rig, bracket({ entry: { ...entry, side: 'sell', price: 60_100 }, takeProfit: 59_000, stopLoss: 61_000 }));
    expect(denials(rig)).toEqual(['insufficient_balance']);
    expect([rig.venue.creates(), rig.executor.programs()]).toEqual([[], []]);
  });

  it('sells on spot what a fee in base has left', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600 }));
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.02', '60000', { fee: '0.00001', feeCurrency: 'BTC' });
    expect(resting(rig)).toEqual(['sell 0.01999 @ 60600']);
  });

  it('leaves at market when its time is over', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, stopLoss: { bps: 500 }, timeLimit: '30s' }));
    fills(rig, 'buy');
    rig.clock.advance(29_999);
    expect(resting(rig)).toEqual([]);
    rig.clock.advance(2);
    expect(resting(rig)).toEqual(['sell 0.02 @ market']);
  });

  it('enters again after its cooldown, and counts each round by itself', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600, reentry: { times: 1, cooldown: '10s' } }));
    fills(rig, 'buy');
    fills(rig, 'sell');
    expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: 'its cooldown' });
    rig.clock.advance(10_001);
    expect(resting(rig)).toEqual(['buy 0.02 @ 60000']);
    fills(rig, 'buy');
    fills(rig, 'sell');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.04', quantity: '0.04' });
  });

  it('ends with its entry when that ends unfilled', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, ...exits }));
    const { orderId } = rests(rig, 'buy');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    expect(programOf(rig)).toMatchObject({ state: 'canceled' });
  });

  it.each([
    ['wrong_side', { entry, stopLoss: 60_500 }],
    ['wrong_side', { entry, takeProfit: 59_000 }],
    ['wrong_side', { entry, stopLoss: 60_000 }],
    [
      'bad_fraction',
      {
        entry,
        takeProfit: [
          { price: 61_000, fraction: 0.7 },
          { price: 62_000, fraction: 0.6 },
        ],
      },
    ],
    ['below_minimum', { entry: { ...entry, quantity: '0.0001' }, takeProfit: [{ price: 61_000, fraction: 0.01 }] }],
    ['unsupported', { entry }],
    ['off_tick', { entry, stopLoss: 59_000.005 }],
    ['missing_price', { entry: { ...base, side: 'buy', type: 'limit' }, stopLoss: 59_000 }],
    ['unsupported', { entry, stopLoss: 59_000, timeLimit: 'soon' }],
    ['unknown_symbol', { entry: { ...entry, symbol: 'NOPE' }, stopLoss: 59_000 }],
  ] as const)('is denied as %s before anything is sent', (reason, options) => {
    const rig = programRig();
    submit(rig, bracket(options));
    expect(denials(rig)).toEqual([reason]);
    expect(rig.venue.creates()).toEqual([]);
    expect(rig.executor.programs()).toEqual([]);
  });

  it('is reached by cancelAll, flatten, the stop policies and the kill switch', () => {
    for (const [reason, run] of [
      ['canceled', (rig) => submit(rig, { kind: 'cancelAll' })],
      ['flattened', (rig) => submit(rig, { kind: 'flatten' })],
      ['stopped', (rig) => rig.executor.stop('maker', 'cancel')],
      ['killed', (rig) => rig.executor.kill('a test')],
    ] as readonly (readonly [string, (rig: ReturnType<typeof programRig>) => void])[]) {
      const rig = programRig();
      submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400 }));
      fills(rig, 'buy');
      run(rig);
      expect(programOf(rig)).toMatchObject({ state: 'canceled', reason });
      expect(alarms(rig).includes('unprotected')).toBe(reason !== 'flattened');
      rig.market.move(59_000);
      expect(resting(rig).filter((order) => order.includes('60600'))).toEqual([]);
    }
  });

  it('is something that a session leaves, also where no order rests', () => {
    const rig = programRig();
    submit(rig, stop({ ...base, side: 'buy', trigger: 61_000 }));
    expect(rig.venue.creates()).toEqual([]);
    rig.executor.stop('maker', 'leave');
    expect(rig.executor.leavesAnything()).toBe(true);
  });

  it('goes on with the order of a strategy that leaves', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400 }));
    fills(rig, 'buy');
    rig.executor.stop('maker', 'leave');
    expect(programOf(rig).state).toBe('working');
    expect(resting(rig)).toEqual(['sell 0.02 @ 60600']);
  });

  it('enters nothing more once it has expired, and protects what it has entered', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400, expire: '5s', ref: 'half' }));
    fills(rig, 'buy', '60000', '0.01');
    rig.clock.advance(5_001);
    expect(resting(rig)).toEqual(['sell 0.01 @ 60600']);
    rig.clock.advance(60_000);
    rig.market.move(59_300);
    expect(resting(rig)).toEqual(['sell 0.01 @ market']);
    fills(rig, 'sell', '59300');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss' });
    expect(alarms(rig)).toEqual([]);
  });

  it('closes what is left where the strategy holds less than it entered, and ends where nothing is left', () => {
    const rig = programRig();
    submit(rig, place({ ...base, side: 'sell', type: 'market', quantity: '0.001' }));
    fills(rig, 'sell', '60000');
    submit(rig, bracket({ entry: { ...base, side: 'buy', type: 'market' }, stopLoss: 59_400 }));
    fills(rig, 'buy', '60001');
    rig.market.move(59_300);
    expect(resting(rig)).toEqual(['sell 0.019 @ market']);
    fills(rig, 'sell', '59300');
    expect(size(rig)).toBe(0);
    rig.clock.advance(1_000);
    expect(programOf(rig)).toMatchObject({
      state: 'canceled',
      reason: 'its strategy holds nothing that it could close',
    });
    expect(alarms(rig)).toEqual([]);
  });

  it('names what an order on its way out brings after the end', () => {
    const rig = programRig();
    submit(rig, bracket({ entry, takeProfit: 60_600, stopLoss: 59_400, ref: 'late' }));
    const { orderId } = rests(rig, 'buy');
    rig.venue.cancelMode = 'hold';
    submit(rig, { kind: 'cancel', ref: 'late' });
    expect(programOf(rig)).toMatchObject({ state: 'canceled', filled: '0' });
    expect(alarms(rig)).toEqual([]);
    rig.venue.tellFill(orderId, '0.01');
    expect(programOf(rig)).toMatchObject({ state: 'canceled', filled: '0.01' });
    expect(alarms(rig)).toEqual(['unprotected']);
  });

  it('leaves what it has entered, also where another one holds the opposite; not what the strategy has sold itself', () => {
    const rig = programRig();
    submit(rig, bracket({ entry: { ...base, side: 'buy', type: 'market' }, stopLoss: 59_400, ref: 'long' }));
    fills(rig, 'buy', '60001');
    submit(rig, bracket({ entry: { ...base, side: 'sell', type: 'market' }, stopLoss: 60_900, ref: 'short' }));
    fills(rig, 'sell', '60000');
    expect(size(rig)).toBe(0);
    rig.market.move(59_300);
    fills(rig, 'sell', '59300');
    expect(programOf(rig, 'long')).toMatchObject({ state: 'done' });
    submit(rig, place({ ...base, side: 'buy', type: 'market' }));
    fills(rig, 'buy', '59301');
    expect(size(rig)).toBe(0);
    const before = rig.venue.creates().length;
    rig.market.move(61_000);
    rig.clock.advance(60_000);
    expect(rig.venue.creates()).toHaveLength(before);
    expect(programOf(rig, 'short')).toMatchObject({
      state: 'canceled',
      reason: 'its strategy holds nothing that it could close',
    });
  });
});

describe('what stands without an exit', () => {
  const far = { ...base, ref: 'far' } as const;

  it('a take-profit beyond the collar waits until the price has come near, and its stop stays armed', () => {
    const rig = programRig({ risk: { priceCollar: 0.05 } });
    const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 59_990, quantity: '0.02' } as const;
    submit(rig, bracket({ ref: 'b', entry, takeProfit: 66_000, stopLoss: 58_000 }));
    fills(rig, 'buy');
    for (let second = 0; second < 120; second++) rig.clock.advance(1_000);
    expect(programOf(rig, 'b')).toMatchObject({ state: 'working', next: { trigger: '58000' } });
    expect(resting(rig)).toEqual([]);
    rig.market.move(64_000);
    rig.clock.advance(2_000);
    expect(resting(rig)).toEqual(['sell 0.02 @ 66000']);
  });

  it('a buy stop above protects no long position', () => {
    const rig = programRig({ protect: true });
    submit(rig, place({ ...far, side: 'buy', type: 'limit', price: 59_990 }));
    fills(rig, 'buy');
    submit(rig, stop({ ...base, side: 'buy', trigger: 61_000 }));
    for (let second = 0; second < 10; second++) {
      rig.clock.advance(1_000);
      rig.executor.lookAtProtection();
    }
    expect(rig.executor.unprotected).toEqual([{ strategy: 'maker', symbol: SYMBOL, quantity: '0.02' }]);
    submit(rig, stop({ ...base, side: 'sell', trigger: 59_000 }));
    rig.executor.lookAtProtection();
    expect(rig.executor.unprotected).toEqual([]);
  });
});

describe('what is left below the least order', () => {
  const FEE = { fee: '0.0000001', feeCurrency: 'BTC' };

  it('ends a bracket as failed, and says what has no exit', () => {
    const rig = programRig();
    const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.00009' } as const;
    submit(rig, bracket({ entry, stopLoss: 59_000 }));
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00009', '60000', FEE);
    const reason = 'takeProfit, and the rest is below the smallest order';
    expect(programOf(rig)).toMatchObject({ state: 'failed', reason });
    expect(alarms(rig)).toContain('program_failed');
    expect(rig.executor.unprotected).toMatchObject([{ symbol: SYMBOL, quantity: '0.00008' }]);
  });

  it('goes on to the next round of a bracket', () => {
    const rig = programRig();
    const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.00009' } as const;
    submit(rig, bracket({ entry, stopLoss: 56_000, takeProfit: 70_000, reentry: { times: 1, cooldown: '1s' } }));
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00009', '60000', FEE);
    rig.clock.advance(2_000);
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00009', '60000', FEE);
    expect(resting(rig)).toEqual(['sell 0.00017 @ 70000']);
  });

  it('of sales bought back is made up for by what a bracket buys', () => {
    const rig = programRig();
    const base = { symbol: SYMBOL, type: 'market', quantity: '0.005' } as const;
    for (let count = 0; count < 3; count++) {
      submit(rig, place({ ...base, side: 'sell' }));
      fills(rig, 'sell', '60000');
      submit(rig, place({ ...base, side: 'buy' }));
      rig.venue.tellFill(rests(rig, 'buy').orderId, '0.005', '60000', { fee: '0.000005', feeCurrency: 'BTC' });
    }
    submit(rig, bracket({ entry: { ...base, side: 'buy', quantity: '0.01' }, takeProfit: 61_000 }));
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.01', '60000', { fee: '0.00001', feeCurrency: 'BTC' });
    expect(resting(rig)).toEqual(['sell 0.00997 @ 61000']);
    fills(rig, 'sell');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'takeProfit' });
    expect(denials(rig)).toEqual([]);
  });
});

describe('an exit that rests', () => {
  it('is cut to what is left: a stop with a limit', () => {
    const rig = programRig();
    submit(rig, place({ ...base, side: 'buy', type: 'market' }));
    fills(rig, 'buy', '60000');
    submit(rig, stop({ ...base, side: 'sell', trigger: 59_500, limit: 10, reduceOnly: true }));
    submit(rig, place({ symbol: SYMBOL, quantity: '0.005', side: 'sell', type: 'market' }));
    fills(rig, 'sell', '60000');
    rig.market.move(59_400);
    expect(resting(rig)).toEqual(['sell 0.015 @ 59490']);
    rig.market.move(59_300);
    rig.clock.advance(10_000);
    expect(resting(rig)).toEqual(['sell 0.015 @ 59490']);
    fills(rig, 'sell');
    rig.clock.advance(2_000);
    expect(programOf(rig)).toMatchObject({
      state: 'canceled',
      reason: 'its strategy holds nothing that it could close',
    });
    expect(size(rig)).toBe(0);
  });

  it('is cut to what is left: a take-profit', () => {
    const rig = programRig();
    submit(rig, bracket({ entry: { ...base, side: 'buy', type: 'market' }, takeProfit: 61_000 }));
    const { orderId } = rests(rig, 'buy');
    submit(rig, place({ symbol: SYMBOL, quantity: '0.005', side: 'sell', type: 'market' }));
    fills(rig, 'sell', '60000');
    rig.venue.tellFill(orderId, '0.02', '60000');
    expect(resting(rig)).toEqual(['sell 0.015 @ 61000']);
  });
});
