/**
 * How the unknown outcome of a money command is resolved: one table, one row per kind.
 *
 * - `happened` needs one poll result that shows it.
 * - `absent` needs complete poll results after the fence, when the exchange no longer accepts the request. If money
 *   would have moved, it also needs unchanged totals without another movement of the currency, or a history that shows
 *   later own movements of its type but not this one.
 * - Anything else stays open.
 */
import type { Market } from '../model/market/instrument.ts';
import type { MoneyKind, MoneyRequest } from '../model/funds/money-commands.ts';
import { isMovement, type TransactionRow } from '../model/funds/money-records.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Advertisement } from '../model/funds/p2p.ts';
import { itemsOf, joined, type Reading } from '../model/result.ts';
import type { VenueQueries } from '../model/venue.ts';
import { accountsOf } from '../spine/money/kinds.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import {
  absent,
  doubtOf,
  found,
  isFree,
  isRefused,
  isUntouched,
  mayBe,
  open,
  rivalOf,
  totalsSince,
  type Case,
  type MoneyEvidence,
  type MoneyVerdict,
  type ProofRules,
} from './evidence.ts';
import { idOf, type Listed, type ListName, type ReadingName } from './listed.ts';
import { closed, ordered } from './order-proof.ts';
import { sameMethods } from './p2p-book.ts';
import { byTime, fits, isInTime, movementOf, same, sameTerms } from './traces.ts';

interface Rule<K extends MoneyKind> {
  readonly reads: readonly ReadingName[];
  /** It may be much older than the sending. */
  readonly wholeHistory?: boolean;
  /** How long before the sending it may have been created, by the exchange's clock. Default: a minute. */
  readonly lookBackMs?: number;
  readonly judge: (of: Case<K>) => MoneyVerdict;
  /**
   * Of something that exists: another command may have made it, and twice is refused. The status after it or a later one;
   * none where the terms show it.
   */
  readonly stepTo?: readonly string[];
}

interface List<N extends ListName> {
  readonly reads: N;
  readonly name: string;
  readonly all: string;
}

const history = { reads: 'transactions', all: 'the history', name: 'transaction' } as const;
const applications = { ...history, name: 'application' } as const;
const codes = { reads: 'codes', all: 'the codes', name: 'code' } as const;
const advertisements = { reads: 'advertisements', all: 'the advertisements', name: 'advertisement' } as const;
const trades = { reads: 'trades', all: 'the trades', name: 'trade' } as const;

const LOOK_BACK_MS = 60_000;

type Judge<K extends MoneyKind> = Rule<K>['judge'];

/** For commands that create something. Takes the oldest that fits. */
function made<N extends ListName, K extends MoneyKind>({ reads, all, name }: List<N>): Judge<K> {
  return (of) => {
    const reading: Reading<Listed[N]> = of.evidence[reads];
    const alike = itemsOf(reading).filter((row) => fits(reads, row, of.record) && isFree(of, reads, idOf(reads, row)));
    const inTime = alike.filter(({ createdAt }) => isInTime(of.record, createdAt, of.rules));
    const row = inTime.toSorted(byTime)[0];
    const rival = rivalOf(of, reads, inTime);
    if (row !== undefined && rival === null) return found(idOf(reads, row), row.status, name);
    if (row !== undefined && rival !== null) return mayBe(eitherText(name, idOf(reads, row), rival));
    const later = alike.find(({ createdAt }) => createdAt !== null && createdAt > of.record.sentAt);
    if (later !== undefined) return mayBe(`${name} ${idOf(reads, later)} may be it, and is dated too late`);
    return doubtOf(of, all, reading) ?? absent(`no such ${name} exists`);
  };
}

function eitherText(name: string, id: string, { request, intentId }: MoneyRecord): string {
  return `${name} ${id} may be it, or that of ${request.kind} ${intentId}`;
}

/**
 * For a step of something that exists, whoever made the step. `isDone`: the status after it or a later one, or the
 * terms.
 */
function step<N extends Exclude<ListName, 'codes'>, K extends MoneyKind>(
  list: List<N>,
  soughtBy: (request: MoneyRequest<K>) => string,
  done: readonly string[] | ((row: Listed[N], request: MoneyRequest<K>) => boolean),
): Rule<K> {
  const { reads, name } = list;
  const judge: Judge<K> = (of) => {
    const reading: Reading<Listed[N]> = of.evidence[reads];
    const sought = soughtBy(of.request);
    const row = itemsOf(reading).find((item) => idOf(reads, item) === sought);
    const isDone =
      row !== undefined && (typeof done === 'function' ? done(row, of.request) : done.includes(row.status));
    // Where it was done before, the refusal is true.
    const isSince = row !== undefined && row.updatedAt >= of.record.sentAt - of.rules.fenceMarginMs;
    if (isDone && (isSince || !isRefused(of))) return found(sought, row.status, name);
    // A second one is refused, too: there is no need to wait.
    if (isRefused(of) && reading.kind === 'complete') return absent(`${name} ${sought} does not show it`);
    const doubt = doubtOf(of, name, reading);
    if (doubt !== null) return doubt;
    if (row === undefined) return open(`${name} ${sought} is not listed`);
    return absent(`${name} ${sought} ${typeof done === 'function' ? 'has other terms' : `is ${row.status}`}`);
  };
  // An application or a withdrawal may be old.
  return {
    reads: [reads],
    wholeHistory: reads === 'transactions',
    judge,
    stepTo: typeof done === 'function' ? [] : done,
  };
}

/** For commands that move money. `needed`: which totals can show an absence. */
function moved<K extends MoneyKind>(needed: 'one' | 'all'): Rule<K> {
  return { reads: MONEY, lookBackMs: MONEY_LOOK_BACK_MS, judge: (of) => movement(of, needed) };
}

function movement(of: Case, needed: 'one' | 'all'): MoneyVerdict {
  const { record, request, evidence, rules } = of;
  const currency = 'currency' in request ? request.currency : undefined;
  const rows = itemsOf(evidence.transactions).filter((row) => currency === undefined || row.currency === currency);
  const alike = rows.filter(
    (row) => fits('transactions', row, record) && isFree(of, 'transactions', row.transactionId),
  );
  const inTime = alike.filter(({ createdAt }) => isInTime(record, createdAt, rules));
  const totals = totalsSince(of, needed);
  const match = inTime.at(-1);
  if (match !== undefined) {
    const { transactionId, status, createdAt } = match;
    const rival = rivalOf(of, 'transactions', inTime);
    if (rival !== null) return mayBe(eitherText('transaction', transactionId, rival));
    // It may be another movement with these terms. Of one from just before the sending the balances must agree, and always of
    // a transfer, whose row does not show where it went.
    const isSince = createdAt >= Math.floor(record.sentAt);
    const isIt = totals.kind === 'moved' || (isSince && (needed === 'all' || record.before === null));
    if (isIt) return found(transactionId, status, `transaction of ${match.amount} ${match.currency},`);
    const may = `transaction ${transactionId} may be it: ${totals.why || 'the balances are as before'}`;
    if (isSince) return mayBe(may);
    if (totals.kind === 'doubt') return open(may);
  }
  const doubt = doubtOf(of, 'the history', evidence.transactions);
  if (doubt !== null) return doubt;
  // The exchange's clock may have been wrong.
  const dated = match ?? alike[0];
  if (dated !== undefined && totals.kind !== 'quiet') {
    const when = dated.createdAt < record.sentAt ? 'before it' : 'too late';
    return mayBe(`transaction ${dated.transactionId} may be it, dated ${when}: ${totals.why}`);
  }
  if (isRefused(of)) return absent('the history does not show it');
  const since = (record.before?.at ?? record.sentAt) - rules.fenceMarginMs;
  const isOfTrading = accountsOf(request).includes('unified-trading');
  const others = rows.filter((row) => row.createdAt >= since && (isOfTrading || isMovement(row.type)));
  const [other] = others;
  const accounts = request.kind === 'transfer' ? [request.from, request.to] : [];
  const still = accounts.find((account) => isUntouched(of, `${account}/${currency}`, others));
  if (other !== undefined && (still === undefined || totals.kind !== 'quiet'))
    return (
      unlisted(of, rows) ??
      open(`${other.type} ${other.transactionId} moved ${other.currency} since: the balances are no evidence`)
    );
  if (totals.kind !== 'quiet') return open(totals.why);
  if (other !== undefined) return absent(`the history does not show it, and nothing has moved ${currency} of ${still}`);
  return absent('the history does not show it and the balances are as before');
}

/**
 * Used when the currency moved otherwise too, so that balances are no evidence. The complete history is evidence once
 * it can lag no longer and shows own movements of this type from after the sending. Each of those has its own command.
 * A movement without a command may be this one, whatever its amount, because a fee may be deducted. Null: no evidence.
 */
function unlisted(of: Case, rows: readonly TransactionRow[]): MoneyVerdict | null {
  const { record, evidence, rules } = of;
  const type = movementOf(record)?.type;
  const since = rows.filter((row) => row.type === type && row.createdAt >= record.sentAt - rules.fenceMarginMs);
  if (since.some((row) => isFree(of, 'transactions', row.transactionId))) return null;
  if (!since.some(({ createdAt }) => createdAt >= record.sentAt)) return null;
  const doubt = doubtOf(of, 'the history', evidence.transactions);
  return doubt ?? absent(`the history shows what ${type} came after it, and not this one`);
}

function isEdited(row: Advertisement, request: MoneyRequest<'editAdvertisement'>): boolean {
  const { amount, comment, paymentMethodIds } = request;
  return (
    sameTerms(row, request) &&
    (amount === undefined || same(amount, row.availableAmount)) &&
    (comment === undefined || comment === (row.comment ?? '')) &&
    (paymentMethodIds === undefined || sameMethods(paymentMethodIds, row))
  );
}

const drafted = made<'transactions', 'fiatCreate' | 'fiatSubmit'>(applications);
const codeListed = made<'codes', 'codeCreate'>(codes);

const MONEY: readonly ReadingName[] = ['transactions', 'balances'];
/** A clock of the exchange that is off by an hour dates it so far back. */
const MONEY_LOOK_BACK_MS = 7_200_000;
/** A trade may belong to an older resting order, which must be listed to distinguish them. */
const ORDER_LOOK_BACK_MS = 3_600_000;
const FUTURES = { reads: ['orders', 'fills', 'positions'], lookBackMs: ORDER_LOOK_BACK_MS } as const;
const SPOT = { reads: ['spotOrders', 'spotFills', 'balances'], lookBackMs: ORDER_LOOK_BACK_MS } as const;
const applicationOf = (request: { readonly applicationId: string }): string => request.applicationId;
const advertisementOf = (request: { readonly advertisementId: string }): string => request.advertisementId;
const tradeOf = (request: { readonly tradeId: string }): string => request.tradeId;
const paid = ['send-payment-document', 'dispute:open', 'complete'];

const rulesOf: { readonly [K in MoneyKind]: Rule<K> } = {
  transfer: moved('one'),
  codeCreate: {
    reads: ['codes', ...MONEY],
    judge: (of) => {
      const listed = codeListed(of);
      return listed.kind === 'absent' ? movement(of, 'all') : listed;
    },
  },
  codeRedeem: moved('all'),
  withdraw: moved('all'),
  cancelWithdrawal: step(history, ({ transactionId }) => transactionId, ['canceled']),
  fiatCreate: { reads: ['transactions'], judge: drafted },
  fiatSubmit: {
    reads: MONEY,
    // A deposit moves nothing before it is completed.
    judge: (of) => (of.request.type === 'withdrawal' ? movement(of, 'all') : drafted(of)),
  },
  fiatConfirm: step(history, applicationOf, ['submitted', 'processing', 'rejected', 'failed', 'completed']),
  fiatDelete: step(history, applicationOf, ['canceled']),
  overdraftPay: moved('all'),
  advertise: { reads: ['advertisements'], judge: made(advertisements) },
  editAdvertisement: step(advertisements, advertisementOf, isEdited),
  activateAdvertisement: step(advertisements, advertisementOf, ['active', 'completed']),
  deactivateAdvertisement: step(advertisements, advertisementOf, ['deactivated', 'canceled', 'completed']),
  deleteAdvertisement: step(advertisements, advertisementOf, ['canceled', 'completed']),
  respond: { reads: ['trades'], judge: made(trades) },
  startTrade: step(trades, tradeOf, ['open', ...paid]),
  payTrade: step(trades, tradeOf, paid),
  confirmTrade: step(trades, tradeOf, ['complete']),
  disputeTrade: step(trades, tradeOf, ['dispute:open']),
  cancelTrade: step(trades, tradeOf, ['cancel']),
  spotOrder: { ...SPOT, judge: ordered },
  futuresOrder: { ...FUTURES, judge: ordered },
  futuresClose: { ...FUTURES, judge: closed },
};

export function isStep({ kind }: MoneyRequest): boolean {
  return rulesOf[kind].stepTo !== undefined;
}

/** The status of something after a step of this kind, or a later one. Null: it is no step, or its terms show it. */
export function statesAfter(kind: MoneyKind): readonly string[] | null {
  const { stepTo = [] } = rulesOf[kind];
  return stepTo.length === 0 ? null : stepTo;
}

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
    const since = Math.min(sentAt, before?.at ?? sentAt) - (rule.lookBackMs ?? LOOK_BACK_MS);
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

const UNREAD: Reading<never> = { kind: 'failed', asOf: 0, reason: 'not asked for' };

const asks: {
  readonly [N in ReadingName]: (query: VenueQueries, from: number) => Promise<Reading<Listed[N]>> | undefined;
} = {
  balances: (query) => query.balances(),
  positions: (query) => query.positions(),
  codes: (query) => query.codes?.(),
  advertisements: (query) => query.advertisements?.(),
  trades: (query) => query.p2pTrades?.(),
  transactions: (query, from) => query.transactions?.(from),
  fills: (query, from) => query.ownTrades({ from, market: 'derivative' }),
  orders: (query, from) => ordersOf(query, 'derivative', from),
  spotFills: (query, from) => query.ownTrades({ from, market: 'spot' }),
  spotOrders: (query, from) => ordersOf(query, 'spot', from),
};
/** Polled last, one after the other, so that these lists explain the balances and positions. */
const LAST: readonly ReadingName[] = ['transactions', 'fills', 'orders', 'spotFills', 'spotOrders'];

/** Never rejects. */
export async function readEvidence(query: VenueQueries, records: readonly MoneyRecord[]): Promise<MoneyEvidence> {
  const { names, from } = readsOf(records);
  const evidence: Partial<Record<ReadingName, Reading<unknown>>> = {};
  const read = async (name: ReadingName): Promise<void> => {
    evidence[name] = (names.has(name) ? await asks[name](query, from) : undefined) ?? UNREAD;
  };
  const all = Object.keys(asks) as ReadingName[];
  await Promise.all(all.filter((name) => !LAST.includes(name)).map(read));
  for (const name of LAST) await read(name);
  return evidence as MoneyEvidence;
}

/** Active orders first: an order that closes between the two polls is in the history. */
async function ordersOf(query: VenueQueries, market: Market, from: number): Promise<Reading<OrderReport>> {
  const all = await query.activeOrders();
  if (all.kind === 'failed') return all;
  const active = { ...all, items: all.items.filter((row) => row.market === market) };
  return joined(active, await query.orderHistory({ from, market }));
}
