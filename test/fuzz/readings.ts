/**
 * REST bodies through the signed client and its readings. Laws: no promise rejects; a reading is complete and empty only when
 * the body holds an empty list; an order is accepted only with an id that stands in the answer, and refused only by a 4xx.
 */
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { isRecord } from '../../src/exchange/wire/decoded.ts';
import { orderSchema } from '../../src/exchange/wire/orders.ts';
import type { OrderReport, OrderRequest } from '../../src/model/order.ts';
import { silentLogger, type HttpTransport, type Random } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { Outcome, Reading } from '../../src/model/result.ts';
import { VirtualClock } from '../../src/simulation/virtual-clock.ts';
import type { Corpus } from './corpus.ts';
import type { Findings } from './findings.ts';
import { mutateText } from './mutate.ts';

const START_US = Date.UTC(2026, 0, 1) * 1000;
const TURNS_MAX = 300;
const EMPTY_LIST = /\[\s*\]/;
const STATUSES = [200, 200, 200, 200, 200, 200, 400, 404, 409, 500, 502] as const;

/** Answers whatever lies ready, at once. */
class Canned implements HttpTransport {
  status = 200;
  body = '';
  request(_request: unknown, _deadlineMs: number, done: Parameters<HttpTransport['request']>[2]): void {
    done({ kind: 'response', status: this.status, headers: {}, body: this.body });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

interface Desk {
  readonly canned: Canned;
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
}

function openDesk(): Desk {
  const canned = new Canned();
  const clock = new VirtualClock(START_US);
  const exchange = createExchange({
    options: exchangeOptions.parse({
      baseUrl: 'http://x.invalid',
      gatewayUrl: 'http://x.invalid',
      wsUrl: 'ws://x.invalid',
    }),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    httpTransports: { orders: canned, reconcile: canned, public: canned },
  });
  return { canned, clock, exchange };
}

const readers: readonly (readonly [path: RegExp, read: (exchange: Exchange) => Promise<Reading<unknown>>])[] = [
  [/order\/active$/, ({ orders }) => orders.active()],
  [/order\/history$/, ({ orders }) => orders.history({ market: 'spot', from: 0 })],
  [/trade\/spot\/list\/my$/, ({ orders }) => orders.ownTrades({ market: 'spot', from: 0 })],
  [/accounts\/overview$/, ({ account }) => account.balances()],
];

export async function fuzzReadings(
  count: number,
  { bodies }: Corpus,
  random: Random,
  findings: Findings,
): Promise<void> {
  const desk = openDesk();
  const lists = readers.map(([path, read]) => ({ read, texts: textsOf(bodies, 'GET', path) }));
  const created = textsOf(bodies, 'POST', /order\/spot$/);
  const asked = created.map((text) => orderSchema.parse(JSON.parse(text)));
  for (let index = 0; index < count; index++) {
    // The request budget is per second of the clock.
    desk.clock.advanceTo(desk.clock.nowUs() + 1_000_000);
    desk.canned.status = STATUSES[Math.floor(random.next() * STATUSES.length)] ?? 200;
    const list = lists[index % (lists.length + 1)];
    const texts = list?.texts ?? created;
    const at = Math.floor(random.next() * texts.length);
    const text = mutateText(texts[at] ?? '', random);
    desk.canned.body = text;
    const order = asked[at];
    if (list === undefined && order !== undefined) await createOne(desk, order, text, findings);
    if (list === undefined) continue;
    await readOne(desk, list.read, text, findings);
  }
}

function textsOf(bodies: Corpus['bodies'], method: string, path: RegExp): readonly string[] {
  const texts = bodies.filter((body) => body.method === method && path.test(body.path)).map(({ text }) => text);
  if (texts.length === 0) throw new Error(`the corpus has no answer of ${method} ${path.source}`);
  return texts;
}

/** What waits for the budget or a pause ends with time. Throws when it does not. */
async function ends<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  for (let turn = 0; turn < TURNS_MAX && !isOver; turn++) {
    for (let step = 0; step < 10 && !isOver; step++) await Promise.resolve();
    if (!isOver && turn > 2) clock.advanceTo(clock.nowUs() + 1_000_000);
  }
  if (!isOver) throw new Error(`did not end within ${TURNS_MAX} s`);
  return over;
}

async function readOne(
  { exchange, canned, clock }: Desk,
  read: (exchange: Exchange) => Promise<Reading<unknown>>,
  text: string,
  findings: Findings,
): Promise<void> {
  try {
    const reading = await ends(clock, read(exchange));
    findings.saw(`reading ${reading.kind}`);
    if (reading.kind !== 'complete') return;
    if (canned.status !== 200) findings.broken(`status ${canned.status} is a complete reading`, text);
    if (reading.items.length === 0 && !EMPTY_LIST.test(text))
      findings.broken('complete and empty without a list', text);
  } catch (thrown) {
    findings.broken(`rejected: ${String(thrown)}`, text);
  }
}

/** The id in the text of a good answer; it may be wrapped, and a number. */
function toldId(text: string): string {
  const json: unknown = JSON.parse(text);
  const body = isRecord(json) && isRecord(json['data']) ? json['data'] : json;
  return isRecord(body) ? String(body['orderId']) : '';
}

async function createOne(
  { exchange, canned, clock }: Desk,
  report: OrderReport,
  text: string,
  findings: Findings,
): Promise<void> {
  const { market, symbol, side, type, timeInForce, price, quantity, clientOrderId = '' } = report;
  const outcome = await ends(
    clock,
    new Promise<Outcome>((resolve) => {
      const order: OrderRequest = { market, symbol, side, type, timeInForce, price, quantity, clientOrderId };
      exchange.orders.create(order, { lane: 'create' }, resolve);
    }),
  );
  findings.saw(`create ${outcome.kind}`);
  if (outcome.kind === 'accepted' && (canned.status !== 200 || toldId(text) !== outcome.order?.orderId))
    findings.broken('accepted with an id that nobody told', text);
  if (outcome.kind === 'refused' && (canned.status < 400 || canned.status > 499))
    findings.broken(`status ${canned.status} is a refusal`, text);
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied') findings.broken(`ended ${outcome.kind}`, text);
}
