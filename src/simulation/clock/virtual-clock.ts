/**
 * Virtual time. At one timestamp the lanes run in this order until nothing is due; ties by sequence. Sources are
 * cursors over recorded data, without allocation per event.
 *
 *   venue     source: tape in exchange time            market events at the venue
 *   delivery  source: tape in receive time, outbox     what reaches the strategy
 *   timer     after, every                             timers of session and strategy
 *   command   schedule(..., 'command')                 orders and cancels that reach the venue
 */
import type { Cancel, Clock } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';
import { simulationErrors } from '../errors.ts';
import { TimerHeap, type Timer } from './timer-heap.ts';

export type Lane = 'venue' | 'delivery' | 'timer' | 'command';

const ROUNDS_MAX = 10_000;

/** `run` handles exactly the event due at `nextUs`. */
export interface ClockSource {
  /** Integer µs, `Infinity` at the end. Never falls. */
  readonly nextUs: number;
  run(): void;
}

export class VirtualClock implements Clock {
  readonly #timers: Readonly<Record<Lane, TimerHeap>> = {
    venue: new TimerHeap(),
    delivery: new TimerHeap(),
    timer: new TimerHeap(),
    command: new TimerHeap(),
  };
  readonly #heaps: readonly TimerHeap[] = Object.values(this.#timers);
  readonly #venue: ClockSource[] = [];
  readonly #delivery: ClockSource[] = [];
  readonly #sources: ClockSource[] = [];
  /** `Infinity` when empty. */
  #timersUs = Infinity;
  /** Number from the start: V8 boxes a field that was once `undefined`. */
  #nowUs = 0;
  #sequence = 0;

  constructor(startUs: number) {
    this.#nowUs = Math.floor(startUs);
  }

  now(): number {
    return this.#nowUs / US_PER_MS;
  }

  nowUs(): number {
    return this.#nowUs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const delayUs = Math.round(Math.max(0, delayMs) * US_PER_MS);
    return this.schedule(this.#nowUs + delayUs, 'timer', run);
  }

  every(intervalMs: number, run: () => void): Cancel {
    const startUs = this.#nowUs;
    const intervalUs = Math.max(1, Math.round(intervalMs * US_PER_MS));
    let count = 0;
    const timer: Timer = { dueUs: 0, sequence: 0, run: null };
    const fire = (): void => {
      arm();
      run();
    };
    const arm = (): void => {
      count++;
      timer.run = fire;
      this.#arm(timer, this.#timers.timer, startUs + count * intervalUs);
    };
    arm();
    return () => this.#cancel(timer, this.#timers.timer);
  }

  /** Now when `us` is past. */
  schedule(us: number, lane: Lane, run: () => void): Cancel {
    const timer: Timer = { dueUs: 0, sequence: 0, run };
    const timers = this.#timers[lane];
    this.#arm(timer, timers, us);
    return () => this.#cancel(timer, timers);
  }

  /** Sources of a lane run in the order added. */
  addSource(lane: 'venue' | 'delivery', source: ClockSource): void {
    (lane === 'venue' ? this.#venue : this.#delivery).push(source);
    this.#sources.push(source);
  }

  /** `Infinity` when empty; never before now. */
  get nextUs(): number {
    return Math.max(this.#dueUs(), this.#nowUs);
  }

  /** Without sources. */
  get pendingTimers(): number {
    return this.#heaps.reduce((sum, timers) => sum + timers.living, 0);
  }

  /** Runs the next timestamp; false when none up to `limitUs`. */
  step(limitUs = Infinity): boolean {
    const firstUs = this.#dueUs();
    const dueUs = firstUs < this.#nowUs ? this.#nowUs : firstUs;
    if (dueUs > limitUs || dueUs === Infinity) return false;
    this.#nowUs = dueUs;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      this.#runLane(this.#venue, this.#timers.venue, dueUs);
      this.#runLane(this.#delivery, this.#timers.delivery, dueUs);
      if (this.#timersUs <= dueUs) {
        this.#runTimers(this.#timers.timer);
        this.#runTimers(this.#timers.command);
        this.#timersUs = this.#firstTimerUs();
      }
      if (this.#dueUs() > dueUs) return true;
    }
    throw simulationErrors.make('livelock', `more than ${ROUNDS_MAX} rounds at ${dueUs} µs`, { us: dueUs });
  }

  /** Inclusive. Throws `clock_backwards`. */
  advanceTo(us: number): void {
    if (us < this.#nowUs) {
      throw simulationErrors.make('clock_backwards', `asked to go from ${this.#nowUs} to ${us} µs`);
    }
    while (this.step(us));
    this.#nowUs = Math.floor(us);
  }

  /** Due work runs late at the next step, as after a process pause. */
  jumpTo(us: number): void {
    this.#nowUs = Math.max(this.#nowUs, Math.floor(us));
  }

  /** Never returns while a repeating timer is active. */
  run(): void {
    while (this.step());
  }

  #arm(timer: Timer, timers: TimerHeap, us: number): void {
    timer.dueUs = Math.max(Math.ceil(us), this.#nowUs);
    timer.sequence = this.#sequence++;
    timers.push(timer);
    if (timer.dueUs < this.#timersUs) this.#timersUs = timer.dueUs;
  }

  #cancel(timer: Timer, timers: TimerHeap): void {
    timers.cancel(timer);
    this.#timersUs = this.#firstTimerUs();
  }

  #dueUs(): number {
    const sources = this.#sources;
    let dueUs = this.#timersUs;
    for (let index = 0; index < sources.length; index++) {
      const sourceUs = sources[index]!.nextUs;
      if (sourceUs < dueUs) dueUs = sourceUs;
    }
    return dueUs;
  }

  #firstTimerUs(): number {
    let firstUs = Infinity;
    for (let index = 0; index < this.#heaps.length; index++) {
      const { nextUs } = this.#heaps[index]!;
      if (nextUs < firstUs) firstUs = nextUs;
    }
    return firstUs;
  }

  #runLane(sources: readonly ClockSource[], timers: TimerHeap, nowUs: number): void {
    for (let index = 0; index < sources.length; index++) {
      const source = sources[index]!;
      while (source.nextUs <= nowUs) source.run();
    }
    if (this.#timersUs <= nowUs) this.#runTimers(timers);
  }

  /** Timers set meanwhile wait for the next round. */
  #runTimers(timers: TimerHeap): void {
    const nowUs = this.#nowUs;
    const sequence = this.#sequence;
    for (let timer = timers.take(nowUs, sequence); timer !== null; timer = timers.take(nowUs, sequence)) {
      const { run } = timer;
      timer.run = null;
      run?.();
    }
  }
}
