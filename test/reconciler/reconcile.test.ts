import { afterEach, describe, expect, it } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { alarms, BTC, denials, makeRig, settle, trading, type Rig, type RigOptions } from '../execution/rig.ts';

const place: Action = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
};

interface ReconciledRig extends Rig {
  readonly reconciler: Reconciler;
}

const started: Reconciler[] = [];
afterEach(() => {
  for (const reconciler of started.splice(0)) reconciler.stop();
});

async function reconciled(options: RigOptions = {}): Promise<ReconciledRig> {
  const rig = makeRig({ specs: [BTC], ...options });
  const reconciler = createReconciler(rig.executor);
  started.push(reconciler);
  reconciler.start();
  await rig.clock.advanceAsync(1_000);
  return { ...rig, reconciler };
}

function stateOf(rig: Rig, ref = 'maker-1'): string | undefined {
  return rig.executor.account('maker').orderByRef(ref)?.state;
}

describe('the gate', () => {
  it('is shut until a first complete comparison, whatever fails before it', async () => {
    for (const list of ['activeOrders', 'orderHistory', 'ownTrades', 'balances'] as const) {
      for (const kind of ['failed', 'partial'] as const) {
        const rig = makeRig({ specs: [BTC] });
        rig.venue.readable[list] = kind;
        const reconciler = createReconciler(rig.executor);
        started.push(reconciler);
        reconciler.start();
        await rig.clock.advanceAsync(5_000);
        rig.executor.submit('maker', place);
        expect(denials(rig)).toEqual(['not_reconciled']);
        rig.venue.readable[list] = 'complete';
        await rig.clock.advanceAsync(3_000);
        rig.executor.submit('maker', place);
        expect(rig.venue.creates()).toHaveLength(1);
      }
    }
  });

  it('shuts when the private stream is lost and opens after ready and a comparison', async () => {
    const rig = await reconciled();
    rig.venue.emit({ kind: 'stream', state: 'lost', generation: 1, reason: 'closed' });
    await rig.clock.advanceAsync(11_000);
    rig.executor.submit('maker', place);
    rig.venue.emit({ kind: 'stream', state: 'ready', generation: 2, reason: '' });
    rig.executor.submit('maker', place);
    expect(denials(rig)).toEqual(['stream_down', 'not_reconciled']);
    await rig.clock.advanceAsync(1_000);
    rig.executor.submit('maker', place);
    expect(rig.venue.creates()).toHaveLength(1);
  });
});

describe('healing', () => {
  it('applies a fill that the stream has lost, once', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    const trade = rig.venue.fill('v1', '0.004');
    await rig.clock.advanceAsync(11_000);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.004');
    expect(stateOf(rig)).toBe('partially_filled');
    rig.venue.emit({ kind: 'fill', fill: trade });
    await rig.clock.advanceAsync(11_000);
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.004');
  });

  it('counts as healed only what it changed', async () => {
    const rig = await reconciled();
    const healed = async (): Promise<number> => (await rig.reconciler.runNow()).healed;
    expect(await healed()).toBe(0);
    rig.executor.submit('maker', place);
    rig.executor.submit('maker', { ...place, price: '58000' });
    // Both are listed as they are known.
    expect(await healed()).toBe(0);
    rig.venue.fill('v1', '0.004');
    expect(await healed()).toBeGreaterThan(0);
    rig.venue.end('v2', 'canceled');
    expect(await healed()).toBe(1);
    const { findings, healed: again } = await rig.reconciler.runNow();
    expect([findings.length > 0, again]).toEqual([true, 0]);
  });

  it('counts a trade that the ready stream did not push, and none of before it was ready', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    rig.venue.tellFill('v1', '0.001');
    await rig.clock.advanceAsync(11_000);
    expect(rig.reconciler.streamLosses).toBe(0);
    rig.venue.fill('v1', '0.002');
    // Its push may still be under way.
    await rig.reconciler.runNow();
    expect(rig.reconciler.streamLosses).toBe(0);
    rig.venue.fill('v1', '0.003');
    rig.clock.advance(2_500);
    await rig.reconciler.runNow();
    rig.venue.emit({ kind: 'stream', state: 'lost', generation: 1, reason: 'closed' });
    expect(rig.reconciler.streamLosses).toBe(2);
    rig.venue.fill('v1', '0.004');
    await rig.clock.advanceAsync(5_000);
    rig.venue.emit({ kind: 'stream', state: 'ready', generation: 2, reason: '' });
    await rig.clock.advanceAsync(11_000);
    expect(stateOf(rig)).toBe('filled');
    expect(rig.reconciler.streamLosses).toBe(2);
  });

  it('finds in the history how an order ended that has left the active list', async () => {
    for (const status of ['canceled', 'expired'] as const) {
      const rig = await reconciled();
      rig.executor.submit('maker', place);
      rig.venue.end('v1', status);
      await rig.clock.advanceAsync(12_000);
      expect(stateOf(rig)).toBe(status);
    }
  });

  it('adopts an order whose answer was lost, resting or filled and gone', async () => {
    for (const clientOrderIds of [true, false]) {
      for (const fate of ['rests', 'filled'] as const) {
        const rig = await reconciled({ clientOrderIds });
        rig.venue.createMode = 'ack-lost';
        rig.executor.submit('maker', place);
        if (fate === 'filled') rig.venue.fill('v1', '0.01');
        expect(stateOf(rig)).toBe('unknown');
        await rig.clock.advanceAsync(1_000);
        expect(stateOf(rig)).toBe(fate === 'rests' ? 'open' : 'filled');
        await rig.clock.advanceAsync(3_000);
        expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe(fate === 'rests' ? '0' : '0.01');
        expect(rig.venue.creates()).toHaveLength(1);
      }
    }
  });

  it('cancels again what a lost or ineffective cancel has left at the venue', async () => {
    for (const mode of ['never-arrives', 'no-effect'] as const) {
      const rig = await reconciled();
      rig.executor.submit('maker', place);
      rig.venue.cancelMode = mode;
      rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
      expect(rig.venue.resting()).toHaveLength(1);
      rig.venue.cancelMode = 'accept';
      await rig.clock.advanceAsync(3_000);
      expect(rig.venue.resting()).toEqual([]);
      expect(stateOf(rig)).toBe('canceled');
    }
  });

  it('learns that a cancel whose answer was lost took effect', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    rig.venue.cancelMode = 'ack-lost';
    rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
    await rig.clock.advanceAsync(3_000);
    expect(stateOf(rig)).toBe('canceled');
    expect(rig.venue.sent.filter(({ kind }) => kind === 'cancel')).toHaveLength(1);
  });

  it('books the fill that won against a cancel', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    rig.venue.fill('v1', '0.01');
    rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
    await rig.clock.advanceAsync(3_000);
    expect(stateOf(rig)).toBe('filled');
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
  });
});

describe('proof of absence', () => {
  it('concludes only after the fence and on two complete readings far enough apart', async () => {
    const rig = await reconciled();
    rig.venue.createMode = 'never-arrives';
    rig.executor.submit('maker', place);
    await rig.clock.advanceAsync(39_000);
    expect(stateOf(rig)).toBe('unknown');
    await rig.clock.advanceAsync(30_000);
    expect(stateOf(rig)).toBe('unknown');
    await rig.clock.advanceAsync(6_000);
    expect(stateOf(rig)).toBe('never_arrived');
    expect(rig.executor.unresolvedCount()).toBe(0);
    expect(rig.venue.creates()).toHaveLength(1);
  });

  it('concludes nothing from readings that fail or are partial', async () => {
    for (const list of ['activeOrders', 'orderHistory', 'ownTrades'] as const) {
      const rig = await reconciled();
      rig.venue.createMode = 'never-arrives';
      rig.executor.submit('maker', place);
      rig.venue.readable[list] = list === 'ownTrades' ? 'partial' : 'failed';
      await rig.clock.advanceAsync(300_000, 2_000);
      expect(stateOf(rig)).toBe('unknown');
    }
  });

  it('does not lose an order that the lists show late', async () => {
    const rig = await reconciled();
    rig.venue.createMode = 'ack-lost';
    rig.venue.lagMs = 60_000;
    rig.executor.submit('maker', place);
    await rig.clock.advanceAsync(120_000, 1_000);
    expect(stateOf(rig)).toBe('open');
    expect(alarms(rig)).toEqual([]);
  });

  it('does not conclude while an order without a client id could be the one looked for', async () => {
    const rig = await reconciled({ clientOrderIds: false });
    rig.venue.createMode = 'never-arrives';
    rig.executor.submit('maker', place);
    const [request] = rig.venue.creates();
    // Two identical orders of a human in the same window: either could be ours, so neither is touched.
    rig.venue.arrive(request!);
    rig.venue.arrive(request!);
    await rig.clock.advanceAsync(120_000, 1_000);
    expect(stateOf(rig)).toBe('unknown');
    expect(rig.venue.resting()).toHaveLength(2);
    expect(alarms(rig)).toEqual(['ambiguous_match']);
  });
});

describe('others on the account', () => {
  it('never touches external orders, and counts what they lock and could fill', async () => {
    const rig = await reconciled({ limits: {}, risk: { maxPosition: '0.03', maxOrderEquityFraction: 1 } });
    rig.executor.submit('maker', place);
    const [request] = rig.venue.creates();
    rig.venue.arrive({ ...request!, clientOrderId: '', quantity: '0.02', price: '58500' });
    await rig.clock.advanceAsync(11_000);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(denials(rig)).toEqual(['max_position']);
    rig.executor.kill('test');
    await rig.clock.advanceAsync(11_000);
    expect(rig.venue.resting().map(({ quantity }) => quantity)).toEqual(['0.02']);
  });

  it('says when an order bears our mark and the journal does not know it, and takes no risk beside it', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    rig.venue.tellFill('v1', '0.01');
    rig.venue.balancesNow = [trading('USDT', '999410'), trading('BTC', '10.01')];
    const [request] = rig.venue.creates();
    const { orderId } = rig.venue.arrive({ ...request!, clientOrderId: 'tw-other-7' });
    await rig.clock.advanceAsync(11_000);
    expect(alarms(rig)).toEqual(['foreign_prefix']);
    expect(rig.venue.resting()).toHaveLength(1);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(denials(rig)).toEqual(['another_instance']);
    rig.executor.submit('maker', { ...place, side: 'sell', price: '60100', reduceOnly: true });
    expect(rig.venue.creates()).toHaveLength(2);
    // It waits for a minute without one.
    rig.venue.end(orderId, 'canceled');
    await rig.clock.advanceAsync(45_000);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(denials(rig)).toEqual(['another_instance', 'another_instance']);
    await rig.clock.advanceAsync(30_000);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(rig.venue.creates()).toHaveLength(3);
    expect(alarms(rig)).toEqual(['foreign_prefix']);
  });

  it('shuts the gate when money is missing without a reason, and takes a deposit over with a label', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    await rig.clock.advanceAsync(51_000);
    rig.venue.balancesNow = [trading('USDT', '999000'), trading('BTC', '11')];
    await rig.clock.advanceAsync(61_000);
    expect(alarms(rig)).toEqual(['balance_residual']);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(denials(rig)).toEqual(['position_mismatch']);
    const labels = [...rig.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'adjustment' ? [`${entry.name} ${entry.quantity} ${entry.cause}`] : [],
    );
    expect(labels).toEqual(['BTC 10 opening', 'USDT 1000000 opening', 'BTC 1 credit']);
    rig.venue.balancesNow = [trading('USDT', '1000000'), trading('BTC', '11')];
    await rig.clock.advanceAsync(21_000);
    rig.executor.submit('maker', { ...place, price: '58000' });
    expect(denials(rig)).toEqual(['position_mismatch']);
  });

  it('explains balances by own fills exactly', async () => {
    const rig = await reconciled();
    rig.executor.submit('maker', place);
    await rig.clock.advanceAsync(11_000);
    rig.venue.balancesNow = [trading('USDT', '999410'), trading('BTC', '10.00999')];
    rig.venue.tellFill('v1', '0.01', '59000', { fee: '0.00001', feeCurrency: 'BTC' });
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: false });
    await rig.clock.advanceAsync(60_000);
    expect(alarms(rig)).toEqual([]);
  });
});

it('compares without applying on a dry run', async () => {
  const rig = await reconciled();
  rig.executor.submit('maker', place);
  rig.venue.fill('v1', '0.004');
  const report = await rig.reconciler.runNow({ apply: false });
  await settle();
  expect(report.complete).toBe(true);
  expect(report.findings.map(({ kind }) => kind)).toContain('fill');
  expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0');
});

describe('after the first fill of a process in a symbol', () => {
  it.each([
    [false, ['not_reconciled']],
    [true, []],
  ])(
    'new risk waits until the account has moved, unless the venue is a simulation here (%s)',
    async (asksNobody, said) => {
      const rig = makeRig({ specs: [BTC], asksNobody });
      createReconciler(rig.executor, { markets: ['spot'] }).start();
      await rig.clock.advanceAsync(5_000, 1000);
      const order = { kind: 'place', symbol: BTC.symbol, side: 'buy', type: 'limit', quantity: '0.01' } as const;
      rig.executor.submit('maker', { ...order, price: '59990' });
      rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01');
      rig.executor.submit('maker', { ...order, price: '59980' });
      expect(denials(rig)).toEqual(said);
    },
  );
});
