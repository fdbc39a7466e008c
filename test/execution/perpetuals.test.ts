/** Perpetuals in the executor: sides, reduce-only, contract size, leverage, liquidation, funding, positions per side. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import type { TargetAction } from '../../src/model/trading/action.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../src/model/numbers/money.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport, PositionSide } from '../../src/model/trading/order.ts';
import { alarms, denials, makeRig, PERP, settle, type Rig, type RigOptions, START } from './rig.ts';

const SYMBOL = PERP.symbol;

function target(quantity: string, positionSide: PositionSide = 'both'): TargetAction {
  return { kind: 'target', symbol: SYMBOL, quantity, positionSide };
}

/** Creates as `side quantity positionSide` with `reduce` where the flag is sent. */
function sent(rig: Rig): string[] {
  return rig.venue
    .creates()
    .map(({ side, quantity, positionSide, reduceOnly }) =>
      [side, quantity, positionSide, ...(reduceOnly === true ? ['reduce'] : [])].join(' '),
    );
}

/** Fills everything that rests, at 60,000. */
function fillAll(rig: Rig): void {
  for (const { orderId, quantity, filledQuantity } of rig.venue.resting())
    rig.venue.tellFill(orderId, String(Number(quantity) - Number(filledQuantity)), '60000');
}

function held(rig: Rig, tag = 'maker', side?: PositionSide): string {
  return rig.executor.account(tag).position(SYMBOL, side).quantity;
}

function position(quantity: string, positionSide: PositionSide = 'both', leverage = '1'): VenuePosition {
  return {
    symbol: SYMBOL,
    positionSide,
    quantity,
    entryPrice: '60000',
    markPrice: '60000',
    leverage,
    marginType: 'cross',
    margin: '0',
    liquidationPrice: null,
    unrealizedPnl: '0',
    realizedPnl: '0',
    updatedAt: 1,
  };
}

async function reconciled(options: RigOptions = {}) {
  const rig = makeRig(options);
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await rig.clock.advanceAsync(0);
  await settle();
  await rig.clock.advanceAsync(61_000, 1_000);
  return { ...rig, reconciler };
}

function liquidation(quantity: string, over: Partial<OrderReport> = {}): OrderReport {
  return {
    orderId: 'liq-1',
    market: 'derivative',
    symbol: SYMBOL,
    side: 'sell',
    type: 'market',
    timeInForce: 'ioc',
    price: null,
    quantity,
    filledQuantity: quantity,
    averagePrice: '50000',
    status: 'filled',
    positionSide: 'both',
    reason: 'liquidation',
    createdAt: START,
    updatedAt: START,
    ...over,
  };
}

function liquidationFill(quantity: string, over: Partial<VenueFill> = {}): VenueFill {
  return {
    tradeId: 'lt-1',
    orderId: 'liq-1',
    symbol: SYMBOL,
    market: 'derivative',
    side: 'sell',
    price: '50000',
    quantity,
    fee: '3',
    feeCurrency: 'USDT',
    liquidity: 'taker',
    positionSide: 'both',
    ts: 1,
    ...over,
  };
}

describe('one-way', () => {
  it('goes through zero in two steps: reduce first, then open', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    fillAll(rig);
    rig.executor.submit('maker', target('-0.3'));
    expect(sent(rig)).toEqual(['buy 0.5 both', 'sell 0.5 both reduce']);
    fillAll(rig);
    expect(sent(rig)).toEqual(['buy 0.5 both', 'sell 0.5 both reduce', 'sell 0.3 both']);
    fillAll(rig);
    expect(held(rig)).toBe('-0.3');
  });

  it('flattens by a reduce-only market order', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('-0.2'));
    fillAll(rig);
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(sent(rig).at(-1)).toBe('buy 0.2 both reduce');
    fillAll(rig);
    expect(held(rig)).toBe('0');
  });

  it('takes the closing of what strategies hold against each other for new risk: the account is not reduced', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    rig.executor.submit('taker', target('-0.5'));
    fillAll(rig);
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(sent(rig).at(-1)).toBe('sell 0.5 both');
    const flattened = rig.venue.sent.at(-1);
    expect(flattened?.lane).toBe('create');
  });

  it('never lets a reduce-only order go beyond the own position', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    fillAll(rig);
    const order = { kind: 'place', symbol: SYMBOL, side: 'sell', type: 'market', quantity: '0.6' } as const;
    rig.executor.submit('maker', { ...order, reduceOnly: true });
    expect(denials(rig)).toEqual(['reduce_only']);
  });
});

describe('hedge', () => {
  it('holds both sides apart and closes each by its own', () => {
    const rig = makeRig();
    rig.executor.submit('maker', [target('0.4', 'long'), target('0.3', 'short')]);
    expect(sent(rig)).toEqual(['buy 0.4 long', 'sell 0.3 short']);
    for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity, '60000');
    expect([held(rig, 'maker', 'long'), held(rig, 'maker', 'short')]).toEqual(['0.4', '-0.3']);
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(sent(rig).slice(2)).toEqual(['sell 0.4 long reduce', 'buy 0.3 short reduce']);
  });

  it('takes a sell of the long side for what it is: it can only reduce', () => {
    const rig = makeRig();
    const order = { kind: 'place', symbol: SYMBOL, type: 'market', quantity: '0.1', positionSide: 'long' } as const;
    rig.executor.submit('maker', { ...order, side: 'sell' });
    expect(denials(rig)).toEqual(['reduce_only']);
  });
});

describe('values', () => {
  const contract = { ...PERP, contractSize: '0.01' };

  it('are in quote terms, contract size included', () => {
    const rig = makeRig({ specs: [contract], risk: { maxOrderValue: '1000' } });
    // 1.6 contracts × 60,000 × 0.01 = 960; 1.7 are 1,020.
    const buy = { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'market' } as const;
    rig.executor.submit('maker', [
      { ...buy, quantity: '1.6' },
      { ...buy, quantity: '1.7' },
    ]);
    expect(sent(rig)).toEqual(['buy 1.6 both']);
    expect(denials(rig)).toEqual(['max_order_value']);
    fillAll(rig);
    rig.market.bid = 6_600_000;
    rig.market.ask = 6_600_000;
    rig.executor.submit('maker', target('0'));
    // Worth 1,056 now: two orders within the limit, one after the other.
    for (const part of ['0.8', '0.8']) rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', part, '66000');
    // 1.6 × 6,000 × 0.01
    expect(rig.executor.account('maker').position(SYMBOL).realizedPnl).toBe('96');
  });

  it('the margin of an order follows the leverage that the venue has told', () => {
    const rig = makeRig({ risk: { maxOrderEquityFraction: 100 } });
    const buy = { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'market', quantity: '20' } as const;
    rig.executor.submit('maker', buy);
    expect(denials(rig)).toEqual(['insufficient_balance']);
    rig.venue.emit({ kind: 'positions', positions: [position('0', 'both', '5')], whole: false });
    rig.executor.submit('maker', buy);
    expect(sent(rig)).toEqual(['buy 20 both']);
  });
});

describe('liquidation', () => {
  async function liquidated(order: 'report first' | 'fill first') {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.4'));
    fillAll(rig);
    const report = { kind: 'order', order: liquidation('0.4') } as const;
    const fill = { kind: 'fill', fill: liquidationFill('0.4', { ts: rig.clock.now() }) } as const;
    for (const event of order === 'report first' ? [report, fill] : [fill, report]) rig.venue.emit(event);
    return rig;
  }

  it.each(['report first', 'fill first'] as const)(
    'takes the position of the one who held it, alarms, and denies new risk (%s)',
    async (order) => {
      const rig = await liquidated(order);
      expect(held(rig)).toBe('0');
      expect(alarms(rig)).toEqual(['liquidated']);
      // 0.4 × (50,000 - 60,000)
      expect(rig.executor.account('maker').position(SYMBOL).realizedPnl).toBe('-4000');
      const fills = rig.events.flatMap((event) => (event.kind === 'fill' ? [event] : [])).slice(-1);
      expect(fills.map(({ strategy, fill }) => [strategy, fill.ref, fill.quantity, fill.fee])).toEqual([
        ['maker', 'liquidation-lt-1', '0.4', '3'],
      ]);
      rig.executor.submit('maker', target('0.1'));
      expect(denials(rig)).toEqual(['liquidated']);
      expect(rig.venue.resting()).toEqual([]);
    },
  );

  it('is booked once, however often it is told, and a replay of the journal agrees', async () => {
    const rig = await liquidated('report first');
    rig.venue.emit({ kind: 'fill', fill: liquidationFill('0.4') });
    rig.venue.emit({ kind: 'order', order: liquidation('0.4') });
    expect(held(rig)).toBe('0');
    expect(alarms(rig)).toEqual(['liquidated']);
    expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
    const again = makeRig({ journal: rig.journal, clock: rig.clock, bootId: 'b2' });
    again.venue.emit({ kind: 'order', order: liquidation('0.4') });
    again.venue.emit({ kind: 'fill', fill: liquidationFill('0.4') });
    expect([alarms(again), held(again)]).toEqual([[], '0']);
  });

  it('liquidation/fill-that-contradicts-its-order-is-left-to-the-list', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.4'));
    fillAll(rig);
    rig.venue.emit({ kind: 'order', order: liquidation('0.4') });
    rig.venue.emit({ kind: 'fill', fill: liquidationFill('777', { ts: rig.clock.now() }) });
    expect([alarms(rig), held(rig)]).toEqual([['liquidated', 'fill_contradiction'], '0.4']);
    expect([...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'halt' ? [entry.symbol] : []))).toEqual([
      SYMBOL,
    ]);
    rig.venue.emit({ kind: 'fill', fill: liquidationFill('0.4', { ts: rig.clock.now() }) });
    expect(held(rig)).toBe('0');
  });

  it('is found in the readings when the stream missed it, and leaves nothing unexplained', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', target('0.4'));
    fillAll(rig);
    rig.venue.positionsNow = [position('0.4')];
    await rig.clock.advanceAsync(11_000, 1_000);
    const now = rig.clock.now();
    rig.venue.orders.set('liq-1', { ...liquidation('0.4'), createdAt: now, updatedAt: now });
    rig.venue.trades.push(liquidationFill('0.4', { ts: now }));
    rig.venue.positionsNow = [];
    await rig.clock.advanceAsync(320_000, 1_000);
    expect(held(rig)).toBe('0');
    expect(alarms(rig)).toEqual(['liquidated']);
    rig.executor.submit('maker', target('0.1'));
    expect(denials(rig)).toEqual(['liquidated']);
  });
});

describe('funding', () => {
  it('is part of the position that it belongs to, once, and survives a restart', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('-0.3'));
    rig.executor.submit('taker', target('-0.1'));
    fillAll(rig);
    const payment = { id: 'f1', symbol: SYMBOL, currency: 'USDT', amount: '2.4', ts: rig.clock.now() };
    for (let told = 0; told < 2; told++) rig.venue.emit({ kind: 'funding', payment });
    rig.venue.emit({ kind: 'funding', payment: { ...payment, id: 'f2', symbol: null, amount: '-0.4' } });
    const funding = (of: Rig) => ['maker', 'taker'].map((tag) => of.executor.account(tag).position(SYMBOL).funding);
    expect(funding(rig)).toEqual(['1.5', '0.5']);
    expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
    expect(funding(makeRig({ journal: rig.journal, clock: rig.clock, bootId: 'b2' }))).toEqual(['1.5', '0.5']);
  });

  it('of a position that is not ours goes to nobody', () => {
    const rig = makeRig();
    const payment = { id: 'f1', symbol: SYMBOL, currency: 'USDT', amount: '2.4', ts: 1 };
    rig.venue.emit({ kind: 'funding', payment });
    expect(rig.executor.account('maker').positions()).toEqual([]);
    const rows = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'funding' ? [entry.strategy] : []));
    expect(rows).toEqual([null]);
  });

  /** Σ of each strategy and of the account alone, in the journal. */
  function booked(rig: Rig): Record<string, string> {
    const sums = new Map<string, Decimal>();
    for (const { entry } of rig.journal.read())
      if (entry.kind === 'funding') {
        const whose = entry.strategy ?? 'account';
        sums.set(whose, (sums.get(whose) ?? ZERO).plus(entry.amount));
      }
    return Object.fromEntries([...sums].map(([whose, sum]) => [whose, decimalText(sum)]));
  }

  it.each(['1.999', '2', '5'])('is of who held it at its time, whatever was sold since: %s', (sold) => {
    const rig = makeRig();
    rig.executor.submit('maker', target('2'));
    fillAll(rig);
    const ts = rig.clock.now();
    rig.clock.advance(1_000);
    rig.executor.submit('taker', target(`-${sold}`));
    fillAll(rig);
    rig.venue.emit({ kind: 'funding', payment: { id: 'f1', symbol: null, currency: 'USDT', amount: '-12.4', ts } });
    expect(booked(rig)).toEqual({ maker: '-12.4' });
    expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
  });

  it.each([
    ['what they hold against each other has no sum', '-0.4', '-12.4', { account: '-12.4' }],
    ['the sum pays what no rate explains', '-0.399', '-12.4', { account: '-12.4' }],
    ['the sum explains it', '-0.3', '-0.6', { maker: '-2.4', taker: '1.8' }],
  ])('of opposite positions: %s', (_what, against, amount, parts) => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.4'));
    rig.executor.submit('taker', target(against));
    fillAll(rig);
    const payment = { id: 'f1', symbol: SYMBOL, currency: 'USDT', amount, ts: rig.clock.now() };
    rig.venue.emit({ kind: 'funding', payment });
    expect(booked(rig)).toEqual(parts);
  });

  it('of an earlier day is no loss of the day on which it is learned', () => {
    const rig = makeRig({ limits: { maxDailyLoss: '10' } });
    rig.executor.submit('maker', target('0.1'));
    fillAll(rig);
    const ts = rig.clock.now();
    rig.clock.advance(86_400_000);
    rig.executor.valueAccount();
    for (const [id, at] of [
      ['f1', ts],
      ['f2', rig.clock.now()],
    ] as const) {
      const payment = { id, symbol: SYMBOL, currency: 'USDT', amount: '-12.4', ts: at };
      rig.venue.emit({ kind: 'funding', payment });
      rig.executor.valueAccount();
      rig.executor.submit('maker', target(id === 'f1' ? '0.2' : '0.3'));
      expect(denials(rig), id).toEqual(id === 'f1' ? [] : ['daily_loss']);
      fillAll(rig);
    }
  });

  it('of what others hold stays with the account', async () => {
    const rig = makeRig();
    rig.venue.positionsNow = [position('0.3')];
    const reconciler = createReconciler(rig.executor);
    reconciler.start();
    await settle();
    await rig.clock.advanceAsync(61_000, 1_000);
    rig.executor.submit('maker', target('0.1'));
    fillAll(rig);
    const payment = { id: 'f1', symbol: SYMBOL, currency: 'USDT', amount: '-0.4', ts: rig.clock.now() };
    rig.venue.emit({ kind: 'funding', payment });
    expect(booked(rig)).toEqual({ maker: '-0.1', account: '-0.3' });
    reconciler.stop();
  });

  it('adds up to the whole, whoever held what (law)', () => {
    const lots = fc.integer({ min: -9, max: 9 }).filter((each) => each !== 0);
    fc.assert(
      fc.property(lots, lots, fc.integer({ min: -10_000, max: 10_000 }), fc.boolean(), (one, other, paid, isLate) => {
        const rig = makeRig();
        rig.executor.submit('maker', target(String(one)));
        fillAll(rig);
        const ts = isLate ? START - 1 : rig.clock.now();
        rig.executor.submit('taker', target(String(other)));
        fillAll(rig);
        const amount = decimalText(dec(paid).div(7).toDecimalPlaces(8));
        rig.venue.emit({ kind: 'funding', payment: { id: 'f1', symbol: SYMBOL, currency: 'USDT', amount, ts } });
        const sum = Object.values(booked(rig)).reduce((all, part) => all.plus(part), ZERO);
        expect(decimalText(sum)).toBe(amount);
      }),
      { numRuns: 40 },
    );
  });
});

describe('positions of the venue', () => {
  it('are compared per side; what was there before is an opening, and external', async () => {
    const venuePositions = [position('0.4', 'long'), position('0.4', 'short')];
    const rig = makeRig();
    rig.venue.positionsNow = venuePositions;
    createReconciler(rig.executor).start();
    await rig.clock.advanceAsync(61_000, 1_000);
    const openings = [...rig.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'adjustment' && entry.subject === 'position' ? [`${entry.name} ${entry.quantity}`] : [],
    );
    expect(openings.toSorted()).toEqual([`${SYMBOL} 0`, `${SYMBOL}/long 0.4`, `${SYMBOL}/short -0.4`]);
    expect(held(rig)).toBe('0');
    // One side grows and the other with it: their sum is the same, and yet neither is explained.
    rig.venue.positionsNow = [position('0.5', 'long'), position('0.5', 'short')];
    await rig.clock.advanceAsync(61_000, 1_000);
    expect(alarms(rig)).toEqual(['position_residual', 'position_residual']);
    rig.executor.submit('maker', target('0.1', 'long'));
    expect(denials(rig)).toEqual(['position_mismatch']);
  });

  it('limits count what the account held before', async () => {
    const rig = makeRig({ risk: { maxPosition: '1' } });
    rig.venue.positionsNow = [position('0.9')];
    createReconciler(rig.executor).start();
    await rig.clock.advanceAsync(61_000, 1_000);
    rig.executor.submit('maker', target('0.2'));
    expect(denials(rig)).toEqual(['max_position']);
  });
});
