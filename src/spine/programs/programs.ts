/** Order programs as the journal knows them: terms, data, and fills of their children. */
import type { ProgramEnd, ProgramEntry, ProgramKind } from '../../model/trading/program.ts';
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { FillAmounts } from '../positions.ts';

/** Ended programs beyond these are forgotten, oldest first. */
const ENDED_MAX = 10_000;
/** Refs of children that a program remembers. */
const CHILDREN_MAX = 10_000;

/** Sums over the orders of one leg. */
export interface LegSum {
  orders: number;
  /** Booked fills. */
  lots: number;
  /** Σ price × quantity. */
  cost: Decimal;
  quantity: Decimal;
  /** Fees in base, base units. */
  fees: Decimal;
  /** Unix ms of its first fill; absent without one, and in what an earlier build saved. */
  filledAt?: number;
}

export interface ProgramState {
  readonly ref: string;
  readonly strategy: string;
  readonly tag: string;
  readonly kind: ProgramKind;
  readonly symbol: string;
  readonly spec: unknown;
  readonly startedAt: number;
  data: unknown;
  state: 'working' | ProgramEnd;
  reason: string | null;
  endedAt: number | null;
  readonly legs: Map<string, LegSum>;
  readonly children: string[];
}

type StartEntry = Extract<ProgramEntry, { readonly event: 'start' }>;

export type ProgramsView = Pick<Programs, 'all' | 'at' | 'of' | 'summary' | 'working'>;

interface Child {
  readonly strategy: string;
  readonly ref: string;
  readonly parent: string | undefined;
  readonly leg: string | undefined;
}

export function programKey(strategy: string, ref: string): string {
  return `${strategy} ${ref}`;
}

/** `ts`: unix ms. */
export function startedBy(entry: StartEntry, ts: number): ProgramState {
  const { ref, strategy, tag, program: kind, symbol, spec, data } = entry;
  const begun = { state: 'working', reason: null, endedAt: null } as const;
  const program = { ref, strategy, tag, kind, symbol, spec, startedAt: ts, data, ...begun };
  return { ...program, legs: new Map(), children: [] };
}

export class Programs {
  private readonly programs = new Map<string, ProgramState>();
  #working: Set<ProgramState> | undefined;

  /** Working programs, in the order of their start. */
  get working(): Set<ProgramState> {
    return (this.#working ??= new Set([...this.programs.values()].filter(({ state }) => state === 'working')));
  }

  all(): Iterable<ProgramState> {
    return this.programs.values();
  }

  of(strategy: string, ref: string): ProgramState | undefined {
    return this.programs.get(programKey(strategy, ref));
  }

  /** By `programKey`. */
  at(key: string): ProgramState | undefined {
    return this.programs.get(key);
  }

  apply(entry: ProgramEntry, ts: number): void {
    if (entry.event === 'start') {
      const started = startedBy(entry, ts);
      this.programs.set(programKey(entry.strategy, entry.ref), started);
      this.working.add(started);
      return;
    }
    const program = this.of(entry.strategy, entry.ref);
    if (program === undefined) return;
    if (entry.event === 'step') program.data = entry.data;
    else {
      program.state = entry.state;
      program.reason = entry.reason;
      program.endedAt = ts;
      this.working.delete(program);
      this.#forget();
    }
  }

  opened({ strategy, ref, parent, leg }: Child): void {
    const program = parent === undefined ? undefined : this.of(strategy, parent);
    if (program === undefined || leg === undefined) return;
    legOf(program, leg).orders++;
    if (program.children.length < CHILDREN_MAX) program.children.push(ref);
  }

  /** `feeInBase`: of this fill, base units. `at`: unix ms. */
  filled(
    { strategy, parent, leg }: Child,
    lots: number,
    { price, quantity }: Pick<FillAmounts, 'price' | 'quantity'>,
    feeInBase: Decimal,
    at: number,
  ): void {
    const program = parent === undefined ? undefined : this.of(strategy, parent);
    if (program === undefined || leg === undefined) return;
    const sum = legOf(program, leg);
    sum.lots += lots;
    sum.cost = sum.cost.plus(price.times(quantity));
    sum.quantity = sum.quantity.plus(quantity);
    sum.fees = sum.fees.plus(feeInBase);
    sum.filledAt ??= at;
  }

  /** For the hash of the state. */
  summary(): readonly (readonly [string, string, unknown, readonly (readonly [string, number, number])[]])[] {
    return [...this.programs].map(([key, { state, data, legs }]) => [
      key,
      state,
      data,
      [...legs].map(([name, { orders, lots }]) => [name, orders, lots] as const),
    ]);
  }

  #forget(): void {
    if (this.programs.size - this.working.size <= ENDED_MAX) return;
    for (const [key, program] of this.programs) {
      if (program.state === 'working') continue;
      this.programs.delete(key);
      return;
    }
  }
}

function legOf(program: ProgramState, name: string): LegSum {
  let sum = program.legs.get(name);
  if (sum === undefined) program.legs.set(name, (sum = { orders: 0, lots: 0, cost: ZERO, quantity: ZERO, fees: ZERO }));
  return sum;
}
