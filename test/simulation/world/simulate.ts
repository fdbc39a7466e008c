/**
 * One seed of the simulated world: a safety phase with faults, in which the laws hold at every instant, then a liveness
 * phase without, in which both sides must agree. Nothing here knows the machine's time: the same seed is the same trace.
 */
import { messageOf } from '../../../src/model/errors.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { disagreements, replayDiffers, shutBecause } from './agreement.ts';
import { BorderLaws } from './border-laws.ts';
import { faultClassOf, type FaultClass } from './fault-class.ts';
import { FaultPlan, type FaultKind } from './fault-plan.ts';
import { futuresTerms, ruinFaults, ruinTerms } from './futures/terms.ts';
import { WhileDisconnected } from './futures/while-disconnected.ts';
import { Hazards } from './hazards.ts';
import { JournalGoneLaw } from './journal-gone-law.ts';
import { Laws } from './laws.ts';
import { HumanWord } from './human-word.ts';
import { Machine } from './machine.ts';
import { MoneyLaw } from './money-law.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { ProgramLaw } from './program-law.ts';
import { markJournal, RareStates, type RareState } from './rare-states.ts';
import { SilenceLaw } from './silence-law.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Trace } from './trace.ts';
import { TransientLaw } from './transient-law.ts';
import { VenueSide } from './venue-side.ts';

export interface SeedOptions {
  readonly seed: number;
  readonly hours: number;
  readonly without?: ReadonlySet<FaultKind>;
  readonly print?: boolean;
  /** Whether a perpetual is traded; the seed decides when this is left out. */
  readonly futures?: boolean | undefined;
  /** Whether it brings what few seeds bring; the seed decides when this is left out. */
  readonly seldom?: boolean;
  /** Kinds that it brings whatever the seed draws. */
  readonly also?: ReadonlySet<FaultKind>;
  /** Whether it is made to lose the account; the seed decides when this is left out. */
  readonly ruins?: boolean | undefined;
  /** Ends with the first violation: whoever asks whether there is one need not wait for the rest. */
  readonly stopAtFirst?: boolean;
  /** No human is there to give the word: both sides must agree by themselves in class B, too. */
  readonly wordless?: boolean;
  /** So large a share of what one strategy does are order programs. */
  readonly programs?: number;
  /** And so large a share transfers between own accounts. */
  readonly transfers?: number;
  /** Of so large a share of the seconds a human moves money. */
  readonly money?: number;
  /** Further laws, made for each world. */
  readonly watch?: (world: WatchedWorld) => Watch;
}

/** What further laws may look at; they must not change it, other than by `laws.violated`. */
export interface WatchedWorld {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly machine: Machine;
  readonly plan: FaultPlan;
  readonly laws: Laws;
}

export interface Watch {
  /** After every instant. */
  look?(): void;
  /** Every line of the trace, as it is written. */
  line?(us: number, what: string): void;
  /** Both sides agree, and nothing fails any more. */
  end?(): void;
}

export interface SeedReport {
  readonly seed: number;
  readonly plan: Readonly<Record<string, number>>;
  /** Of docs/fault-model.md, by what struck. */
  readonly faultClass: FaultClass;
  /** Both sides agreed by the word of a human alone. */
  readonly neededWord: boolean;
  readonly clientOrderIds: boolean;
  readonly events: number;
  readonly boots: number;
  /** Nothing in its plan leaves an order of unknown outcome, so both sides agree sooner. */
  readonly tight: boolean;
  /** Rare states and how often they were reached. */
  readonly rare: ReadonlyMap<RareState, number>;
  readonly violations: readonly string[];
  /** Virtual time that has passed at the end, the liveness phase included. */
  readonly hoursRun: number;
  /** Rare states and how often they were reached. */
  readonly reached: ReadonlyMap<string, number>;
  readonly traceHash: string;
  readonly lastLines: readonly string[];
}

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_US = 3_600_000_000;
/** INV-L1: agreement after the last fault. */
const AGREE_US = 180_000_000;
const AGREE_TIGHT_US = 45_000_000;
/** So many seeds are tight. */
const TIGHT_SHARE = 0.12;
/** Of so many seeds one brings what is seldom: seeds 3, 8, 13 and so on. Every second of those ruins its account. */
const SELDOM_EVERY = 5;
const SELDOM_AT = 3;
/** What every fourth of those brings for certain, and trades no perpetual beside it: seeds 8, 28, 48 and so on, and 18, 38, 58. */
const CERTAIN_EVERY = 4 * SELDOM_EVERY;
const certain: ReadonlyMap<number, readonly FaultKind[]> = new Map([
  [8, ['kill', 'journal-restored']],
  [18, ['second-stack', 'stranger-trades']],
]);
/** And what seeds 16, 36, 56 and so on bring beside what they draw. */
const CHANGES_AT = 16;
const changes: readonly FaultKind[] = ['instrument-changes', 'instrument-changes-while-down'];
/** The market moves this often. */
const PACE_MS_MIN = 500;
const PACE_MS_MORE = 5500;
/** No multiple of what programs wait for: one that sends at each look would never be found at rest. */
const LOOK_US = 4_871_000;
/** Of the session, its sockets, the requests under way and what the strategies wait for; at rest it is a dozen. */
const TIMERS_MAX = 48;

class Enough extends Error {}

export async function simulate(options: SeedOptions): Promise<SeedReport> {
  const { seed, hours, without, print, stopAtFirst = false, wordless = false } = options;
  const time = new SimulatedTime(START_MS);
  const { clock } = time;
  const random = seededRandom(seed).fork('world');
  const seldom = options.seldom ?? seed % SELDOM_EVERY === SELDOM_AT;
  const isRuinSeed = seldom && options.futures !== false && seed % (2 * SELDOM_EVERY) === SELDOM_AT;
  const ruins = options.ruins ?? isRuinSeed;
  const tight = !ruins && random.fork('tight').next() < TIGHT_SHARE;
  const surely = seldom ? certain.get(seed % CERTAIN_EVERY) : undefined;
  const isChanging = options.seldom === undefined && seed % CERTAIN_EVERY === CHANGES_AT;
  const also = new Set([...(options.also ?? []), ...(surely ?? []), ...(isChanging ? changes : [])]);
  const plan = new FaultPlan(random, { without, tight, seldom, also, least: ruins ? ruinFaults : undefined });
  const rare = new RareStates();
  const trace = new Trace(print);
  const paceMs = Math.round(PACE_MS_MIN + random.fork('pace').next() ** 2 * PACE_MS_MORE);
  const clientOrderIds = random.fork('ids').next() < 0.6;
  const terms = ruins
    ? ruinTerms(random)
    : futuresTerms(random, options.futures ?? (surely === undefined ? undefined : false));
  const venue = new VenueSide(clock, seed, clientOrderIds, terms);
  const laws = new Laws(venue, rare, paceMs);
  const machine = new Machine({
    clock,
    venue,
    plan,
    trace,
    laws,
    rare,
    seed,
    clientOrderIds,
    whims: { programs: options.programs ?? 0, transfers: options.transfers ?? 0 },
    money: options.money ?? 0,
  });
  const hazards = new Hazards({ clock, plan, trace, rare, venue, machine, laws });
  const disconnected = new WhileDisconnected(venue, machine, rare);
  const transient = new TransientLaw(machine, (what) => laws.violated('L4', what));
  const silence = new SilenceLaw(machine, (what) => laws.violated('L2', what));
  const gone = new JournalGoneLaw(machine, (what) => laws.violated('J3', what));
  clock.every(1000, () => hazards.everySecond());
  clock.every(1000, () => {
    transient.everySecond();
    silence.everySecond();
    gone.everySecond();
    disconnected.everySecond();
  });
  clock.every(paceMs, () => venue.makeMarket());
  const world = { clock, venue, machine, plan, laws };
  const watch = options.watch?.(world);
  const programLaw = options.programs === undefined ? null : new ProgramLaw(world);
  const moved = { transfers: options.transfers !== undefined, money: options.money !== undefined };
  const moneyLaw = moved.transfers || moved.money ? new MoneyLaw(world) : null;
  if (moneyLaw !== null) {
    machine.commands.onRows = (us, entries) => moneyLaw.commandLine(us, entries);
    machine.commands.onLine = (us, what) => moneyLaw.line(us, what);
  }
  const border = new BorderLaws(world);
  trace.onLine = (us, what) => {
    border.line(us, what);
    programLaw?.line(us, what);
    moneyLaw?.line(us, what);
    watch?.line?.(us, what);
  };
  const after = (): void => {
    laws.look();
    border.look();
    programLaw?.look();
    watch?.look?.();
    if (stopAtFirst && laws.violations.length > 0) throw new Enough();
  };
  const faultClass = (): FaultClass => faultClassOf(plan.counts, laws.futures?.wasShared === true, moved);
  let neededWord = false;
  try {
    await time.runTo(START_MS * 1000 + Math.round(hours * HOUR_US), after);
    plan.stop();
    hazards.calm();
    const limitUs = tight ? AGREE_TIGHT_US : AGREE_US;
    neededWord = await agree({
      time,
      machine,
      venue,
      laws,
      moneyLaw,
      after,
      mayAsk: !wordless && faultClass() === 'B',
      limitUs,
    });
    border.end();
    programLaw?.end();
    moneyLaw?.end();
    watch?.end?.();
  } catch (thrown) {
    if (!(thrown instanceof Enough))
      laws.violated('crash', thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown));
  } finally {
    machine.stop();
    venue.sandbox.stop();
  }
  markJournal(rare, machine.disk.rows, clientOrderIds);
  return {
    seed,
    plan: plan.describe(),
    faultClass: faultClass(),
    neededWord,
    clientOrderIds,
    tight,
    events: trace.events,
    boots: machine.boots,
    violations: laws.violations,
    hoursRun: (clock.nowUs() - START_MS * 1000) / HOUR_US,
    rare: rare.counts,
    reached: reachedIn(machine, plan),
    traceHash: trace.digest(),
    lastLines: trace.last,
  };
}

interface Agreement {
  readonly moneyLaw: MoneyLaw | null;
  readonly time: SimulatedTime;
  readonly machine: Machine;
  readonly venue: VenueSide;
  readonly laws: Laws;
  readonly after: () => void;
  /** A human may be asked: of class B. */
  readonly mayAsk: boolean;
  readonly limitUs: number;
}

/**
 * L1, L6: a world of class A agrees by itself. One of class B may wait instead, shut and with an alarm, until the human has looked,
 * has said whose the orders are and starts it again: then it agrees, but for which strategy holds what. True when it did that.
 */
async function agree(agreement: Agreement): Promise<boolean> {
  const { machine, laws, mayAsk, moneyLaw } = agreement;
  let problems = await differing(agreement, true);
  const needsWord = problems.length > 0 && mayAsk;
  if (needsWord) {
    const isAlarmed = machine.disk.rows.some(({ entry }) => entry.kind === 'alarm');
    if (shutBecause(laws, machine.process) === null || !isAlarmed)
      laws.violated('L6', `trades on, or without an alarm, and: ${problems.join('; ')}`);
    machine.die('started again by the human, who has seen the plan');
    if (moneyLaw !== null) machine.decideMoney((intentId) => moneyLaw.hasHappened(intentId));
    problems = await differing(agreement, false);
  }
  for (const problem of problems) laws.violated('L1', problem);
  if (problems.length > 0) return needsWord;
  if (replayDiffers(machine.process, machine.disk.rows))
    laws.violated('J2', 'the replay of the journal is not the live state');
  if (machine.openSockets !== 2) laws.violated('L2', `${machine.openSockets} sockets are open`);
  const timers = machine.timers + (machine.process?.timers ?? 0);
  if (timers > TIMERS_MAX) laws.violated('L2', `${timers} timers wait`);
  return needsWord;
}

/** What both sides still do not agree about when their time is over. */
async function differing(
  { time, machine, venue, laws, moneyLaw, after, limitUs }: Agreement,
  isShared: boolean,
): Promise<readonly string[]> {
  const calmUs = time.clock.nowUs();
  let startUs = calmUs;
  let waited = machine.waitsForWord;
  let problems: readonly string[] = ['not looked at'];
  const human = new HumanWord(venue, laws);
  while (time.clock.nowUs() < startUs + limitUs && problems.length > 0) {
    await time.runTo(time.clock.nowUs() + LOOK_US, after);
    // Until a human has given the word, and the session runs again, is not its time: a start compares itself anew.
    waited ||= machine.waitsForWord;
    const isHuman = machine.waitsForWord || (waited && machine.process?.hasStarted !== true);
    if (isHuman) startUs = Math.min(time.clock.nowUs(), calmUs + limitUs);
    human.divides(machine.process);
    if (problems.length > 0 && human.begins(machine.process, machine.disk.rows)) startUs = time.clock.nowUs();
    problems = machine.waitsForWord
      ? ['nobody has acknowledged the restore']
      : [
          ...disagreements(
            { venue, laws, venueClock: machine.venueClock },
            machine.process,
            machine.disk.rows,
            isShared,
          ),
          ...(moneyLaw?.unsettled() ?? []),
        ];
  }
  return problems;
}

function reachedIn(machine: Machine, plan: FaultPlan): ReadonlyMap<string, number> {
  const reached = new Map<string, number>();
  const add = (name: string, count = 1): void => void reached.set(name, (reached.get(name) ?? 0) + count);
  for (const { entry } of machine.disk.rows) {
    if (entry.kind === 'outcome') add(`outcome ${entry.outcome.kind}`);
    if (entry.kind === 'closed') add(`concluded ${entry.state}`);
    if (entry.kind === 'fill' || entry.kind === 'order') add(`${entry.kind} by ${entry.source}`);
    if (entry.kind === 'alarm') add(`alarm ${entry.code}`);
    if (entry.kind === 'correction' || entry.kind === 'adjustment') add(entry.kind);
    if (entry.kind === 'session') add(`session ${entry.event}`);
    if (entry.kind === 'denial') add(`denied ${entry.reason}`);
    if (entry.kind === 'program' && entry.event === 'end') add(`program ${entry.state}: ${entry.reason.slice(0, 40)}`);
  }
  for (const [kind, count] of plan.counts) add(`fault ${kind}`, count);
  return reached;
}
