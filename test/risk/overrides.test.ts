/** Limits are frozen at the start; an override is for a time, journalled, and only through the executor's own door. */
import { describe, expect, it } from 'vitest';
import { limitsSchema, riskSchema } from '../../src/risk/options.ts';
import { LimitBook, limitText, overridable, parseLimitPath } from '../../src/risk/limit-book.ts';
import type { LimitOverrideEntry } from '../../src/model/entries/human-entries.ts';
import { alarms, BTC, denials, makeRig, START, TestVenue, trading, type Rig } from '../execution/rig.ts';

const MINUTE = 60_000;

function buy(rig: Rig, quantity: string, tag = 'maker'): void {
  const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity } as const;
  rig.executor.submit(tag, order);
}

function override(rig: Rig, limit: string, value: string | null, forMs = 10 * MINUTE): void {
  rig.executor.human.overrideLimit({ id: 'o1', limit, value, until: rig.clock.now() + forMs, reason: 'a test' });
}

describe('limits', () => {
  it('are a copy: changing the options of a running executor changes nothing', () => {
    const risk = { maxOrderQuantity: '0.01' };
    const options = riskSchema.parse(risk);
    const strategies = new Map([['maker', limitsSchema.parse({ allowedSymbols: ['BTCUSDT'] })]]);
    const book = new LimitBook({ risk: options, strategies }, new Map());
    options.maxOrderQuantity = '100';
    strategies.get('maker')?.allowedSymbols?.push('ETHUSDT');
    const limits = book.at(START);
    expect(limitText(limits, 'risk.maxOrderQuantity')).toBe('0.01');
    expect(limits.strategies.get('maker')?.allowedSymbols).toEqual(['BTCUSDT']);
    expect(() => Object.assign(limits.risk, { maxOrderQuantity: '1' })).toThrow(TypeError);
  });

  it('of messages have a bound: each message of a window is remembered', () => {
    for (const name of ['messagesPerSecond', 'messagesPerMinute']) {
      for (const schema of [riskSchema, limitsSchema]) {
        expect(schema.safeParse({ [name]: 1_000_000 }).success).toBe(true);
        expect(schema.safeParse({ [name]: 1_000_000_000 }).success).toBe(false);
      }
    }
  });

  it.each(['account', 'symbol', 'strategy'] as const)('of the %s can be named, each of them', (scope) => {
    const prefix = { account: 'risk', symbol: 'risk.symbols.BTCUSDT', strategy: 'strategies.maker' }[scope];
    for (const name of overridable[scope]) expect(parseLimitPath(`${prefix}.${name}`)).toMatchObject({ scope, name });
  });

  it.each([
    'maxOrderValue',
    'risk.messagesPerSecond',
    'risk.allowedSymbols',
    'strategies.maker.transfers',
    'risk.symbols.A',
    'x.y.z',
  ])('called %s cannot be overridden', (name) => {
    expect(() => parseLimitPath(name)).toThrow(/is not a limit that can be overridden/);
  });
});

describe('an override', () => {
  it('holds until its end, then the configured limit stands again', () => {
    const rig = makeRig({ risk: { maxOrderQuantity: '0.01' } });
    buy(rig, '0.02');
    expect(denials(rig)).toEqual(['max_order_size']);
    override(rig, 'risk.maxOrderQuantity', '0.03');
    buy(rig, '0.02');
    expect(rig.venue.creates()).toHaveLength(1);
    buy(rig, '0.04');
    rig.clock.advance(10 * MINUTE - 1);
    buy(rig, '0.02');
    expect(rig.venue.creates()).toHaveLength(2);
    rig.clock.advance(1);
    buy(rig, '0.02');
    expect(rig.venue.creates()).toHaveLength(2);
    expect(denials(rig)).toEqual(['max_order_size', 'max_order_size', 'max_order_size']);
  });

  it('of a symbol or a strategy leaves the others as they are', () => {
    const specs = [BTC, { ...BTC, symbol: 'ETHUSDT', base: 'ETH' }];
    const rig = makeRig({ specs, risk: { maxOrderQuantity: '0.01' }, limits: { maxOrderValue: '500' } });
    override(rig, 'strategies.maker.maxOrderValue', '600');
    buy(rig, '0.01');
    expect(rig.venue.creates()).toHaveLength(1);
    override(rig, 'risk.symbols.ETHUSDT.maxOrderQuantity', '5');
    buy(rig, '0.02', 'taker');
    expect(denials(rig)).toEqual(['max_order_size']);
  });

  it.each(['dailyLossFraction', 'drawdownFraction'])('of %s to 0, which sets none, allows more', (name) => {
    const limit = `risk.${name}`;
    const rig = makeRig({ risk: { dailyLossFraction: 0.1, drawdownFraction: 0.1 } });
    const change = (value: string | null) =>
      rig.executor.human.checkOverride({ id: 'o', limit, value, until: rig.clock.now() + MINUTE, reason: 'a test' });
    for (const value of ['0', '0.0', '0.2']) expect(change(value), value).toMatchObject({ allowsMore: true });
    expect(change('0')).toMatchObject({ from: '0.1', to: null });
    expect(change('0.05')).toMatchObject({ allowsMore: false });
    override(rig, limit, '0');
    expect(change('0.05')).toMatchObject({ from: null, allowsMore: false });
    expect(change(null)).toMatchObject({ from: null, to: '0.1', allowsMore: false });
  });

  it('can be taken back, and is journalled with what stood before and why', () => {
    const rig = makeRig({ risk: { maxOrderQuantity: '0.01' } });
    override(rig, 'risk.maxOrderQuantity', '0.05');
    override(rig, 'risk.maxOrderQuantity', null);
    buy(rig, '0.02');
    expect(denials(rig)).toEqual(['max_order_size']);
    const rows = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'limit-override' ? [entry] : []));
    expect(rows).toMatchObject([
      { limit: 'risk.maxOrderQuantity', from: '0.01', value: '0.05', until: START + 10 * MINUTE, reason: 'a test' },
      { from: '0.05', value: null },
    ]);
    expect(alarms(rig)).toEqual(['limit_override', 'limit_override']);
  });

  it('of a fall that was not limited before holds from then on', () => {
    const rig = makeRig({ risk: { dailyLossFraction: 0 } });
    override(rig, 'risk.drawdownFraction', '0.01');
    buy(rig, '0.01');
    expect(denials(rig)).toEqual([]);
    rig.venue.balancesNow = [trading('USDT', '900000'), trading('BTC', '10')];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    buy(rig, '0.02');
    expect(denials(rig)).toEqual(['drawdown']);
  });

  it('outlives a restart with the end that it had', () => {
    const rig = makeRig({ risk: { maxOrderQuantity: '0.01' } });
    override(rig, 'risk.maxOrderQuantity', '0.05');
    rig.clock.advance(9 * MINUTE);
    const venue = new TestVenue(rig.clock);
    const again = makeRig({
      journal: rig.journal,
      clock: rig.clock,
      venue,
      bootId: 'b2',
      risk: { maxOrderQuantity: '0.01' },
    });
    buy(again, '0.02');
    expect(again.venue.creates()).toHaveLength(1);
    rig.clock.advance(MINUTE);
    buy(again, '0.02');
    expect(denials(again)).toEqual(['max_order_size']);
  });

  it('for more than an hour, of a wrong value or of an unknown strategy is refused', () => {
    const rig = makeRig();
    expect(() => override(rig, 'risk.maxOrderQuantity', '1', 61 * MINUTE)).toThrow(/one hour/);
    expect(() => override(rig, 'risk.maxOrderQuantity', 'much')).toThrow(/expected a decimal/);
    expect(() => override(rig, 'risk.dailyLossFraction', '2')).toThrow(/risk.dailyLossFraction/);
    // What a shell makes of a variable that is not set must not be a limit of 0, which is none at all here.
    for (const value of ['', ' ', '0x1', '1e-1'])
      expect(() => override(rig, 'risk.dailyLossFraction', value)).toThrow(/risk.dailyLossFraction/);
    expect(() => override(rig, 'strategies.nobody.budget', '5')).toThrow(/no strategy has the tag/);
    expect(() => override(rig, 'risk.symbols.BTCUSD.maxPosition', '1')).toThrow(/no instrument is called BTCUSD/);
    expect([...rig.journal.read()].some(({ entry }) => entry.kind === 'limit-override')).toBe(false);
  });

  it('that no longer fits the configuration widens nothing', () => {
    const stray: LimitOverrideEntry = {
      kind: 'limit-override',
      id: 'x',
      limit: 'strategies.gone.budget',
      from: null,
      value: '1',
      until: 2_000,
      reason: '',
    };
    const base = { risk: riskSchema.parse({}), strategies: new Map() };
    const book = new LimitBook(base, new Map([[stray.limit, stray]]));
    expect(book.at(1_000)).toEqual({ ...base, configured: base, losses: [] });
  });
});
