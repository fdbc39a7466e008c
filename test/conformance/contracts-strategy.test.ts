/**
 * strategy-api.md, sentence by sentence, with strategies of a few lines in a backtest over recordings of a few lines.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  heardOf,
  cancel,
  depth,
  limit,
  marketOrder,
  snapshot,
  trade,
  World,
  type Printed,
  type Result,
  type Row,
  type Step,
} from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 4, 6, 10);
const at = (ms: number, ...actions: object[]): Step => ({ at: T0 + ms, actions });
const BIDS = [
  ['100', '11'],
  ['99', '10'],
  ['98', '10'],
] as const;
const ASKS = [
  ['101', '11'],
  ['102', '10'],
  ['103', '10'],
] as const;
const open = (): Row => snapshot(T0, BIDS, ASKS, { seq: 1 });
const tick = (ms: number, seq: number): Row => depth(T0 + ms, [['50', `${seq}`]], [], { seq });
const quiet = (untilMs: number): readonly Row[] => [open(), tick(untilMs, 2)];
const quote = (bids: readonly object[], asks: readonly object[], more: object = {}) => ({
  kind: 'quote',
  symbol: 'AAAUSDT',
  bids,
  asks,
  ...more,
});
const leg = (price: string | number, quantity: string | number) => ({ price, quantity });
const states = (result: Result): string[] =>
  result.orders.map(
    ({ ref, state, reason }) => `${ref} ${reason === undefined || state !== 'denied' ? state : reason}`,
  );
const shape = (result: Result): string[] =>
  result.orders.map(({ price, quantity, state }) => `${quantity}@${price} ${state}`);

/** A strategy of its own over rows; answers the result whatever the exit code. */
async function once(
  body: string,
  rows: readonly Row[],
  ...flags: string[]
): Promise<{ printed: Printed; result: Result }> {
  world.write('once.ts', body);
  const { path } = await world.record(rows);
  const printed = await world.command(
    'backtest',
    join(world.dir, 'once.ts'),
    '--data',
    path,
    '--result',
    'once.json',
    ...flags,
  );
  return { printed, result: JSON.parse(world.read('once.json')) as Result };
}

describe('streams', () => {
  it('states replay to a late subscriber, events do not', async () => {
    const body = `
      import { defineStrategy, note, place, z } from 'tidewire';
      import { defer, map, merge, of, timer, switchMap } from 'rxjs';
      export default defineStrategy({ name: 'once', params: z.object({}), setup({ market, account }) {
        const s = 'AAAUSDT';
        const hear = (name, stream) => stream.pipe(map(() => note(name)));
        const late = timer(500).pipe(switchMap(() => merge(
          hear('top', market.top(s)), hear('book', market.book(s)), hear('trades', market.trades(s)),
          hear('candles', market.candles(s, '1m')), hear('gaps', market.gaps(s)),
          hear('positions', account.positions()), hear('balances', account.balances()),
          hear('fills', account.fills()), hear('orders', account.orders()))));
        return merge(of(place({ symbol: s, side: 'buy', type: 'limit', price: '90', quantity: '1' })), 
          timer(10).pipe(map(() => place({ symbol: s, side: 'buy', type: 'market', quantity: '2' }))), late);
      } });`;
    const { result } = await once(body, [
      open(),
      trade(T0 + 5, '101', '1', 'buy'),
      tick(200, 2),
      trade(T0 + 900, '101', '1', 'buy'),
    ]);
    const heard = new Set(result.notes.filter(({ ts }) => ts < T0 + 880).map(({ text }) => text));
    expect([...heard].toSorted()).toEqual(['balances', 'book', 'positions', 'top']);
    expect(result.notes.filter(({ ts, text }) => ts > T0 + 880 && text === 'trades')).toHaveLength(1);
  });

  it('own updates come each exactly once, in order; order(ref) completes when the order is closed', async () => {
    const result = await world.play(
      [open(), trade(T0 + 100, '100', '13', 'sell'), trade(T0 + 200, '100', '1', 'sell'), tick(400, 2)],
      [at(10, limit('buy', '100', '3', 'a'))],
      { watch: 'orders,fills' },
    );
    const lines = result.notes.map((each) => {
      const value = heardOf(each);
      return each.text === 'fills'
        ? `fill ${String(value.quantity)}`
        : `${String(value.state)} ${String(value.filledQuantity)}`;
    });
    expect(lines.filter((line) => line.startsWith('fill '))).toEqual(['fill 2', 'fill 1']);
    expect(lines.at(-1)).toBe('filled 3');
    expect(new Set(lines.filter((line) => !line.startsWith('fill '))).size).toBe(
      lines.filter((line) => !line.startsWith('fill ')).length,
    );
  });
});

describe('context', () => {
  it('answers the state now: instrument, position, balance, open orders, clock', async () => {
    const body = `
      import { defineStrategy, note, place, z } from 'tidewire';
      import { concat, map, merge, of, timer } from 'rxjs';
      const buy = (more) => place({ symbol: 'AAAUSDT', side: 'buy', ...more });
      export default defineStrategy({ name: 'once', params: z.object({}), setup({ market, account, clock }) {
        const i = market.instrument('AAAUSDT');
        const look = (name) => map(() => note(name, { position: account.position('AAAUSDT').quantity,
          usdt: account.balance('USDT'), aaa: account.balance('AAA'), open: account.openOrders('AAAUSDT').map(({ ref }) => ref), all: account.openOrders().length }));
        return merge(
          timer(50).pipe(map(() => note('grid', { down: i.roundPrice(100.6, 'down'), up: i.roundPrice(100.4, 'up'), near: i.roundPrice(100.4, 'nearest'),
            exact: i.roundPrice(101, 'up'), quantity: i.roundQuantity(2.9, 'down') }))),
          timer(10).pipe(map(() => [buy({ type: 'market', quantity: '4', ref: 'm' }), buy({ type: 'limit', price: '98', quantity: '5', ref: 'r' })])),
          timer(200).pipe(look('after')),
          clock.every('1s').pipe(map((at) => note('every', { at, now: clock.now() }))));
      } });`;
    const { printed, result } = await once(body, [open(), trade(T0 + 1500, '101', '1', 'buy'), tick(2500, 2)]);
    expect(printed.err).toBe('');
    const notes = new Map(result.notes.map(({ text, data }) => [text, data]));
    const grid = Object.fromEntries(
      Object.entries(notes.get('grid') ?? {}).map(([key, value]) => [key, Number(value)]),
    );
    expect(grid).toEqual({ down: 100, up: 101, near: 100, exact: 101, quantity: 2 });
    expect(notes.get('after')).toMatchObject({
      position: '3.998',
      usdt: { total: '99596', locked: '490', available: '99106' },
      aaa: { total: '998.998', locked: '0', available: '998.998' },
      open: ['r'],
      all: 1,
    });
    const boundaries = result.notes
      .filter(({ text }) => text === 'every')
      .map(({ data }) => data as { at: number; now: number });
    expect(boundaries.map(({ at: boundary }) => boundary - T0)).toEqual([1000, 2000]);
    for (const { at: boundary, now } of boundaries) expect(now).toBe(boundary);
  });

  it('random() is seeded: the same seed, the same numbers, another seed, others', async () => {
    const body = `
      import { defineStrategy, note, z } from 'tidewire';
      import { of } from 'rxjs';
      export default defineStrategy({ name: 'once', params: z.object({}), setup: ({ random }) => of(note('r', { r: [random(), random(), random()] })) });`;
    const [a, b, c] = [
      await once(body, quiet(100)),
      await once(body, quiet(100)),
      await once(body, quiet(100), '--seed', '9'),
    ];
    expect(a.result.notes).toEqual(b.result.notes);
    expect(c.result.notes).not.toEqual(a.result.notes);
    const [first] = a.result.notes;
    for (const value of (first!.data as { r: number[] }).r) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
    }
  });

  it('book is a view of the best levels; gaps say from, to and why', async () => {
    const rows = [
      open(),
      depth(T0 + 100, [['100', '0']], [['101', '5']], { seq: 2 }),
      depth(T0 + 200, [['99', '1']], [], { seq: 4 }),
      snapshot(T0 + 400, BIDS, ASKS, { seq: 9 }),
      tick(600, 10),
    ];
    const { notes } = await world.play(rows, [], { watch: 'book,gaps' });
    const books = notes.filter(({ text }) => text === 'book').map(heardOf);
    expect(books[1]).toMatchObject({
      bids: [
        { price: 99, quantity: 10 },
        { price: 98, quantity: 10 },
      ],
      asks: [
        { price: 101, quantity: 5 },
        { price: 102, quantity: 10 },
        { price: 103, quantity: 10 },
      ],
    });
    const gap = notes.filter(({ text }) => text === 'gaps').map(heardOf);
    expect(gap.length).toBeGreaterThan(0);
    for (const each of gap) expect(Object.keys(each)).toEqual(expect.arrayContaining(['from', 'to', 'reason']));
    expect(Number(gap.at(-1)?.['to'])).toBeGreaterThan(Number(gap.at(-1)?.['from']));
  });

  it('total is available + locked in every balance that is told, and none is below zero', async () => {
    const rows = [open(), trade(T0 + 300, '99', '1', 'sell'), trade(T0 + 500, '103', '1', 'buy'), tick(900, 2)];
    const { notes } = await world.play(
      rows,
      [
        at(10, limit('buy', '100', '7', 'a'), limit('sell', '102', '9', 'b')),
        at(200, marketOrder('buy', '13', 'c')),
        at(400, limit('buy', '98', '3', 'd')),
        at(600, cancel('d')),
      ],
      { watch: 'balances' },
    );
    expect(notes.length).toBeGreaterThan(8);
    for (const each of notes.map(heardOf)) {
      const [total, available, locked] = ['total', 'available', 'locked'].map((key) =>
        BigInt(Math.round(Number(each[key]) * 1e6)),
      );
      expect(total).toBe(available! + locked!);
      expect(available! >= 0n && locked! >= 0n).toBe(true);
    }
  });
});

describe('candles', () => {
  const M = 60_000;
  const rows = [
    open(),
    trade(T0 + 5000, '100', '1', 'sell'),
    trade(T0 + 30_000, '102', '2', 'buy'),
    trade(T0 + 59_999, '101', '1', 'buy'),
    trade(T0 + 60_000, '99', '4', 'sell'),
    trade(T0 + 3 * M + 10_000, '98', '1', 'sell'),
    tick(4 * M + 30_000, 2),
  ];

  it('are closed ones, built from trades in exchange time; an empty interval repeats the close with volume 0', async () => {
    const { notes } = await world.play(rows, [], { watch: 'candles' });
    const bars = notes.map((each) => {
      const { openTime, open: o, high, low, close, volume } = heardOf(each) as Record<string, number>;
      return [(openTime! - T0) / M, o, high, low, close, volume];
    });
    expect(bars).toEqual([
      [0, 100, 102, 100, 101, 4],
      [1, 99, 99, 99, 99, 4],
      [2, 99, 99, 99, 99, 0],
      [3, 98, 98, 98, 98, 1],
    ]);
  });

  it('close with the first event at or past the boundary, or one second after it', async () => {
    const { notes } = await world.play(rows, [], { watch: 'candles' });
    const closedAt = notes.map(({ data }) => Number(data?.['now']) - T0);
    // The first by the trade that is received at 60,002; the next ones by the clock, boundary + 1 s in exchange time.
    expect(closedAt[0]).toBe(60_002);
    for (const [index, minute] of [2, 3, 4].entries()) {
      expect(Math.abs(closedAt[index + 1]! - (minute * M + 1000))).toBeLessThanOrEqual(3);
    }
  });

  it('warm-up comes from before --from, else from the start; decisions begin after it', async () => {
    const body = `
      import { defineCandleStrategy, note, z } from 'tidewire';
      export default defineCandleStrategy({ name: 'once', params: z.object({ symbol: z.string().default('AAAUSDT') }),
        interval: '1m', warmup: () => 3, setup: () => ({ seen: [] }),
        onCandle(candle, { vars }) { vars.seen.push(candle.close); return note('decide', { seen: [...vars.seen] }); } });`;
    const minutes = Array.from({ length: 9 }, (_, n) => trade(T0 + n * M + 1000, `${100 + n}`, '1', 'buy'));
    const data = [open(), ...minutes];
    const cold = await once(body, data);
    const warm = await once(body, data, '--from', `${T0 + 5 * M}`);
    expect(cold.printed.err).toBe('');
    expect(cold.result.notes[0]?.data).toEqual({ seen: [100, 101, 102, 103] });
    expect(warm.result.notes[0]?.data).toEqual({ seen: [102, 103, 104, 105] });
  });
});

describe('quote', () => {
  it('stands as one set: only the difference is sent; tolerance keeps what has hardly moved', async () => {
    const result = await world.play(quiet(900), [
      at(10, quote([leg(99, 3), leg(98, 3)], [leg(102, 3)])),
      at(200, quote([leg(99, 3), leg(97, 3)], [leg(102, 3)])),
      at(400, quote([leg(98, 3), leg(97, 3)], [leg(103, 3)], { tolerance: { priceTicks: 1 } })),
    ]);
    expect(shape(result).toSorted()).toEqual(['3@102 canceled', '3@97 canceled', '3@98 canceled', '3@99 canceled']);
  });

  it('a filled quantity is not replenished until the next quote', async () => {
    const set = quote([leg(100, 3)], []);
    const rows = [open(), trade(T0 + 100, '99', '1', 'sell'), tick(900, 2)];
    const alone = await world.play(rows, [at(10, set)]);
    expect(alone.fills).toHaveLength(1);
    expect(alone.orders).toHaveLength(1);
    const again = await world.play(rows, [at(10, set), at(300, set)]);
    expect(again.orders).toHaveLength(2);
  });

  it('has the scope strategy × symbol × tag', async () => {
    const result = await world.play(
      quiet(900),
      [
        at(10, quote([leg(99, 1)], [], { tag: 'one' })),
        at(100, quote([leg(98, 1)], [], { tag: 'two' })),
        at(200, quote([], [], { tag: 'one' })),
        at(300, { kind: 'note', text: 'x' }),
      ],
      { config: `strategies: [{ file: ${join(world.dir, 'scripted.ts')}, onStop: leave }]\n` },
    );
    expect(shape(result)).toEqual(['1@99 canceled', '1@98 open']);
  });

  it('legs are post-only by default: one that would cross is denied, the other stands', async () => {
    const result = await world.play(quiet(500), [at(10, quote([leg(101, 1)], [leg(103, 1)]))]);
    expect(shape(result)).toEqual(['1@103 canceled']);
    expect(result.warnings.join('\n')).toContain('would_cross');
  });

  it('cancelAll and flatten clear the set: it does not come back', async () => {
    for (const clear of [{ kind: 'cancelAll' }, { kind: 'flatten', symbol: 'AAAUSDT' }]) {
      const result = await world.play(quiet(900), [at(10, quote([leg(99, 2)], [leg(102, 2)])), at(200, clear)]);
      expect(shape(result)).toEqual(['2@99 canceled', '2@102 canceled']);
    }
  });
});

describe('target, position, flatten', () => {
  const target = (quantity: string | number) => ({ kind: 'target', symbol: 'AAAUSDT', quantity });

  it('mean the own position, not the balance of the account, and count fees paid in base', async () => {
    const result = await world.play(quiet(3000), [
      at(10, target('5')),
      at(500, target('5')),
      at(1000, target('-2')),
      at(2000, target(0)),
    ]);
    // 995 AAA are there from the start. 5 - fee 0.0025 = 4.9975: the rest to 5 is below a lot, no order and no denial.
    // Through zero it closes first.
    expect(result.fills.map(({ side, quantity }) => `${side} ${quantity}`)).toEqual([
      'buy 5',
      'sell 4',
      'sell 2',
      'buy 1',
    ]);
    expect(result.orders.every(({ state }) => state === 'filled')).toBe(true);
    expect(result.positions).toMatchObject([{ quantity: '-0.003' }]);
  });

  it('what is on its way counts: a target said twice is bought once', async () => {
    const result = await world.play(quiet(900), [at(10, target('5')), at(11, target('5')), at(20, target('5'))]);
    expect(result.fills.map(({ quantity }) => quantity)).toEqual(['5']);
  });

  it('flatten cancels first, then goes to zero', async () => {
    const result = await world.play(quiet(900), [
      at(10, marketOrder('buy', '4', 'in')),
      at(100, limit('buy', '98', '2', 'rest')),
      at(300, { kind: 'flatten' }),
    ]);
    expect(result.orders.find(({ ref }) => ref === 'rest')?.state).toBe('canceled');
    expect(result.fills.map(({ side, quantity }) => `${side} ${quantity}`)).toEqual(['buy 4', 'sell 3']);
  });
});

describe('refs, arrays, stop', () => {
  it('a ref is unique for ever; omitted it becomes <strategy>-<n>; actions of an array stand each on its own', async () => {
    const { ref: _ref, ...unnamed } = limit('buy', '97', '1', 'x');
    const result = await world.play(quiet(900), [
      at(10, limit('buy', '99', '1', 'a'), limit('buy', '98.5', '1', 'b'), limit('buy', '98', '1', 'c'), unnamed),
      at(200, cancel('a')),
      at(400, limit('buy', '99', '2', 'a'), unnamed),
    ]);
    expect(states(result)).toEqual([
      'a canceled',
      'b off_tick',
      'c canceled',
      'scripted-1 canceled',
      'scripted-2 canceled',
    ]);
    expect(result.warnings.join('\n')).toContain('duplicate_ref');
  });

  const stopping = (policy: string): Promise<Result> =>
    world.play(quiet(500), [at(10, marketOrder('buy', '3', 'in'), limit('buy', '98', '2', 'rest'))], {
      config: `strategies: [{ file: ${join(world.dir, 'scripted.ts')}, onStop: ${policy} }]\n`,
    });

  it('the stop policy applies at the end: leave, cancel, flatten', async () => {
    expect(states(await stopping('leave'))).toEqual(['in filled', 'rest open']);
    expect(states(await stopping('cancel'))).toEqual(['in filled', 'rest canceled']);
    const flat = await stopping('flatten');
    expect(flat.orders.map(({ state }) => state)).toEqual(['filled', 'canceled', 'filled']);
    expect(Number(flat.positions[0]?.quantity ?? 0)).toBeLessThan(1);
  });

  it('onStop may return last actions, then the policy applies', async () => {
    const body = `
      import { defineStrategy, note, place, z } from 'tidewire';
      import { NEVER } from 'rxjs';
      export default defineStrategy({ name: 'once', params: z.object({}), setup: () => NEVER,
        onStop: (reason) => [note('stop ' + reason), place({ symbol: 'AAAUSDT', side: 'buy', type: 'market', quantity: '1', ref: 'last' })] });`;
    const { result } = await once(body, quiet(500));
    expect(result.notes.map(({ text }) => text)).toEqual(['stop end']);
    expect(states(result)).toEqual(['last filled']);
  });
});

describe('numbers', () => {
  it('a number within 1e-6 of the grid is meant, text must be exact, the rest is denied with a reason', async () => {
    const tries: readonly [price: unknown, quantity: unknown, becomes: string][] = [
      [99.000_000_9, 1, 'canceled'],
      [98.999_999_1, 0.999_999_9, 'canceled'],
      [99.000_01, 1, 'off_tick'],
      ['99.0000001', '1', 'off_tick'],
      ['99.00', '1.000', 'canceled'],
      [99, 1.001, 'off_lot'],
      ['99', '1.0000001', 'off_lot'],
      ['abc', '1', 'not_finite'],
      [99, -1, 'not_positive'],
      [99, 0, 'not_positive'],
    ];
    const steps = tries.map(([price, quantity], n) =>
      at(10 + n * 100, limit('buy', price as string, quantity as string, `o${n}`)),
    );
    const result = await world.play(quiet(2000), steps);
    expect(states(result)).toEqual(tries.map(([, , becomes], n) => `o${n} ${becomes}`));
  });

  it('NaN and Infinity are denied, and a Decimal counts as text', async () => {
    const body = `
      import { defineStrategy, place, z } from 'tidewire';
      import { of } from 'rxjs'; import { delay } from 'rxjs';
      const buy = (price, quantity, ref) => place({ symbol: 'AAAUSDT', side: 'buy', type: 'limit', price, quantity, ref });
      export default defineStrategy({ name: 'once', params: z.object({}),
        setup: () => of([buy(NaN, 1, 'a'), buy(Infinity, 1, 'b'), buy(99, NaN, 'c')]).pipe(delay(20)) });`;
    const { result } = await once(body, quiet(500));
    expect(states(result)).toEqual(['a not_finite', 'b not_finite', 'c not_finite']);
  });

  it('what is below a minimum is denied before sending', async () => {
    const spec = world.write(
      'instrument.json',
      JSON.stringify({
        symbol: 'AAAUSDT',
        market: 'spot',
        base: 'AAA',
        quote: 'USDT',
        tickSize: '1',
        lotSize: '1',
        minQuantity: '2',
        maxQuantity: '50',
        minNotional: '250',
        status: 'trading',
      }),
    );
    const { path } = await world.record(quiet(900), '--instrument', spec);
    const steps = [1, 2, 3, 60].map((quantity, n) => at(10 + n * 100, limit('buy', '99', quantity, `o${n}`)));
    const { result } = await world.run('scripted.ts', [path], '--param', `steps=${JSON.stringify(steps)}`);
    expect(states(result)).toEqual(['o0 below_minimum', 'o1 below_minimum', 'o2 canceled', 'o3 above_maximum']);
  });
});

describe('protection', () => {
  it('self-trade prevention is cancel-resting: the resting order goes first, then the new one is sent', async () => {
    const rows = [
      snapshot(T0, [['91', '1']], [['109', '1']], { seq: 1 }),
      depth(T0 + 800, [['50', '1']], [], { seq: 2 }),
    ];
    const result = await world.play(rows, [
      at(10, limit('buy', '100', '2', 'rest')),
      at(200, limit('sell', '99', '2', 'new')),
    ]);
    expect(states(result)).toEqual(['rest canceled', 'new canceled']);
    expect(result.fills).toEqual([]);
  });

  it('risk defaults: half of the equity an order, collar of 5 %, 50 messages a second', async () => {
    const deep = [
      snapshot(
        T0,
        [
          ['100', '5001'],
          ['99', '5000'],
        ],
        [
          ['101', '5000'],
          ['102', '5000'],
        ],
        { seq: 1 },
      ),
      tick(5000, 2),
    ];
    // Equity 199,997.5: half is 99,998.75.
    const big = await world.play(deep, [
      at(10, limit('buy', '100', '1000', 'over')),
      at(100, limit('buy', '100', '999', 'fits')),
    ]);
    expect(states(big)).toEqual(['over max_order_value', 'fits canceled']);
    // Mid 100.5: 5 % is 5.025, so 96 and 105 pass, 95 and 106 do not.
    const collar = await world.play(deep, [
      at(
        10,
        ...['95', '96'].map((price) => limit('buy', price, '1', `b${price}`)),
        ...['105', '106'].map((price) => limit('sell', price, '1', `s${price}`)),
      ),
    ]);
    expect(states(collar)).toEqual(['b95 price_collar', 'b96 canceled', 's105 canceled', 's106 price_collar']);
    const many = Array.from({ length: 60 }, (_, n) =>
      at(10 + n, limit(n % 2 === 0 ? 'buy' : 'sell', n % 2 === 0 ? '99' : '102', `${n + 1}`, `o${n}`)),
    );
    const rate = await world.play(deep, many);
    expect(rate.orders.filter(({ reason }) => reason === 'message_rate')).toHaveLength(10);
  });

  it('daily loss of 20 %: no new risk beyond it', async () => {
    const crash = (ms: number, mid: number, seq: number): Row =>
      snapshot(T0 + ms, [[`${mid - 1}`, '5001']], [[`${mid + 1}`, '5000']], { seq });
    const rows = [crash(0, 100, 1), crash(500, 70, 2), crash(1000, 50, 3), tick(2000, 4)];
    // Half cash, half base: at 70 the loss is 15 %, at 50 it is 25 %.
    const result = await world.play(rows, [
      at(10, limit('buy', '98', '1', 'a')),
      at(600, limit('buy', '68', '1', 'b')),
      at(1100, limit('buy', '48', '1', 'c')),
    ]);
    expect(states(result).map((line) => line.replace('filled', 'sent').replace('canceled', 'sent'))).toEqual([
      'a sent',
      'b sent',
      'c daily_loss',
    ]);
  });

  it('duplicate control compares with unresolved orders only', async () => {
    const result = await world.play(quiet(900), [
      at(10, limit('buy', '99', '1', 'a')),
      at(20, limit('buy', '99', '1', 'twin')),
      at(200, limit('buy', '99', '1', 'later')),
    ]);
    expect(states(result)).toEqual(['a canceled', 'twin duplicate_order', 'later canceled']);
  });

  it('postOnly is refused before sending when it would cross', async () => {
    const result = await world.play(quiet(500), [
      at(10, limit('buy', '101', '1', 'a', { postOnly: true }), limit('buy', '100', '1', 'b', { postOnly: true })),
    ]);
    expect(states(result)).toEqual(['a would_cross', 'b canceled']);
  });

  it('an unknown symbol is an error that names it', async () => {
    const result = await world.play(quiet(500), [at(10, limit('buy', '100', '1', 'a', { symbol: 'AABUSDT' }))]);
    expect(states(result)).toEqual(['a unknown_symbol']);
  });
});

describe('several strategies', () => {
  const two = async (rows: readonly Row[], first: object, second: object): Promise<Result> => {
    const entry = (tag: string, { steps, ...more }: { steps?: readonly Step[] }): string =>
      JSON.stringify({
        file: join(world.dir, 'scripted.ts'),
        tag,
        params: { steps: JSON.stringify(steps ?? []) },
        ...more,
      });
    const config = world.write('pair.yaml', `strategies: [${entry('one', first)}, ${entry('two', second)}]\n`);
    const { path } = await world.record(rows);
    const printed = await world.command('backtest', '--data', path, '--config', config, '--result', 'pair.json');
    expect([printed.exit, printed.err]).toEqual([0, '']);
    return JSON.parse(world.read('pair.json')) as Result;
  };

  it('share the account, each with its own position, refs and tag', async () => {
    const result = await two(
      quiet(900),
      { steps: [at(10, marketOrder('buy', '4', 'x')), at(400, { kind: 'flatten' })] },
      { steps: [at(100, marketOrder('buy', '2', 'x'))] },
    );
    expect(result.fills.map(({ tag, side, quantity }) => `${tag} ${side} ${quantity}`)).toEqual([
      'one buy 4',
      'two buy 2',
      'one sell 3',
    ]);
    expect(result.strategy).toContain('scripted');
  });

  it('own orders of another strategy that would be met are cancelled first, too', async () => {
    const rows = [
      snapshot(T0, [['91', '3']], [['109', '3']], { seq: 1 }),
      depth(T0 + 900, [['50', '1']], [], { seq: 2 }),
    ];
    const result = await two(
      rows,
      { steps: [at(10, limit('buy', '100', '2', 'rest'))], onStop: 'leave' },
      { steps: [at(200, limit('sell', '99', '2', 'new'))], onStop: 'leave' },
    );
    expect(states(result)).toEqual(['rest canceled', 'new open']);
  });

  it('have limits of their own: position, order value, budget', async () => {
    const steps = (...list: object[]): { steps: Step[] } => ({
      steps: list.map((order, n) => at(10 + n * 100, order)),
    });
    const result = await two(
      quiet(900),
      {
        ...steps(marketOrder('buy', '3', 'a'), limit('buy', '99', '3', 'b'), limit('buy', '99', '2', 'c')),
        limits: { maxPosition: '5' },
      },
      {
        ...steps(limit('buy', '98', '6', 'd'), limit('buy', '98', '5', 'e'), limit('buy', '97', '5', 'f')),
        limits: { maxOrderValue: '500', budget: '800' },
      },
    );
    const by = Object.fromEntries(states(result).map((line) => line.split(' ')));
    expect(by).toEqual({
      a: 'filled',
      b: 'max_position',
      c: 'canceled',
      d: 'max_order_value',
      e: 'canceled',
      f: 'strategy_budget',
    });
  });
});

describe('quote and the balance', () => {
  const replace = (start: string): Promise<Result> =>
    world.play(quiet(900), [at(10, quote([leg(99, 9)], [])), at(200, quote([leg(98, 9)], []))], {
      config: `account: { start: { USDT: "${start}", AAA: "0" } }\nrisk: { maxOrderEquityFraction: 1 }\n`,
    });

  it('a cancel is proved before its replacement only when both together would pass the balance', async () => {
    const created = (result: Result): number[] => result.orders.map((order) => order.createdTs - T0);
    const plenty = await replace('100000');
    expect(created(plenty)).toEqual([10, 200]);
    const scarce = await replace('1000');
    expect(scarce.orders).toHaveLength(2);
    // The cancel takes 25 ms to the venue and 25 ms back.
    expect(created(scarce)[1]).toBeGreaterThanOrEqual(250);
    expect(created(scarce)[1]).toBeLessThan(260);
  });
});

describe('recorded candles', () => {
  it('without trades they are delivered as they are', async () => {
    const rows = [1, 2, 3].map((n) => ({
      ts: T0 + n * 60_000,
      symbol: 'AAAUSDT',
      type: 'candle',
      openTime: T0 + n * 60_000,
      intervalMs: 60_000,
      open: `${n}0`,
      high: `${n}5`,
      low: `${n}0`,
      close: `${n}1`,
      volume: `${n}1`,
    }));
    const { notes } = await world.play(rows, [], { watch: 'candles' });
    expect(notes.map(heardOf)).toMatchObject(
      [1, 2, 3].map((n) => ({
        openTime: T0 + n * 60_000,
        open: n * 10,
        high: n * 10 + 5,
        close: n * 10 + 1,
        volume: n * 10 + 1,
      })),
    );
    for (const each of notes)
      expect(Number(each.data?.['now'])).toBeGreaterThanOrEqual(Number(heardOf(each)['openTime']) + 60_000);
  });
});

describe('a throw stops that strategy alone', () => {
  let printed: Printed;
  let result: Result;
  beforeAll(async () => {
    world.write(
      'thrower.ts',
      `import { defineStrategy, place, z } from 'tidewire';
import { concatMap, map, of, timer, merge } from 'rxjs';
export default defineStrategy({ name: 'thrower', params: z.object({}), setup({ market }) {
  return merge(timer(10).pipe(map(() => place({ symbol: 'AAAUSDT', side: 'buy', type: 'limit', price: '99', quantity: '1', ref: 'mine' }))),
    market.trades('AAAUSDT').pipe(map((trade) => {
      throw new Error('no idea what to do with ' + trade.price);
    })));
} });`,
    );
    const config = world.write(
      'two.yaml',
      `strategies:
  - { file: ${join(world.dir, 'thrower.ts')}, tag: bad }
  - { file: ${join(world.dir, 'scripted.ts')}, tag: good, params: { steps: '${JSON.stringify([at(500, marketOrder('buy', '2', 'after'))])}' } }
`,
    );
    const { path } = await world.record([open(), trade(T0 + 200, '101', '1', 'buy'), tick(900, 2)]);
    printed = await world.command('backtest', '--data', path, '--config', config, '--result', 'two.json');
    result = JSON.parse(world.read('two.json')) as Result;
  });

  it('with its policy applied; the others go on', () => {
    expect(result.orders.map(({ ref, state }) => `${ref} ${state}`)).toEqual(['mine canceled', 'after filled']);
    expect(result.fills.map(({ tag }) => tag)).toEqual(['good']);
  });

  it('the error names file, line and the event, and the exit code is 1', () => {
    expect(printed.exit).toBe(1);
    const text = result.warnings.join('\n');
    expect(text).toMatch(/thrower\.ts:6/);
    expect(text).toContain('no idea what to do with 101');
    expect(text).toContain('trade');
  });
});

describe('traps', () => {
  it('promises that RxJS or the strategy awaits are no offence', async () => {
    const body = `
      import { defineStrategy, note, z } from 'tidewire';
      import { concatMap, from, timer } from 'rxjs';
      const twice = async (n) => { const m = await Promise.resolve(n).then((x) => x * 2); return m; };
      export default defineStrategy({ name: 'once', params: z.object({}), setup: () => timer(50).pipe(
        concatMap(() => twice(4)), concatMap((n) => from(Promise.all([twice(n), Promise.resolve(1).finally(() => {})]).then(([m]) => note('n', { m })).catch(() => [])))) });`;
    const { printed, result } = await once(body, quiet(500));
    expect([printed.exit, result.notes[0]?.data]).toEqual([0, { m: 16 }]);
  });

  it('Date, timers and Math.random run on the clock and seed of the session, with one warning each', async () => {
    const body = `
      import { defineStrategy, note, z } from 'tidewire';
      import { Observable } from 'rxjs';
      export default defineStrategy({ name: 'once', params: z.object({}), setup: ({ clock }) => new Observable((out) => {
        setTimeout(() => out.next(note('timer', { date: Date.now(), date2: new Date().getTime(), clock: clock.now(), random: [Math.random(), Math.random()] })), 100);
      }) });`;
    const first = await once(body, quiet(500));
    const second = await once(body, quiet(500), '--seed', '2');
    const third = await once(body, quiet(500));
    const heard = first.result.notes[0]?.data as { date: number; date2: number; clock: number; random: number[] };
    expect(heard.clock - T0).toBeGreaterThanOrEqual(100);
    expect(heard.clock - T0).toBeLessThan(110);
    expect([heard.date, heard.date2]).toEqual([Math.floor(heard.clock), Math.floor(heard.clock)]);
    expect(third.result.notes).toEqual(first.result.notes);
    expect(second.result.notes).not.toEqual(first.result.notes);
    for (const used of ['Date', 'setTimeout', 'Math.random']) {
      expect(
        first.result.warnings.filter((warning) => warning.includes(used)),
        used,
      ).toHaveLength(1);
    }
  });

  it.each([
    ['performance.now()', ''],
    ['crypto.randomUUID()', ''],
    ['crypto.getRandomValues(new Uint8Array(4))', ''],
    ["readFileSync('x')", "import { readFileSync } from 'node:fs';"],
    ["fetch('http://127.0.0.1:1')", ''],
    ["new WebSocket('ws://127.0.0.1:1')", ''],
    ["Promise.reject(new Error('x'))", ''],
    ['Promise.resolve(1).then(() => 2)', ''],
  ])('%s throws, with file and line', async (expression, imports) => {
    const body = `import { defineStrategy, z } from 'tidewire';
import { map, NEVER, timer, ignoreElements } from 'rxjs';
${imports}
export default defineStrategy({ name: 'once', params: z.object({}), setup: () => timer(50).pipe(map(() => {
  ${expression};
  return [];
})) });`;
    const { printed, result } = await once(body, quiet(500));
    expect(printed.exit).toBe(1);
    expect(result.warnings.join('\n')).toMatch(/once\.ts:5/);
  });
});
