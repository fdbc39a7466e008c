/** A version on trial has a share of every limit, until a human widens it; the journal remembers both. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsSchema, riskSchema } from '../../src/risk/options.ts';
import { canaryLimits } from '../../src/risk/limit-book.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { alarms, denials, makeRig, type Rig, type RigOptions } from '../execution/rig.ts';

const risk = {
  maxOrderQuantity: '0.1',
  maxOrderEquityFraction: 1,
  symbols: { BTCUSDT: { maxPosition: '0.3' } },
  canary: { share: 0.1, minFills: 1, minMs: 60_000 },
};
const onTrial: RigOptions = { risk, explains: true, onTrial: true };

function buy(rig: Rig, quantity: string, tag = 'maker'): void {
  const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity } as const;
  rig.executor.submit(tag, order);
}

/** The oldest order that has no fill yet fills whole. */
function fillOne(rig: Rig): void {
  const [order] = rig.executor.account('maker').openOrders();
  if (order?.orderId === undefined) throw new RangeError('nothing stands');
  rig.venue.tellFill(order.orderId, order.quantity);
}

describe('a version on trial', () => {
  it('is held to the share of the limits of account and symbol, others are not', () => {
    const rig = makeRig(onTrial);
    buy(rig, '0.011');
    buy(rig, '0.01');
    buy(rig, '0.01');
    buy(rig, '0.01');
    expect(rig.venue.creates()).toHaveLength(3);
    buy(rig, '0.001');
    expect(denials(rig)).toEqual(['max_order_size', 'max_position']);
    buy(rig, '0.1', 'taker');
    expect(rig.venue.creates()).toHaveLength(4);
  });

  it('has what is set for the trial besides, and a share of the equity', () => {
    const rig = makeRig({
      ...onTrial,
      risk: { ...risk, canary: { ...risk.canary, limits: { maxOrderValue: '120', allowedSymbols: ['BTCUSDT'] } } },
    });
    buy(rig, '0.0021');
    buy(rig, '0.0019');
    expect(denials(rig)).toEqual(['max_order_value']);
    const perpetual = { kind: 'place', symbol: 'BTCUSDTPERP', side: 'buy', type: 'limit', price: '60000' } as const;
    rig.executor.submit('maker', { ...perpetual, quantity: '0.001' });
    expect(denials(rig)).toEqual(['max_order_value', 'symbol_not_allowed']);
  });

  it('is not made wider by an override than the share of it', () => {
    const rig = makeRig(onTrial);
    const override = { id: 'o', limit: 'risk.maxOrderQuantity', until: rig.clock.now() + 600_000, reason: 'test' };
    rig.executor.human.overrideLimit({ ...override, value: '0.2' });
    buy(rig, '0.021');
    buy(rig, '0.02');
    expect(denials(rig)).toEqual(['max_order_size']);
    expect(rig.venue.creates()).toHaveLength(1);
    rig.executor.human.overrideLimit({ ...override, limit: 'strategies.maker.maxOrderQuantity', value: '0.05' });
    buy(rig, '0.006');
    expect(denials(rig)).toEqual(['max_order_size', 'max_order_size']);
  });

  it('has all of its limits once a human has widened it, after time and fills, and over a restart', () => {
    const rig = makeRig(onTrial);
    expect(() => rig.executor.human.widen('maker', 'early')).toThrow(/0 fills of 1 and 0\.0 minutes of 1\.0/);
    rig.clock.advance(60_000);
    expect(() => rig.executor.human.widen('maker', 'early')).toThrow(/0 fills of 1/);
    buy(rig, '0.01');
    fillOne(rig);
    expect(rig.executor.human.widen('maker', 'a good minute')).toBe('v1');
    expect(alarms(rig)).toEqual(['limits_widened']);
    buy(rig, '0.1');
    expect(rig.venue.creates()).toHaveLength(2);
    expect(() => rig.executor.human.widen('maker', 'again')).toThrow(/not on trial/);
    const { state } = replayRows(rig.journal.read());
    expect(stateHash(state)).toBe(stateHash(rig.executor.state));
    const again = makeRig({ ...onTrial, journal: rig.journal, clock: rig.clock, bootId: 'b2' });
    buy(again, '0.1');
    expect(denials(again)).toEqual([]);
  });

  it('begins anew with another version; the one that was widened stays so', () => {
    const rig = makeRig({ ...onTrial, risk: { ...risk, canary: { share: 0.1, minFills: 0, minMs: 0 } } });
    rig.executor.human.widen('maker', 'trusted');
    const next = makeRig({ ...onTrial, journal: rig.journal, clock: rig.clock, bootId: 'b2', version: 'v2' });
    buy(next, '0.02');
    expect(denials(next)).toEqual(['max_order_size']);
    expect(replayRows(rig.journal.read()).state.trials.open()).toMatchObject([
      { strategy: 'maker', version: 'v2', fills: 0 },
    ]);
    const back = makeRig({ ...onTrial, journal: rig.journal, clock: rig.clock, bootId: 'b3', version: 'v1' });
    buy(back, '0.02');
    expect(denials(back)).toEqual([]);
  });

  it('is none where no canary is configured or the version is approved', () => {
    for (const options of [
      { ...onTrial, onTrial: false },
      { ...onTrial, risk: { maxOrderQuantity: '0.1' } },
    ]) {
      const rig = makeRig(options);
      buy(rig, '0.05');
      expect(denials(rig)).toEqual([]);
      expect(() => rig.executor.human.widen('maker', 'no need')).toThrow(/not on trial/);
    }
  });
});

const amount = fc.option(
  fc.integer({ min: 1, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2)),
  { nil: undefined },
);

it('the limits of a trial are never above the share of any that is set, nor above its own (law)', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 1, max: 100 }), (account, strategy, own, percent) => {
      const set = (value: string | undefined): object => (value === undefined ? {} : { maxOrderValue: value });
      const parsed = riskSchema.parse({ ...set(account), canary: { share: percent / 100, limits: set(own) } });
      const { canary } = parsed;
      if (canary === undefined) throw new RangeError('it is given');
      const { maxOrderValue } = canaryLimits(limitsSchema.parse(set(strategy)), parsed, canary);
      const bounds = [account, strategy]
        .flatMap((text) => (text === undefined ? [] : [dec(text).times(canary.share)]))
        .concat(own === undefined ? [] : [dec(own)]);
      if (maxOrderValue === undefined) expect(bounds).toEqual([]);
      else for (const bound of bounds) expect(dec(maxOrderValue).lte(bound)).toBe(true);
    }),
  );
});
