/** What the watchdog pulls the latch for, and what it only says. */
import { describe, expect, it } from 'vitest';
import { riskSchema } from '../../../src/risk/options.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import { judge, WatchRulesMemory, type Sight } from '../../../src/operations/watchdog/rules.ts';

const rules = watchRules(
  riskSchema.parse({
    maxPositionValue: '5000',
    maxOpenNotional: '2000',
    maxGrossValue: '8000',
    maxNetValue: '6000',
    dailyLossFraction: 0.1,
    symbols: { BTCUSDT: { maxPosition: '0.05' }, ETHUSDT: { maxOpenNotional: '500' } },
  }),
  10_000,
  60_000,
);

const calm: Sight = {
  heartbeatAgeMs: 500,
  journalOpen: 1,
  killed: false,
  orders: { count: 1, notionals: new Map([['BTCUSDT', 600]]) },
  positions: [{ symbol: 'BTCUSDT', quantity: 0.03, value: 1800 }],
  differences: [],
  equity: 10_000,
  dayEquity: 10_000,
  problems: [],
};

function pulled(sight: Partial<Sight>): string | null {
  return judge({ ...calm, ...sight }, rules, new WatchRulesMemory(), 0).pull;
}

describe('the watchdog', () => {
  it('leaves a calm session alone', () => {
    expect(judge(calm, rules, new WatchRulesMemory(), 0)).toEqual({ alarms: [], pull: null });
  });

  it.each<[string, Partial<Sight>, RegExp]>([
    ['a bot that does not move while orders rest', { heartbeatAgeMs: 10_000 }, /has not moved for 10 s/],
    ['the same when orders cannot be read', { heartbeatAgeMs: 30_000, orders: null }, /has not moved/],
    ['the same when nothing can be read', { heartbeatAgeMs: 30_000, orders: null, journalOpen: null }, /has not moved/],
    [
      'a position beyond its quantity',
      { positions: [{ symbol: 'BTCUSDT', quantity: -0.051, value: 3000 }] },
      /BTCUSDT is -0.051/,
    ],
    ['a position beyond its value', { positions: [{ symbol: 'SOLUSDT', quantity: 40, value: 5001 }] }, /worth 5001.00/],
    [
      'a position that cannot be valued',
      { positions: [{ symbol: 'X', quantity: 1, value: Number.NaN }] },
      /X is worth NaN/,
    ],
    [
      'orders beyond their value',
      { orders: { count: 2, notionals: new Map([['BTCUSDT', 2001]]) } },
      /2001.00, above 2000/,
    ],
    ['orders of one symbol', { orders: { count: 1, notionals: new Map([['ETHUSDT', 501]]) } }, /ETHUSDT are worth 501/],
    ['too many orders', { orders: { count: 201, notionals: new Map() } }, /201 orders rest/],
    [
      'gross value',
      { positions: ['A', 'B'].map((symbol, at) => ({ symbol, quantity: 1, value: at === 0 ? 4100 : -4100 })) },
      /8200.00 gross/,
    ],
    ['net value', { positions: ['A', 'B'].map((symbol) => ({ symbol, quantity: -1, value: -3500 })) }, /-7000.00 net/],
    ['the loss of the day', { equity: 9_000 }, /1000.00 are lost today/],
  ])('pulls for %s', (_what, sight, reason) => {
    expect(pulled(sight)).toMatch(reason);
  });

  it('only says that a bot without resting orders does not move', () => {
    const sight = { ...calm, heartbeatAgeMs: 60_000, orders: { count: 0, notionals: new Map() } };
    expect(judge(sight, rules, new WatchRulesMemory(), 0)).toEqual({
      alarms: ['the bot does not move; no order rests'],
      pull: null,
    });
    expect(pulled({ heartbeatAgeMs: 60_000, orders: null, journalOpen: 0 })).toBeNull();
  });

  it('takes nothing that it cannot read for a reason, and says it', () => {
    const blind = { orders: null, positions: null, differences: null, equity: null, problems: ['unreachable'] };
    expect(judge({ ...calm, ...blind }, rules, new WatchRulesMemory(), 0)).toEqual({
      alarms: ['unreachable'],
      pull: null,
    });
  });

  it('pulls for a difference that has lasted, not for one that comes and goes, and not across looks that saw nothing', () => {
    const memory = new WatchRulesMemory();
    const at = (now: number, differences: readonly string[] | null): string | null =>
      judge({ ...calm, differences }, rules, memory, now).pull;
    expect(at(0, ['0.01 BTC are not explained'])).toBeNull();
    expect(at(30_000, [])).toBeNull();
    expect(at(40_000, ['0.01 BTC are not explained'])).toBeNull();
    expect(at(70_000, null)).toBeNull();
    expect(at(99_999, ['0.01 BTC are not explained'])).toBeNull();
    expect(at(100_000, ['0.01 BTC are not explained'])).toContain('disagree: 0.01 BTC');
  });

  it('does not pull again for a session that is killed, unless something still rests', () => {
    const lost = { equity: 1, killed: true };
    expect(pulled({ ...lost, orders: { count: 0, notionals: new Map() } })).toBeNull();
    expect(pulled(lost)).not.toBeNull();
  });
});
