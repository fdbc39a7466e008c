/**
 * The armed part of `probe`: one order of the smallest size, far from the market, through the money journal. It is
 * cancelled and its absence confirmed. An order that may still rest is reported.
 */
import { randomUUID } from 'node:crypto';
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';
import { isTidewireError, type TidewireError } from '../../model/errors.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Outcome } from '../../model/result.ts';
import { answered, listed, refusedBeforehand } from '../../operations/exchange/answers.ts';
import {
  answersTo,
  seen,
  unasked,
  type ProbeResult,
  type Question,
  type Seen,
} from '../../operations/probe/question.ts';
import { sessionErrors } from '../../session/errors.ts';
import { TRADING_ACCOUNT } from '../../spine/balances.ts';
import type { CliIo } from '../command.ts';
import { moveMoney, type Move } from '../operations/move-money.ts';
import type { OpenExchange } from '../operations/open-exchange.ts';
import { confirmPlan } from '../operations/plan.ts';
import { openOrders } from '../orders/gone.ts';
import { isLive } from '../orders/list.ts';

/** Of the best bid. */
const FAR = '0.5';
const PREFIX = 'probe-';
const CANCELS_MAX = 3;
const LOOK = 'see `tidewire spot orders`, and cancel it with `tidewire spot cancel`';

export interface ArmedWish {
  readonly symbol: string;
  /** Of `--confirm`. */
  readonly account: string;
  readonly yes: boolean;
}

export interface ArmedResult extends ProbeResult {
  readonly order: { readonly orderId: string | null; readonly gone: boolean; readonly proof: string };
  /** Why it is not known whether the order was placed; null: it is known. */
  readonly unknown: string | null;
}

type SpotMove = Move<'spotOrder'>;

function roundUp(value: Decimal, step: string): Decimal {
  return value.div(step).ceil().times(step);
}

/** The least that `minNotional` and `minQuantity` allow at half the best bid. */
function leastOrder(spec: InstrumentSpec, bid: number): SpotMove['request'] {
  const price = dec(bid).times(FAR).div(spec.tickSize).floor().times(spec.tickSize);
  const worth = roundUp(dec(spec.minNotional).div(price), spec.lotSize);
  const least = roundUp(dec(spec.minQuantity), spec.lotSize);
  return {
    kind: 'spotOrder',
    symbol: spec.symbol,
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: decimalText(price),
    quantity: decimalText(worth.gt(least) ? worth : least),
    clientOrderId: `${PREFIX}${randomUUID()}`,
  };
}

async function requireAccount(open: OpenExchange, wanted: string): Promise<void> {
  const login = await open.account();
  if (login === wanted) return;
  throw sessionErrors.make('live_wrong_account', `the key belongs to ${login}, --confirm names ${wanted}`, { login });
}

/** One that died may have left its order. */
async function nameEarlier(io: CliIo, { exchange }: OpenExchange): Promise<void> {
  for (const { orderId, clientOrderId } of listed('the open orders', await exchange.orders.active()))
    if (clientOrderId?.startsWith(PREFIX) === true)
      io.err(`note: order ${orderId} of an earlier probe rests: \`tidewire spot cancel ${orderId}\`\n`);
}

async function lockedIn({ exchange }: OpenExchange, currency: string): Promise<string | null> {
  const reading = await exchange.account.balances();
  if (reading.kind !== 'complete') return null;
  return reading.items.find((row) => row.account === TRADING_ACCOUNT && row.currency === currency)?.locked ?? '0';
}

/** What is seen of the order while it rests. */
interface Placed {
  readonly report: OrderReport | null;
  readonly refusal: TidewireError | null;
  /** Why it is not known whether it was placed. */
  readonly unknown: string | null;
}

async function placed(io: CliIo, open: OpenExchange, move: SpotMove): Promise<Placed> {
  try {
    // One of an earlier probe that happened is canceled by now.
    return { report: await moveMoney(io, { ...open, again: true }, move), refusal: null, unknown: null };
  } catch (thrown) {
    if (!isTidewireError(thrown)) throw thrown;
    const isRefused = thrown.code === 'operation_refused';
    if (!isRefused && thrown.code !== 'operation_unknown') throw thrown;
    // It may rest: it is looked for, and canceled like one that was answered. A refusal may be false, too.
    const rows = await openOrders(open, (all) => all.some((row) => isSame(row, move)));
    const report = rows?.find((row) => isSame(row, move)) ?? null;
    if (!isRefused) return { report, refusal: null, unknown: thrown.message };
    const doubt = report !== null ? 'it rests' : doubtOf(open, rows, move);
    return {
      report,
      refusal: thrown,
      unknown: doubt === null ? null : `it was refused, and ${doubt}: ${thrown.message}`,
    };
  }
}

/** By its client id alone: one of the same terms may be another's. */
function isSame({ clientOrderId }: OrderReport, { request }: SpotMove): boolean {
  return clientOrderId === request.clientOrderId;
}

/** Why it is not proved that no refused order rests; null: it is. */
function doubtOf({ config }: OpenExchange, rows: readonly OrderReport[] | null, { request }: SpotMove): string | null {
  if (rows === null) return 'no list could be read to prove that it does not rest';
  const { symbol, side, price, quantity } = request;
  const twin = rows.find(
    (row) => row.symbol === symbol && row.side === side && row.price === price && dec(row.quantity).eq(quantity),
  );
  return config.exchange.clientOrderIds || twin === undefined ? null : `order ${twin.orderId} of its terms rests`;
}

function cancelOnce({ exchange }: OpenExchange, orderId: string): Promise<Outcome> {
  return new Promise((resolve) => {
    exchange.orders.cancel(orderId, { lane: 'cancel' }, resolve);
  });
}

interface Gone {
  readonly gone: boolean;
  readonly proof: string;
  readonly first: Outcome;
  readonly inActive: boolean | null;
}

/** Canceling is harmless twice. Gone: ended in its own answer, and in no complete list of active orders. */
async function canceled(open: OpenExchange, orderId: string): Promise<Gone> {
  const { orders } = open.exchange;
  const first = await cancelOnce(open, orderId);
  let inActive: boolean | null = null;
  for (let tries = 1; ; tries++) {
    const active = await orders.active();
    const stands = active.kind === 'complete' ? active.items.some((row) => row.orderId === orderId) : null;
    inActive ??= stands;
    const one = await orders.one(orderId);
    const status = one.kind === 'value' ? one.value.status : null;
    const isEnded = one.kind === 'value' && !isLive(one.value);
    if (stands === false && isEnded)
      return { gone: true, proof: `it is ${status}, and in no list of active orders`, first, inActive };
    if (tries === CANCELS_MAX) {
      const list =
        stands === null ? 'the active orders could not be read' : stands ? 'it is active' : 'it is not active';
      return { gone: false, proof: `${list}; its own answer says ${status ?? 'nothing'}`, first, inActive };
    }
    if (stands !== false) await cancelOnce(open, orderId);
  }
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.order?.status ?? 'accepted without an order';
    case 'refused':
      return `refused: ${outcome.code}`;
    case 'denied':
      return `denied: ${outcome.denied.reason}`;
    default:
      return `unknown: ${outcome.reason}`;
  }
}

function row(id: string, question: string, asked: string, assumed: string, found: Seen): Question {
  return { id: `order/${id}`, question, asked, assumed, ask: () => Promise.resolve(found) };
}

const CREATE = 'POST …/order/spot';
const CANCEL = 'DELETE …/order/{orderId}';

function clientIdSeen({ config }: OpenExchange, report: OrderReport): Seen {
  if (!config.exchange.clientOrderIds) return unasked('it is not sent (exchange.clientOrderIds: false)');
  return seen(report.clientOrderId === undefined ? 'not answered' : 'kept', { clientOrderId: report.clientOrderId });
}

function lockSeen(before: string | null, during: string | null, price: string, quantity: string): Seen {
  if (before === null || during === null) return unasked('the balances could not be read');
  const locked = dec(during).minus(before);
  const exact = dec(price).times(quantity);
  return seen(locked.eq(exact) ? 'price × quantity' : `${decimalText(locked)} for ${decimalText(exact)}`, {
    before,
    during,
  });
}

/** Shows what it will do, asks, does it, takes it back. */
export async function armedProbe(io: CliIo, open: OpenExchange, wish: ArmedWish): Promise<ArmedResult> {
  await requireAccount(open, wish.account);
  const { marketData, orders } = open.exchange;
  await nameEarlier(io, open);
  const specs = answered('the spot pairs', await marketData.spotInstruments());
  const spec = specs.find(({ symbol }) => symbol === wish.symbol)!;
  const { bid } = answered('the ticker', await marketData.ticker(wish.symbol));
  if (!(bid > 0))
    throw refusedBeforehand('the order', 'bad_request', `${spec.symbol} has no best bid to keep away from`);
  const request = leastOrder(spec, bid);
  const { price, quantity } = request;
  const instrument = new Instrument(spec);
  const plan = {
    title: `place buy ${quantity} ${spec.symbol} at ${price}, and cancel it`,
    rows: [
      ['account', wish.account],
      ['best bid', String(bid)],
      ['worth', `${decimalText(dec(price ?? '0').times(quantity))} ${instrument.quote}`],
    ] as const,
    warnings: ['it is a real order; should the market fall to half, it would trade before it is canceled'],
  };
  await confirmPlan(io, plan, wish);
  const before = await lockedIn(open, instrument.quote);
  const { report, refusal, unknown } = await placed(io, open, { request, what: 'the order', look: LOOK });
  if (report === null) {
    const why = refusal?.message ?? unknown ?? '';
    const code = refusal?.details['code'];
    const far = refusal === null ? unasked(why) : seen(`refused: ${typeof code === 'string' ? code : why}`, why);
    const none = await answersTo([row('far', 'is an order far from the market taken', CREATE, 'new', far)]);
    const gone = refusal !== null && unknown === null;
    const proof = gone
      ? 'it was refused, and no list shows it'
      : `it was not found, and may still come or rest (client order id ${request.clientOrderId})`;
    return { ...none, order: { orderId: null, gone, proof }, unknown };
  }
  const { orderId } = report;
  const active = await orders.active();
  const during = await lockedIn(open, instrument.quote);
  const { gone, proof, first, inActive } = await canceled(open, orderId);
  const past = await orders.history({ market: 'spot', from: 0, symbol: spec.symbol, most: 20 });
  const again = gone ? await cancelOnce(open, orderId) : null;
  const inHistory = past.kind === 'failed' ? null : past.items.find((each) => each.orderId === orderId);
  const stood = active.kind === 'complete' ? active.items.some((each) => each.orderId === orderId) : null;
  const unread = unasked('the list could not be read');
  const result = await answersTo([
    row('far', 'is an order far from the market taken', CREATE, 'new', seen(report.status, report)),
    row('client-id', 'is the client order id kept', CREATE, 'kept', clientIdSeen(open, report)),
    row(
      'active',
      'do active orders show it at once',
      'GET …/order/active',
      'at once',
      stood === null ? unread : seen(stood ? 'at once' : 'later', orderId),
    ),
    row(
      'lock',
      'what does a resting buy lock',
      'GET …/accounts/overview',
      'price × quantity',
      lockSeen(before, during, price ?? '0', quantity),
    ),
    row('cancel', 'what does a cancellation answer', CANCEL, 'canceled', seen(outcomeText(first), outcomeText(first))),
    row(
      'gone',
      'do active orders leave it out at once',
      'GET …/order/active',
      'at once',
      inActive === null ? unread : seen(inActive ? 'later' : 'at once', proof),
    ),
    row(
      'history',
      'does the history show it at once',
      'GET …/order/history',
      'canceled',
      inHistory === null ? unread : seen(inHistory?.status ?? 'later', orderId),
    ),
    row(
      'cancel-again',
      'how is a second cancellation answered',
      CANCEL,
      'refused: order_closed',
      again === null ? unasked('it may still stand') : seen(outcomeText(again), outcomeText(again)),
    ),
  ]);
  return { ...result, order: { orderId, gone, proof }, unknown };
}
