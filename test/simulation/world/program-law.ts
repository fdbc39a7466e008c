/**
 * What order programs may never do, by the exchange's own books (docs/programs.md): the orders of a program never fill more
 * than it is, its exits never more than its entries, no lot has two exits at work, every program ends, none expires while an
 * entry of it may still fill, and no two reach for one target.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import type { ProgramKind } from '../../../src/model/trading/program.ts';
import { ruleOf } from '../../../src/programs/rules.ts';
import { OLDER_JOURNAL } from './older-journal.ts';
import type { WatchedWorld } from './simulate.ts';

interface Program {
  readonly ref: string;
  readonly kind: ProgramKind;
  /** Base units that the parent legs may fill; null: no bound. */
  most: Decimal | null;
  readonly legs: Map<string, string>;
  /** Filled by the parent's legs and by exits, base units. */
  entered: Decimal;
  left: Decimal;
  /** µs; null: it works. */
  endedUs: number | null;
  hasExpired: boolean;
  /** Ms. */
  readonly expire: number;
  readonly terms: unknown;
  /** Of the target that it reaches. */
  readonly scope: string | undefined;
}

interface Spec {
  readonly scope?: string;
  readonly terms: unknown;
  readonly grids: readonly (readonly string[])[];
  readonly expire: number;
}

/** The faults are over by then; a cancel needs no longer. */
const CANCELED_WITHIN_US = 20_000_000;

export class ProgramLaw {
  readonly #world: WatchedWorld;
  readonly #programs = new Map<string, Program>();
  readonly #byIntent = new Map<string, Program>();
  /** Intents, or orders where their intent is not known, that were asked to go. */
  readonly #asked = new Set<string>();
  #seen = 0;

  constructor(world: WatchedWorld) {
    this.#world = world;
  }

  line(us: number, what: string): void {
    // What programs did in rows that are lost is known to nobody: only those that start from now on are bound.
    if (what.startsWith(OLDER_JOURNAL)) {
      this.#programs.clear();
      this.#byIntent.clear();
    }
    if (!what.startsWith('journal [')) return;
    for (const entry of JSON.parse(what.slice('journal '.length)) as readonly JournalEntry[]) this.#entry(entry, us);
  }

  look(): void {
    const { trades } = this.#world.venue.truth;
    for (; this.#seen < trades.length; this.#seen++) this.#trade(trades[this.#seen]!);
    this.#checkResting();
  }

  /** Every program has a time at which it ends. */
  end(): void {
    const process = this.#world.machine.process;
    const nowUs = this.#world.clock.now() * 1000;
    for (const orderId of this.#world.venue.truth.active.keys()) {
      const program = this.#byIntent.get(this.#world.laws.intentOf(orderId) ?? '');
      // A cancel may be on its way as the world ends.
      if (program !== undefined && program.endedUs !== null && nowUs - program.endedUs > CANCELED_WITHIN_US)
        this.#world.laws.violated('P5', `an order of ${program.ref} rests, and it has ended`);
    }
    // A session that has not compared itself yet has not taken them up.
    if (process?.hasStarted !== true) return;
    for (const program of process.engine?.executor.programs() ?? [])
      if (
        program.state === 'working' &&
        !this.#isHolding(program.ref) &&
        this.#world.clock.now() - program.startedAt > this.#expireOf(program.ref) + 60_000
      )
        this.#world.laws.violated('P3', `the program ${program.ref} has not ended`);
  }

  /** What it has entered stays protected until it is closed. */
  #isHolding(ref: string): boolean {
    const program = this.#programs.get(ref);
    if (program === undefined) return false;
    const { kind, entered, left } = program;
    return (isEntered(kind) || kind === 'grid') && entered.minus(left).abs().gt(entered.times('0.01'));
  }

  #expireOf(ref: string): number {
    return this.#programs.get(ref)?.expire ?? Infinity;
  }

  #entry(entry: JournalEntry, us: number): void {
    if (entry.kind === 'program') {
      if (entry.event === 'start') this.#start(entry);
      const program = this.#programs.get(entry.ref);
      if (entry.event === 'end' && program !== undefined) this.#end(program, us, entry.reason === 'expired');
      return;
    }
    if (entry.kind !== 'intent') return;
    if (entry.command === 'cancel') for (const target of entry.targets) this.#asked.add(target);
    if (entry.command !== 'create' || entry.parent === undefined) return;
    const program = this.#programs.get(entry.parent);
    if (program === undefined || entry.leg === undefined) return;
    program.legs.set(entry.intentId, entry.leg);
    this.#byIntent.set(entry.intentId, program);
  }

  #end(program: Program, us: number, hasExpired: boolean): void {
    // What was traded until now is not what fills after the end.
    this.look();
    program.endedUs = us;
    program.hasExpired = hasExpired;
  }

  #start({
    ref,
    program: kind,
    spec,
  }: Extract<JournalEntry, { readonly kind: 'program'; readonly event: 'start' }>): void {
    const { terms, grids, expire, scope } = spec as Spec;
    for (const other of this.#programs.values())
      if (scope !== undefined && other.scope === scope && other.endedUs === null && other.ref !== ref)
        this.#world.laws.violated('P7', `${ref} and ${other.ref} both reach for a target`);
    const lots = ruleOf(kind).quantity(terms);
    const most = lots === null ? null : dec(grids[0]?.[2] ?? '0').times(lots);
    // Of another journal the same ref may begin again: what the first one did is of it alone.
    this.#programs.set(ref, {
      ref,
      kind,
      most,
      legs: new Map(),
      entered: ZERO,
      left: ZERO,
      endedUs: null,
      hasExpired: false,
      expire,
      terms,
      scope,
    });
  }

  #trade({ orderId, quantity }: { readonly orderId: string; readonly quantity: string }): void {
    const intentId = this.#world.laws.intentOf(orderId);
    const program = intentId === undefined ? undefined : this.#byIntent.get(intentId);
    const leg = intentId === undefined ? undefined : program?.legs.get(intentId);
    if (program === undefined || leg === undefined) return;
    const { ref, kind, terms } = program;
    // Another order has taken the place of one that was falsely called over.
    const wasCalledOver = this.#world.venue.calledOver.has(orderId);
    if (program.hasExpired && !wasCalledOver && ruleOf(kind).isEntry?.(leg) === true)
      this.#world.laws.violated('P6', `an entry of ${ref} filled after the program had expired`);
    if (ruleOf(kind).isParent(leg, terms)) {
      program.entered = program.entered.plus(quantity);
      if (wasCalledOver) program.most = program.most?.plus(quantity) ?? null;
    } else if (!wasCalledOver) program.left = program.left.plus(quantity);
    const { entered, left, most } = program;
    if (most !== null && entered.gt(most))
      this.#world.laws.violated(
        'P1',
        `the orders of ${ref} filled ${entered.toFixed()}, more than its ${most.toFixed()}`,
      );
    if (isEntered(kind) && left.gt(entered))
      this.#world.laws.violated('P2', `exits of ${ref} filled ${left.toFixed()}, its entries ${entered.toFixed()}`);
  }

  /** No lot has two exits at work. */
  #checkResting(): void {
    const { venue, laws } = this.#world;
    const resting = new Map<Program, Decimal>();
    for (const { orderId, leftLots, market } of venue.truth.active.values()) {
      const intentId = laws.intentOf(orderId);
      const program = intentId === undefined ? undefined : this.#byIntent.get(intentId);
      const leg = intentId === undefined ? undefined : program?.legs.get(intentId);
      if (program === undefined || leg === undefined) continue;
      if (!isEntered(program.kind) || ruleOf(program.kind).isParent(leg, program.terms)) continue;
      // It was asked to go, and that it has gone was false: nobody knows better until the lists say so.
      if (venue.calledOver.has(orderId) && this.#asked.has(intentId ?? '')) continue;
      resting.set(program, (resting.get(program) ?? ZERO).plus(market.instrument.exactQuantity(leftLots)));
    }
    for (const [{ ref, entered, left }, rests] of resting)
      if (rests.plus(left).gt(entered))
        laws.violated(
          'P4',
          `exits of ${ref} rest for ${rests.toFixed()}, and ${entered.minus(left).toFixed()} is held`,
        );
  }
}

function isEntered(kind: ProgramKind): boolean {
  return kind === 'bracket' || kind === 'dca';
}
