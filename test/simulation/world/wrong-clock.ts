/**
 * An exchange whose clock is wrong: it steps and comes back, drifts, and its machines differ. The core keeps the true time; what it
 * stamps is translated on its way out, by the error at the moment that the stamp names, and what a request names on its way in.
 * Signature windows are judged by the wrong clock as well: a signed time is moved by the error of now and signed again, as
 * if the window stood elsewhere. Reliability R01, T06, §3.3 ("venue clock wrong").
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import {
  KEY_HEADER,
  prepareSecret,
  SIGNATURE_HEADER,
  signRest,
  signSocketLogin,
  TIMESTAMP_HEADER,
} from '../../../src/exchange/interface/signature.ts';
import type { PreparedRequest } from '../../../src/model/ports.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { RareStates } from './rare-states.ts';
import type { Trace } from './trace.ts';

const DRIFT_PPM_MAX = 2000;
/** What it drifts by is shown in steps. */
const DRIFTED_MS_MIN = 20;
const DIFFERENCE_MS_MAX = 6000;
const SHORT_MS_MAX = 6000;
/** A start takes over what is less than 10 s: a session whose time then jumps further back stays shut until the next start. */
const MIDDLE_MS_MIN = 14_000;
const LONG_MS_MIN = 30_000;
const LONG_MS_MAX = 300_000;
const HOUR_MS = 3_600_000;
/** Readings of payments reach so far before the first row of a journal in any case. */
const BORN_MS_MAX = 60_000;
/** What others do is dated no further back than what an opening waits for. */
const OTHERS_MS_MAX = 10_000;
/** A process has written its first row by then. */
const BEGUN_MS = 180_000;
const WRONG_MS_MIN = 2000;
const WRONG_MS_MAX = 150_000;
/** Beyond it every signature of a client that has the true time is refused. */
const WINDOW_MS = 30_000;
const TIMES = /"(serverTime|pong|ts|createdAt|updatedAt)":(\d{13})(?!\d)/g;
const FROM = /([?&]from=)(\d{13})(?!\d)/;

interface Since {
  readonly atMs: number;
  readonly errorMs: number;
}

export interface WrongClockWorld {
  readonly clock: VirtualClock;
  readonly plan: FaultPlan;
  readonly rare: RareStates;
  readonly trace: Trace;
  readonly secretKey: string;
  /** Funding is paid: what is dated before the journal began is of before anything of ours ran, and nobody's. */
  readonly paysFunding: boolean;
}

export class WrongClock {
  readonly #world: WrongClockWorld;
  readonly #secret: ReturnType<typeof prepareSecret>;
  readonly #startMs: number;
  readonly #ppm: number;
  /** Of the machine that stamps orders and trades before the one that tells the time, and of the one that pushes before that. */
  readonly #matchingMs: number;
  readonly #pushingMs: number;
  /** Oldest first; never empty. */
  readonly #steps: Since[];
  #untilMs = Number.POSITIVE_INFINITY;
  /** Without what it drifted by, ms. */
  #steppedMs = 0;
  #isInUse: boolean;

  constructor(world: WrongClockWorld) {
    const { clock, plan, secretKey } = world;
    this.#world = world;
    this.#secret = prepareSecret(secretKey);
    this.#startMs = clock.now();
    const drifts = plan.strength('venue-clock-drift');
    const differs = plan.strength('venue-clocks-differ');
    this.#ppm = drifts === 0 ? 0 : drifts * plan.between(-DRIFT_PPM_MAX, DRIFT_PPM_MAX);
    this.#matchingMs = differs === 0 ? 0 : Math.round(differs * plan.between(-DIFFERENCE_MS_MAX, DIFFERENCE_MS_MAX));
    this.#pushingMs = differs === 0 ? 0 : Math.round(differs * plan.between(-DIFFERENCE_MS_MAX, DIFFERENCE_MS_MAX));
    this.#steps = [{ atMs: this.#startMs, errorMs: 0 }];
    this.#isInUse = drifts > 0 || differs > 0;
  }

  /** Of the clock by which signatures are judged and which is told, ms. */
  get errorMs(): number {
    return this.#errorAt(this.#world.clock.now());
  }

  /** How a record of a true time is dated, ms. */
  dateOf(trueMs: number): number {
    return trueMs + this.#errorAt(trueMs) + this.#matchingMs;
  }

  everySecond(): void {
    const { clock, plan, rare } = this.#world;
    // After `calm`, or a step that was not over would be back a second later.
    if (!plan.isOn) return;
    const now = clock.now();
    if (plan.strikes('venue-clock-step')) {
      const sizeMs = this.#size();
      this.#steppedMs = sizeMs < -this.#behindMsMax ? -sizeMs : sizeMs;
      this.#untilMs = now + plan.between(WRONG_MS_MIN, WRONG_MS_MAX);
      rare.mark('clock of the exchange stepped');
    } else if (now >= this.#untilMs) {
      this.#steppedMs = 0;
      this.#untilMs = Number.POSITIVE_INFINITY;
    }
    this.#showFrom(now, this.#steppedMs + Math.round(((now - this.#startMs) * this.#ppm) / 1e6));
  }

  /** It shows the true time again, but for what its machines differ by. */
  calm(): void {
    this.#showFrom(this.#world.clock.now(), 0);
  }

  /** A request as the core would have got it from a client that knows the true time as well as this one knows the wrong. */
  incoming(
    request: PreparedRequest,
    target: string,
  ): { readonly target: string; readonly headers: PreparedRequest['headers'] } {
    const { headers, method, body } = request;
    const signedAt = Number(headers[TIMESTAMP_HEADER]);
    if (!this.#isInUse || headers[KEY_HEADER] === undefined || Number.isNaN(signedAt)) return { target, headers };
    // The list is cut again, by the stamps that it shows, when it leaves.
    const asked = target.replace(
      FROM,
      (_, name: string, from: string) => `${name}${Math.floor(this.#earliest(Number(from)))}`,
    );
    const timestamp = String(Math.max(0, Math.round(signedAt - this.errorMs)));
    const agoMs = this.#world.clock.now() - signedAt;
    if (Math.abs(agoMs) <= WINDOW_MS && Math.abs(agoMs + this.errorMs) > WINDOW_MS)
      this.#world.rare.mark('signature refused by a wrong clock');
    const signature = signRest(this.#secret, timestamp, method, asked, body);
    return { target: asked, headers: { ...headers, [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature } };
  }

  /** A login on a connection. */
  login(text: string): string {
    if (!this.#isInUse) return text;
    const message: unknown = JSON.parse(text);
    if (!isRecord(message)) return text;
    const { key, timestamp } = message;
    if (typeof timestamp !== 'number' || typeof key !== 'string') return text;
    const moved = Math.max(0, Math.round(timestamp - this.errorMs));
    return JSON.stringify({ ...message, timestamp: moved, signature: signSocketLogin(this.#secret, key, moved) });
  }

  /** A list that was asked for from a time on, `target` as the client wrote it: without what bears a stamp from before. */
  listed(target: string, body: string): string {
    const from = Number(FROM.exec(target)?.[2] ?? Number.NaN);
    if (!this.#isInUse || Number.isNaN(from) || !body.startsWith('{"items":[')) return body;
    const json: unknown = JSON.parse(body);
    if (!isRecord(json) || !Array.isArray(json['items'])) return body;
    const items: readonly unknown[] = json['items'];
    const kept = items.filter((item) => !isRecord(item) || this.#stampOf(item) >= from);
    return kept.length === items.length ? body : JSON.stringify({ ...json, items: kept });
  }

  /** An answer, whole or not, as it leaves. */
  answer(body: string): string {
    return this.#isInUse ? this.#stamped(body, this.#matchingMs) : body;
  }

  frame(text: string): string {
    return this.#isInUse ? this.#stamped(text, this.#matchingMs + this.#pushingMs) : text;
  }

  /** How far back it may date what happens now. */
  get #behindMsMax(): number {
    const { clock, plan, paysFunding } = this.#world;
    // A second stack knows the true time and trades on, and is somebody else to the first (seed 10198).
    if (plan.rates.has('second-stack')) return OTHERS_MS_MAX;
    if (!paysFunding) return Number.POSITIVE_INFINITY;
    if (plan.strength('journal-lost') > 0) return BORN_MS_MAX;
    return Math.max(BORN_MS_MAX, clock.now() - this.#startMs - BEGUN_MS);
  }

  #size(): number {
    const { plan } = this.#world;
    const sign = plan.pick([1, -1]);
    const kind = plan.between(0, 1);
    if (kind < 0.3) return Math.round(sign * plan.between(1000, SHORT_MS_MAX));
    if (kind < 0.4) return Math.round(sign * plan.between(MIDDLE_MS_MIN, LONG_MS_MIN));
    return Math.round(sign * (kind < 0.9 ? plan.between(LONG_MS_MIN, LONG_MS_MAX) : HOUR_MS));
  }

  #showFrom(nowMs: number, errorMs: number): void {
    const { clock, trace } = this.#world;
    const movedMs = Math.abs(errorMs - (this.#steps.at(-1)?.errorMs ?? 0));
    if (movedMs === 0 || (movedMs < DRIFTED_MS_MIN && errorMs !== 0)) return;
    this.#isInUse = true;
    this.#steps.push({ atMs: nowMs, errorMs });
    trace.add(clock.nowUs(), `the clock of the exchange is off by ${errorMs} ms`);
  }

  /** At a true time; in the very millisecond of a step it was not yet. What lies ahead is told by the clock of now. */
  #errorAt(trueMs: number): number {
    return this.#steps.findLast(({ atMs }) => atMs < trueMs)?.errorMs ?? 0;
  }

  /** Nothing that bears at least this stamp is older, true time. */
  #earliest(stamp: number): number {
    const aheadMs = Math.max(...this.#steps.map(({ errorMs }) => errorMs));
    return stamp - aheadMs - DIFFERENCE_MS_MAX * 2;
  }

  #stampOf(item: Readonly<Record<string, unknown>>): number {
    return this.dateOf(Number(item['ts'] ?? item['createdAt']));
  }

  #stamped(text: string, recordsMs: number): string {
    return text.replace(TIMES, (_, name: string, told: string) => {
      const atMs = Number(told);
      const moreMs = name === 'serverTime' || name === 'pong' ? 0 : recordsMs;
      return `"${name}":${atMs + this.#errorAt(atMs) + moreMs}`;
    });
  }
}
