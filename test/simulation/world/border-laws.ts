/**
 * Laws of reliability §3 that are judged from the border alone: requests, frames, and rows of the journal, as the trace
 * tells them. The laws beside this file say which; here they hear what passes. Beside them
 * F6 for money: a balance that is known does not become zero by what could not be read.
 */
import { BudgetLaw } from './budget-law.ts';
import { ComparisonLaw } from './comparison-law.ts';
import { DayLossLaw } from './day-loss-law.ts';
import { InstanceLaw } from './instance-law.ts';
import { OverrideLaw } from './human-commands.ts';
import { INSTRUMENTS_TOLD, InstrumentLaw } from './instrument-law.ts';
import { LostRowsLaw } from './lost-rows-law.ts';
import { OrderLaws } from './order-laws.ts';
import { PositionLaws } from './position-laws.ts';
import { RefusalLaw } from './refusal-law.ts';
import { OLDER_JOURNAL } from './older-journal.ts';
import type { Watch, WatchedWorld } from './simulate.ts';
import { ACTIVE_TOLD, CREATES, orderIdsIn, PAST_TOLD } from './trace.ts';

/** The process chose to end: it could have begun what it owed first. */
const ENDED_ITSELF = 'died: exit: ';
/** As old may be what a lagging list tells. */
const TOLD_US_MAX = 60_000_000;

export class BorderLaws implements Watch {
  readonly #world: WatchedWorld;
  readonly #budget: BudgetLaw;
  readonly #comparison: ComparisonLaw;
  #orders: OrderLaws;
  #positions: PositionLaws;
  #refusals: RefusalLaw;
  #losses: DayLossLaw;
  #lostRows: LostRowsLaw;
  #overrides: OverrideLaw;
  readonly #instances: InstanceLaw;
  /** Null where no instrument changes. */
  readonly #instruments: InstrumentLaw | null;
  #rowsSeen = 0;
  /** The journal is a backup, and nobody has acknowledged that. */
  #isAmnesiac = false;
  /** Rows that were judged before are read again. */
  #isReplaying = false;
  /** The process that was told of more than nothing last. */
  #knows: WatchedWorld['machine']['process'] = null;
  /** True time, µs, at which there was truly nothing. */
  #zeroUs = Number.NEGATIVE_INFINITY;
  /** Something came in since the balance was looked at. */
  #hasHeard = false;

  constructor(world: WatchedWorld) {
    const { plan, venue } = world;
    const violated = (law: string, what: string): void => this.#violated(law, what);
    this.#world = world;
    this.#budget = new BudgetLaw(violated, plan.rates.size === 0);
    this.#comparison = new ComparisonLaw(!plan.rates.has('frame-after-end'));
    [this.#orders, this.#positions, this.#refusals, this.#losses, this.#lostRows, this.#overrides] = this.#ofRows();
    this.#instruments = world.machine.instruments.isInUse
      ? new InstrumentLaw(violated, (strategy, symbol) => world.laws.couldClose(strategy, symbol))
      : null;
    this.#instances = new InstanceLaw({
      isStranger: (orderId) => venue.isStrangers(orderId),
      restsMarked: (orderId) => venue.restsMarked(orderId),
      violated: (what) => violated('R3', what),
    });
  }

  line(us: number, what: string): void {
    if (what.startsWith('ws< ')) {
      this.#hasHeard = true;
      this.#comparison.frame(us, what);
    } else if (what.startsWith('> ')) this.#request(us, what);
    else if (what.startsWith('= ')) {
      this.#hasHeard = true;
      if (what.startsWith('= 429 ')) this.#budget.limited(us);
      else if (ACTIVE_TOLD.test(what)) this.#told(us, what);
      else if (PAST_TOLD.test(what)) this.#toldPast(us, what);
      else if (INSTRUMENTS_TOLD.test(what)) this.#instruments?.told(us, what);
      else this.#world.laws.futures?.read(what);
    } else if (what.startsWith('ws ')) this.#budget.connect(us);
    else if (what.startsWith('died: ') && !what.startsWith(ENDED_ITSELF)) {
      this.#readRows();
      this.#orders.died();
    } else if (what.startsWith(OLDER_JOURNAL)) this.#rewound();
    else if (what.startsWith('boot ')) {
      this.#budget.boot();
      this.#comparison.boot();
      this.#orders.boot();
      this.#instances.boot(us);
      this.#lostRows.boot();
      this.#instruments?.boot();
    }
  }

  look(): void {
    this.#readRows();
    this.#orders.look();
    const { venue, clock, machine } = this.#world;
    this.#losses.look(clock.nowUs(), machine.process);
    if (machine.process?.hasStarted === true && machine.processClock?.isPaused === false)
      this.#positions.look(clock.nowUs());
    // A ruined account has nothing, until somebody fills it up again.
    if (venue.futures?.terms.isReckless === true && venue.total('USDT') === '0') this.#zeroUs = clock.nowUs();
    if (this.#hasHeard) this.#balance();
  }

  end(): void {
    this.#readRows();
  }

  #request(us: number, what: string): void {
    this.#readRows();
    this.#budget.request(us, what, this.#orders.isKilled);
    if (!CREATES.test(what)) {
      this.#comparison.request(what);
      return;
    }
    this.#orders.create(this.#comparison.isDone(us));
    if (!this.#orders.takesRisk) return;
    if (this.#isAmnesiac) this.#violated('R3', 'new risk leaves by a restored journal that nobody has acknowledged');
    else if (this.#world.machine.waitsForWord)
      this.#violated('R3', 'new risk leaves by a journal that lost rows of which its witness knew');
    this.#losses.create(us, this.#world.machine.process);
    this.#instances.create(us);
    this.#lostRows.create(us);
    this.#instruments?.create(us, what);
  }

  /** Laws that follow the rows of the journal. */
  #ofRows() {
    const { venue } = this.#world;
    const violated = (law: string, what: string): void => this.#violated(law, what);
    return [
      new OrderLaws({
        rests: (orderId) => venue.truth.active.has(orderId) && !venue.calledOver.has(orderId),
        resting: () => [...venue.truth.active.keys()].filter((orderId) => !venue.calledOver.has(orderId)),
        violated,
      }),
      new PositionLaws(violated),
      new RefusalLaw((what) => violated('R2', what)),
      new DayLossLaw((what) => violated('R2', what), venue.futures?.terms.isReckless === true),
      new LostRowsLaw(
        (orderId) => this.#world.laws.isLost(orderId),
        (what) => violated('R3', what),
      ),
      new OverrideLaw((what) => violated('R2', what)),
    ] as const;
  }

  /** An older journal: what its rows say holds from here on. */
  #rewound(): void {
    [this.#orders, this.#positions, this.#refusals, this.#losses, this.#lostRows, this.#overrides] = this.#ofRows();
    this.#rowsSeen = 0;
    this.#isAmnesiac = false;
    this.#isReplaying = true;
    this.#readRows();
    // A kill among them was of a process that is gone (seed 41368).
    this.#orders.died();
    this.#isReplaying = false;
  }

  #violated(law: string, what: string): void {
    if (!this.#isReplaying) this.#world.laws.violated(law, what);
  }

  #told(us: number, what: string): void {
    this.#readRows();
    const orderIds = orderIdsIn(what);
    this.#orders.told(us, orderIds);
    this.#instances.told(us, what);
    this.#lostRows.told(us, what);
  }

  #toldPast(us: number, what: string): void {
    this.#instances.toldPast(us, what);
    this.#lostRows.told(us, what);
  }

  #readRows(): void {
    const { machine, clock } = this.#world;
    const { rows } = machine.disk;
    this.#rowsSeen = Math.min(this.#rowsSeen, rows.length);
    if (this.#rowsSeen < rows.length && !this.#isReplaying)
      this.#budget.rows(clock.nowUs(), rows.length - this.#rowsSeen);
    for (; this.#rowsSeen < rows.length; this.#rowsSeen++) {
      const row = rows[this.#rowsSeen];
      if (row === undefined) continue;
      this.#orders.row(row.entry, row.ts);
      this.#positions.row(row.entry);
      this.#instruments?.row(row.entry);
      this.#refusals.row(row.entry, row.ts);
      this.#losses.row(row.entry, this.#isReplaying ? null : this.#world.machine.process);
      this.#lostRows.row(row.entry);
      this.#overrides.row(row.entry, row.ts);
      if (row.entry.kind === 'restored') this.#isAmnesiac = row.entry.event !== 'acknowledged';
    }
  }

  #balance(): void {
    this.#hasHeard = false;
    const { machine, venue, laws, clock } = this.#world;
    const { process } = machine;
    if (process === null || process.tag === null) return;
    const total = process.engine?.executor.account(process.tag).balance('USDT').total;
    if (total === undefined) return;
    if (total !== '0') this.#knows = process;
    if (total !== '0' || this.#knows !== process) return;
    // What was told as zero stays so for as long as nothing else can be heard (world 3010432).
    this.#knows = null;
    if (venue.total('USDT') !== '0' && clock.nowUs() > this.#zeroUs + TOLD_US_MAX)
      laws.violated('F6', 'the balance is taken for zero');
  }
}
