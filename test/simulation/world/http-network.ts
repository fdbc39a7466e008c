/**
 * The way of requests between a simulated process and the exchange: each takes its time, and each may be refused, lost
 * on the way, answered in vain, late, or with something that is no answer. What has left arrives even when its process
 * is dead. Reliability §3.3, row REST.
 */
import type { HttpResult, HttpTransport, PreparedRequest } from '../../../src/model/ports.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Reply } from '../../../src/sandbox/reply.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { ChangedInstruments } from './changed-instruments.ts';
import type { FalseStatus } from './false-status.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { ForgottenIds } from './forgotten-ids.ts';
import { laggingList } from './lagging-list.ts';
import type { Limiter } from './limiter.ts';
import type { OldPositions } from './old-positions.ts';
import type { OwnTradeWords } from './own-trade-words.ts';
import type { ProcessClock } from './process-clock.ts';
import type { RareStates } from './rare-states.ts';
import type { Trace } from './trace.ts';
import type { WrongClock } from './wrong-clock.ts';

const ADDRESS = '127.0.0.1';
/** One way, ms. */
const LATENCY_MS_MIN = 2;
const LATENCY_MS_MAX = 40;
/** Bodies that no list and no order has. */
const LISTLESS = [
  '{"items":null}',
  '{}',
  '[]',
  '{"data":{}}',
  '{"items":{}}',
  '{"code":"busy","message":"try later"}',
] as const;
const CANCEL_MANY = '/order/cancel-many';
const LAG_MS_MAX = 25_000;
/** The path begins after `http://`. */
const ORIGIN_MIN = 7;

/** A straggler arrives while its signature is still good, long after its sender gave up. */
const STRAGGLER_MS_MAX = 27_000;

export interface HttpWorld {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly rare: RareStates;
  readonly limiter: Limiter;
  readonly ids: ForgottenIds;
  readonly ownTrades: OwnTradeWords;
  readonly falseStatus: FalseStatus;
  readonly venueClock: WrongClock;
  readonly positions: OldPositions;
  readonly instruments: ChangedInstruments;
  /** True while nothing gets through. */
  readonly isOut: () => boolean;
  /** True while the exchange answers everything with the page that says so. */
  readonly isClosed: () => boolean;
  /** A request is carried out at the exchange, with the mark that its sender gave it; null when it is done. */
  readonly arriving: (mark: string | null) => void;
  /** An order of ours ends just before a cancel arrives. */
  readonly raceCancel: () => void;
}

/** The process that sends: what it is asked before bytes leave, and where its answers go. */
export interface HttpSender {
  readonly clock: ProcessClock;
  /** The bytes are about to leave. May end the process. Answers a mark for what they create, or null. */
  onSend(request: PreparedRequest): string | null;
}

type Fate = 'refused' | 'lost' | 'late' | 'slow' | 'normal';

export function httpNetwork(world: HttpWorld, sender: HttpSender): HttpTransport {
  return {
    request: (request, deadlineMs, done) => send(world, sender, request, deadlineMs, done),
    close: () => Promise.resolve(),
  };
}

function send(
  world: HttpWorld,
  sender: HttpSender,
  request: PreparedRequest,
  deadlineMs: number,
  done: (result: HttpResult) => void,
): void {
  const { clock, plan, trace } = world;
  if (sender.clock.dead) return;
  const mark = sender.onSend(request);
  // Death at the very edge: nothing has left.
  if (sender.clock.dead) return;
  trace.add(clock.nowUs(), `> ${request.method} ${request.url} ${request.body}`);
  let isOver = false;
  const end = (result: HttpResult): void => {
    if (isOver) return;
    isOver = true;
    disarm();
    trace.add(clock.nowUs(), `= ${result.kind === 'response' ? `${result.status} ${result.body}` : result.reason}`);
    done(result);
  };
  const disarm = sender.clock.after(deadlineMs, () =>
    end({ kind: 'unknown', reason: `no whole answer within ${deadlineMs} ms` }),
  );
  const answerAt = (ms: number, result: HttpResult): void =>
    void sender.clock.handAt(clock.nowUs() + Math.round(ms * 1000), () => end(result));
  const fate = fateOf(world);
  if (fate === 'refused') answerAt(1, { kind: 'not-sent', reason: 'ECONNREFUSED' });
  if (fate === 'refused' || fate === 'lost') return;
  const delayMs =
    fate === 'late'
      ? plan.between(deadlineMs, STRAGGLER_MS_MAX)
      : plan.between(LATENCY_MS_MIN, fate === 'slow' ? deadlineMs : LATENCY_MS_MAX);
  clock.schedule(sender.clock.wakeUs + Math.round(delayMs * 1000), 'command', () => {
    if (fate === 'late' && mark !== null) world.rare.mark('straggler arrived');
    arrive(world, { request, mark }, answerAt);
    // What changes nothing when it is carried out twice; who doubles a create makes a second order.
    if (mark === null && plan.strikes('request-doubled')) arrive(world, { request, mark }, () => {});
  });
}

function fateOf({ plan, isOut }: HttpWorld): Fate {
  if (isOut()) return plan.between(0, 1) < 0.5 ? 'refused' : 'lost';
  if (plan.strikes('request-refused')) return 'refused';
  if (plan.strikes('request-lost')) return 'lost';
  if (plan.strikes('request-late')) return 'late';
  return plan.strikes('request-slow') ? 'slow' : 'normal';
}

interface Sent {
  readonly request: PreparedRequest;
  readonly mark: string | null;
}

function arrive(world: HttpWorld, { request, mark }: Sent, answerAt: (ms: number, result: HttpResult) => void): void {
  const { sandbox, plan, clock, trace, venueClock, instruments, falseStatus } = world;
  const backMs = plan.between(LATENCY_MS_MIN, LATENCY_MS_MAX);
  const refusal = frontOf(world) ?? refusedBy(instruments, request);
  if (refusal !== null) {
    answerAt(backMs, refusal);
    return;
  }
  const target = request.url.slice(request.url.indexOf('/', ORIGIN_MIN));
  const path = target.split('?', 1)[0];
  const headers: Record<string, string> = {};
  const signed = venueClock.incoming(request, target);
  for (const name in signed.headers) headers[name.toLowerCase()] = signed.headers[name] ?? '';
  const body = Buffer.from(request.body, 'utf8');
  if ((request.method === 'DELETE' || request.url.endsWith(CANCEL_MANY)) && plan.strikes('cancel-race'))
    world.raceCancel();
  world.arriving(mark);
  const ghost = falseStatus.ghost(mark, request, clock.now());
  if (ghost !== null) {
    world.arriving(null);
    answerAt(backMs, response(ghost.status, venueClock.answer(bodyOf(world, target, ghost))));
    return;
  }
  const cancelsNothing = falseStatus.cancelsNothing(request);
  const { method } = request;
  const arrived = { method, target: signed.target, headers, body, address: ADDRESS, cancelsNothing };
  sandbox.handle(arrived, (made) => {
    const reply = made === null ? null : falseStatus.answer(mark, made);
    trace.add(clock.nowUs(), `* ${method} ${path} ${reply?.status ?? 'closed'}`);
    const told = reply === null ? null : { ...reply, body: venueClock.listed(target, bodyOf(world, target, reply)) };
    const result = answerOf(world, request, told);
    if (result === null) return;
    const dated = result.kind === 'response' ? { ...result, body: venueClock.answer(result.body) } : result;
    answerAt(plan.strikes('answer-late') ? plan.between(3000, 12_000) : backMs, dated);
  });
  world.arriving(null);
}

/** What stands before the exchange answers in its place; null when it lets the request through. */
function frontOf({ plan, clock, limiter, isClosed }: HttpWorld): HttpResult | null {
  if (isClosed()) return response(503, '<html>maintenance</html>');
  const limited = limiter.refusal(clock.now());
  if (limited !== null)
    return response(limited.status, '{"code":"rate_limited"}', { 'retry-after': limited.retryAfter });
  if (plan.strikes('rate-limit')) {
    return response(429, '{"code":"rate_limited","message":"slow down"}', { 'retry-after': '1' });
  }
  if (!plan.strikes('status-before')) return null;
  const status = plan.pick([500, 502, 503, 504, 301, 307, 308, 403, 408, 421]);
  const headers = status < 400 ? { location: 'http://elsewhere.invalid/' } : undefined;
  return response(status, '<html>no way through</html>', headers);
}

function refusedBy(instruments: ChangedInstruments, request: PreparedRequest): HttpResult | null {
  const refused = instruments.refusal(request);
  return refused === null ? null : response(refused.status, refused.body, refused.headers);
}

/** As the exchange tells it just now. */
function bodyOf(
  { ids, ownTrades, positions, instruments, clock }: HttpWorld,
  target: string,
  { status, body }: Reply,
): string {
  if (status !== 200) return body;
  const told = ownTrades.answer(instruments.answer(target, body));
  return positions.answer(target, ids.answer(target, told, clock.now()), clock.now());
}

/** Null: nothing comes back. */
function answerOf(
  { plan, isOut, clock }: HttpWorld,
  { method }: PreparedRequest,
  reply: Reply | null,
): HttpResult | null {
  if (reply === null || isOut() || plan.strikes('answer-lost')) return null;
  if (plan.strikes('answer-reset')) return { kind: 'unknown', reason: 'ECONNRESET' };
  if (plan.strikes('status-after')) return response(plan.pick([500, 502, 504, 404, 400, 409, 429, 307]), 'upstream');
  const { status, headers, body } = reply;
  if (plan.strikes('answer-garbage')) {
    const cut = body.slice(0, Math.floor(plan.between(0, body.length)));
    return response(status, plan.pick(['<html>ok</html>', cut, 'null', '{}', '']));
  }
  if (method !== 'GET' || status !== 200) return { kind: 'response', status, headers, body };
  if (plan.strikes('list-empty')) return response(status, plan.pick(LISTLESS));
  if (plan.strikes('read-lag')) {
    return response(status, laggingList(body, clock.now() - plan.between(0, LAG_MS_MAX)), headers);
  }
  return { kind: 'response', status, headers, body };
}

function response(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpResult {
  return { kind: 'response', status, headers, body };
}
