/**
 * What readings prove about a movement of money whose fate is unknown. Pure. `happened` needs one reading that shows it;
 * `absent` needs complete ones that were asked for after the fence, the time at which the exchange would no longer take
 * the request (its signature window and a margin), and, where money would have moved, totals that are as before and a
 * history without any other movement of the currency. Everything else stays open: a human decides, or a later reading.
 */
import type { TransactionRow } from '../../model/money-records.ts';
import { dec } from '../../model/money.ts';
import type { Advertisement, P2pTrade } from '../../model/p2p.ts';
import type { Reading } from '../../model/result.ts';
import type { MoneyKind, MoneyRequest } from '../../model/treasury.ts';
import {
  doubtOf,
  found,
  isCandidate,
  itemsOf,
  open,
  totalsSince,
  type Case,
  type MoneyEvidence,
  type MoneyVerdict,
  type ReadingName,
  type VerdictRules,
} from './evidence.ts';
import { closed, ordered } from './order-verdict.ts';
import type { MoneyRecord } from './state.ts';

interface Rule<K extends MoneyKind> {
  readonly reads: readonly ReadingName[];
  /** True when things from long before the sending are looked for. */
  readonly wholeHistory?: boolean;
  /** How long before the sending what is looked for may have been created. */
  readonly lookBackMs?: number;
  readonly judge: (of: Case<K>) => MoneyVerdict;
}

/** For what the transaction history shows: a row of this type, currency and amount. */
function movement(
  of: Case,
  type: string,
  content: { readonly currency?: string; readonly amount?: string },
  needed: 'one' | 'all',
): MoneyVerdict {
  const { record, evidence } = of;
  const rows = itemsOf(evidence.transactions);
  const { currency, amount } = content;
  const match = rows.findLast(
    (row) =>
      row.type === type &&
      (currency ?? row.currency) === row.currency &&
      (amount === undefined || dec(row.amount).eq(dec(amount))) &&
      isCandidate(of, row.transactionId, row.createdAt),
  );
  const totals = totalsSince(of, needed);
  if (match !== undefined) {
    // A row from just before the sending may be an equal movement by somebody else: then the balances have to agree.
    if (match.createdAt >= Math.floor(record.sentAt) || totals.kind === 'moved')
      return found(match.transactionId, match.status, 'transaction');
    if (totals.kind === 'doubt') return open(`transaction ${match.transactionId} may be it: ${totals.why}`);
  }
  const doubt = doubtOf(of, 'the history', evidence.transactions);
  if (doubt !== null) return doubt;
  const since = record.before?.at ?? record.sentAt;
  const other = rows.find(
    (row) => (currency ?? row.currency) === row.currency && row.createdAt >= since - of.rules.clockSlackMs,
  );
  if (other !== undefined)
    return open(`${other.type} ${other.transactionId} moved ${other.currency} since: the balances prove nothing`);
  if (totals.kind !== 'quiet') return open(totals.why);
  return { kind: 'absent', why: 'the history does not show it and the balances are as before' };
}

/** A draft moves nothing: the history alone tells. */
function draft(of: Case<'fiatCreate'>): MoneyVerdict {
  const { type, currency, amount } = of.request;
  const match = itemsOf(of.evidence.transactions).findLast(
    (row) =>
      row.type === type &&
      row.currency === currency &&
      dec(row.amount).eq(dec(amount)) &&
      isCandidate(of, row.transactionId, row.createdAt),
  );
  if (match !== undefined) return found(match.transactionId, match.status, 'application');
  return doubtOf(of, 'the history', of.evidence.transactions) ?? { kind: 'absent', why: 'no such application exists' };
}

interface Steps {
  /** Statuses that show that the step was made, or what came after it. */
  readonly done: readonly string[];
}

/** A step of something that exists: its status tells, whoever made the step. */
function step<T>(
  of: Case,
  name: string,
  reading: Reading<T>,
  id: string,
  read: (item: T) => { readonly id: string; readonly status: string },
  { done }: Steps,
): MoneyVerdict {
  const item = itemsOf(reading)
    .map(read)
    .find((row) => row.id === id);
  if (item !== undefined && done.includes(item.status)) return found(id, item.status, name);
  const doubt = doubtOf(of, name, reading);
  if (doubt !== null) return doubt;
  if (item === undefined) return open(`${name} ${id} is not listed`);
  return { kind: 'absent', why: `${name} ${id} is ${item.status}` };
}

const tradeState = ({ tradeId: id, status }: P2pTrade): { id: string; status: string } => ({ id, status });
const adState = ({ advertisementId: id, status }: Advertisement): { id: string; status: string } => ({ id, status });
const rowState = ({ transactionId: id, status }: TransactionRow): { id: string; status: string } => ({ id, status });

function tradeStep(
  done: readonly string[],
): Rule<'startTrade' | 'payTrade' | 'confirmTrade' | 'disputeTrade' | 'cancelTrade'> {
  return {
    reads: ['trades'],
    judge: (of) => step(of, 'trade', of.evidence.trades, of.request.tradeId, tradeState, { done }),
  };
}

function adStep(
  done: readonly string[],
): Rule<'activateAdvertisement' | 'deactivateAdvertisement' | 'deleteAdvertisement'> {
  return {
    reads: ['advertisements'],
    judge: (of) => step(of, 'advertisement', of.evidence.advertisements, of.request.advertisementId, adState, { done }),
  };
}

function transactionStep(done: readonly string[], id: (of: Case) => string): Pick<Rule<MoneyKind>, 'reads' | 'judge'> {
  return {
    reads: ['transactions'],
    judge: (of) => step(of, 'transaction', of.evidence.transactions, id(of), rowState, { done }),
  };
}

function sameTerms(row: Advertisement, request: MoneyRequest<'advertise' | 'editAdvertisement'>): boolean {
  const same = (asked: string | undefined, told: string): boolean => asked === undefined || dec(asked).eq(dec(told));
  return same(request.price, row.price) && same(request.minLimit, row.minLimit) && same(request.maxLimit, row.maxLimit);
}

function advertised(of: Case<'advertise'>): MoneyVerdict {
  const { marketId, side } = of.request;
  // Its amount may be less by now: it may have been traded.
  const row = itemsOf(of.evidence.advertisements).find(
    (item) =>
      item.market.marketId === marketId &&
      item.side === side &&
      sameTerms(item, of.request) &&
      isCandidate(of, item.advertisementId, item.createdAt),
  );
  if (row !== undefined) return found(row.advertisementId, row.status, 'advertisement');
  return (
    doubtOf(of, 'the advertisements', of.evidence.advertisements) ?? {
      kind: 'absent',
      why: 'no such advertisement exists',
    }
  );
}

function edited(of: Case<'editAdvertisement'>): MoneyVerdict {
  const { advertisementId, amount } = of.request;
  const row = itemsOf(of.evidence.advertisements).find((item) => item.advertisementId === advertisementId);
  const isSame =
    row !== undefined &&
    sameTerms(row, of.request) &&
    (amount === undefined || dec(amount).eq(dec(row.availableAmount)));
  if (isSame) return found(advertisementId, row.status, 'advertisement');
  const doubt = doubtOf(of, 'the advertisements', of.evidence.advertisements);
  if (doubt !== null) return doubt;
  if (row === undefined) return open(`advertisement ${advertisementId} is not listed`);
  return { kind: 'absent', why: `advertisement ${advertisementId} has other terms` };
}

function responded(of: Case<'respond'>): MoneyVerdict {
  const { advertisementId, amount, paymentMethodId } = of.request;
  const row = itemsOf(of.evidence.trades).find(
    (item) =>
      item.advertisementId === advertisementId &&
      item.paymentMethodId === paymentMethodId &&
      // The taker's view: base is what he receives, or what he sends.
      [item.volume, item.amount].some((told) => dec(told).eq(dec(amount))) &&
      isCandidate(of, item.tradeId, item.createdAt),
  );
  if (row !== undefined) return found(row.tradeId, row.status, 'trade');
  return doubtOf(of, 'the trades', of.evidence.trades) ?? { kind: 'absent', why: 'no such trade exists' };
}

function codeCreated(of: Case<'codeCreate'>): MoneyVerdict {
  const { currency, amount, recipient } = of.request;
  const row = itemsOf(of.evidence.codes).find(
    (item) =>
      item.currency === currency &&
      dec(item.amount).eq(dec(amount)) &&
      item.recipient === (recipient ?? null) &&
      isCandidate(of, item.codeId, item.createdAt),
  );
  if (row !== undefined) return found(row.codeId, row.status, 'code');
  const doubt = doubtOf(of, 'the codes', of.evidence.codes);
  return doubt ?? movement(of, 'code_create', { currency, amount }, 'all');
}

const MONEY: readonly ReadingName[] = ['transactions', 'balances'];
const FUTURES: readonly ReadingName[] = ['orders', 'fills', 'positions'];
/** A trade since then may be of an order that rested: it has to be listed, or nothing tells it from the one sought. */
const RESTED_MS = 3_600_000;
const submitted = ['submitted', 'processing', 'rejected', 'failed', 'completed'];
const paid = ['send-payment-document', 'dispute:open', 'complete'];

/** One row a kind. */
const rulesOf: { readonly [K in MoneyKind]: Rule<K> } = {
  transfer: { reads: MONEY, judge: (of) => movement(of, 'transfer', of.request, 'one') },
  codeCreate: { reads: ['codes', ...MONEY], judge: codeCreated },
  codeRedeem: { reads: MONEY, judge: (of) => movement(of, 'code_redeem', {}, 'all') },
  withdraw: { reads: MONEY, judge: (of) => movement(of, 'withdrawal', of.request, 'all') },
  cancelWithdrawal: {
    ...transactionStep(['canceled'], ({ request }) => ('transactionId' in request ? request.transactionId : '')),
    wholeHistory: true,
  },
  fiatCreate: { reads: ['transactions'], judge: draft },
  fiatSubmit: {
    reads: MONEY,
    judge: (of) => {
      const { type, currency, amount } = of.request;
      // A deposit moves nothing before it is completed.
      return type === 'withdrawal'
        ? movement(of, type, { currency, amount }, 'all')
        : draft({ ...of, request: { ...of.request, kind: 'fiatCreate' } });
    },
  },
  fiatConfirm: {
    ...transactionStep(submitted, ({ request }) => ('applicationId' in request ? request.applicationId : '')),
    wholeHistory: true,
  },
  fiatDelete: {
    ...transactionStep(['canceled'], ({ request }) => ('applicationId' in request ? request.applicationId : '')),
    wholeHistory: true,
  },
  overdraftPay: { reads: MONEY, judge: (of) => movement(of, 'overdraft_repayment', {}, 'all') },
  advertise: { reads: ['advertisements'], judge: advertised },
  editAdvertisement: { reads: ['advertisements'], judge: edited },
  activateAdvertisement: adStep(['active', 'completed']),
  deactivateAdvertisement: adStep(['deactivated', 'canceled', 'completed']),
  deleteAdvertisement: adStep(['canceled', 'completed']),
  respond: { reads: ['trades'], judge: responded },
  startTrade: tradeStep(['open', ...paid]),
  payTrade: tradeStep(paid),
  confirmTrade: tradeStep(['complete']),
  disputeTrade: tradeStep(['dispute:open']),
  cancelTrade: tradeStep(['cancel']),
  futuresOrder: { reads: FUTURES, lookBackMs: RESTED_MS, judge: ordered },
  futuresClose: { reads: FUTURES, lookBackMs: RESTED_MS, judge: closed },
};

/** What has to be read, and from when (Unix ms), to judge these. */
export function readsOf(
  records: readonly MoneyRecord[],
  clockSlackMs: number,
): {
  readonly names: ReadonlySet<ReadingName>;
  readonly from: number;
} {
  const names = new Set<ReadingName>();
  let from = Number.POSITIVE_INFINITY;
  for (const { request, before, sentAt } of records) {
    const rule = rulesOf[request.kind];
    for (const name of rule.reads) names.add(name);
    const since = Math.min(sentAt, before?.at ?? sentAt) - clockSlackMs - (rule.lookBackMs ?? 0);
    from = Math.min(from, rule.wholeHistory === true ? 0 : since);
  }
  return { names, from: Number.isFinite(from) ? Math.max(0, from) : 0 };
}

export function judge<K extends MoneyKind>(
  record: MoneyRecord & { readonly request: MoneyRequest<K> },
  evidence: MoneyEvidence,
  rules: VerdictRules,
): MoneyVerdict {
  const rule: Rule<K> = rulesOf[record.request.kind];
  return rule.judge({ record, request: record.request, evidence, rules });
}
