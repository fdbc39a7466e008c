/**
 * How an unknown money command is proved, by kind. `happened` needs one reading that shows it. `absent` needs complete
 * readings after the fence, when the exchange no longer takes the request; where money would have moved, also unchanged
 * totals and no other movement of the currency. Anything else stays open.
 */
import type { CodeRow, TransactionRow } from '../model/money-records.ts';
import { dec } from '../model/money.ts';
import type { Advertisement, P2pTrade } from '../model/p2p.ts';
import type { Reading } from '../model/result.ts';
import type { MoneyKind, MoneyRequest } from '../model/money-commands.ts';
import type { VenueQueries } from '../model/venue.ts';
import type { OrderReport } from '../model/order.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { sameMethods } from './advertisement-terms.ts';
import {
  CLOCK_SLACK_MS,
  doubtOf,
  found,
  isCandidate,
  itemsOf,
  open,
  totalsSince,
  type Case,
  type MoneyEvidence,
  type MoneyVerdict,
  type ProofRules,
  type ReadingName,
} from './evidence.ts';
import { closed, ordered } from './order-proof.ts';

interface Rule<K extends MoneyKind> {
  readonly reads: readonly ReadingName[];
  /** It may be much older than the sending. */
  readonly wholeHistory?: boolean;
  /** How long before the sending it may have been created. */
  readonly lookBackMs?: number;
  readonly judge: (of: Case<K>) => MoneyVerdict;
}

interface Listed {
  readonly status: string;
  readonly createdAt: number | null;
}

interface List<T extends Listed> {
  readonly reads: ReadingName;
  /** Of one row. */
  readonly name: string;
  /** Of the list. */
  readonly all: string;
  readonly isNewestFirst?: true;
  readonly read: (evidence: MoneyEvidence) => Reading<T>;
  readonly id: (row: T) => string;
}

const history: List<TransactionRow> = {
  reads: 'transactions',
  name: 'transaction',
  all: 'the history',
  isNewestFirst: true,
  read: ({ transactions }) => transactions,
  id: ({ transactionId }) => transactionId,
};
const applicationList: List<TransactionRow> = { ...history, name: 'application' };
const codeList: List<CodeRow> = {
  reads: 'codes',
  name: 'code',
  all: 'the codes',
  read: ({ codes }) => codes,
  id: ({ codeId }) => codeId,
};
const advertisementList: List<Advertisement> = {
  reads: 'advertisements',
  name: 'advertisement',
  all: 'the advertisements',
  read: ({ advertisements }) => advertisements,
  id: ({ advertisementId }) => advertisementId,
};
const tradeList: List<P2pTrade> = {
  reads: 'trades',
  name: 'trade',
  all: 'the trades',
  read: ({ trades }) => trades,
  id: ({ tradeId }) => tradeId,
};

/** For what the command creates. */
function made<T extends Listed>(of: Case, list: List<T>, fits: (row: T) => boolean): MoneyVerdict {
  const { name, all, isNewestFirst, read, id } = list;
  const reading = read(of.evidence);
  const rows = isNewestFirst === true ? itemsOf(reading).toReversed() : itemsOf(reading);
  const row = rows.find((item) => fits(item) && isCandidate(of, id(item), item.createdAt));
  if (row !== undefined) return found(id(row), row.status, name);
  return doubtOf(of, all, reading) ?? { kind: 'absent', why: `no such ${name} exists` };
}

/** For a step of something that exists, whoever took it. `done`: the status after it and later ones. */
function step<K extends MoneyKind, T extends Listed>(
  { reads, name, read, id }: List<T>,
  idOf: (request: MoneyRequest<K>) => string,
  ...done: readonly string[]
): Rule<K> {
  const judge = (of: Case<K>): MoneyVerdict => {
    const reading = read(of.evidence);
    const sought = idOf(of.request);
    const row = itemsOf(reading).find((item) => id(item) === sought);
    if (row !== undefined && done.includes(row.status)) return found(sought, row.status, name);
    const doubt = doubtOf(of, name, reading);
    if (doubt !== null) return doubt;
    if (row === undefined) return open(`${name} ${sought} is not listed`);
    return { kind: 'absent', why: `${name} ${sought} is ${row.status}` };
  };
  // An application or a withdrawal may be old.
  return { reads: [reads], wholeHistory: reads === 'transactions', judge };
}

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
    // A row from just before the sending may be another movement: the balances have to agree.
    if (match.createdAt >= Math.floor(record.sentAt) || totals.kind === 'moved')
      return found(match.transactionId, match.status, 'transaction');
    if (totals.kind === 'doubt') return open(`transaction ${match.transactionId} may be it: ${totals.why}`);
  }
  const doubt = doubtOf(of, 'the history', evidence.transactions);
  if (doubt !== null) return doubt;
  const since = record.before?.at ?? record.sentAt;
  const other = rows.find(
    (row) => (currency ?? row.currency) === row.currency && row.createdAt >= since - CLOCK_SLACK_MS,
  );
  if (other !== undefined)
    return open(`${other.type} ${other.transactionId} moved ${other.currency} since: the balances prove nothing`);
  if (totals.kind !== 'quiet') return open(totals.why);
  return { kind: 'absent', why: 'the history does not show it and the balances are as before' };
}

function drafted(of: Case<'fiatCreate' | 'fiatSubmit'>): MoneyVerdict {
  const { type, currency, amount } = of.request;
  return made(
    of,
    applicationList,
    (row) => row.type === type && row.currency === currency && dec(row.amount).eq(dec(amount)),
  );
}

function sameTerms(row: Advertisement, request: MoneyRequest<'advertise' | 'editAdvertisement'>): boolean {
  const same = (asked: string | undefined, told: string): boolean => asked === undefined || dec(asked).eq(dec(told));
  return same(request.price, row.price) && same(request.minLimit, row.minLimit) && same(request.maxLimit, row.maxLimit);
}

function advertised(of: Case<'advertise'>): MoneyVerdict {
  const { marketId, side } = of.request;
  // Trades may have reduced its amount.
  return made(
    of,
    advertisementList,
    (row) => row.market.marketId === marketId && row.side === side && sameTerms(row, of.request),
  );
}

function edited(of: Case<'editAdvertisement'>): MoneyVerdict {
  const { advertisementId: id, amount, comment, paymentMethodIds } = of.request;
  const row = itemsOf(of.evidence.advertisements).find((item) => item.advertisementId === id);
  const isSame =
    row !== undefined &&
    sameTerms(row, of.request) &&
    (amount === undefined || dec(amount).eq(dec(row.availableAmount))) &&
    (comment === undefined || comment === (row.comment ?? '')) &&
    (paymentMethodIds === undefined || sameMethods(paymentMethodIds, row));
  if (isSame) return found(id, row.status, 'advertisement');
  const doubt = doubtOf(of, 'the advertisements', of.evidence.advertisements);
  if (doubt !== null) return doubt;
  if (row === undefined) return open(`advertisement ${id} is not listed`);
  return { kind: 'absent', why: `advertisement ${id} has other terms` };
}

function responded(of: Case<'respond'>): MoneyVerdict {
  const { advertisementId, amount, paymentMethodId } = of.request;
  return made(
    of,
    tradeList,
    (row) =>
      row.advertisementId === advertisementId &&
      row.paymentMethodId === paymentMethodId &&
      // The taker's view: base is what he receives, or what he sends.
      [row.volume, row.amount].some((shown) => dec(shown).eq(dec(amount))),
  );
}

function codeCreated(of: Case<'codeCreate'>): MoneyVerdict {
  const { currency, amount, recipient = null } = of.request;
  const listed = made(
    of,
    codeList,
    (row) => row.currency === currency && dec(row.amount).eq(dec(amount)) && row.recipient === recipient,
  );
  return listed.kind === 'absent' ? movement(of, 'code_create', { currency, amount }, 'all') : listed;
}

const MONEY: readonly ReadingName[] = ['transactions', 'balances'];
const FUTURES: readonly ReadingName[] = ['orders', 'fills', 'positions'];
/** A trade may be of an older resting order, which must be listed to tell it apart. */
const RESTED_MS = 3_600_000;
const applicationOf = (request: { readonly applicationId: string }): string => request.applicationId;
const advertisementOf = (request: { readonly advertisementId: string }): string => request.advertisementId;
const tradeOf = (request: { readonly tradeId: string }): string => request.tradeId;
const paid = ['send-payment-document', 'dispute:open', 'complete'];

const rulesOf: { readonly [K in MoneyKind]: Rule<K> } = {
  transfer: { reads: MONEY, judge: (of) => movement(of, 'transfer', of.request, 'one') },
  codeCreate: { reads: ['codes', ...MONEY], judge: codeCreated },
  codeRedeem: { reads: MONEY, judge: (of) => movement(of, 'code_redeem', {}, 'all') },
  withdraw: { reads: MONEY, judge: (of) => movement(of, 'withdrawal', of.request, 'all') },
  cancelWithdrawal: step(history, ({ transactionId }) => transactionId, 'canceled'),
  fiatCreate: { reads: ['transactions'], judge: drafted },
  fiatSubmit: {
    reads: MONEY,
    // A deposit moves nothing before it is completed.
    judge: (of) => (of.request.type === 'withdrawal' ? movement(of, 'withdrawal', of.request, 'all') : drafted(of)),
  },
  fiatConfirm: step(history, applicationOf, 'submitted', 'processing', 'rejected', 'failed', 'completed'),
  fiatDelete: step(history, applicationOf, 'canceled'),
  overdraftPay: { reads: MONEY, judge: (of) => movement(of, 'overdraft_repayment', {}, 'all') },
  advertise: { reads: ['advertisements'], judge: advertised },
  editAdvertisement: { reads: ['advertisements'], judge: edited },
  activateAdvertisement: step(advertisementList, advertisementOf, 'active', 'completed'),
  deactivateAdvertisement: step(advertisementList, advertisementOf, 'deactivated', 'canceled', 'completed'),
  deleteAdvertisement: step(advertisementList, advertisementOf, 'canceled', 'completed'),
  respond: { reads: ['trades'], judge: responded },
  startTrade: step(tradeList, tradeOf, 'open', ...paid),
  payTrade: step(tradeList, tradeOf, ...paid),
  confirmTrade: step(tradeList, tradeOf, 'complete'),
  disputeTrade: step(tradeList, tradeOf, 'dispute:open'),
  cancelTrade: step(tradeList, tradeOf, 'cancel'),
  futuresOrder: { reads: FUTURES, lookBackMs: RESTED_MS, judge: ordered },
  futuresClose: { reads: FUTURES, lookBackMs: RESTED_MS, judge: closed },
};

/** `from`: Unix ms. */
export function readsOf(records: readonly MoneyRecord[]): {
  readonly names: ReadonlySet<ReadingName>;
  readonly from: number;
} {
  const names = new Set<ReadingName>();
  let from = Number.POSITIVE_INFINITY;
  for (const { request, before, sentAt } of records) {
    const rule = rulesOf[request.kind];
    for (const name of rule.reads) names.add(name);
    const since = Math.min(sentAt, before?.at ?? sentAt) - CLOCK_SLACK_MS - (rule.lookBackMs ?? 0);
    from = Math.min(from, rule.wholeHistory === true ? 0 : since);
  }
  return { names, from: Number.isFinite(from) ? Math.max(0, from) : 0 };
}

export function judge<K extends MoneyKind>(
  record: MoneyRecord & { readonly request: MoneyRequest<K> },
  evidence: MoneyEvidence,
  rules: ProofRules,
): MoneyVerdict {
  const rule: Rule<K> = rulesOf[record.request.kind];
  return rule.judge({ record, request: record.request, evidence, rules });
}

/** Never rejects. */
export async function readEvidence(query: VenueQueries, records: readonly MoneyRecord[]): Promise<MoneyEvidence> {
  const { names, from } = readsOf(records);
  const unread: Reading<never> = { kind: 'failed', asOf: 0, reason: 'not asked for' };
  const [balances, positions, codes, advertisements, trades] = await Promise.all([
    names.has('balances') ? query.balances() : unread,
    names.has('positions') ? query.positions() : unread,
    names.has('codes') ? (query.codes?.() ?? unread) : unread,
    names.has('advertisements') ? (query.advertisements?.() ?? unread) : unread,
    names.has('trades') ? (query.p2pTrades?.() ?? unread) : unread,
  ]);
  // Read last, so that the lists explain the balances and positions.
  const transactions = names.has('transactions') ? ((await query.transactions?.(from)) ?? unread) : unread;
  const fills = names.has('fills') ? await query.ownTrades({ from, market: 'derivative' }) : unread;
  const orders = names.has('orders') ? await perpetualOrders(query, from) : unread;
  return { balances, transactions, codes, advertisements, trades, orders, fills, positions };
}

/** Active first: an order closed between the two is in the history. */
async function perpetualOrders(query: VenueQueries, from: number): Promise<Reading<OrderReport>> {
  const active = await query.activeOrders();
  if (active.kind === 'failed') return active;
  const history = await query.orderHistory({ from, market: 'derivative' });
  const items = [...active.items.filter(({ market }) => market === 'derivative'), ...itemsOf(history)];
  const { asOf } = active;
  const incomplete = active.kind === 'complete' ? history : active;
  if (incomplete.kind === 'complete') return { kind: 'complete', asOf, items };
  return { kind: 'partial', asOf, items, reason: incomplete.reason };
}
