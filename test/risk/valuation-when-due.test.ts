/**
 * A backtest values the account only when something depends on it: the loss of the day and the fall from the peak are
 * those of an account that is valued each minute.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import { AccountEquity } from '../../src/risk/losses/account-equity.ts';
import { Valuation } from '../../src/risk/losses/valuation.ts';
import { lookAtLosses } from '../../src/session/feed/loss-looks.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { Balances } from '../../src/spine/balances.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import { BTC, FixedMarket, START, trading } from '../execution/rig.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Account {
  readonly equity: AccountEquity;
  readonly days: string[];
  looks: number;
}

function accountOf(market: FixedMarket, balances: Balances, hasPeak: boolean): Account {
  const instruments = new Instruments([BTC]);
  const state = new TradingState();
  const days: string[] = [];
  const valuation = new Valuation('USDT', instruments, market);
  const onDay = (day: string, equity: number): void => void days.push(`${day} ${equity}`);
  const mark = (name: string, value: string): void => void state.marks.set(name, value);
  const deps = { state, balances, instruments, valuation, onDay, mark, hasPeak: () => hasPeak };
  return { equity: new AccountEquity(deps), days, looks: 0 };
}

/** What happens in one stretch: quiet minutes, then a price, and an order that is judged, or none. */
const stretch = fc.record({
  minutes: fc.integer({ min: 1, max: 900 }),
  bid: fc.integer({ min: 40_000, max: 80_000 }),
  isJudged: fc.boolean(),
  btc: fc.integer({ min: 0, max: 3 }),
});

describe('an account that is valued when due', () => {
  it('has the days, the losses and the peak of one that is valued each minute (law)', () => {
    const stretches = fc.array(stretch, { minLength: 1, maxLength: 12 });
    const pricedFrom = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(stretches, pricedFrom, fc.boolean(), (all, priced, hasPeak) => {
        const market = new FixedMarket();
        const balances = new Balances();
        const clock = new VirtualClock(START * 1_000);
        const [each, due] = [accountOf(market, balances, hasPeak), accountOf(market, balances, hasPeak)];
        const valued = (account: Account) => (): void => {
          account.looks++;
          account.equity.at(clock.now());
        };
        clock.every(MINUTE_MS, valued(each));
        const valuationDueAt = (): number => due.equity.dueAt(clock.now());
        lookAtLosses({ valueAccount: valued(due), valuationDueAt }, { isWatched: true }, clock);
        for (const [index, { minutes, bid, isJudged, btc }] of all.entries()) {
          market.open = index >= priced;
          market.move(bid);
          balances.apply([trading('USDT', '1000'), trading('BTC', String(btc))], true);
          // A valuation of the last second is taken again.
          clock.advanceTo((clock.now() + 2_000) * 1_000);
          if (isJudged) {
            const [one, other] = [each.equity.at(clock.now()), due.equity.at(clock.now())];
            expect(other).toBe(one);
          }
          clock.advanceTo((Math.floor(clock.now() / MINUTE_MS) + minutes) * MINUTE_MS * 1_000);
          if (!isJudged) continue;
          expect([due.equity.dayStart, due.equity.dayBase]).toEqual([each.equity.dayStart, each.equity.dayBase]);
          if (hasPeak) expect(due.equity.peak).toBe(each.equity.peak);
        }
        expect(due.days).toEqual(each.days);
        expect(due.looks).toBeLessThanOrEqual(each.looks);
      }),
      { numRuns: 200 },
    );
  });

  it('is looked at once a day while nothing depends on more', () => {
    const balances = new Balances();
    balances.apply([trading('USDT', '1000')], true);
    const account = accountOf(new FixedMarket(), balances, false);
    const midnight = (Math.floor(START / DAY_MS) + 1) * DAY_MS;
    const clock = new VirtualClock(START * 1_000);
    const seen: number[] = [];
    const valueAccount = (): void => {
      seen.push(clock.now());
      account.equity.at(clock.now());
    };
    const stop = lookAtLosses(
      { valueAccount, valuationDueAt: () => account.equity.dueAt(clock.now()) },
      { isWatched: true },
      clock,
    );
    clock.advanceTo((midnight + 2 * DAY_MS + MINUTE_MS) * 1_000);
    const onGrid = (us: number): number => START + Math.ceil((us - START) / MINUTE_MS) * MINUTE_MS;
    expect(seen).toEqual([START + MINUTE_MS, ...[0, 1, 2].map((days) => onGrid(midnight + days * DAY_MS))]);
    stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('is not looked at while nobody reads the market', () => {
    const clock = new VirtualClock(START * 1_000);
    const market = { isWatched: false };
    let looks = 0;
    lookAtLosses({ valueAccount: () => looks++, valuationDueAt: () => 0 }, market, clock);
    clock.advanceTo((START + 10 * MINUTE_MS) * 1_000);
    expect(looks).toBe(0);
    market.isWatched = true;
    clock.advanceTo((START + 12 * MINUTE_MS) * 1_000);
    expect(looks).toBe(2);
  });
});
