/**
 * Money commands from intent to resolved outcome. A command equal to an unresolved one is denied, because that one may
 * have happened.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { MoneyBaseline, MoneyReceipt, MoneySendingEntry } from '../model/entries/money-entries.ts';
import type {
  AnyMoneyOutcome,
  MoneyAnswers,
  MoneyKind,
  MoneyRequest,
  MoneySecrets,
} from '../model/funds/money-commands.ts';
import { itemsOf, type MoneyOutcome, type Outcome, type Reading } from '../model/result.ts';
import type { Venue, VenueCommand } from '../model/venue.ts';
import type { DepartureRules, Departures, Intent } from '../spine/departures.ts';
import { canonicalRequest, fingerprintOf, journalledOutcome, secretHashOf } from '../spine/money/content.ts';
import { accountsOf, isCancellation, isOrder, isHarmlessTwice, isRetreat, laneOf } from '../spine/money/kinds.ts';
import type { MoneyRecord, MoneyView } from '../spine/money/state.ts';
import type { Spine } from '../spine/spine.ts';
import type { MoneyEvidence, MoneyVerdict } from './evidence.ts';
import { listNames, type Listed, type ListName } from './listed.ts';
import { isStep, judge, readEvidence } from './proofs.ts';
import { arrivalTimes, claimKey, claimsIn, type ArrivalTimes, type ProofTimes } from './traces.ts';

/** What money commands need: the executor's core, or a process that only moves money. */
export interface MoneyPort {
  readonly deps: {
    readonly venue: Pick<Venue, 'clientOrderIds' | 'query'>;
    /** Unique per process start. Each intent id begins with it. */
    readonly bootId: string;
    /** The venue is simulated. */
    readonly asksNobody?: boolean;
    readonly options: { readonly risk: { readonly intentTtlMs: number }; readonly reconcile: ProofTimes };
  };
  readonly spine: Spine;
  readonly departures: Departures;
  /** One commit for everything inside. Commands leave at its end. */
  readonly turn: { run(work: () => void): void };
}

interface MoneyHooks {
  readonly gate: (intent: Pick<Movement, 'request' | 'strategy' | 'ref'>) => Denied | null;
  /** A refusal of a movement stays unresolved until polls confirm it. */
  readonly doubtsRefusals?: true;
  /** Called before the evidence is judged. */
  readonly onEvidence?: (evidence: MoneyEvidence) => void;
  /** Called after every outcome (unknown ones too) and every resolution. `was`: the outcome before. */
  readonly onEnd?: (record: MoneyRecord, was: MoneyRecord['fate']) => void;
}

export interface Movement<K extends MoneyKind = MoneyKind> {
  readonly request: MoneyRequest & { readonly kind: K };
  readonly secrets?: MoneySecrets;
  /** Empty for a human's command. */
  readonly strategy: string;
  readonly ref?: string | undefined;
  /** Permits it while an equal one is unresolved, if twice is harmless. */
  readonly again?: boolean;
  readonly before: MoneyBaseline | null;
}

export interface Resolution {
  readonly record: MoneyRecord;
  readonly verdict: MoneyVerdict;
}

type OnOutcome = (outcome: AnyMoneyOutcome) => void;

interface MoneyIntent extends Intent {
  readonly strategy: string;
  readonly ref: string | undefined;
  readonly request: MoneyRequest;
}

const NO_RECEIPT: MoneyReceipt = { id: null, status: null };

export class MoneyIntents {
  readonly #port: MoneyPort;
  readonly #hooks: MoneyHooks;
  readonly #rules: DepartureRules<MoneyIntent, MoneySendingEntry>;
  readonly #waiting = new Map<string, OnOutcome>();

  constructor(port: MoneyPort, hooks: MoneyHooks) {
    this.#port = port;
    this.#hooks = hooks;
    this.#rules = rulesOf(port, hooks);
  }

  /** An equal movement may have happened. A cancellation may be tried again once it is no longer under way. */
  denialOf(request: MoneyRequest, secrets: MoneySecrets): Denied | null {
    const other = this.#port.spine.state.money.blocking(
      fingerprintOf(canonicalRequest(request), secretHashOf(secrets)),
    );
    const isUnderWay = other?.fate === 'pending' || other?.fate === 'sending';
    if (other === undefined || (isCancellation(request) && !isUnderWay)) return null;
    const is = other.fate === 'refused' ? 'was refused, which is not confirmed yet,' : `is ${other.fate}`;
    return denied('unresolved_money', `${request.kind} ${other.intentId} ${is} and would be doubled`);
  }

  /** It may have moved money. A step is refused a second time, and a simulated venue is believed. */
  #isDoubted({ request, sentAt }: MoneyRecord, { kind }: AnyMoneyOutcome): boolean {
    const { venue, asksNobody } = this.#port.deps;
    if (kind !== 'refused' || this.#hooks.doubtsRefusals !== true) return false;
    return (
      sentAt > 0 && accountsOf(request).length > 0 && venue.query.transactions !== undefined && asksNobody !== true
    );
  }

  /**
   * Call within a turn. Hands over the movement, or returns why not. `done` gets the complete answer once, never inside
   * this call.
   */
  send<K extends MoneyKind>(
    movement: Movement<K>,
    done: (outcome: MoneyOutcome<MoneyAnswers[K]>) => void = () => {},
  ): Denied | null {
    const { spine, departures } = this.#port;
    const { money } = spine.state;
    const { secrets = {}, strategy, ref, again, before } = movement;
    const request = canonicalRequest(movement.request);
    const secretHash = secretHashOf(secrets);
    const denial = again === true && isHarmlessTwice(request) ? null : this.denialOf(request, secrets);
    if (denial !== null) return denial;
    const intentId = `${this.#port.deps.bootId}-m${money.count + 1}`;
    spine.commit({
      kind: 'money-intent',
      intentId,
      strategy,
      ...(ref === undefined ? {} : { ref }),
      request,
      ...(secretHash === undefined ? {} : { secretHash }),
      before,
    });
    this.#waiting.set(intentId, done as OnOutcome);
    const intent = { intentId, strategy, ref, request, ...departures.decidedNow() };
    departures.send(commandOf(intentId, request, secrets), this.#rules, intent);
    return null;
  }

  outcome(intentId: string, outcome: AnyMoneyOutcome): void {
    const { spine } = this.#port;
    const record = spine.state.money.findOpen(intentId);
    if (record === undefined) return;
    const { fate, request } = record;
    const doubted = this.#isDoubted(record, outcome);
    spine.commit({
      kind: 'money-outcome',
      intentId,
      outcome: journalledOutcome(request.kind, outcome),
      ...(doubted ? { doubted } : {}),
    });
    const done = this.#waiting.get(intentId);
    this.#waiting.delete(intentId);
    done?.(outcome);
    this.#hooks.onEnd?.(record, fate);
  }

  /** The outcome of an order by hand. */
  ordered(intentId: string, outcome: Outcome): void {
    if (outcome.kind !== 'accepted') this.outcome(intentId, outcome);
    else if (outcome.order !== undefined) this.outcome(intentId, { kind: 'accepted', value: outcome.order });
    else this.outcome(intentId, { kind: 'unknown', reason: 'it was accepted without an order' });
  }

  /** Resolves unknown movements and doubted refusals by polls, and journals the results. Never rejects. */
  async resolve(): Promise<readonly Resolution[]> {
    return this.#judge(this.#port.spine.state.money.inDoubt());
  }

  /**
   * Looks whether the last movement with this content was refused, but happened soon after it was sent; `open` where that
   * cannot be seen yet, and the same could be sent twice. Null: it was not refused, or nothing shows it. Never rejects.
   */
  async disprove(fingerprint: string): Promise<Exclude<MoneyVerdict, { kind: 'absent' }> | null> {
    const last = this.#port.spine.state.money.records().findLast((each) => each.fingerprint === fingerprint);
    if (last?.fate !== 'refused' || last.sentAt === 0) return null;
    const [looked] = await this.#judge([last]);
    const verdict = looked?.verdict;
    return verdict === undefined || verdict.kind === 'absent' ? null : verdict;
  }

  async #judge(records: readonly MoneyRecord[]): Promise<readonly Resolution[]> {
    if (records.length === 0) return [];
    const { spine, turn, deps } = this.#port;
    const { clientOrderIds, query } = deps.venue;
    const evidence = await readEvidence(query, records);
    const { reconcile } = deps.options;
    const { historyLagMs } = reconcile;
    const rules = { ...arrivalTimes(reconcile), historyLagMs, clientOrderIds };
    const resolutions: Resolution[] = [];
    turn.run(() => {
      this.#hooks.onEvidence?.(evidence);
      const { money } = spine.state;
      for (const record of records) {
        const { intentId, fate, sentAt } = record;
        // It may have been resolved meanwhile.
        if (money.find(intentId)?.fate !== fate) continue;
        const claimed = claimsFor(money, evidence, rules);
        const rivals = money.unresolved().filter((each) => each.intentId !== intentId && each.sentAt > 0);
        const seen = fate === 'refused' ? movedUntil(evidence, sentAt + rules.fenceMs) : evidence;
        const verdict = judge(record, seen, { ...rules, claimed, rivals });
        // A refusal stays one where an earlier command made what is seen: an order of its client order id, or the same step.
        const isEarlier = verdict.kind === 'happened' && wasMadeBefore(record, verdict.receipt, claimed, money);
        if (fate === 'refused' && (verdict.kind === 'absent' || isEarlier)) {
          if (money.findOpen(intentId) !== undefined)
            this.#conclude(record, 'absent', NO_RECEIPT, 'readings', verdict.why);
          continue;
        }
        if (verdict.kind !== 'open') this.#conclude(record, verdict.kind, receiptIn(verdict), 'readings', verdict.why);
        resolutions.push({ record, verdict });
      }
    });
    return resolutions;
  }

  /** False when no such movement is unknown. */
  decide(intentId: string, verdict: 'happened' | 'absent', reason: string): boolean {
    const record = this.#port.spine.state.money.inDoubt().find((each) => each.intentId === intentId);
    if (record === undefined) return false;
    this.#port.turn.run(() => this.#conclude(record, verdict, NO_RECEIPT, 'human', reason));
    return true;
  }

  #conclude(
    record: MoneyRecord,
    verdict: 'happened' | 'absent',
    receipt: MoneyReceipt,
    by: 'readings' | 'human',
    evidence: string,
  ): void {
    const { intentId, fate } = record;
    this.#port.spine.commit({ kind: 'money-resolved', intentId, verdict, receipt, by, evidence });
    this.#hooks.onEnd?.(record, fate);
  }
}

/** What own commands that happened have made. */
function claimsFor(money: MoneyView, evidence: MoneyEvidence, times: ArrivalTimes): ReadonlySet<string> {
  const records = money.records();
  const orders = records.flatMap(({ fate, request, receipt }) =>
    fate === 'accepted' && isOrder(request) ? [claimKey('orders', receipt?.id ?? '')] : [],
  );
  const claims = <N extends ListName>(list: N): readonly string[] => {
    const reading: Reading<Listed[N]> = evidence[list];
    return claimsIn(list, itemsOf(reading), records, times);
  };
  return new Set([...orders, ...listNames.flatMap(claims)]);
}

function wasMadeBefore(
  { request, fingerprint, sentAt }: MoneyRecord,
  { id }: MoneyReceipt,
  claimed: ReadonlySet<string>,
  money: MoneyView,
): boolean {
  if (isOrder(request)) return claimed.has(claimKey('orders', id ?? ''));
  return (
    isStep(request) &&
    money.records().some((each) => each.fingerprint === fingerprint && each.fate === 'accepted' && each.sentAt < sentAt)
  );
}

/** Without money that moved later, Unix ms. */
function movedUntil(evidence: MoneyEvidence, untilMs: number): MoneyEvidence {
  const until = <Row extends { readonly createdAt: number | null }>(reading: Reading<Row>): Reading<Row> =>
    reading.kind === 'failed'
      ? reading
      : { ...reading, items: reading.items.filter(({ createdAt }) => createdAt === null || createdAt <= untilMs) };
  return { ...evidence, transactions: until(evidence.transactions), codes: until(evidence.codes) };
}

function receiptIn(verdict: MoneyVerdict): MoneyReceipt {
  return verdict.kind === 'happened' ? verdict.receipt : NO_RECEIPT;
}

function commandOf(intentId: string, request: MoneyRequest, secrets: MoneySecrets): VenueCommand {
  const lane = laneOf(request);
  if (request.kind !== 'spotOrder' && request.kind !== 'futuresOrder')
    return { kind: 'money', intentId, lane, request, secrets };
  const { kind, ...order } = request;
  const market = kind === 'spotOrder' ? 'spot' : 'derivative';
  return { kind: 'create', intentId, lane, order: { market, ...order } };
}

function rulesOf({ spine, deps }: MoneyPort, { gate }: MoneyHooks): DepartureRules<MoneyIntent, MoneySendingEntry> {
  return {
    ttlMs: deps.options.risk.intentTtlMs,
    nameOf: ({ request, intentId }) => `${request.kind} ${intentId}`,
    spent: ({ request, intentId }) =>
      spine.state.money.findOpen(intentId)?.fate === 'pending'
        ? null
        : denied('unresolved_money', `${request.kind} ${intentId} has been handed over already`),
    stopped: gate,
    sending: ({ intentId }) => ({ kind: 'money-sending', intentId }),
    isFree: ({ request }) => isRetreat(request),
    left: (_intent, sending) => spine.leaveMoney(sending),
  };
}
