/**
 * Faults that strike once a second of true time, as the plan draws them: outages, maintenance, deaths, pauses, clocks,
 * disks, halts, and the human on the account under test. Those of requests, frames and journal writes strike where they
 * pass. Reliability §3.3.
 */
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Setting } from './futures/human-settings.ts';
import type { Laws } from './laws.ts';
import { commandOf } from './human-commands.ts';
import type { Machine } from './machine.ts';
import type { RareStates } from './rare-states.ts';
import type { Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const PAUSE_MS_MAX = 60_000;
const SLOW_LOOP_MS_MAX = 3000;
const OUTAGE_MS_MAX = 120_000;
const MAINTENANCE_MS_MIN = 60_000;
const MAINTENANCE_MS_MAX = 600_000;
const DISK_FULL_MS_MAX = 60_000;
const HALT_MS_MAX = 60_000;
const KILLED_MS_MAX = 180_000;
const BLOCKED_MS_MAX = 90_000;
/** Of the seconds in which another instance trades. */
const STRANGER_SHARE = 0.15;
const STRANGER_MS_MIN = 120_000;
const STRANGER_MS_MAX = 400_000;
const SECOND_MS_MIN = 60_000;
const SECOND_MS_MAX = 400_000;
/** Of the price. */
const JUMP_MAX = 0.12;
/** What is moved by hand while the exchange dates it before an opening that does not hold it cannot be told from what it holds. */
const DATED_BACK_MS_MAX = 10_000;
/** For so long a human leaves the settings of the perpetual changed. */
const SET_MS_MIN = 5000;
const SET_MS_MAX = 150_000;
/** By a human. */
const PAUSED_MS_MAX = 60_000;
/** A process this young is still starting. */
const YOUNG_MS = 5000;

export interface HazardOptions {
  readonly clock: VirtualClock;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly rare: RareStates;
  readonly venue: VenueSide;
  readonly machine: Machine;
  readonly laws: Laws;
}

export class Hazards {
  readonly #options: HazardOptions;
  #haltedUntilUs = 0;
  #killedUntilUs = 0;
  #paused = '';
  #pausedUntilUs = 0;
  #blockedUntilUs = 0;
  #strangerUntilUs = 0;

  constructor(options: HazardOptions) {
    this.#options = options;
  }

  everySecond(): void {
    this.#ofExchange();
    this.#ofMachine();
    this.#ofHuman();
    this.#options.machine.humanAcknowledges();
    this.#options.machine.humanResumes();
    this.#options.machine.everySecond();
    const { machine, rare } = this.#options;
    machine.sockets?.everySecond();
    machine.venueClock.everySecond();
    if (machine.process?.isRateLimited === true) rare.mark('rate-limit pause');
  }

  /** Everybody leaves the machine alone; what a human must put right is put right. */
  calm(): void {
    const { machine, venue } = this.#options;
    machine.outUntilUs = 0;
    machine.closedUntilUs = 0;
    machine.fullUntilUs = 0;
    machine.venueClock.calm();
    machine.instruments.calm();
    venue.setHalted(false);
    if (this.#blockedUntilUs > 0) this.#unblock();
    venue.futures?.settings.calm();
    machine.second.calm();
    venue.humanCancelsOwn();
    venue.humanPaysBack();
  }

  #ofExchange(): void {
    const { plan, machine, venue } = this.#options;
    if (plan.strikes('outage')) machine.outUntilUs = this.#in(1000, OUTAGE_MS_MAX);
    if (plan.strikes('maintenance')) {
      machine.closedUntilUs = this.#in(MAINTENANCE_MS_MIN, MAINTENANCE_MS_MAX);
      machine.sockets?.closeAll(1012);
    }
    if (plan.strikes('halt')) {
      this.#haltedUntilUs = this.#in(1000, HALT_MS_MAX);
      venue.setHalted(true);
    } else if (this.#isOver(this.#haltedUntilUs)) venue.setHalted(false);
    if (plan.strikes('venue-cancels')) venue.cancelOneOfOurs();
    if (plan.strikes('ids-forgotten')) machine.ids.begin(this.#options.clock.now());
  }

  #ofMachine(): void {
    const { plan, machine, clock, trace } = this.#options;
    if (plan.strikes('disk-full')) machine.fullUntilUs = this.#in(1000, DISK_FULL_MS_MAX);
    if (plan.strikes('journal-gone')) machine.takeJournal();
    if (plan.strikes('clock-step')) machine.stepClock(Math.round(plan.between(-5e6, 5e6)));
    if (plan.strikes('pause')) {
      trace.add(clock.nowUs(), 'pause');
      machine.processClock?.pauseUntil(this.#in(1000, PAUSE_MS_MAX));
    }
    if (plan.strikes('suspend')) machine.suspendFor(plan.between(1000, PAUSE_MS_MAX));
    // A loop that is busy: most of it below what the gate calls a stall.
    if (plan.strikes('slow-loop')) machine.processClock?.pauseUntil(this.#in(20, SLOW_LOOP_MS_MAX));
    if (plan.strikes('kill')) machine.die('kill');
    if (plan.strikes('told-to-end')) machine.end();
    if ((machine.processClock?.ageMs ?? YOUNG_MS) < YOUNG_MS && plan.strikes('kill-at-start'))
      machine.die('kill-at-start');
  }

  #ofHuman(): void {
    const { plan, machine, venue, rare } = this.#options;
    const isDown = machine.process?.streamDown === true;
    if (machine.process !== null && (plan.strikes('kill-switch') || (isDown && plan.strikes('kill-at-reconnect')))) {
      if (isDown) rare.mark('kill during reconnect');
      machine.process.kill('the simulated human');
      this.#killedUntilUs = this.#in(1000, KILLED_MS_MAX);
    }
    if (this.#isOver(this.#killedUntilUs)) {
      this.#killedUntilUs = 0;
      machine.process?.clearKill('the simulated human looked');
    }
    this.#pauses();
    if (machine.process?.hasStarted === true && plan.strikes('human-commands')) {
      rare.mark('commanded by a human');
      commandOf((low, high) => plan.between(low, high), machine.process);
    }
    if (plan.strikes('panic')) machine.panic.begin();
    machine.panic.everySecond();
    if (plan.strikes('key-blocked')) {
      venue.setKeyBlocked(true);
      this.#blockedUntilUs = this.#in(1000, BLOCKED_MS_MAX);
    } else if (this.#isOver(this.#blockedUntilUs)) this.#unblock();
    if (plan.strikes('human-order')) venue.humanOrder(false, plan.rates.has('taker-side') && this.#isDatedWell);
    if (plan.strikes('stranger')) venue.strangerOrder(false);
    this.#strangerTrades();
    if (plan.strikes('second-stack'))
      machine.second.begin(this.#in(SECOND_MS_MIN, SECOND_MS_MAX), plan.between(0, 1) < 0.5);
    machine.second.everySecond();
    if (plan.strikes('human-trade')) {
      if (plan.between(0, 1) < 0.3) venue.cancelOneOfOurs();
      else if (this.#isDatedWell) venue.humanOrder(true);
    }
    const transfers =
      plan.strikes('human-transfer') || (machine.process === null && plan.strikes('transfer-while-down'));
    if (transfers && this.#isDatedWell) venue.humanTransfers();
    if (venue.futures !== null) this.#ofFutures();
  }

  /** Over its deaths, too: the pause stands until a process can be told that it is over. */
  #pauses(): void {
    const { plan, machine, rare } = this.#options;
    const process = machine.process?.hasStarted === true ? machine.process : null;
    if (process !== null && this.#pausedUntilUs === 0 && plan.strikes('human-pauses')) {
      rare.mark('strategy paused');
      this.#paused = process.tags[Math.floor(plan.between(0, process.tags.length))] ?? '';
      this.#pausedUntilUs = this.#in(1000, PAUSED_MS_MAX);
      process.pause(this.#paused, true);
    } else if (process !== null && this.#isOver(this.#pausedUntilUs)) {
      this.#pausedUntilUs = 0;
      process.pause(this.#paused, false);
    }
  }

  /** Another instance that knows nothing of us and lets nothing rest, for minutes. */
  #strangerTrades(): void {
    const { plan, venue, rare, clock } = this.#options;
    if (plan.strikes('stranger-trades')) this.#strangerUntilUs = this.#in(STRANGER_MS_MIN, STRANGER_MS_MAX);
    if (!plan.isOn || clock.nowUs() > this.#strangerUntilUs || plan.between(0, 1) > STRANGER_SHARE) return;
    if (!this.#isDatedWell) return;
    rare.mark('another instance of which nothing rests');
    venue.strangerOrder(true);
  }

  #ofFutures(): void {
    const { plan, venue, machine, rare, laws } = this.#options;
    if (plan.strikes('human-futures') && this.#isDatedWell)
      venue.futures?.humanActs((side) => laws.futures?.holdings(side) ?? []);
    if (plan.strikes('positions-old')) machine.positions.begin(this.#options.clock.now());
    if (plan.strikes('human-refills') && this.#isDatedWell) venue.humanRefills();
    if (plan.strikes('human-settings') || (machine.process === null && plan.strikes('settings-while-down')))
      this.#setsAnew();
    venue.futures?.settings.everySecond(this.#options.clock.now());
    const isDown = machine.process === null || machine.process.streamDown;
    if (!plan.strikes('mark-jump') && !(isDown && plan.strikes('jump-while-down'))) return;
    rare.mark('jump of the mark');
    venue.jump(JUMP_MAX);
  }

  #setsAnew(): void {
    const { plan, venue, machine, rare } = this.#options;
    const setting = plan.pick<Setting>(['position mode', 'margin type']);
    const isDown = machine.process === null;
    if (venue.futures?.settings.change(setting, this.#in(SET_MS_MIN, SET_MS_MAX) / 1000) === true)
      rare.mark(`${setting} changed ${isDown ? 'while down' : 'by hand'}`);
  }

  /** A key that is good again is told to the process by starting it anew: a refused login is final. */
  #unblock(): void {
    this.#blockedUntilUs = 0;
    this.#options.venue.setKeyBlocked(false);
    this.#options.machine.die('restarted by the human, whose key is good again');
  }

  get #isDatedWell(): boolean {
    return this.#options.machine.venueClock.errorMs >= -DATED_BACK_MS_MAX;
  }

  #in(msMin: number, msMax: number): number {
    const { clock, plan } = this.#options;
    return clock.nowUs() + Math.round(plan.between(msMin, msMax) * 1000);
  }

  #isOver(untilUs: number): boolean {
    return untilUs > 0 && this.#options.clock.nowUs() >= untilUs;
  }
}
