/**
 * simulation.md, sentence by sentence, through `data import --from jsonl` and `backtest`: recordings of a few lines whose
 * right answer was worked out by hand. T0 = 1,700,000,000,000 ms; entry and response latency are 25 ms.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  heardOf,
  cancel,
  depth,
  limit,
  marketOrder,
  quote,
  snapshot,
  told,
  trade,
  World,
  type Row,
} from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = 1_700_000_000_000;
const BIDS = [
  ['100', '10'],
  ['99', '10'],
  ['98', '10'],
] as const;
const ASKS = [
  ['101', '4'],
  ['102', '10'],
  ['103', '10'],
] as const;
const open = (seq = 1): Row => snapshot(T0, BIDS, ASKS, { seq });
/** A message far off the touch, so that the data goes on. */
const tick = (at: number, seq: number): Row => depth(T0 + at, [['50', `${seq}`]], [], { seq });
const at = (ms: number, ...actions: object[]) => ({ at: T0 + ms, actions });
const off = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^\d+/, (ts) => `${Number(ts) - T0}`));

describe('time and order', () => {
  it('T1: the strategy sees in receive time what the venue lives in exchange time, each in its own order', async () => {
    const rows = [
      open(),
      trade(T0 + 10, '100', '1', 'sell', { recv: T0 + 40 }),
      trade(T0 + 30, '100', '2', 'sell', { recv: T0 + 41 }),
      depth(T0 + 20, [['100', '9']], [], { recv: T0 + 22, seq: 2 }),
      tick(100, 3),
    ];
    const { notes } = await world.play(rows, [], { watch: 'top,trades' });
    const heard = notes.map(({ text, data }) => `${text} ${Number(data?.['now']) - T0}`);
    expect(heard).toEqual(['top 2', 'top 22', 'trades 40', 'trades 41']);
    const events = notes.map((each) => Number(heardOf(each)['ts']) - T0);
    expect(events, 'events carry the exchange time').toEqual([0, 20, 10, 30]);
  });

  it('T1: data with one time is received base latency later', async () => {
    const rows = [open(), tick(10, 2), trade(T0 + 20, '101', '1', 'buy'), tick(50, 3)].map((line) => {
      const { recv: _recv, ...one } = line as { recv?: number };
      return one;
    });
    const { notes } = await world.play(rows, [], { watch: 'top,trades' });
    expect(notes.map(({ text, data }) => `${text} ${Number(data?.['now']) - T0}`)).toEqual(['top 1', 'trades 21']);
  });

  it('T2: receive times before exchange times are shifted by -min + base latency, and a warning says by how much', async () => {
    const late = (line: Row): Row => ({ ...line, recv: Number(line['ts']) - 500 });
    const rows = [late(open()), { ...trade(T0 + 20, '101', '1', 'buy'), recv: T0 + 20 - 490 }, late(tick(50, 2))];
    const { notes, warnings } = await world.play(rows, [], { watch: 'trades' });
    expect(notes.map(({ data }) => Number(data?.['now']) - T0)).toEqual([20 - 490 + 501]);
    expect(warnings.join('\n')).toMatch(/shift.*501|501.*shift/s);
  });

  it('T3: latencies are exact to the microsecond, on the way to the venue and back', async () => {
    const config = 'simulation: { latency: { entryMs: 7.123, responseMs: 3.456 } }\n';
    // Decided at 10, arrives at 17.123: the print at 17.123 is before it (T4), that at 17.124 after.
    const rows = [
      snapshot(
        T0,
        [
          ['100', '0.5'],
          ['99', '10'],
        ],
        ASKS,
        { seq: 1 },
      ),
      trade(T0 + 17.123, '100', '3', 'sell'),
      trade(T0 + 17.124, '100', '2', 'sell'),
      tick(100, 2),
    ];
    const { notes, fills } = await world.play(rows, [at(10, limit('buy', '100', '1', 'a'))], {
      watch: 'fills,orders',
      config,
    });
    expect(fills).toHaveLength(1);
    const fill = notes.find(({ text }) => text === 'fills');
    expect(Number(fill?.data?.['now'])).toBeCloseTo(T0 + 17.124 + 3.456, 3);
    const accepted = notes.find((each) => each.text === 'orders' && heardOf(each)['state'] === 'open');
    expect(Number(accepted?.data?.['now'])).toBeCloseTo(T0 + 17.123 + 3.456, 3);
  });

  it('T4: at one timestamp venue events come before commands', async () => {
    const before = [open(), depth(T0 + 35, [], [['101', '9']], { seq: 2 }), tick(100, 3)];
    const { fills } = await world.play(before, [at(10, marketOrder('buy', '9', 'a'))]);
    expect(off(told(fills))).toEqual(['35 a buy 9@101 taker']);
  });

  it('T4: deliveries come before timers: a timer sees what was received at its instant', async () => {
    world.write(
      'instant.ts',
      `import { defineStrategy, note, z } from 'tidewire';
       import { map, merge, timer, withLatestFrom } from 'rxjs';
       export default defineStrategy({ name: 'instant', params: z.object({ at: z.number() }),
         setup: ({ params, market, clock }) => timer(params.at - clock.now()).pipe(
           withLatestFrom(market.top('AAAUSDT')), map(([, top]) => note('top', { bid: top.bid }))) });`,
    );
    const { path } = await world.record([
      open(),
      depth(T0 + 10, [['100.5', '1']], [], { seq: 2, recv: T0 + 30 }),
      tick(99, 3),
    ]);
    const { result } = await world.run('instant.ts', [path], '--param', `at=${T0 + 30}`);
    expect(result.notes).toMatchObject([{ text: 'top', data: { bid: 100.5 } }]);
  });

  it('T4: a strategy that answers itself for ever is a livelock, not a hang', async () => {
    world.write(
      'forever.ts',
      `import { defineStrategy, note, z } from 'tidewire';
       import { asyncScheduler, map, observeOn, repeat, of } from 'rxjs';
       import { asapScheduler } from 'rxjs';
       export default defineStrategy({ name: 'forever', params: z.object({}),
         setup: () => of(1).pipe(observeOn(asapScheduler), repeat(), map(() => note('again'))) });`,
    );
    const { path } = await world.record([open(), tick(99, 2)]);
    const printed = await world.command('backtest', `${world.dir}/forever.ts`, '--data', path);
    expect(printed.exit).toBe(1);
    expect(printed.err).toContain('livelock');
  }, 20_000);

  it('T5: a gap stales the book; nothing fills across it unless a later print proves it; it is told to the strategy', async () => {
    // seq 3 is lost. While the book is not proved the ask at 100 must not fill "a"; the print at 99 proves it.
    const rows = [
      open(),
      depth(T0 + 200, [], [['100', '5']], { seq: 4 }),
      trade(T0 + 300, '99', '1', 'sell'),
      snapshot(T0 + 400, BIDS, ASKS, { seq: 9 }),
      tick(500, 10),
    ];
    const { fills, notes } = await world.play(rows, [at(10, limit('buy', '100', '3', 'a'))], { watch: 'gaps' });
    expect(off(told(fills))).toEqual(['300 a buy 3@100 maker']);
    expect(notes.length).toBeGreaterThan(0);
  });

  it('T5: a symbol with no snapshot anywhere builds its book from updates alone, with a warning', async () => {
    const rows = [depth(T0, BIDS, ASKS, { seq: 1 }), tick(200, 2)];
    const { fills, warnings } = await world.play(rows, [at(10, marketOrder('buy', '5', 'a'))]);
    expect(off(told(fills))).toEqual(['35 a buy 4@101 taker', '35 a buy 1@102 taker']);
    expect(warnings.join('\n')).toContain('snapshot');
  });

  it('T5: where a snapshot exists the book starts there, with buffered updates applied', async () => {
    const rows = [
      depth(T0, [['100', '1']], [['101', '1']], { seq: 5 }),
      depth(T0 + 10, [], [['101', '7']], { seq: 6 }),
      snapshot(T0 + 20, BIDS, ASKS, { seq: 5 }),
      tick(300, 7),
    ];
    const { fills } = await world.play(rows, [at(100, marketOrder('buy', '8', 'a'))]);
    expect(off(told(fills))).toEqual(['125 a buy 7@101 taker', '125 a buy 1@102 taker']);
  });
});

describe('matching', () => {
  it('M0: a newer best quote removes better levels and all levels that it crosses, an older one is ignored', async () => {
    const book = [snapshot(T0, BIDS, ASKS, { seq: 10 })];
    const newer = [...book, quote(T0 + 5, ['102', '2'], ['103', '3'], { updateId: 11 }), tick(200, 12)];
    const sells = [at(10, marketOrder('sell', '4', 'a'))];
    // Bid 102 x 2 is new; asks 101 and 102 are crossed and gone.
    expect(off(told((await world.play(newer, sells)).fills))).toEqual([
      '35 a sell 2@102 taker',
      '35 a sell 2@100 taker',
    ]);
    const buys = [at(10, marketOrder('buy', '4', 'a'))];
    expect(off(told((await world.play(newer, buys)).fills))).toEqual(['35 a buy 3@103 taker']);
    const older = [...book, quote(T0 + 5, ['102', '2'], ['103', '3'], { updateId: 9 }), tick(200, 12)];
    expect(off(told((await world.play(older, sells)).fills))).toEqual(['35 a sell 4@100 taker']);
  });

  it('M0: `top` and `book` of the strategy read the same book', async () => {
    const rows = [
      snapshot(T0, BIDS, ASKS, { seq: 10 }),
      quote(T0 + 5, ['102', '2'], ['103', '3'], { updateId: 11 }),
      tick(99, 12),
    ];
    const { notes } = await world.play(rows, [], { watch: 'top' });
    expect(notes.at(-1)?.data?.['value']).toMatchObject({
      bid: 102,
      bidQuantity: 2,
      ask: 103,
      askQuantity: 3,
      mid: 102.5,
    });
  });

  it('M1, A1: walks the levels up to its limit, taker fee at each price from the asset received; M2: the rest rests', async () => {
    const rows = [open(), trade(T0 + 200, '102', '9', 'sell'), tick(300, 2)];
    const { fills, orders } = await world.play(rows, [at(10, limit('buy', '102', '17', 'a'))]);
    expect(fills).toMatchObject([
      { price: '101', quantity: '4', fee: '0.002', feeCurrency: 'AAA', liquidity: 'taker' },
      { price: '102', quantity: '10', fee: '0.005', feeCurrency: 'AAA', liquidity: 'taker' },
      { price: '102', quantity: '3', fee: '0.0006', feeCurrency: 'AAA', liquidity: 'maker' },
    ]);
    expect(orders).toMatchObject([{ ref: 'a', state: 'filled', filledQuantity: '17' }]);
    const sold = await world.play([open(), tick(300, 2)], [at(10, marketOrder('sell', '12', 's'))]);
    expect(sold.fills).toMatchObject([
      { price: '100', quantity: '10', fee: '0.5', feeCurrency: 'USDT' },
      { price: '99', quantity: '2', fee: '0.099', feeCurrency: 'USDT' },
    ]);
  });

  it('M1: what was taken stays taken until the data refreshes the level', async () => {
    const rows = [open(), depth(T0 + 200, [], [['101', '4']], { seq: 2 }), tick(400, 3)];
    const take = (ms: number, ref: string) => at(ms, limit('buy', '101', '3', ref, { timeInForce: 'ioc' }));
    const { fills, orders } = await world.play(rows, [take(10, 'a'), take(70, 'b'), take(130, 'c'), take(210, 'd')]);
    expect(off(told(fills))).toEqual(['35 a buy 3@101 taker', '95 b buy 1@101 taker', '235 d buy 3@101 taker']);
    expect(orders.map(({ ref, state }) => `${ref} ${state}`)).toEqual([
      'a filled',
      'b expired',
      'c expired',
      'd filled',
    ]);
  });

  it('M2: the rest of an ioc or market order expires', async () => {
    const { orders } = await world.play(
      [open(), tick(300, 2)],
      [at(10, marketOrder('buy', '30', 'm')), at(50, limit('sell', '99', '30', 'i', { timeInForce: 'ioc' }))],
    );
    expect(orders).toMatchObject([
      { ref: 'm', state: 'expired', filledQuantity: '24' },
      { ref: 'i', state: 'expired', filledQuantity: '20' },
    ]);
  });

  it('M3, M4: the worked example: 5 others, own 3, 2 others, own 5; a print of 10 fills 3', async () => {
    const rows = [
      snapshot(
        T0,
        [
          ['100', '5'],
          ['99', '5'],
        ],
        ASKS,
        { seq: 1 },
      ),
      depth(T0 + 50, [['100', '7']], [], { seq: 2 }),
      trade(T0 + 200, '100', '10', 'sell'),
      trade(T0 + 210, '100', '4', 'buy'),
      trade(T0 + 220, '100', '4', 'sell'),
      tick(300, 3),
    ];
    const steps = [at(10, limit('buy', '100', '3', 'o1')), at(60, limit('buy', '100', '5', 'o2'))];
    const { fills } = await world.play(rows, steps);
    expect(off(told(fills))).toEqual(['200 o1 buy 3@100 maker', '220 o2 buy 4@100 maker']);
  });

  it('M5: a trade strictly through, or the opposite best reaching it, fills the order whole, maker, own price', async () => {
    const rows = [
      open(),
      trade(T0 + 100, '99', '1', 'sell'),
      depth(
        T0 + 150,
        [['101', '2']],
        [
          ['101', '0'],
          ['102', '0'],
        ],
        { seq: 2 },
      ),
      tick(300, 3),
    ];
    const steps = [at(10, limit('buy', '100', '30', 'through'), limit('sell', '101', '30', 'reached'))];
    const { fills } = await world.play(rows, steps);
    expect(off(told(fills))).toEqual(['100 through buy 30@100 maker', '150 reached sell 30@101 maker']);
  });

  it('M5: a depth message is applied whole before orders are looked at', async () => {
    const rows = [
      open(),
      depth(
        T0 + 100,
        [
          ['101', '2'],
          ['101', '0'],
        ],
        [],
        { seq: 2 },
      ),
      tick(300, 3),
    ];
    const { fills } = await world.play(rows, [at(10, limit('sell', '101', '1', 'a'))]);
    expect(fills).toEqual([]);
  });

  const cancelled = (after: string, print: string): readonly Row[] => [
    snapshot(
      T0,
      [
        ['100', '10'],
        ['99', '5'],
      ],
      ASKS,
      { seq: 1 },
    ),
    depth(T0 + 100, [['100', after]], [], { seq: 2 }),
    trade(T0 + 500, '100', print, 'sell'),
    tick(900, 3),
  ];
  const queued = (config: string, rows: readonly Row[]) =>
    world.play(rows, [at(10, limit('buy', '100', '3', 'a'))], { config: `simulation: { queue: ${config} }\n` });

  it('M6: risk-averse: front = min(front, new)', async () => {
    expect((await queued('risk-averse', cancelled('6', '7'))).fills.map(({ quantity }) => quantity)).toEqual(['1']);
    expect((await queued('risk-averse', cancelled('6', '6'))).fills).toEqual([]);
  });

  it('M6: prob: with nobody behind every cancel was ahead; later joiners share by p = f(b)/(f(b) + f(a))', async () => {
    // back = 10 - 10 = 0: p = 0, front = 10 - 4 = 6.
    expect((await queued('prob', cancelled('6', '7'))).fills.map(({ quantity }) => quantity)).toEqual(['1']);
    // Eight join behind (18), then six cancel: front 10, back 8: p = 512 / 1512; front = 10 - (1 - p) * 6 = 6.0317...
    const rows = [
      snapshot(
        T0,
        [
          ['100', '10'],
          ['99', '5'],
        ],
        ASKS,
        { seq: 1 },
      ),
      depth(T0 + 100, [['100', '18']], [], { seq: 2 }),
      depth(T0 + 200, [['100', '12']], [], { seq: 3 }),
      trade(T0 + 500, '100', '6', 'sell'),
      trade(T0 + 510, '100', '2', 'sell'),
      tick(900, 4),
    ];
    const { fills } = await queued('prob', rows);
    expect(off(told(fills))).toEqual(['510 a buy 1@100 maker']);
    expect((await queued('risk-averse', rows)).fills).toEqual([]);
  });

  it('M6: a print within the netting window after a decrease that it explains is no cancel', async () => {
    const rows = (gap: number): readonly Row[] => [
      snapshot(
        T0,
        [
          ['100', '10'],
          ['99', '5'],
        ],
        ASKS,
        { seq: 1 },
      ),
      depth(T0 + 100, [['100', '18']], [], { seq: 2 }),
      depth(T0 + 200, [['100', '12']], [], { seq: 3 }),
      trade(T0 + 200 + gap, '100', '6', 'sell'),
      trade(T0 + 900, '100', '5', 'sell'),
      tick(950, 4),
    ];
    // Netted: front 10 - 6 = 4, the next 5 fill 1. Not netted: front 6.03, less 6: 0.03, the next 5 fill 3.
    expect((await queued('prob', rows(50))).fills.map(({ quantity }) => quantity)).toEqual(['1']);
    expect((await queued('prob', rows(150))).fills.map(({ quantity }) => quantity)).toEqual(['3']);
  });

  it('M7: no-partial-fill: a taker fills whole at the best price, a resting order whole when prints pass its front', async () => {
    const config = 'simulation: { exchange: no-partial-fill, queue: risk-averse }\n';
    const rows = [open(), trade(T0 + 200, '100', '10', 'sell'), trade(T0 + 300, '100', '1', 'sell'), tick(400, 2)];
    const steps = [at(10, marketOrder('buy', '30', 'taker')), at(50, limit('buy', '100', '8', 'rest'))];
    const { fills, assumptions } = await world.play(rows, steps, { config });
    expect(off(told(fills))).toEqual(['35 taker buy 30@101 taker', '300 rest buy 8@100 maker']);
    expect(assumptions).toMatchObject({ exchange: 'no-partial-fill', queue: 'risk-averse' });
  });

  it('M7: l1 for data with only trades and best quotes', async () => {
    const rows = [
      quote(T0, ['100', '5'], ['101', '5']),
      trade(T0 + 100, '100', '6', 'sell'),
      quote(T0 + 200, ['98', '5'], ['99', '5']),
      trade(T0 + 300, '98', '1', 'sell'),
    ];
    const steps = [at(10, limit('buy', '100', '3', 'a'), limit('buy', '99', '2', 'b'))];
    const { fills, assumptions } = await world.play(rows, steps);
    expect(assumptions).toMatchObject({ exchange: 'l1' });
    expect(off(told(fills))).toEqual(['100 a buy 1@100 maker', '200 a buy 2@100 maker', '200 b buy 2@99 maker']);
  });

  it('M7: candles: filled only when traded through, at most `participation` of the volume', async () => {
    const bar = (n: number, open_: number, high: number, low: number, close: number, volume: number): Row => ({
      ts: T0 + n * 60_000,
      symbol: 'AAAUSDT',
      type: 'candle',
      intervalMs: 60_000,
      openTime: T0 + n * 60_000,
      open: `${open_}`,
      high: `${high}`,
      low: `${low}`,
      close: `${close}`,
      volume: `${volume}`,
    });
    const rows = [
      bar(0, 100, 101, 99, 100, 50),
      bar(1, 100, 101, 98, 100, 50),
      bar(2, 100, 102, 97, 101, 20),
      bar(3, 101, 101, 96, 97, 501),
    ];
    const steps = [at(60_010, limit('buy', '98', '9', 'a'))];
    const { fills, assumptions } = await world.play(rows, steps);
    expect(assumptions).toMatchObject({ exchange: 'candles', participation: 0.1 });
    // Bar 1 touches 98 without trading through; bar 2 fills 10 % of 20; bar 3 the rest.
    expect(fills.map(({ ts, quantity, price, mid }) => [ts - T0, quantity, price, mid])).toEqual([
      [180_000, '2', '98', 98],
      [240_000, '7', '98', 98],
    ]);
  });

  it('M8: a fill before the arrival of the cancel wins, and the strategy learns after response latency', async () => {
    const rows = [open(), trade(T0 + 110, '99', '1', 'sell'), tick(300, 2)];
    const { fills, orders, notes } = await world.play(
      rows,
      [at(10, limit('buy', '100', '3', 'a')), at(100, cancel('a'))],
      { watch: 'fills' },
    );
    expect(off(told(fills))).toEqual(['110 a buy 3@100 maker']);
    expect(orders).toMatchObject([{ ref: 'a', state: 'filled' }]);
    expect(notes.map(({ data }) => Number(data?.['now']) - T0)).toEqual([135]);
    const lost = await world.play(
      [open(), trade(T0 + 126, '99', '1', 'sell'), tick(300, 2)],
      [at(10, limit('buy', '100', '3', 'a')), at(100, cancel('a'))],
    );
    expect(lost.fills).toEqual([]);
    expect(lost.orders).toMatchObject([{ ref: 'a', state: 'canceled' }]);
  });
});

describe('money', () => {
  it('defaults: 100,000 of quote and base worth 100,000 at the first mid; a resting buy locks price × quantity exactly', async () => {
    const { notes } = await world.play(
      [open(), tick(300, 2)],
      [at(10, limit('buy', '99', '7', 'a'), limit('sell', '103', '11', 'b'))],
      {
        watch: 'balances',
      },
    );
    const currencies = new Set(notes.map((each) => heardOf(each)['currency']));
    const locked = notes.map(heardOf);
    expect(locked).toContainEqual(
      expect.objectContaining({ currency: 'USDT', total: '100000', locked: '693', available: '99307' }),
    );
    // 100,000 / 100.5 = 995.02...: whole lots of 1.
    expect(locked).toContainEqual(
      expect.objectContaining({ currency: 'AAA', total: '995', locked: '11', available: '984' }),
    );
    expect(currencies.size).toBe(2);
  });

  it('A1: fees are taken from the asset received, and the position counts them', async () => {
    const { positions, fills } = await world.play([open(), tick(300, 2)], [at(10, marketOrder('buy', '4', 'a'))]);
    expect(fills).toMatchObject([{ fee: '0.002', feeCurrency: 'AAA' }]);
    expect(positions).toEqual([{ symbol: 'AAAUSDT', quantity: '3.998', entryPrice: '101' }]);
  });

  it('assumptions name every default of simulation.md', async () => {
    const { assumptions } = await world.play([open(), tick(300, 2)], []);
    const text = JSON.stringify(assumptions);
    for (const needed of [
      '100,000',
      '0.0002',
      '0.0005',
      '"entryMs":25',
      '"responseMs":25',
      '"baseMs":1',
      'partial-fill',
      'x^3',
      'f(b)/(f(b) + f(a))',
      'one-way',
      'cross',
      'leverage 1',
    ]) {
      expect(text).toContain(needed);
    }
    expect(text).toMatch(/impact/);
  });
});
