/** Working orders as a function of entries, the same whether they come live or from a recorded session. */
import type { EntryRow, OrderRow } from '../wire/types.ts';
import { add } from './exact.ts';
import type { Named } from './fills.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Report {
  readonly orderId: string;
  readonly status: string;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
}

const WORKING: Readonly<Record<string, string>> = { new: 'open', partially_filled: 'partially_filled' };
/** Of this many orders that ended it is still known which intent they had. */
const ENDED_MAX = 5_000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

export class OwnOrders {
  readonly #rows = new Map<string, OrderRow>();
  /** By intent. */
  readonly #names = new Map<string, Named>();
  /** Cancel intent to the intents that it names. */
  readonly #cancels = new Map<string, readonly string[]>();
  /** Ref to the sum of its fills: a report of the same fill may come before or after it. */
  readonly #filled = new Map<string, string>();

  /** Replaces what is known by a snapshot. */
  load(orders: readonly OrderRow[]): void {
    this.#rows.clear();
    this.#filled.clear();
    for (const row of orders) {
      this.#rows.set(row.ref, row);
      this.#filled.set(row.ref, row.filledQuantity);
    }
  }

  get rows(): readonly OrderRow[] {
    return [...this.#rows.values()];
  }

  nameOf(intentId: string): Named {
    return this.#names.get(intentId) ?? { ref: null, strategy: '' };
  }

  /** Answers whether an order changed. */
  apply({ ts, kind, entry }: EntryRow): boolean {
    const of = entry as Fields;
    switch (kind) {
      case 'intent':
        return of['command'] === 'create' ? this.#create(ts, of) : this.#cancel(of);
      case 'sending':
        return this.#sending(text(of['intentId']));
      case 'outcome':
        return this.#outcome(text(of['intentId']), fields(of['outcome']));
      case 'order':
        return this.#report(text(of['intentId']), of['report'] as Report);
      case 'correction':
        return of['report'] === undefined ? false : this.#report(text(of['intentId']), of['report'] as Report);
      case 'fill':
        return this.#fill(text(of['intentId']), fields(of['fill']));
      case 'closed':
        return this.#remove(text(of['intentId']));
      default:
        return false;
    }
  }

  #create(ts: number, of: Fields): boolean {
    const order = fields(of['order']);
    const ref = text(of['ref']);
    this.#names.set(text(of['intentId']), { ref, strategy: text(of['strategy']) });
    if (this.#names.size > ENDED_MAX) this.#forget();
    this.#rows.set(ref, {
      ref,
      strategy: text(of['strategy']),
      tag: text(of['tag']),
      symbol: text(order['symbol']),
      side: order['side'] === 'sell' ? 'sell' : 'buy',
      type: order['type'] === 'market' ? 'market' : 'limit',
      timeInForce: order['timeInForce'] === 'ioc' ? 'ioc' : 'gtc',
      price: typeof order['price'] === 'string' ? order['price'] : null,
      quantity: text(order['quantity']),
      filledQuantity: '0',
      averagePrice: null,
      state: 'pending',
      orderId: null,
      positionSide: null,
      reduceOnly: of['reduceOnly'] === true,
      postOnly: of['postOnly'] === true,
      parent: typeof of['parent'] === 'string' ? of['parent'] : null,
      leg: typeof of['leg'] === 'string' ? of['leg'] : null,
      createdAt: ts,
    });
    return true;
  }

  #cancel(of: Fields): boolean {
    this.#cancels.set(text(of['intentId']), Array.isArray(of['targets']) ? of['targets'].map(text) : []);
    return false;
  }

  #sending(intentId: string): boolean {
    const targets = this.#cancels.get(intentId);
    if (targets === undefined) return this.#change(intentId, { state: 'sending' });
    this.#cancels.delete(intentId);
    return targets.map((target) => this.#change(target, { state: 'canceling' })).some(Boolean);
  }

  #outcome(intentId: string, outcome: Fields): boolean {
    if (outcome['kind'] === 'unknown') return this.#change(intentId, { state: 'unknown' });
    if (outcome['kind'] !== 'accepted') return this.#remove(intentId);
    const order = outcome['order'] as Report | undefined;
    return order === undefined ? this.#change(intentId, { state: 'open' }) : this.#report(intentId, order);
  }

  #report(intentId: string, report: Report): boolean {
    this.#know(intentId, report.orderId);
    const state = WORKING[report.status];
    if (state === undefined) return this.#remove(intentId);
    const { orderId, filledQuantity, averagePrice } = report;
    const row = this.#rowOf(intentId);
    const isLeaving = row?.state === 'canceling';
    return this.#change(intentId, { state: isLeaving ? 'canceling' : state, orderId, filledQuantity, averagePrice });
  }

  #fill(intentId: string, fill: Fields): boolean {
    this.#know(intentId, text(fill['orderId']));
    const row = this.#rowOf(intentId);
    if (row === undefined) return false;
    const sum = add(this.#filled.get(row.ref) ?? '0', text(fill['quantity']));
    this.#filled.set(row.ref, sum);
    if (Number(sum) >= Number(row.quantity)) return this.#remove(intentId);
    const filledQuantity = Number(sum) > Number(row.filledQuantity) ? sum : row.filledQuantity;
    const state = row.state === 'canceling' ? row.state : 'partially_filled';
    return this.#change(intentId, { state, filledQuantity });
  }

  /** An order of a snapshot is known by its ref alone, until something names its intent beside its id. */
  #know(intentId: string, orderId: string): void {
    if (this.#names.has(intentId) || orderId === '') return;
    for (const row of this.#rows.values()) if (row.orderId === orderId) this.#names.set(intentId, row);
  }

  #rowOf(intentId: string): OrderRow | undefined {
    return this.#rows.get(this.nameOf(intentId).ref ?? '');
  }

  #change(intentId: string, change: Partial<OrderRow>): boolean {
    const row = this.#rowOf(intentId);
    if (row === undefined) return false;
    this.#rows.set(row.ref, { ...row, ...change });
    return true;
  }

  #remove(intentId: string): boolean {
    const ref = this.nameOf(intentId).ref ?? '';
    this.#filled.delete(ref);
    return this.#rows.delete(ref);
  }

  #forget(): void {
    for (const [intentId, { ref }] of this.#names) {
      if (this.#names.size <= ENDED_MAX / 2) return;
      if (!this.#rows.has(ref ?? '')) this.#names.delete(intentId);
    }
  }
}
