/**
 * Transfers and P2P of strategies on the simulated treasury: nothing without leave of the configuration, exact and
 * double-entry, the same state after a replay and after a restart.
 */
import { describe, expect, it } from 'vitest';
import { Executor } from '../../src/execution/executor.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { executionSchema } from '../../src/execution/options.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { paperVenue } from '../../src/session/paper.ts';
import type { VenueContext, VenueParts } from '../../src/session/venue-parts.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { advertise, p2pTrade, transfer } from '../../src/strategy/actions.ts';
import { instruments, snapshot } from '../simulation/market.ts';
import { HandClock } from '../execution/rig.ts';

const config = configSchema.parse({
  account: { start: { AAA: '1000', BBB: '1000' }, accounts: { p2p: { USDT: '600' } }, reporting: 'BBB' },
  simulation: { latency: { entryMs: 5, responseMs: 5 } },
});

const allowed = {
  p2p: true,
  transfers: {
    routes: [
      ['unified-trading', 'funding'],
      ['funding', 'unified-trading'],
    ],
    max: { BBB: '100' },
    maxPerDay: { BBB: '150' },
  },
};

const out = (amount: string, ref?: string): Action =>
  transfer({
    from: 'unified-trading',
    to: 'funding',
    currency: 'BBB',
    amount,
    ...(ref === undefined ? {} : { ref }),
  });

const offer = (price: string, more: object = {}): Action =>
  advertise({
    ref: 'maker',
    marketId: 'USDTRUB',
    side: 'sell',
    price,
    amount: '500',
    minLimit: '500',
    maxLimit: '5000',
    paymentMethodIds: ['1'],
    ...more,
  });

class Paper {
  readonly real: HandClock;
  readonly clock: PacedClock;
  readonly parts: VenueParts;
  readonly executor: Executor;
  readonly journal: JournalStore;
  readonly events: ExecutorEvent[] = [];

  constructor({
    journal = createMemoryJournal(),
    real = new HandClock(),
    limits = allowed,
  }: { journal?: JournalStore; real?: HandClock; limits?: object } = {}) {
    this.real = real;
    this.journal = journal;
    this.clock = new PacedClock(new VirtualClock(real.nowUs()), real);
    const context = {
      connection: { instruments },
      journal,
      clock: this.clock,
      startedAt: this.clock.now(),
      recorder: new RunRecorder(instruments, 'BBB'),
      symbols: ['AAABBB'],
      logger: silentLogger,
    };
    // Of the connection paper uses the instruments alone.
    this.parts = paperVenue(context as unknown as VenueContext, config, seededRandom(1));
    this.executor = new Executor({
      venue: this.parts.venue,
      journal,
      clock: this.clock,
      instruments,
      market: {
        best: () => ({ bidTicks: 99, bidLots: 20, askTicks: 101, askLots: 20 }),
        sweep: () => undefined,
        mid: () => 100,
      },
      gates: [],
      options: executionSchema.parse({ risk: { dailyLossFraction: 0.001 } }),
      strategies: [{ tag: 'maker', name: 'maker', limits: limitsSchema.parse(limits) }],
      logger: silentLogger,
      bootId: `b${journal.lastSeq}`,
      reporting: 'BBB',
      asksNobody: true,
    });
    this.executor.listen((event) => this.events.push(event));
    this.deliver(() => {
      this.executor.restore();
      this.parts.venue.start();
    });
    const us = real.nowUs();
    const book = snapshot(
      { 99: 20 },
      { 101: 20 },
      { exchangeUs: us, receiveUs: us, firstId: 1, lastId: 1, previousId: 0 },
    );
    for (const sink of this.parts.sinks) this.deliver(() => sink(book));
    this.pass(50);
  }

  deliver(run: () => void): void {
    this.clock.deliver(this.real.nowUs(), run);
  }

  pass(ms: number): void {
    this.real.advance(ms);
    this.deliver(() => {});
  }

  act(...actions: readonly Action[]): void {
    this.deliver(() => this.executor.submit('maker', actions));
    this.pass(200);
  }

  total(account: string, currency: string): string {
    const rows = this.executor.treasury('maker').accounts();
    return rows.find((row) => row.account === account && row.currency === currency)?.total ?? '0';
  }

  get denials(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
  }

  kinds(kind: 'money-intent' | 'money-outcome'): readonly string[] {
    return [...this.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'money-intent' && kind === entry.kind ? [entry.request.kind] : [],
    );
  }
}

describe('transfer', () => {
  it('is denied unless the configuration allows route, amount and day', () => {
    const none = new Paper({ limits: {} });
    none.act(out('10'), offer('95'), p2pTrade({ tradeId: 'x', do: 'confirm' }));
    expect(none.denials).toEqual(['route_not_allowed', 'p2p_not_allowed', 'p2p_not_allowed']);
    const paper = new Paper();
    paper.act(transfer({ from: 'funding', to: 'p2p', currency: 'BBB', amount: '1' }));
    paper.act(transfer({ from: 'unified-trading', to: 'funding', currency: 'AAA', amount: '1' }));
    paper.act(out('100.01'), out('0'), out('Infinity'));
    expect(paper.denials).toEqual(['route_not_allowed', 'max_transfer', 'max_transfer', 'not_positive', 'not_finite']);
    paper.act(out('100'), out('50.5'), out('50'));
    expect(paper.denials.slice(5)).toEqual(['daily_transfer']);
    expect([paper.total('unified-trading', 'BBB'), paper.total('funding', 'BBB')]).toEqual(['850', '150']);
    expect(paper.kinds('money-intent')).toEqual(['transfer', 'transfer']);
  });

  it('moves once per ref, for ever', () => {
    const first = new Paper();
    first.act(out('10', 'weekly'), out('10', 'weekly'));
    first.act(out('20', 'weekly'));
    expect(first.denials).toEqual(['duplicate_ref', 'duplicate_ref']);
    const second = new Paper({ journal: first.journal, real: first.real });
    second.act(out('10', 'weekly'));
    expect(second.denials).toEqual(['duplicate_ref']);
    expect([second.total('unified-trading', 'BBB'), second.total('funding', 'BBB')]).toEqual(['990', '10']);
  });

  it('lets a ref be used again when it is proved that nothing moved', () => {
    const paper = new Paper();
    paper.act(transfer({ from: 'funding', to: 'unified-trading', currency: 'BBB', amount: '5', ref: 'back' }));
    expect(paper.events.filter((event) => event.kind === 'alarm').map(({ code }) => code)).toEqual(['money_refused']);
    paper.act(out('5'));
    paper.act(transfer({ from: 'funding', to: 'unified-trading', currency: 'BBB', amount: '5', ref: 'back' }));
    expect([paper.total('unified-trading', 'BBB'), paper.total('funding', 'BBB')]).toEqual(['1000', '0']);
  });

  it('moves once per ref, also where an advertisement of that ref was refused', () => {
    const paper = new Paper();
    paper.act(out('10', 'maker'));
    paper.act(offer('95', { amount: '5000' }));
    expect(paper.events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []))).toContain('money_refused');
    paper.act(out('10', 'maker'));
    expect(paper.denials).toEqual(['duplicate_ref']);
    expect(paper.total('funding', 'BBB')).toBe('10');
  });

  it('may have left after the end of a backup that has its intent alone: it is unknown, and not made again', () => {
    const first = new Paper();
    first.act(out('10', 'weekly'));
    const backup = createMemoryJournal();
    for (const { ts, entry } of first.journal.read()) {
      backup.append(ts, [entry]);
      if (entry.kind === 'money-intent') break;
    }
    const reason = 'restored from a backup';
    backup.append(first.real.now(), [{ kind: 'restored', event: 'restored', reason }]);
    backup.append(first.real.now(), [{ kind: 'restored', event: 'acknowledged', reason: 'compared' }]);
    const second = new Paper({ journal: backup, real: first.real });
    expect(second.executor.unresolvedCount()).toBe(1);
    second.act(out('10', 'weekly'));
    expect(second.denials).toEqual(['duplicate_ref']);
  });

  it('stops at the kill switch, and is no loss of the day', () => {
    const paper = new Paper();
    // Far beyond the daily loss of 0.1 %.
    paper.act(out('100'));
    expect(paper.executor.equity()).toBeCloseTo(100_900, 6);
    paper.act({ kind: 'place', symbol: 'AAABBB', side: 'buy', type: 'limit', price: '99', quantity: '1' });
    expect(paper.denials).toEqual([]);
    paper.executor.kill('test');
    paper.act(out('10'));
    expect(paper.denials).toEqual(['killed']);
  });

  it('is in the replayed state', () => {
    const paper = new Paper();
    paper.act(out('10', 'a'), out('20'), out('100.01'));
    paper.act(offer('95'));
    paper.deliver(() => paper.executor.close());
    expect(stateHash(replayRows(paper.journal.read()).state)).toBe(stateHash(paper.executor.state));
  });
});

describe('advertise', () => {
  const ads = (paper: Paper) =>
    paper.executor
      .treasury('maker')
      .advertisements()
      .map(({ advertisementId, status, price, availableAmount }) => [advertisementId, status, price, availableAmount]);

  it('reaches what should stand with the fewest requests', () => {
    const paper = new Paper();
    paper.act(offer('95'));
    expect(paper.kinds('money-intent')).toEqual(['advertise']);
    paper.act(offer('95.0'));
    expect(paper.kinds('money-intent')).toEqual(['advertise']);
    paper.act(offer('96', { amount: '400' }));
    expect(paper.kinds('money-intent').slice(1)).toEqual([
      'deactivateAdvertisement',
      'editAdvertisement',
      'activateAdvertisement',
    ]);
    expect(ads(paper)).toEqual([['sim-ad-1', 'active', '96', '400']]);
    paper.act(offer('97', { active: false }));
    expect(ads(paper)).toEqual([['sim-ad-1', 'deactivated', '97', '400']].map(([a, b, c]) => [a, b, c, '500']));
    paper.act(offer('97'));
    expect(ads(paper)).toEqual([['sim-ad-1', 'active', '97', '500']]);
    expect(paper.kinds('money-intent')).toHaveLength(7);
  });

  it('takes the newest wish when several come at once', () => {
    const paper = new Paper();
    paper.act(offer('95'), offer('96'), offer('97'));
    expect(ads(paper)).toEqual([['sim-ad-1', 'active', '97', '500']]);
    expect(paper.kinds('money-intent')).toEqual(['advertise']);
  });

  it('keeps inside the price bounds, the grid and the three of a side', () => {
    const paper = new Paper();
    paper.act(offer('85.4999'), offer('104.5001'), offer('95.00001'), offer('95', { minLimit: '6000' }));
    expect(paper.denials).toEqual(['price_bounds', 'price_bounds', 'off_tick', 'below_minimum']);
    paper.act(offer('85.5'), offer('104.5', { ref: 'b' }), offer('95', { ref: 'c' }));
    paper.act(offer('95', { ref: 'd' }));
    expect(paper.denials.slice(4)).toEqual(['advertisement_limit']);
    expect(ads(paper).map(([, status, price]) => [status, price])).toEqual([
      ['active', '85.5'],
      ['active', '104.5'],
      ['active', '95'],
    ]);
  });

  it('is hidden when its strategy stops, and by the kill switch', () => {
    const paper = new Paper();
    paper.act(offer('95'));
    paper.deliver(() => paper.executor.stop('maker', 'cancel'));
    paper.pass(200);
    expect(ads(paper).map(([, status]) => status)).toEqual(['deactivated']);
    expect(paper.events.at(-1)).toEqual({ kind: 'stopped', strategy: 'maker' });
    const other = new Paper();
    other.act(offer('95'));
    other.deliver(() => other.executor.kill('test'));
    other.pass(200);
    expect(ads(other).map(([, status]) => status)).toEqual(['deactivated']);
  });

  it('goes on after a restart with the advertisement that it made', () => {
    const first = new Paper();
    first.act(offer('95'));
    const second = new Paper({ journal: first.journal, real: first.real });
    second.act(offer('96'));
    expect(ads(second)).toEqual([['sim-ad-1', 'active', '96', '500']]);
    expect(second.kinds('money-intent').filter((kind) => kind === 'advertise')).toHaveLength(1);
  });

  it('refuses a step of a trade that is nobody of its own', () => {
    const paper = new Paper();
    paper.act(p2pTrade({ tradeId: '1', do: 'confirm' }));
    expect(paper.denials).toEqual(['unknown_trade']);
  });
});
