/**
 * REST bodies through the signed client and its readings. Laws: no promise rejects; a reading is complete and empty only when
 * the body holds an empty list; an order is accepted only with an id that stands in the answer, and refused only by a 4xx.
 */
import type { Exchange } from '../../src/exchange/exchange.ts';
import { isRecord } from '../../src/exchange/wire/decoded.ts';
import { orderSchema } from '../../src/exchange/wire/orders.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';
import type { Random } from '../../src/model/ports.ts';
import type { Outcome, Reading } from '../../src/model/result.ts';
import type { Corpus } from './corpus.ts';
import { EMPTY_LIST, ends, openDesk, STATUSES, textsOf, type Desk } from './desk.ts';
import type { Findings } from './findings.ts';
import { mutateText } from './mutate.ts';

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
  const lists = readers.map(([path, read]) => ({
    read,
    texts: textsOf(bodies, (body) => body.method === 'GET' && path.test(body.path)),
  }));
  const created = textsOf(bodies, (body) => body.status === 200 && body.endpoint === 'createSpotOrder');
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

/** The id in the text of a good answer; it may be wrapped, and a number of more digits than a double keeps. */
function isTold(text: string, orderId: string | undefined): boolean {
  return [doubles, digits].some((reviver) => {
    const json: unknown = JSON.parse(text, reviver);
    const body = isRecord(json) && isRecord(json['data']) ? json['data'] : json;
    return isRecord(body) && String(body['orderId']) === orderId;
  });
}

function doubles(_key: string, value: unknown): unknown {
  return value;
}

function digits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value;
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
  if (outcome.kind === 'accepted' && (canned.status !== 200 || !isTold(text, outcome.order?.orderId)))
    findings.broken('accepted with an id that nobody told', text);
  if (outcome.kind === 'refused' && (canned.status < 400 || canned.status > 499))
    findings.broken(`status ${canned.status} is a refusal`, text);
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied') findings.broken(`ended ${outcome.kind}`, text);
}
