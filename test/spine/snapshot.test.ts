/** The law of the snapshot: rows 1 to n, written and read back, are the same as before, and are changed alike by what follows. */
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/model/text/canonical.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { JournalEntry, JournalRow } from '../../src/model/entries/journal.ts';
import { resumed } from '../../src/journal/resume.ts';
import { Replay, replayRows, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotOf, SNAPSHOT_VERSION, snapshotText, textOf } from '../../src/spine/snapshot/snapshot.ts';
import { BTC, PERP } from '../execution/rig.ts';
import { simulate, type WatchedWorld } from '../simulation/world/simulate.ts';
import { InnerView } from './inner-view.ts';

const view = new InnerView();
afterAll(() => view.close());

/** Every field of every class that the state is made of. One more needs its place in the snapshot, and here. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  Replay: ['#instrumentOf', 'fills', 'instruments', 'rows', 'state'],
  Instruments: ['#bySymbol'],
  OwnOrders: [
    '#byIntent',
    '#byOrderId',
    '#byRef',
    '#closed',
    '#closedFrom',
    '#forgottenTo',
    '#liveBySymbol',
    '#liveLists',
  ],
  TradeIds: ['first', 'firstTerms', 'others'],
  Positions: ['#bySymbol', '#held', '#netted'],
  Position: ['#average', '#averaged', 'cost', 'quantity', 'realized'],
  Refs: ['counters', 'strategies'],
  ChosenRefs: ['others', 'runs'],
  HeardIntents: ['#last', 'starts'],
  Undivided: ['choices', 'dividedNow', 'open'],
  Trials: ['current', 'versions', 'widened'],
  MoneyState: ['advertisements', 'advertisers', 'closed', 'count', 'opened', 'refs', 'tradingEffects', 'transfers'],
  Decimal: ['scale', 'units'],
};

function rowsOf(entries: readonly JournalEntry[], from = 1): readonly JournalRow[] {
  // As they come from a journal.
  const plain = JSON.parse(JSON.stringify(entries)) as readonly JournalEntry[];
  return plain.map((entry, index) => ({ seq: from + index, ts: 1_767_571_200_000.5 + index * 1000, entry }));
}

function same(rows: readonly JournalRow[], at: number): void {
  const before = replayRows(rows.slice(0, at));
  const entry = snapshotOf(before);
  const after = replayOf(textOf(JSON.parse(canonicalJson(entry)) as typeof entry));
  expect(snapshotText(after), `written after row ${at}`).toBe(snapshotText(before));
  expect(view.of(after), `held after row ${at}`).toEqual(view.of(before));
  for (const row of rows.slice(at)) {
    before.row(row);
    after.row(row);
    if (row.seq % 97 === 0) expect(stateHash(after.state), `row ${row.seq}`).toBe(stateHash(before.state));
  }
  expect(stateHash(after.state)).toBe(stateHash(before.state));
  expect(snapshotText(after), `all rows, from ${at}`).toBe(snapshotText(before));
}

function fill(tradeId: string, more: Partial<VenueFill> = {}): VenueFill {
  return {
    tradeId,
    orderId: 'o1',
    ts: 1_767_571_201_000,
    symbol: 'BTCUSDT',
    market: 'spot',
    side: 'buy',
    price: '59000.10',
    quantity: '0.00300',
    fee: '0.00000300',
    feeCurrency: 'BTC',
    liquidity: 'maker',
    ...more,
  };
}

function create(count: number, symbol: string, more: object = {}): JournalEntry {
  return {
    kind: 'intent',
    command: 'create',
    intentId: `tw-b1-${count}`,
    strategy: 'maker',
    ref: `maker-${count}`,
    auto: true,
    tag: 'maker',
    origin: 'place',
    order: {
      symbol,
      market: 'spot',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '59000.1',
      quantity: '0.01',
    },
    reduceOnly: false,
    postOnly: true,
    ...more,
  } as unknown as JournalEntry;
}

const start = (boot: number): JournalEntry => ({
  kind: 'session',
  event: 'start',
  boot,
  bootId: `b${boot}`,
  facts: { account: 'a', mode: 'live' },
});

const report = (intentId: string, orderId: string, status: string, filledQuantity: string): JournalEntry =>
  ({
    kind: 'order',
    intentId,
    report: { orderId, status, filledQuantity, averagePrice: '59000.1', symbol: 'BTCUSDT', market: 'spot' },
    source: 'stream',
  }) as unknown as JournalEntry;

const transfer = (intentId: string, amount: string): JournalEntry =>
  ({
    kind: 'money-intent',
    intentId,
    strategy: 'maker',
    ref: `r-${intentId}`,
    request: { kind: 'transfer', from: 'funding', to: 'unified-trading', currency: 'USDT', amount },
    before: { at: 5, totals: { 'funding/USDT': '10' } },
  }) as unknown as JournalEntry;

/** One row at least of each kind that the state keeps. */
const RICH = rowsOf([
  start(1),
  { kind: 'instrument', spec: BTC },
  { kind: 'instrument', spec: PERP },
  {
    kind: 'record',
    name: 'controls',
    data: {
      risk: { canary: { share: 0.1, minFills: 5, minMs: 1000 } },
      strategies: [{ tag: 'maker', version: 'v1', trial: true }],
    },
  },
  create(1, 'BTCUSDT'),
  { kind: 'sending', intentId: 'tw-b1-1', offsetMs: -7 },
  report('tw-b1-1', 'o1', 'new', '0'),
  { kind: 'fill', intentId: 'tw-b1-1', fill: fill('t1'), mid: 59000.25, source: 'stream' },
  { kind: 'fill', intentId: 'tw-b1-1', fill: fill('t2', { price: '58999.9' }), mid: null, source: 'reconcile' },
  create(2, 'BTCUSDT', { ref: 'mine', auto: false }),
  { kind: 'sending', intentId: 'tw-b1-2' },
  report('tw-b1-2', 'o2', 'canceled', '0'),
  create(3, 'BTCUSDT', { ref: 'own-1', auto: false, reduceOnly: true, newRisk: true }),
  { kind: 'sending', intentId: 'tw-b1-3' },
  { kind: 'outcome', intentId: 'tw-b1-3', outcome: { kind: 'unknown', reason: 'silence' } },
  { kind: 'absent', intentId: 'tw-b1-3', asOf: 1_767_571_300_000 },
  create(4, 'BTCUSDT', { order: { ...(create(4, 'BTCUSDT') as { order: object }).order, price: '59000.123456' } }),
  { kind: 'cancel-wanted', intentId: 'tw-b1-4' },
  { kind: 'closed', intentId: 'tw-b1-4', state: 'denied', reason: 'x', message: 'y' },
  {
    kind: 'denial',
    strategy: 'maker',
    action: 'place',
    reason: 'stale_book',
    message: 'm',
    ref: 'gone-7',
    auto: false,
  } as unknown as JournalEntry,
  {
    kind: 'liquidation',
    strategy: 'taker',
    fill: fill('t9', {
      symbol: PERP.symbol,
      market: 'derivative',
      feeCurrency: 'USDT',
      orderId: 'x1',
      realizedPnl: '-1.50',
      quantity: '1',
    }),
  },
  {
    kind: 'undivided',
    fill: fill('t10', { orderId: 'x2' }),
    holders: [{ strategy: 'maker', quantity: '1' }],
    others: '2',
  },
  { kind: 'undivided', fill: fill('t11', { orderId: 'x3' }), holders: [] },
  { kind: 'divided', id: 'liquidation/BTCUSDT/t11', orderId: 'x3', choice: 'maker', shares: [], reason: 'r' },
  {
    kind: 'funding',
    id: 'f1',
    strategy: 'taker',
    symbol: PERP.symbol,
    positionSide: 'both',
    currency: 'USDT',
    amount: '-0.10',
  },
  { kind: 'cash-flow', id: 'c1' } as unknown as JournalEntry,
  {
    kind: 'adjustment',
    id: 'a1',
    subject: 'balance',
    name: 'USDT',
    quantity: '1000000000000000000.10',
    cause: 'opening',
    asOf: 7,
  },
  {
    kind: 'adjustment',
    id: 'external/BTCUSDT/t77/o77/BTCUSDT',
    subject: 'position',
    name: 'BTCUSDT',
    quantity: '0.5',
    cause: 'trade of others',
  },
  { kind: 'day', day: '2026-01-05', equity: '1000' },
  { kind: 'read-to', trades: 5, funding: 6, settled: { USDT: '1' } },
  { kind: 'disowned', orderId: 'o9', reason: 'r' },
  { kind: 'halt', symbol: 'BTCUSDT', on: true, reason: 'r' },
  { kind: 'latch', strategy: 'maker', on: true, reason: 'r' },
  { kind: 'risk-mark', name: 'peak', value: '12' },
  { kind: 'state', key: 'maker/x', value: '{"a":1}' },
  { kind: 'limit-override', id: 'l1', limit: 'risk.x', from: '1', value: '2', until: 9, reason: 'r' },
  { kind: 'widened', strategy: 'maker', version: 'v0', fills: 3, reason: 'r' },
  transfer('m1', '1.50'),
  { kind: 'money-sending', intentId: 'm1' },
  {
    kind: 'money-outcome',
    intentId: 'm1',
    outcome: { kind: 'accepted', value: { id: '1', status: null } },
  } as unknown as JournalEntry,
  {
    kind: 'money-intent',
    intentId: 'm2',
    strategy: 'maker',
    ref: 'ad',
    request: { kind: 'advertise' },
    before: null,
  } as unknown as JournalEntry,
  {
    kind: 'money-outcome',
    intentId: 'm2',
    outcome: { kind: 'accepted', value: { id: '9', status: null } },
  } as unknown as JournalEntry,
  transfer('m3', '2'),
  { kind: 'money-sending', intentId: 'm3' },
  { kind: 'kill', on: true, reason: 'because' },
  { kind: 'session', event: 'stop', boot: 1, bootId: 'b1' },
  { kind: 'restored', event: 'restored', reason: 'r' },
  start(2),
  { kind: 'instrument', spec: { ...BTC, lotSize: '0.001', tickSize: '0.5' } },
  { kind: 'fill', intentId: 'tw-b1-1', fill: fill('t3', { quantity: '0.0005' }), mid: 1, source: 'stream' },
  {
    kind: 'money-resolved',
    intentId: 'm3',
    verdict: 'absent',
    receipt: { id: null, status: null },
    by: 'human',
    evidence: null,
  },
  { kind: 'restored', event: 'acknowledged', reason: 'r' },
  { kind: 'kill', on: false, reason: 'r' },
  create(9, 'BTCUSDT', { intentId: 'tw-b2-1', adoptedFrom: 44 }),
]);

describe('a snapshot', () => {
  it('of every row of a journal with all that a state can hold is exact', () => {
    for (let at = 0; at <= RICH.length; at++) same(RICH, at);
  });

  it('holds every field of every class of the state', () => {
    view.of(replayRows(RICH));
    for (const [name, fields] of Object.entries(KEPT)) {
      const met = [...view.fields]
        .filter((field) => field.startsWith(`${name}.`))
        .map((field) => field.slice(name.length + 1));
      expect(met.toSorted(), name).toEqual(fields);
    }
  });

  it.each([
    { seed: 11, futures: true },
    { seed: 24, futures: false },
  ])(
    'of the journal of a simulated world is exact: %o',
    async ({ seed, futures }) => {
      let world: WatchedWorld | undefined;
      await simulate({ seed, hours: 0.1, futures, seldom: true, watch: (watched) => ((world = watched), {}) });
      const rows = world?.machine.disk.rows ?? [];
      expect(rows.length).toBeGreaterThan(100);
      for (const part of [0.2, 0.5, 0.8]) same(rows, Math.floor(rows.length * part));
    },
    120_000,
  );

  it('is what a replay goes on from, with the rows after it alone', () => {
    const entry = snapshotOf(replayRows(RICH.slice(0, 20)));
    const asked: number[] = [];
    const replay = resumed({
      read: (from = 1) => (asked.push(from), RICH.filter(({ seq }) => seq >= from)),
      lastSnapshot: () => entry,
    });
    expect(asked).toEqual([21]);
    expect(snapshotText(replay)).toBe(snapshotText(replayRows(RICH)));
    // One of them is a liquidation.
    expect(replay.fills).toBe(4);
  });

  it('of another version is not used, and one that was changed is refused', () => {
    const entry = snapshotOf(replayRows(RICH.slice(0, 20)));
    const read = (from = 1): readonly JournalRow[] => RICH.filter(({ seq }) => seq >= from);
    const other = { ...entry, version: SNAPSHOT_VERSION + 1, state: 'x' };
    expect(snapshotText(resumed({ read, lastSnapshot: () => other }))).toBe(snapshotText(replayRows(RICH)));
    expect(() => textOf({ ...entry, check: '0'.repeat(64) })).toThrow(/after row 20 was changed/);
  });

  it('of orders beyond those that are remembered forgets as they are forgotten', () => {
    const entries: JournalEntry[] = [start(1), { kind: 'instrument', spec: BTC }];
    for (let count = 1; count <= 20_050; count++)
      entries.push(
        create(count, 'BTCUSDT'),
        { kind: 'sending', intentId: `tw-b1-${count}` },
        report(`tw-b1-${count}`, `o${count}`, 'canceled', '0'),
      );
    const rows = rowsOf(entries);
    const whole = new Replay();
    for (const row of rows.slice(0, -60)) whole.row(row);
    const resumed = replayOf(snapshotText(whole));
    for (const row of rows.slice(-60)) {
      whole.row(row);
      resumed.row(row);
    }
    expect(snapshotText(resumed)).toBe(snapshotText(whole));
    for (const count of [1, 40, 51, 20_050])
      expect(resumed.state.orders.byOrderId(`o${count}`)?.ref).toBe(whole.state.orders.byOrderId(`o${count}`)?.ref);
  }, 60_000);
});
