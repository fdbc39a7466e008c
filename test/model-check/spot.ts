/**
 * Spot (interface, "Spot trading"; wire profile, "Create spot order", A1): a list of resting orders searched from end to
 * end, exact balances. Orders of one user may trade with each other.
 */
import { amount, amountText, least, product, type Amount } from './amount.ts';
import { checkBook } from './book-check.ts';
import { Mismatch, agree, agreeLines, lineOf } from './mismatch.ts';
import { inReach, lockedCurrency, orderLine, type Order, type Pair } from './spot-order.ts';
import { spotGrids as grids, type SpotStep } from './spot-step.ts';
import { beforeMargins, counted, type Setting } from './setting.ts';
import type { Person } from './world.ts';

const TRADING = 'unified-trading';
/** Assumed: of a fee of the second user the first one gets this, since it invited the other. */
const REWARD = amount('0.1');

type Place = Extract<SpotStep, { readonly kind: 'place' }>;
type PlaceFacts = Pick<Place, 'symbol' | 'side' | 'type' | 'timeInForce' | 'id'>;

export class SpotModel {
  readonly #setting: Setting;
  readonly #pairs: readonly Pair[];
  readonly #fees = new Map<string, { readonly maker: Amount; readonly taker: Amount }>();
  /** In order of creation, which is time priority. */
  readonly #orders: Order[] = [];
  readonly #fills = new Map<string, string[]>();
  readonly #public = new Map<string, string[]>();
  readonly #ids = new Set<string>();
  readonly #last = new Map<string, Amount>();
  #touched = new Set<Order>();
  readonly #quotes = new Map<string, readonly Order[]>();
  /** Set by the session: follows what the exchange did on its own after a command. */
  afterCommand: () => void = () => {};
  /** Set by the model of perpetuals: their orders are canceled with the others, and answered. */
  alsoCanceled: (person: Person, symbol: string | undefined) => string[] = () => [];
  /** Counts steps that changed something. */
  #version = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    const { world } = setting;
    const alice = setting.person(0);
    const rows = world.read(alice, '/api/v2/exchange/public/asset/instrument/spot/list') as readonly (Pair & {
      readonly tickSize: string;
      readonly lotSize: string;
    })[];
    this.#pairs = rows.map((row) => ({ ...row, tick: row.tickSize, lot: row.lotSize }));
    for (const person of world.people) {
      const fees = world.read(person, '/api/v2/exchange/client/fee/personal') as readonly Record<string, string>[];
      for (const { symbol, maker, taker } of fees) {
        const rates = { maker: amount(maker ?? ''), taker: amount(taker ?? '') };
        this.#fees.set(`${person.login}/${symbol ?? ''}`, rates);
      }
    }
  }

  /** Of a step, whatever it is about. */
  begin(): void {
    this.#touched = new Set();
  }

  take(step: SpotStep): void {
    if (step.kind === 'place') this.#place(step);
    else if (step.kind === 'cancel') this.#cancelOne(this.#setting.person(step.who), this.#pick(step));
    else this.#cancelMany(step);
  }

  #pick({ who, pick, old }: { readonly who: number; readonly pick: number; readonly old: boolean }): Order | undefined {
    const person = this.#setting.person(who);
    const own = this.#orders.filter((order) => order.owner === person && order.status.match(/new|part/));
    const from = old || own.length === 0 ? this.#orders : own;
    return from[pick % Math.max(1, from.length)];
  }

  #place(step: Place): void {
    const grid = grids[step.symbol] ?? grids['BTCUSDT']!;
    const price = step.type === 'market' ? null : grid.prices[step.price % grid.prices.length]!;
    this.#placeAt(this.#setting.person(step.who), step, price, grid.sizes[step.size % grid.sizes.length]!);
  }

  /** Both sides of a market of one user, in place of the last ones. */
  quote(owner: Person, symbol: string, prices: readonly [string, string], size: string): void {
    const last = this.#quotes.get(symbol) ?? [];
    for (const order of last) if (/new|part/.test(order.status)) this.#cancelOne(owner, order);
    // Margin that was short takes what the cancels freed.
    this.afterCommand();
    const facts = { symbol, type: 'limit', timeInForce: 'gtc', id: null } as const;
    const bid = this.#placeAt(owner, { ...facts, side: 'buy' }, prices[0], size);
    const ask = this.#placeAt(owner, { ...facts, side: 'sell' }, prices[1], size);
    this.#quotes.set(
      symbol,
      [bid, ask].filter((order) => order !== undefined),
    );
  }

  /** What the user's active orders lock. */
  lockedOf(owner: Person, currency: string): Amount {
    const own = this.#orders.filter((order) => order.owner === owner && lockedCurrency(order) === currency);
    return own.reduce((sum, order) => sum + order.locked, 0n);
  }

  /** The exchange canceled it. */
  force(orderId: string): void {
    const order = this.#orders.find((each) => each.orderId === orderId);
    if (order === undefined) throw new Mismatch(`no spot order ${orderId} could be canceled by the exchange`);
    this.#close(order, 'canceled');
  }

  #placeAt(owner: Person, step: PlaceFacts, priceText: string | null, sizeText: string): Order | undefined {
    const { world } = this.#setting;
    const { symbol, side, type } = step;
    const answer = world.call(owner, 'POST', '/api/v2/exchange/client/order/spot', {
      symbol,
      side,
      type,
      ...(step.timeInForce === null ? {} : { timeInForce: step.timeInForce }),
      ...(priceText === null ? {} : { price: priceText }),
      quantity: sizeText,
      ...(step.id === null ? {} : { clientOrderId: step.id }),
    });
    const pair = this.#pairs.find((each) => each.symbol === symbol);
    const price = priceText === null ? null : amount(priceText);
    const quantity = amount(sizeText);
    const { must, may } = this.#doubts(owner, pair, step, price, quantity);
    if (!this.#setting.accepted(`place ${JSON.stringify(step)}`, answer, must, may) || pair === undefined) {
      return undefined;
    }
    const { orderId } = answer.json as { readonly orderId: string };
    if (this.#orders.some((order) => order.orderId === orderId)) throw new Mismatch(`order id ${orderId} came before`);
    if (step.id !== null) this.#ids.add(`${owner.login}/${step.id}`);
    const timeInForce = step.timeInForce ?? (type === 'limit' ? 'gtc' : 'ioc');
    const { now } = this.#setting;
    const times = { createdAt: now, updatedAt: now };
    const empty = { filled: 0n, value: 0n, locked: 0n, status: 'new' };
    const order: Order = {
      orderId,
      owner,
      pair,
      side,
      type,
      timeInForce,
      price,
      quantity,
      id: step.id,
      ...times,
      ...empty,
    };
    this.#lock(order);
    this.#match(order);
    this.#orders.push(order);
    this.#touched.add(order);
    if (order.filled === quantity) this.#close(order, 'filled');
    else if (type === 'market' || timeInForce === 'ioc') this.#close(order, 'expired');
    this.#agreeOrder(order, beforeMargins(answer.json, order.status));
    return order;
  }

  #doubts(
    owner: Person,
    pair: Pair | undefined,
    { side, id }: PlaceFacts,
    price: Amount | null,
    quantity: Amount,
  ): { readonly must: string[]; readonly may: string[] } {
    if (pair === undefined) return { must: ['unknown_symbol'], may: [] };
    const must: string[] = [];
    const may: string[] = [];
    if (id !== null && this.#ids.has(`${owner.login}/${id}`)) must.push('duplicate_client_order_id');
    if (quantity > amount(pair.maxQuantity)) must.push('above_maximum');
    if (quantity < amount(pair.minQuantity)) must.push('below_minimum');
    if (quantity % amount(pair.lot) !== 0n) must.push('off_lot');
    if (price !== null && price % amount(pair.tick) !== 0n) must.push('off_tick');
    const least = amount(pair.minNotional);
    const onGrid = must.length === 0;
    if (price !== null && onGrid && product(price, quantity) < least) must.push('below_minimum');
    // The documents do not say at which price the notional of a market order counts.
    const prices = [...this.#rivals(pair, side).map((rival) => rival.price ?? 0n), this.#last.get(pair.symbol) ?? 0n];
    if (price === null && onGrid && prices.some((each) => product(each, quantity) < least)) may.push('below_minimum');
    if (onGrid) {
      const currency = side === 'buy' ? pair.quote : pair.base;
      const needed = this.#needed(pair, side, price, quantity);
      if (this.#setting.purse.available(owner, TRADING, currency) < needed) must.push('insufficient_balance');
    }
    return { must, may };
  }

  /** What an order locks: a market buy what its way through the book costs. */
  #needed(pair: Pair, side: 'buy' | 'sell', price: Amount | null, quantity: Amount): Amount {
    if (side === 'sell') return quantity;
    if (price !== null) return product(price, quantity);
    let left = quantity;
    let cost = 0n;
    for (const rival of inReach(this.#rivals(pair, side), side)) {
      const lots = least(left, rival.quantity - rival.filled);
      cost += product(rival.price ?? 0n, lots);
      left -= lots;
    }
    return cost;
  }

  /** Resting orders of the other side, best price first, then the oldest. */
  #rivals(pair: Pair, side: 'buy' | 'sell'): Order[] {
    const resting = this.#orders.filter(
      (order) => order.pair === pair && order.side !== side && /new|part/.test(order.status),
    );
    const sign = side === 'buy' ? 1 : -1;
    return resting.sort((left, right) => sign * Number((left.price ?? 0n) - (right.price ?? 0n)));
  }

  #lock(order: Order): void {
    const { owner, pair, side, price, quantity } = order;
    order.locked = this.#needed(pair, side, price, quantity);
    this.#setting.purse.move(owner, TRADING, side === 'buy' ? pair.quote : pair.base, -order.locked, order.locked);
  }

  #match(taker: Order): void {
    const rivals = this.#rivals(taker.pair, taker.side);
    for (const maker of taker.price === null ? inReach(rivals, taker.side) : rivals) {
      const price = maker.price ?? 0n;
      const left = taker.quantity - taker.filled;
      if (left === 0n) return;
      if (taker.price !== null && (taker.side === 'buy' ? price > taker.price : price < taker.price)) return;
      this.#trade(taker, maker, price, least(left, maker.quantity - maker.filled));
    }
  }

  #trade(taker: Order, maker: Order, price: Amount, quantity: Amount): void {
    const { symbol } = taker.pair;
    const notional = product(price, quantity);
    for (const order of [taker, maker]) {
      order.filled += quantity;
      order.value += notional;
      order.updatedAt = this.#setting.now;
      order.status = 'partially_filled';
      this.#settle(order, order === taker ? 'taker' : 'maker', price, quantity, notional);
    }
    this.#last.set(symbol, price);
    const [priceText, quantityText] = [amountText(price), amountText(quantity)];
    const print = lineOf({ price: priceText, quantity: quantityText, side: taker.side, ts: this.#setting.now });
    this.#public.set(symbol, [...(this.#public.get(symbol) ?? []), print]);
    this.#touched.add(maker);
    if (maker.filled === maker.quantity) this.#close(maker, 'filled');
  }

  #settle(order: Order, liquidity: 'maker' | 'taker', price: Amount, quantity: Amount, notional: Amount): void {
    const { owner, pair, side } = order;
    const { purse, now } = this.#setting;
    const { base, quote, symbol } = pair;
    const rate = this.#fees.get(`${owner.login}/${symbol}`)![liquidity];
    const [paid, paidAmount] = side === 'buy' ? [quote, notional] : [base, quantity];
    const [feeCurrency, gross] = side === 'buy' ? [base, quantity] : [quote, notional];
    const released = side === 'buy' && order.price !== null ? product(order.price, quantity) : paidAmount;
    const fee = product(gross, rate);
    order.locked -= released;
    purse.move(owner, TRADING, paid, released - paidAmount, -released);
    purse.move(owner, TRADING, feeCurrency, gross - fee);
    this.#setting.transaction(owner, 'trade_fee', 'completed', feeCurrency, fee, TRADING);
    const inviter = this.#setting.person(0);
    if (owner !== inviter) {
      const reward = product(fee, REWARD);
      purse.move(inviter, 'referral-program', feeCurrency, reward);
      this.#setting.transaction(inviter, 'referral', 'completed', feeCurrency, reward, 'referral-program');
    }
    const { orderId } = order;
    const texts = { price: amountText(price), quantity: amountText(quantity), fee: amountText(fee) };
    const fill = { orderId, symbol, market: 'spot', side, ...texts, feeCurrency, liquidity, ts: now };
    this.#fills.set(owner.login, [...(this.#fills.get(owner.login) ?? []), lineOf(fill)]);
  }

  #close(order: Order, status: string): void {
    const { owner, pair, side, locked } = order;
    order.status = status;
    order.updatedAt = this.#setting.now;
    this.#setting.purse.move(owner, TRADING, side === 'buy' ? pair.quote : pair.base, locked, -locked);
    order.locked = 0n;
    this.#touched.add(order);
  }

  #cancelOne(person: Person, order: Order | undefined): void {
    const orderId = order?.orderId ?? '17';
    const answer = this.#setting.world.call(person, 'DELETE', `/api/v2/exchange/client/order/${orderId}`);
    const must = this.#doubtCancel(person, order);
    if (!this.#setting.accepted('cancel', answer, must) || order === undefined) return;
    this.#close(order, 'canceled');
    this.#agreeOrder(order, answer.json);
  }

  #doubtCancel(person: Person, order: Order | undefined): string[] {
    if (order === undefined) return ['unknown_order'];
    const must = order.owner === person ? [] : ['not_owner', 'unknown_order'];
    if (!/new|part/.test(order.status)) must.push('order_closed');
    return must;
  }

  #cancelMany({ who, which, picks }: Extract<SpotStep, { readonly kind: 'cancel-many' }>): void {
    const person = this.#setting.person(who);
    const named = picks.map((pick) => this.#orders[pick % Math.max(1, this.#orders.length)]?.orderId ?? '17');
    const body = which === 'all' ? {} : which === 'symbol' ? { symbol: 'BTCUSDT' } : { orderIds: named };
    const answer = this.#setting.world.call(person, 'POST', '/api/v2/exchange/client/order/cancel-many', body);
    if (!this.#setting.accepted(`cancel-many-${which}`, answer, [])) return;
    const isMeant = (order: Order): boolean =>
      order.owner === person && /new|part/.test(order.status) && (which === 'all' || order.pair.symbol === 'BTCUSDT');
    const ids = which === 'some' ? named : this.#orders.filter(isMeant).map((order) => order.orderId);
    const canceled = which === 'all' ? this.alsoCanceled(person, undefined) : [];
    const failed: string[] = [];
    for (const orderId of ids) {
      const order = this.#orders.find((each) => each.orderId === orderId);
      if (this.#doubtCancel(person, order).length > 0) failed.push(orderId);
      else if (order !== undefined) {
        canceled.push(orderId);
        this.#close(order, 'canceled');
      }
    }
    const result = answer.json as { readonly canceled: string[]; readonly failed: { readonly orderId: string }[] };
    agree('cancel-many: canceled', result.canceled.toSorted().join(), canceled.toSorted().join());
    agree(
      'cancel-many: failed',
      result.failed
        .map(({ orderId }) => orderId)
        .toSorted()
        .join(),
      failed.toSorted().join(),
    );
  }

  #agreeOrder(order: Order, actual: unknown): void {
    agree(`order ${order.orderId}`, lineOf(actual, ['reason']), orderLine(order));
  }

  /** After every step; `full` reads the whole history as well. */
  check(full: boolean): void {
    const { world } = this.#setting;
    if (this.#touched.size > 0) this.#version++;
    for (const order of this.#touched) {
      this.#agreeOrder(order, world.read(order.owner, `/api/v2/exchange/client/order/${order.orderId}`));
    }
    for (const pair of this.#pairs) this.#checkBook(pair);
    for (const person of world.people) {
      this.#checkActive(person);
      if (full) this.#checkHistory(person);
    }
  }

  #checkActive(person: Person): void {
    const version = `${this.#version} ${person.feed.frames}`;
    const path = '/api/v2/exchange/client/order/active?market=spot';
    const rows = this.#setting.world.readChanged(person, path, version);
    if (rows === undefined) return;
    const actual = new Map<string, string>();
    const told = new Map<string, string>();
    for (const row of rows as readonly { readonly orderId: string }[]) {
      actual.set(row.orderId, lineOf(row, ['reason']));
      told.set(row.orderId, lineOf(row));
    }
    const expected = new Map<string, string>();
    let ended = 0;
    for (const order of this.#orders) {
      if (order.owner !== person) continue;
      if (/new|part/.test(order.status)) expected.set(order.orderId, orderLine(order));
      else ended++;
    }
    agreeLines(`active orders of ${person.login}`, actual, expected);
    const spot = (lines: ReadonlyMap<string, string>): Map<string, string> =>
      new Map([...lines].filter(([, line]) => line.includes('market:"spot"')));
    agreeLines(`events (first) and REST (second) of active orders of ${person.login}`, spot(person.feed.active), told);
    agree(`orders that order-history told ${person.login}`, String(spot(person.feed.ended).size), String(ended));
    const fills = this.#fills.get(person.login)?.length ?? 0;
    agree(`trades that my-trades told ${person.login}`, String(spot(person.feed.trades).size), String(fills));
  }

  #checkHistory(person: Person): void {
    const rows = this.#setting.pages(person, '/api/v2/exchange/client/order/history?market=spot');
    const actual = new Map<string, string>();
    for (const row of rows) {
      const orderId = String(row['orderId']);
      if (actual.has(orderId)) throw new Mismatch(`order/history has ${orderId} twice`);
      actual.set(orderId, lineOf(row, ['reason']));
      agree(`order-history push of ${orderId}`, person.feed.ended.get(orderId) ?? 'missing', lineOf(row));
    }
    const expected = this.#orders.filter((order) => order.owner === person && !/new|part/.test(order.status));
    agreeLines(
      `order history of ${person.login}`,
      actual,
      new Map(expected.map((order) => [order.orderId, orderLine(order)])),
    );
    const trades = this.#setting.pages(person, '/api/v2/exchange/client/trade/spot/list/my');
    const lines = trades.map((trade) => lineOf(trade, ['tradeId']));
    agreeLines(`trades of ${person.login}`, counted(lines), counted(this.#fills.get(person.login) ?? []));
    for (const trade of trades) {
      const tradeId = String(trade['tradeId']);
      agree(`my-trades push of ${tradeId}`, person.feed.trades.get(tradeId) ?? 'missing', lineOf(trade));
    }
  }

  #checkBook(pair: Pair): void {
    const { symbol } = pair;
    checkBook(this.#setting, symbol, { bids: this.#rivals(pair, 'sell'), asks: this.#rivals(pair, 'buy') });
    const told = this.#setting.person(1).feed.publicTrades.get(symbol) ?? [];
    agree(`public trades of ${symbol}`, told.join('\n'), (this.#public.get(symbol) ?? []).join('\n'));
  }
}
