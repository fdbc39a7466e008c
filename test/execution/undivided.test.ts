/** A liquidation of what several strategies held: the account is right at once, and a human says whose it was. */
import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { bought, byHand, decided, held, liquidates, trades } from './perpetual-rig.ts';
import { alarms, denials, makeRig, PERP, type Rig } from './rig.ts';

const { symbol } = PERP;
const ID = `liquidation/${symbol}/l1`;

/** The maker holds 0.1, the taker 0.05; the exchange closes all of it. */
async function liquidated(): Promise<Rig> {
  const { rig } = await bought();
  trades(rig, 'taker', 'buy', '0.05');
  rig.venue.positionsNow = [held('0.15')];
  await rig.clock.advanceAsync(61_000, 1000);
  liquidates(rig, 'sell', '0.15');
  rig.venue.positionsNow = [];
  await rig.clock.advanceAsync(61_000, 1000);
  return rig;
}

const heldBy = ({ executor }: Rig): string[] =>
  ['maker', 'taker'].map((tag) => executor.account(tag).position(symbol).quantity);

const explained = ({ journal }: Rig): string => replayRows(journal.read()).state.explainedPosition(symbol).toFixed();

function restarted({ journal, clock, venue }: Rig): Rig {
  const rig = makeRig({ specs: [PERP], journal, clock, venue, bootId: 'b2' });
  createReconciler(rig.executor).start();
  return rig;
}

function thrownBy(call: () => void): unknown {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe('a liquidation of what several held', () => {
  it('is booked to the account at once, alarms, and shuts the symbol over a restart', async () => {
    const rig = await liquidated();
    expect(heldBy(rig)).toEqual(['0.1', '0.05']);
    expect(explained(rig)).toBe('0');
    expect(alarms(rig)).toEqual(['liquidated', 'undivided']);
    expect(rig.executor.state.undivided.all).toMatchObject([
      {
        id: ID,
        orderId: 'liq',
        holders: [
          { strategy: 'maker', quantity: '0.1' },
          { strategy: 'taker', quantity: '0.05' },
        ],
      },
    ]);
    const again = restarted(rig);
    await again.clock.advanceAsync(61_000, 1000);
    again.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
    expect(denials(again)).toEqual(['liquidated']);
    expect(alarms(again)).toEqual([]);
    expect(again.executor.state.undivided.all).toHaveLength(1);
  });

  it.each([
    ['pro-rata', ['0', '0'], ['maker 0.1', 'taker 0.05']],
    ['all:maker', ['-0.05', '0.05'], ['maker 0.15']],
    ['all:taker', ['0.1', '-0.1'], ['taker 0.15']],
    ['none', ['0.1', '0.05'], []],
  ])(
    'is divided as a human says (%s), with no change for the account, and opens at the next start',
    async (choice, left, shares) => {
      const rig = await liquidated();
      rig.executor.human.division(ID, choice, 'looked at the page')();
      expect(heldBy(rig)).toEqual(left);
      expect(explained(rig)).toBe('0');
      expect(rig.executor.state.undivided.all).toEqual([]);
      const booked = [...rig.journal.read()].flatMap(({ entry }) =>
        entry.kind === 'liquidation' ? [`${entry.strategy} ${entry.fill.quantity}`] : [],
      );
      expect(booked).toEqual(shares);
      const words = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'divided' ? [entry] : []));
      expect(words).toMatchObject([{ id: ID, orderId: 'liq', choice, reason: 'looked at the page' }]);
      expect(stateHash(replayRows(rig.journal.read()).state)).toBe(stateHash(rig.executor.state));
      const again = restarted(rig);
      await again.clock.advanceAsync(61_000, 1000);
      again.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.01' });
      expect([denials(again), alarms(again), heldBy(again)]).toEqual([[], [], left]);
    },
  );

  it('is not divided twice, by an id that nobody has shown, or by what is no choice', async () => {
    const rig = await liquidated();
    const rows = rig.journal.lastSeq;
    const codeOf = (id: string, choice: string): unknown =>
      thrownBy(() => rig.executor.human.division(id, choice, '')());
    expect(codeOf('liquidation/x/1', 'none')).toMatchObject({ code: 'decision_not_open' });
    expect(codeOf(ID, 'half')).toMatchObject({
      code: 'decision_choice',
      message: expect.stringContaining('pro-rata, all:maker, all:taker, none'),
    });
    expect(rig.journal.lastSeq).toBe(rows);
    rig.executor.human.division(ID, 'none', '')();
    expect(codeOf(ID, 'pro-rata')).toMatchObject({
      code: 'decision_not_open',
      message: expect.stringContaining('was decided: none'),
    });
    expect(heldBy(rig)).toEqual(['0.1', '0.05']);
  });

  it('has another id once a further trade of it is known', async () => {
    const rig = await liquidated();
    const [trade] = rig.venue.trades.slice(-1);
    rig.venue.trades.push({ ...trade!, tradeId: 'l2', quantity: '0.01', ts: rig.clock.now() });
    rig.venue.positionsNow = [held('-0.01')];
    await rig.clock.advanceAsync(61_000, 1000);
    expect(rig.executor.state.undivided.all).toMatchObject([{ id: `liquidation/${symbol}/l2`, fills: [{}, {}] }]);
    expect(thrownBy(() => rig.executor.human.division(ID, 'none', '')())).toMatchObject({ code: 'decision_not_open' });
    expect(explained(rig)).toBe('-0.01');
    expect(alarms(rig)).toEqual(['liquidated', 'undivided']);
  });

  it('leaves a halt of the symbol that stands for another reason', async () => {
    const rig = await liquidated();
    rig.journal.append(rig.clock.now(), [{ kind: 'halt', symbol, on: true, reason: 'more was filled than ordered' }]);
    const again = restarted(rig);
    again.executor.human.division(ID, 'pro-rata', '')();
    await again.clock.advanceAsync(61_000, 1000);
    again.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.01' });
    expect(denials(again)).toEqual(['overfilled']);
  });

  it('counts no word that cannot be kept', async () => {
    const rig = await liquidated();
    const { journal } = rig;
    const append = journal.append.bind(journal);
    Object.assign(journal, {
      append: () => {
        throw new Error('EIO');
      },
    });
    expect(thrownBy(() => rig.executor.human.division(ID, 'pro-rata', '')())).toMatchObject({ code: 'journal_failed' });
    Object.assign(journal, { append });
    expect(replayRows(journal.read()).state.undivided.all).toHaveLength(1);
  });

  it('is to be decided where others hold of it, by what each held', async () => {
    const { rig } = await bought();
    byHand(rig, 'h1', 'buy', '0.05');
    rig.venue.positionsNow = [held('0.15')];
    await rig.clock.advanceAsync(120_000, 1000);
    liquidates(rig, 'sell', '0.09');
    rig.venue.positionsNow = [held('0.06')];
    await rig.clock.advanceAsync(61_000, 1000);
    expect([explained(rig), heldBy(rig)[0], alarms(rig)]).toEqual(['0.06', '0.1', ['liquidated', 'undivided']]);
    expect(decided(rig, 'pro-rata')).toEqual(['maker 0.1', 'others 0.05']);
    expect([explained(rig), heldBy(rig)[0]]).toEqual(['0.06', '0.04']);
  });

  it('is to be decided where it is more than is known to be held', async () => {
    const { rig } = await bought();
    liquidates(rig, 'sell', '0.12');
    rig.venue.positionsNow = [held('-0.02')];
    await rig.clock.advanceAsync(30_000, 1000);
    expect(rig.executor.state.undivided.all).toHaveLength(1);
    rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
    expect(denials(rig)).toEqual(['liquidated']);
    await rig.clock.advanceAsync(61_000, 1000);
    expect(explained(rig)).toBe('-0.02');
    expect(decided(rig, 'all:maker')).toEqual(['maker 0.1']);
    expect([explained(rig), heldBy(rig)[0]]).toEqual(['-0.02', '-0.02']);
  });

  it('is each one part in a simulation, where nobody is asked', () => {
    const rig = makeRig({ specs: [PERP], asksNobody: true });
    trades(rig, 'maker', 'buy', '0.1');
    trades(rig, 'taker', 'buy', '0.05');
    liquidates(rig, 'sell', '0.06');
    for (const order of rig.venue.orders.values())
      if (order.orderId === 'liq') rig.venue.emit({ kind: 'order', order });
    for (const fill of rig.venue.trades) if (fill.orderId === 'liq') rig.venue.emit({ kind: 'fill', fill });
    expect(heldBy(rig)).toEqual(['0.06', '0.03']);
    expect(alarms(rig)).toEqual(['liquidated']);
  });
});
