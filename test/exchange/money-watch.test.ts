/** Who reads the balances of all accounts: one reading serves everybody, and polls go on where nobody else reads. */
import { describe, expect, it } from 'vitest';
import { MoneyWatch } from '../../src/exchange/money-watch.ts';
import type { Balance } from '../../src/model/trading/account.ts';
import { silentLogger } from '../../src/model/ports.ts';
import type { Reading } from '../../src/model/result.ts';
import type { MoneyEvent, MoneyQueries, VenueQueries } from '../../src/model/venue.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

const BALANCES_MS = 10_000;
const row: Balance = { account: 'funding', currency: 'USDT', available: '5', locked: '0', total: '5' };

function nothing<T>(): Promise<Reading<T>> {
  return Promise.resolve({ kind: 'failed', asOf: 0, reason: 'nobody asks' });
}

/** A watch beside somebody who reads by himself. */
class Rig {
  readonly clock = new VirtualClock(0);
  readonly told: MoneyEvent[] = [];
  polls = 0;
  readonly #listeners = new Set<(reading: Reading<Balance>) => void>();

  constructor() {
    const query: MoneyQueries & Pick<VenueQueries, 'balances'> = {
      balances: () => {
        this.polls++;
        return Promise.resolve(this.read());
      },
      transactions: nothing,
      codes: nothing,
      advertisements: nothing,
      p2pTrades: nothing,
      p2pMarkets: nothing,
      p2pProfile: nothing,
    };
    const watch = new MoneyWatch({
      query,
      onBalances: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      socket: null,
      options: { balancesMs: BALANCES_MS, p2pMs: null },
      clock: this.clock,
      logger: silentLogger,
      emit: (event) => this.told.push(event),
    });
    watch.start();
  }

  read(asOf = this.clock.now()): Reading<Balance> {
    const reading: Reading<Balance> = { kind: 'complete', asOf, items: [row] };
    for (const listener of this.#listeners) listener(reading);
    return reading;
  }

  async runTo(ms: number): Promise<void> {
    do for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    while (this.clock.step(ms * 1000));
  }
}

describe('balances of all accounts', () => {
  it('are polled where nobody else reads them', async () => {
    const rig = new Rig();
    await rig.runTo(10 * BALANCES_MS + 5000);
    expect(rig.polls).toBe(11);
    expect(rig.told).toHaveLength(11);
  });

  it('are not polled while somebody else reads them, and told from what he read', async () => {
    const rig = new Rig();
    rig.clock.every(BALANCES_MS + 3000, () => rig.read());
    await rig.runTo(100 * BALANCES_MS);
    // At the start, and once more before he begins.
    expect(rig.polls).toBe(2);
    expect(rig.told).toHaveLength(2 + Math.floor((100 * BALANCES_MS) / (BALANCES_MS + 3000)));
    expect(rig.told.at(-1)).toEqual({ kind: 'accounts', balances: [row], whole: true });
  });

  it('are polled again when he stops', async () => {
    const rig = new Rig();
    const stop = rig.clock.every(BALANCES_MS + 3000, () => rig.read());
    await rig.runTo(10 * BALANCES_MS);
    stop();
    await rig.runTo(20 * BALANCES_MS);
    expect(rig.polls).toBeGreaterThanOrEqual(9);
  });

  it('are not told again from a reading that began before the last one', () => {
    const rig = new Rig();
    rig.read(500);
    const before = rig.told.length;
    rig.read(499);
    expect(rig.told).toHaveLength(before);
  });
});
