/**
 * REST client: priority lanes, request budget, signing at dispatch, three outcomes. It never retries.
 *
 *   call ──▶ lane queue ──▶ [class free? budget?] ──▶ onDispatch ──▶ commit ──▶ sign ──▶ transport ──▶ classify ──▶ done
 *            kill > cancel > reduce > create > reconcile > history > public > page
 *
 * `done` is called exactly once and never inside `call()`. A call that ends before dispatch is `not-sent`.
 */
import { messageOf } from '../../model/errors.ts';
import { asWritten, type Knobs } from '../../model/knobs.ts';
import type { Cancel, Clock, HttpResult, Lane, Logger, PreparedRequest } from '../../model/ports.ts';
import type { OnDispatch, Verdict } from '../../model/venue.ts';
import { answersSecret, type Endpoint, type EndpointName, type EndpointTable } from '../interface/endpoints.ts';
import { classifyResult, type CallResult } from './classify.ts';
import { dateSample, type ClockSample } from './clock-offset.ts';
import type { Credentials } from './credentials.ts';
import { withheld, withoutEchoes } from './echoed-secrets.ts';
import type { HttpTransports, RequestClass } from './http-transport.ts';
import { limits } from '../interface/limits.ts';
import type { LoginSession } from './sockets/login-session.ts';
import {
  prepareRequest,
  requestAddress,
  type Query,
  type RequestAddress,
  type RequestTarget,
  type Signing,
} from './prepare-request.ts';
import { retryAfterMs, type RequestBudget } from './request-budget.ts';
import { callerOf, keyStateCodes, needsAccess, type Caller } from './request-access.ts';
import { laneNames, lanesOf, underWayMax, waitedReason, type LaneRule } from './request-lanes.ts';

export interface HttpCall {
  readonly endpoint: EndpointName;
  readonly lane: Lane;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: object;
  /** Synchronous, before signing; a denial stops the request. */
  readonly onDispatch?: OnDispatch;
}

export interface HttpClientDeps {
  readonly clock: Clock;
  /** Exchange Unix ms. */
  readonly exchangeNow: () => number;
  readonly transports: HttpTransports;
  readonly endpoints: EndpointTable;
  readonly budget: RequestBudget;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  /** Null: orders and positions are `not-sent`. */
  readonly credentials: Credentials | null;
  /** Without it, operations closed to API keys are `not-sent`. */
  readonly login?: LoginSession;
  readonly logger: Logger;
  readonly knobs?: Knobs;
  readonly onClockDoubt?: () => void;
  /** For a service without a time operation. */
  readonly onServerDate?: (sample: ClockSample) => void;
}

export interface HttpClient {
  call(call: HttpCall, done: (result: CallResult) => void): void;
  together(run: () => void): void;
  /** Never rejects. */
  read(call: HttpCall): Promise<CallResult>;
  readonly pending: number;
  readonly pageLimit: number;
  readonly sent: ReadonlyMap<EndpointName, number>;
  /** Set while the last signed answer refused the key. */
  readonly keyRefused: string | null;
  close(): Promise<void>;
}

interface Waiting {
  readonly call: HttpCall;
  readonly target: RequestTarget;
  readonly by: Caller;
  readonly done: (result: CallResult) => void;
  readonly expires: number;
}

interface Leave {
  readonly sentAt: number;
  /** Of the pause in which it left, budget clock, ms; 0: in none. */
  readonly pausedUntil: number;
}

/** `commit` makes the permission durable and may still stop it. */
interface Released {
  readonly waiting: Waiting;
  readonly rule: LaneRule;
  readonly signing: Signing;
  readonly commit: () => Verdict;
}

const GO = (): Verdict => 'go';

const QUEUE_LENGTH_MAX = 512;

class LaneHttpClient implements HttpClient {
  readonly pageLimit: number;
  readonly #deps: HttpClientDeps;
  readonly #lanes: readonly LaneRule[];
  readonly #queueLengthMax: number;
  readonly #underWayMax: Readonly<Record<RequestClass, number>>;
  readonly #queues = new Map<Lane, Waiting[]>(laneNames.map((lane) => [lane, []]));
  readonly #underWay: Record<RequestClass, number> = { orders: 0, reconcile: 0, public: 0 };
  readonly #signedAddresses = new Map<Endpoint, RequestAddress>();
  readonly #openAddresses = new Map<Endpoint, RequestAddress>();
  readonly sent = new Map<EndpointName, number>();
  readonly #released: Released[] = [];
  #wake: Cancel | null = null;
  #pumping = false;
  #held = 0;
  /** Set when a call arrives during a round. */
  #again = false;
  #closed = false;
  #keyRefused: string | null = null;

  constructor(deps: HttpClientDeps) {
    this.#deps = deps;
    const { knobs = asWritten } = deps;
    this.pageLimit = knobs('page', limits.pageLimitMax);
    this.#lanes = lanesOf(knobs);
    this.#queueLengthMax = knobs('request-queue', QUEUE_LENGTH_MAX);
    this.#underWayMax = underWayMax(knobs);
  }

  get keyRefused(): string | null {
    return this.#keyRefused;
  }

  get pending(): number {
    let count = this.#underWay.orders + this.#underWay.reconcile + this.#underWay.public;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  call(call: HttpCall, done: (result: CallResult) => void): void {
    const endpoint = this.#deps.endpoints.get(call.endpoint);
    const queue = this.#queues.get(call.lane) ?? [];
    const by = callerOf(endpoint, this.#deps.credentials !== null);
    const target = this.#fullOrClosed(queue, call.lane) ?? this.#targetOf(call, endpoint, by);
    if (typeof target === 'string') {
      this.#finishSoon(call, done, { kind: 'not-sent', reason: target });
      return;
    }
    const rule = this.#ruleOf(call.lane);
    queue.push({ call, target, by, done, expires: this.#deps.clock.now() + rule.queueMsMax });
    this.#pump();
  }

  together(run: () => void): void {
    this.#held += 1;
    try {
      run();
    } finally {
      this.#held -= 1;
      this.#pump();
    }
  }

  read(call: HttpCall): Promise<CallResult> {
    return new Promise((resolve) => {
      this.call(call, resolve);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#disarm();
    for (const queue of this.#queues.values()) {
      for (const { call, done } of queue.splice(0))
        this.#finish(call, done, { kind: 'not-sent', reason: 'the client is closing' });
    }
    const { orders, reconcile, public: open } = this.#deps.transports;
    await Promise.all([orders.close(), reconcile.close(), open.close()]);
  }

  #fullOrClosed(queue: readonly Waiting[], lane: Lane): string | null {
    if (this.#closed) return 'the client is closed';
    const most = this.#queueLengthMax;
    return queue.length >= most ? `${most} requests wait in lane ${lane} already` : null;
  }

  #targetOf(call: HttpCall, endpoint: Endpoint, by: Caller): RequestTarget | string {
    if (by !== 'nobody' && this.#signingOf(by) === null) return needsAccess(endpoint, by);
    try {
      const { url, path } = this.#addressOf(call, endpoint, by);
      return { url, path, endpoint, body: call.body === undefined ? '' : JSON.stringify(call.body) };
    } catch (error) {
      return messageOf(error);
    }
  }

  #addressOf({ params, query }: HttpCall, endpoint: Endpoint, by: Caller): RequestAddress {
    const { gatewayUrl, baseUrl } = this.#deps;
    const base = by === 'key' ? gatewayUrl : baseUrl;
    if (params !== undefined || query !== undefined) return requestAddress(base, endpoint, params, query);
    const fixed = by === 'key' ? this.#signedAddresses : this.#openAddresses;
    let address = fixed.get(endpoint);
    if (address === undefined) fixed.set(endpoint, (address = requestAddress(base, endpoint)));
    return address;
  }

  /** A call that arrives meanwhile restarts the round. */
  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#held > 0) return;
    this.#pumping = true;
    let waitMs = Number.POSITIVE_INFINITY;
    try {
      while (this.#again) {
        waitMs = this.#round();
        if (!this.#again) this.#sendReleased();
      }
    } finally {
      this.#pumping = false;
    }
    this.#disarm();
    if (Number.isFinite(waitMs) && !this.#closed) this.#wake = this.#deps.clock.after(waitMs, () => this.#pump());
  }

  #round(): number {
    this.#again = false;
    let waitMs = Number.POSITIVE_INFINITY;
    for (const rule of this.#lanes) {
      waitMs = Math.min(waitMs, this.#drain(rule));
      if (this.#again) break;
    }
    return waitMs;
  }

  #disarm(): void {
    this.#wake?.();
    this.#wake = null;
  }

  /** Ms until this lane is due; infinity when empty or waiting for an answer. */
  #drain(rule: LaneRule): number {
    const queue = this.#queues.get(rule.lane) ?? [];
    for (;;) {
      const head = queue[0];
      if (head === undefined) return Number.POSITIVE_INFINITY;
      const restMs = head.expires - this.#deps.clock.now();
      if (restMs <= 0) {
        queue.shift();
        this.#finishSoon(head.call, head.done, {
          kind: 'not-sent',
          reason: waitedReason(rule),
        });
        continue;
      }
      // A queue deadline applies even while all connections are busy.
      if (this.#underWay[rule.class] >= this.#underWayMax[rule.class] - rule.keepFree) return restMs;
      const budgetMs = this.#deps.budget.take(rule.lane);
      if (budgetMs > 0) return Math.min(restMs, budgetMs);
      queue.shift();
      this.#dispatch(head, rule);
      if (this.#again) return 0;
    }
  }

  /** It leaves with the others of this round. */
  #dispatch(waiting: Waiting, rule: LaneRule): void {
    const signing = this.#signingOf(waiting.by);
    if (signing === null) {
      const reason = needsAccess(waiting.target.endpoint, waiting.by);
      this.#stop(waiting, rule, { kind: 'not-sent', reason });
      return;
    }
    let commit = GO;
    const stopped = stoppedBy(() => {
      const asked = waiting.call.onDispatch?.() ?? 'go';
      if (typeof asked !== 'function') return asked;
      commit = asked;
      return 'go';
    });
    if (stopped !== null) {
      this.#stop(waiting, rule, stopped);
      return;
    }
    this.#underWay[rule.class] += 1;
    this.#released.push({ waiting, rule, signing, commit });
  }

  #sendReleased(): void {
    // One by one: if one throws, the rest leave with the next round.
    for (let next = this.#released.shift(); next !== undefined; next = this.#released.shift()) {
      const { waiting, rule, signing, commit } = next;
      const stopped = stoppedBy(commit);
      if (stopped === null) {
        this.#send(waiting, rule, signing);
        continue;
      }
      this.#underWay[rule.class] -= 1;
      this.#again = true;
      this.#stop(waiting, rule, stopped);
    }
  }

  #stop({ call, done }: Waiting, rule: LaneRule, result: CallResult): void {
    this.#deps.budget.giveBack(rule.lane);
    this.#finishSoon(call, done, result);
  }

  #send(waiting: Waiting, rule: LaneRule, signing: Signing): void {
    const { transports, exchangeNow } = this.#deps;
    const request = prepareRequest(waiting.target, signing, exchangeNow());
    this.sent.set(waiting.call.endpoint, (this.sent.get(waiting.call.endpoint) ?? 0) + 1);
    const sentAt = this.#deps.clock.now();
    const { pausedUntil } = this.#deps.budget.state;
    transports[rule.class].request(request, rule.deadlineMs, (answer) => {
      const result = this.#read(waiting.call.endpoint, answer, request);
      this.#underWay[rule.class] -= 1;
      this.#observe(waiting, answer, result, { sentAt, pausedUntil });
      this.#finish(waiting.call, waiting.done, result);
      this.#pump();
    });
  }

  #read(endpoint: EndpointName, answer: HttpResult, request: PreparedRequest): CallResult {
    const told = classifyResult(answer);
    if (told.kind === 'ok') return told;
    const isEvidence = told.kind === 'unknown' && told.absent === undefined;
    const said = withoutEchoes(answer, request);
    return classifyResult(isEvidence && answersSecret(endpoint) ? withheld(said) : said);
  }

  #ruleOf(lane: Lane): LaneRule {
    const rule = this.#lanes.find((row) => row.lane === lane);
    if (rule === undefined) throw new RangeError(`no lane ${lane}`);
    return rule;
  }

  #signingOf(by: Caller): Signing | null {
    const { credentials, login } = this.#deps;
    if (by === 'nobody') return { kind: 'none' };
    if (by === 'key') return credentials === null ? null : { kind: 'key', credentials };
    const token = login?.token() ?? null;
    return token === null ? null : { kind: 'token', token };
  }

  #observe(waiting: Waiting, answer: HttpResult, result: CallResult, { sentAt, pausedUntil }: Leave): void {
    if (answer.kind !== 'response') return;
    const sample = dateSample(answer.headers['date'], sentAt, this.#deps.clock.now());
    if (sample !== null) this.#deps.onServerDate?.(sample);
    if (answer.status === 429 || answer.status === 418) {
      const pauseMs = retryAfterMs(answer.headers['retry-after'], this.#deps.clock.now());
      this.#deps.budget.penalise(pauseMs);
      this.#deps.logger.warn({ endpoint: waiting.call.endpoint, pauseMs }, 'rate limited by the exchange');
    } else if (result.kind === 'ok') this.#deps.budget.relent(pausedUntil);
    if (waiting.by !== 'key') return;
    if (result.kind === 'ok') this.#keyRefused = null;
    if (result.kind !== 'refused' || !result.ofKey) return;
    if (result.code === 'timestamp_expired') this.#deps.onClockDoubt?.();
    if (keyStateCodes.has(result.code)) this.#keyRefused = result.message;
  }

  #finishSoon(call: HttpCall, done: Waiting['done'], result: CallResult): void {
    this.#deps.clock.after(0, () => this.#finish(call, done, result));
  }

  /** A throwing handler must not stop the lanes. */
  #finish(call: HttpCall, done: Waiting['done'], result: CallResult): void {
    try {
      done(result);
    } catch (error) {
      this.#deps.logger.error({ endpoint: call.endpoint, problem: messageOf(error) }, 'a result handler failed');
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function stoppedBy(ask: () => Verdict): CallResult | null {
  try {
    const verdict = ask();
    return verdict === 'go' ? null : { kind: 'denied', denied: verdict };
  } catch (error) {
    return { kind: 'not-sent', reason: `the last check before sending failed: ${messageOf(error)}` };
  }
}

export function createHttpClient(deps: HttpClientDeps): HttpClient {
  return new LaneHttpClient(deps);
}
