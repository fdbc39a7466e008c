/**
 * The exchange says of an order what is not so, and every list says what is: a push calls one over that rests, a cancel is
 * answered as done that was not carried out, a create is refused that was carried out, or told open or filled that was not. Faults of class A of the fault model.
 * Which orders it has said that of the laws ask, since what the journal then calls over is its word.
 */
import type { PreparedRequest } from '../../../src/model/ports.ts';
import { falseStatuses, retellings } from '../../../src/sandbox/retellings.ts';
import { errorReply, jsonReply, type Reply } from '../../../src/sandbox/reply.ts';
import { BY_COMMAND_LINE, CREATE_PATH } from './trace.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { VenueSide } from './venue-side.ts';

/** Quote units; only trades are booked. */
const GHOST_PRICE = '60000';
const CHANNEL = '@order-info"';
const MOVED = /"(?:transferId|codeId|principal)":/;
const ORDER_ID = /"orderId":"([^"]+)"/g;

export class FalseStatus {
  readonly #plan: FaultPlan;
  readonly #venue: VenueSide;
  #ghosts = 0;

  constructor(plan: FaultPlan, venue: VenueSide) {
    this.#plan = plan;
    this.#venue = venue;
  }

  /** A frame, as the exchange tells it. */
  frame(text: string): string {
    if (!text.includes(CHANNEL)) return text;
    const told = retellings.falseStatus(text, falseStatuses[0]);
    if (told === text || !this.#plan.strikes('false-status')) return text;
    for (const [, orderId = ''] of text.matchAll(ORDER_ID)) this.#venue.calledOver.add(orderId);
    return retellings.falseStatus(text, this.#plan.pick(falseStatuses));
  }

  /** Whether a request that arrives is answered as a cancel that was done, and is none. */
  cancelsNothing({ method, url }: PreparedRequest): boolean {
    if (method !== 'DELETE') return false;
    const orderId = /\/order\/([^/?]+)/.exec(url)?.[1] ?? '';
    if (!this.#venue.truth.active.has(orderId) || !this.#plan.strikes('false-cancel')) return false;
    this.#venue.calledOver.add(orderId);
    return true;
  }

  /** The answer to a create of this intent that is not carried out, and told as open or filled; null: it is carried out. */
  ghost(intentId: string | null, { method, url, body }: PreparedRequest, now: number): Reply | null {
    const isOrder = intentId !== null && method === 'POST' && CREATE_PATH.test(url);
    if (!isOrder || !this.#plan.strikes('ghost-order')) return null;
    const order = JSON.parse(body) as { readonly quantity: string; readonly price?: string | null };
    const orderId = `9${now}${++this.#ghosts}`;
    this.#venue.calledOver.add(orderId).add(intentId);
    const market = url.includes('derivative') ? 'derivative' : 'spot';
    const { quantity, price = null } = order;
    const open = { status: 'new', filledQuantity: '0', averagePrice: null };
    const filled = { status: 'filled', filledQuantity: quantity, averagePrice: price ?? GHOST_PRICE };
    const state = price === null ? filled : this.#plan.pick<object>([open, filled]);
    const times = { createdAt: now, updatedAt: now };
    return jsonReply(200, { timeInForce: 'gtc', ...order, price, orderId, market, ...state, ...times });
  }

  /** What is answered to a create of this intent that was carried out. One that lists cannot name is nobody's. */
  answer(intentId: string | null, reply: Reply): Reply {
    if (intentId === null || reply.status !== 200) return reply;
    // Lists show what a command did that moves money, whoever keeps ids. A command of the command line believes its refusal.
    if (intentId === BY_COMMAND_LINE) return reply;
    if (MOVED.test(reply.body))
      return this.#plan.strikes('false-refusal') ? errorReply(422, 'insufficient_balance', 'refused, and done') : reply;
    if (!this.#venue.hasIds || this.#plan.rates.has('ids-forgotten')) return reply;
    const [, orderId] = /"orderId":"([^"]+)"/.exec(reply.body) ?? [];
    if (orderId === undefined || !this.#plan.strikes('false-refusal')) return reply;
    this.#venue.calledOver.add(orderId).add(intentId);
    return errorReply(422, 'insufficient_balance', 'refused, and carried out');
  }
}
