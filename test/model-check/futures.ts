/**
 * Perpetuals (interface, "Futures trading"; simulation.md A3, A4): a list of resting orders searched from end to end,
 * positions by cost basis, funding at its times. How much margin is locked, and who is liquidated, follows laws that
 * `margin.ts` holds the exchange to; the price of a liquidation is taken from the exchange, its profit is reckoned here.
 */
import { amount, amountText, least, product, type Amount } from './amount.ts';
import { checkBook } from './book-check.ts';
import { checkClosed, checkPositions } from './futures-check.ts';
import { futuresGrids as grids, type FuturesStep } from './futures-step.ts';
import { doubtOrder } from './futures-doubts.ts';
import {
  isActive,
  onlyCloses,
  orderLine,
  type ClosedRound,
  type FuturesOrder,
  type Perpetual,
  type Slot,
} from './futures-order.ts';
import { FuturesAccounts } from './margin.ts';
import { agree, agreeLines, lineOf, Mismatch } from './mismatch.ts';
import { beforeMargins, counted, picked, type Setting } from './setting.ts';
import type { SpotModel } from './spot.ts';
import type { Person } from './world.ts';

type StepOf<Kind extends FuturesStep['kind']> = Extract<FuturesStep, { readonly kind: Kind }>;

const usual: Readonly<Record<string, number>> = { BTCUSDT: 50_000, ETHUSDT: 2500 };
const CURRENCY = 'USDT';
const ACCOUNT = 'unified-trading';
const REWARD = amount('0.1');
const AT_MARKET = { type: 'market', timeInForce: 'ioc', reduceOnly: true } as const;
const LIQUIDATION_FEE = amount('0.002');
const ROOT = '/api/v2/exchange/client';

export class FuturesModel {
  readonly accounts: FuturesAccounts;
  readonly #setting: Setting;
  readonly #spot: SpotModel;
  readonly #perpetuals: readonly Perpetual[];
  readonly #orders: FuturesOrder[] = [];
  readonly #fills = new Map<string, string[]>();
  readonly #closed: ClosedRound[] = [];
  readonly #last = new Map<string, Amount>();
  readonly #fees: { readonly maker: Amount; readonly taker: Amount };

  constructor(setting: Setting, spot: SpotModel) {
    this.#setting = setting;
    this.#spot = spot;
    const { world } = setting;
    const alice = setting.person(0);
    const path = '/api/v2/exchange/public/asset/instrument/derivative/list';
    this.#perpetuals = world.read(alice, path) as readonly Perpetual[];
    this.accounts = new FuturesAccounts(
      setting,
      this.#perpetuals.map((each) => each.symbol),
      this.#orders,
    );
    const fees = world.read(alice, `${ROOT}/fee/personal?symbol=BTCUSDTPERP`) as readonly Record<string, string>[];
    this.#fees = { maker: amount(fees[0]?.['maker'] ?? ''), taker: amount(fees[0]?.['taker'] ?? '') };
    for (const { symbol } of this.#perpetuals) this.#awaitFunding(symbol);
    spot.alsoCanceled = (person, symbol) => this.#cancelAll(person, symbol);
  }

  take(step: FuturesStep): void {
    switch (step.kind) {
      case 'f-place':
        return this.#place(step);
      case 'f-cancel':
        return this.#cancel(step);
      case 'f-close':
        return this.#closePosition(step);
      case 'leverage':
      case 'margin-type':
      case 'mode':
        return this.accounts.configure(step);
      case 'quote':
        return this.#quote(step);
    }
  }

  #place(step: StepOf<'f-place'>): void {
    const { symbol, side, type, timeInForce, reduceOnly } = step;
    const owner = this.#setting.person(step.who);
    const grid = grids[symbol] ?? grids['BTCUSDTPERP']!;
    const priceText = type === 'market' ? null : grid.prices[step.price % grid.prices.length]!;
    const sizeText = grid.sizes[step.size % grid.sizes.length]!;
    const positionSide = this.accounts.sideFor(owner, side, step.position);
    const answer = this.#setting.world.call(owner, 'POST', `${ROOT}/order/derivative`, {
      symbol,
      side,
      type,
      timeInForce,
      positionSide,
      reduceOnly,
      ...(priceText === null ? {} : { price: priceText }),
      quantity: sizeText,
    });
    const perpetual = this.#perpetuals.find((each) => each.symbol === symbol);
    if (perpetual === undefined) {
      this.#setting.accepted('f-place', answer, ['unknown_symbol']);
      return;
    }
    const price = priceText === null ? null : amount(priceText);
    const wanted = { perpetual, owner, side, positionSide, price, quantity: amount(sizeText), reduceOnly };
    const rivals = this.#rivals(symbol, side);
    const last = this.#last.get(symbol) ?? 0n;
    const { must, may } = doubtOrder(this.accounts, wanted, rivals, last, this.#fees.taker);
    if (!this.#setting.accepted(`f-place ${JSON.stringify(step)}`, answer, must, may)) return;
    this.#accept(
      owner,
      { symbol, side, type, timeInForce, reduceOnly, positionSide },
      price,
      amount(sizeText),
      answer.json,
    );
  }

  #accept(
    owner: Person,
    facts: Pick<FuturesOrder, 'symbol' | 'side' | 'type' | 'timeInForce' | 'reduceOnly' | 'positionSide'>,
    price: Amount | null,
    quantity: Amount,
    answer: unknown,
  ): void {
    const { orderId } = answer as { readonly orderId: string };
    const { now } = this.#setting;
    const slot = this.accounts.slot(owner, facts.symbol, facts.positionSide);
    const times = { createdAt: now, updatedAt: now };
    const order: FuturesOrder = {
      ...facts,
      ...times,
      orderId,
      owner,
      slot,
      price,
      quantity,
      filled: 0n,
      value: 0n,
      status: 'new',
    };
    this.#match(order);
    this.#orders.push(order);
    if (order.filled === quantity) this.#end(order, 'filled');
    else if (facts.type === 'market' || facts.timeInForce === 'ioc') this.#end(order, 'expired');
    agree(`order ${orderId}`, lineOf(beforeMargins(answer, order.status), ['reason']), orderLine(order));
  }

  #rivals(symbol: string, side: 'buy' | 'sell'): FuturesOrder[] {
    const resting = this.#orders.filter((order) => order.symbol === symbol && order.side !== side && isActive(order));
    const sign = side === 'buy' ? 1 : -1;
    return resting.sort((left, right) => sign * Number((left.price ?? 0n) - (right.price ?? 0n)));
  }

  /** A market order goes no further than a tenth from the best price (assumed). */
  #match(taker: FuturesOrder): void {
    const [best] = this.#rivals(taker.symbol, taker.side);
    const far = ((best?.price ?? 0n) * (taker.side === 'buy' ? 11n : 9n)) / 10n;
    const limit = taker.price ?? far;
    for (;;) {
      const [maker] = this.#rivals(taker.symbol, taker.side);
      const price = maker?.price ?? 0n;
      const left = taker.quantity - taker.filled;
      if (maker === undefined || left === 0n) return;
      if (taker.side === 'buy' ? price > limit : price < limit) return;
      this.#trade(taker, maker, price, least(left, maker.quantity - maker.filled));
    }
  }

  #trade(taker: FuturesOrder, maker: FuturesOrder, price: Amount, quantity: Amount): void {
    const { now } = this.#setting;
    for (const order of [taker, maker]) {
      order.filled += quantity;
      order.value += product(price, quantity);
      order.updatedAt = now;
      order.status = 'partially_filled';
    }
    this.#settle(taker, 'taker', price, quantity, this.#fees.taker);
    this.#settle(maker, 'maker', price, quantity, this.#fees.maker);
    this.#last.set(taker.symbol, price);
    if (maker.filled === maker.quantity) this.#end(maker, 'filled');
  }

  #settle(order: FuturesOrder, liquidity: string, price: Amount, quantity: Amount, rate: Amount): void {
    const { owner, slot, side, symbol, orderId } = order;
    const { now, purse } = this.#setting;
    const profit = slot.position.fill(side, price, quantity, rate, now, (round) => {
      const { openedAt, fees, funding, realized } = round;
      const line = lineOf({
        symbol,
        positionSide: slot.side,
        openedAt,
        closedAt: now,
        fees: amountText(fees),
        funding: amountText(funding),
        realizedPnl: amountText(realized),
      });
      this.#closed.push({ person: owner, line });
    });
    const fee = product(product(price, quantity), rate);
    purse.margin(owner, profit - fee);
    slot.isTouched = true;
    if (fee > 0n) this.#setting.transaction(owner, 'trade_fee', 'completed', CURRENCY, fee, ACCOUNT);
    const inviter = this.#setting.person(0);
    if (owner !== inviter && rate !== LIQUIDATION_FEE) {
      const reward = product(fee, REWARD);
      purse.move(inviter, 'referral-program', CURRENCY, reward);
      this.#setting.transaction(inviter, 'referral', 'completed', CURRENCY, reward, 'referral-program');
    }
    const texts = { price: amountText(price), quantity: amountText(quantity), fee: amountText(fee) };
    const facts = { orderId, symbol, market: 'derivative', side, feeCurrency: CURRENCY, liquidity, ts: now };
    const fill = lineOf({ ...facts, ...texts, realizedPnl: amountText(profit) });
    this.#fills.set(owner.login, [...(this.#fills.get(owner.login) ?? []), fill]);
    this.#dropExcess(slot, order);
  }

  /** Orders that may only close end when they are greater than what is left to close (assumed). */
  #dropExcess(slot: Slot, taken: FuturesOrder): void {
    for (const order of this.#orders) {
      const left = order.quantity - order.filled;
      if (order === taken && left === 0n) continue;
      if (order.slot !== slot || !isActive(order) || left === 0n || !onlyCloses(order)) continue;
      if (left > slot.position.closable(order.side)) this.#end(order, 'canceled');
    }
  }

  #cancel({ who, pick, old }: StepOf<'f-cancel'>): void {
    const person = this.#setting.person(who);
    const own = this.#orders.filter((order) => order.owner === person && isActive(order));
    const order = picked(old || own.length === 0 ? this.#orders : own, pick);
    const answer = this.#setting.world.call(person, 'DELETE', `${ROOT}/order/${order?.orderId ?? '17'}`);
    const must = order === undefined ? ['unknown_order'] : [];
    if (order !== undefined && order.owner !== person) must.push('not_owner', 'unknown_order');
    if (order !== undefined && !isActive(order)) must.push('order_closed');
    if (!this.#setting.accepted('f-cancel', answer, must) || order === undefined) return;
    this.#end(order, 'canceled');
    agree(`order ${order.orderId}`, lineOf(answer.json, ['reason']), orderLine(order));
  }

  #cancelAll(person: Person, symbol: string | undefined): string[] {
    const meant = this.#orders.filter(
      (order) => order.owner === person && isActive(order) && (symbol === undefined || symbol === order.symbol),
    );
    for (const order of meant) this.#end(order, 'canceled');
    return meant.map((order) => order.orderId);
  }

  #closePosition({ who, symbol, position: wanted, quantity: text }: StepOf<'f-close'>): void {
    const owner = this.#setting.person(who);
    const positionSide = this.accounts.sideFor(owner, 'buy', wanted);
    const body = { symbol, positionSide, ...(text === null ? {} : { quantity: text }) };
    const answer = this.#setting.world.call(owner, 'POST', `${ROOT}/positions/close`, body);
    const { position } = this.accounts.slot(owner, symbol, positionSide);
    const quantity = text === null ? position.size : amount(text);
    const must: string[] = [];
    if (!this.accounts.allows(owner, positionSide)) must.push('illegal_transition');
    if (position.size === 0n || quantity > position.size) must.push('reduce_only_violation');
    if (!this.#setting.accepted('f-close', answer, must)) return;
    const side = position.quantity > 0n ? 'sell' : 'buy';
    this.#accept(owner, { ...AT_MARKET, symbol, side, positionSide }, null, quantity, answer.json);
  }

  /** The first user's two quotes in a spot book: their middle is the index. */
  #quote({ symbol, level }: StepOf<'quote'>): void {
    const middle = ((usual[symbol] ?? 0) * level) / 100;
    const size = symbol === 'BTCUSDT' ? '0.001' : '0.01';
    this.#spot.quote(this.#setting.person(0), symbol, [String(middle - 5), String(middle + 5)], size);
  }

  #end(order: FuturesOrder, status: string): void {
    order.status = status;
    order.updatedAt = this.#setting.now;
  }

  #awaitFunding(symbol: string): void {
    const { world } = this.#setting;
    const alice = this.#setting.person(0);
    const path = `/api/v2/exchange/public/derivative/funding-rate?symbol=${symbol}&limit=1000`;
    const read = (): { readonly nextFundingTime: number; readonly history: { rate: string; ts: number }[] } =>
      world.read(alice, path) as { nextFundingTime: number; history: { rate: string; ts: number }[] };
    const wait = (dueMs: number): void => {
      this.#setting.at(dueMs, () => {
        this.follow(dueMs);
        wait(dueMs + 8 * 3_600_000);
        if (!this.accounts.slots.some((slot) => slot.symbol === symbol && slot.position.quantity !== 0n)) return;
        const settled = read().history.find(({ ts }) => ts === dueMs);
        if (settled === undefined) throw new Mismatch(`no funding of ${symbol} at ${dueMs}`);
        this.#fund(symbol, amount(settled.rate));
      });
    };
    wait(read().nextFundingTime);
  }

  /** Longs pay rate · mark · quantity when the rate is above zero. */
  #fund(symbol: string, rate: Amount): void {
    const mark = this.accounts.mark(symbol);
    for (const slot of this.accounts.slots) {
      if (slot.symbol !== symbol || slot.position.quantity === 0n || mark === 0n) continue;
      const received = -product(product(rate, mark), slot.position.quantity);
      if (received === 0n) continue;
      slot.position.round.funding += received;
      slot.isTouched = true;
      this.#setting.count('funding');
      this.#setting.purse.margin(slot.person, received);
      this.#setting.transaction(slot.person, 'funding', 'completed', CURRENCY, received, ACCOUNT);
    }
  }

  /** Takes over what liquidations before `beforeMs` did, and checks that they had to be. */
  follow(beforeMs = Number.POSITIVE_INFINITY): void {
    const { now } = this.#setting;
    for (const person of this.#setting.world.people) {
      const rows = person.feed.takeForced(beforeMs);
      if (rows.some((row) => row['reason'] === 'insufficient_balance')) this.accounts.checkShort(person, this.#spot);
      if (rows.some((row) => row['status'] === 'filled')) this.accounts.checkLiquidation(person, rows, this.#spot);
      for (const row of rows) {
        this.#setting.now = Number(row['updatedAt']);
        const orderId = String(row['orderId']);
        const known = this.#orders.find((order) => order.orderId === orderId);
        this.#setting.count(`${String(row['reason'])}: ${String(row['status'])}`);
        if (known !== undefined) this.#end(known, 'canceled');
        else if (row['status'] === 'canceled') this.#spot.force(orderId);
        else this.#liquidated(person, row);
      }
    }
    this.#setting.now = now;
  }

  #liquidated(owner: Person, row: Readonly<Record<string, unknown>>): void {
    const { orderId, symbol, side, positionSide } = row as Pick<
      FuturesOrder,
      'orderId' | 'symbol' | 'side' | 'positionSide'
    >;
    const quantity = amount(String(row['quantity']));
    const price = amount(String(row['averagePrice']));
    const slot = this.accounts.slot(owner, symbol, positionSide);
    agree('quantity of a liquidation', amountText(quantity), amountText(slot.position.size));
    const { now } = this.#setting;
    const facts = { ...AT_MARKET, symbol, side, positionSide };
    const done = { filled: quantity, value: product(price, quantity), status: 'filled' };
    const order: FuturesOrder = {
      ...facts,
      ...done,
      orderId,
      owner,
      slot,
      price: null,
      quantity,
      createdAt: now,
      updatedAt: now,
    };
    this.#orders.push(order);
    this.#settle(order, 'taker', price, quantity, LIQUIDATION_FEE);
  }

  check(full: boolean): void {
    const { world } = this.#setting;
    for (const { symbol } of this.#perpetuals) {
      checkBook(this.#setting, symbol, { bids: this.#rivals(symbol, 'sell'), asks: this.#rivals(symbol, 'buy') });
    }
    for (const person of world.people) {
      checkPositions(this.#setting, this.accounts, person);
      const rows = world.read(person, `${ROOT}/order/active?market=derivative`) as readonly { orderId: string }[];
      const actual = new Map(rows.map((row) => [row.orderId, lineOf(row, ['reason'])]));
      const own = this.#orders.filter((order) => order.owner === person);
      const active = own.filter(isActive);
      agreeLines(
        `active futures orders of ${person.login}`,
        actual,
        new Map(active.map((order) => [order.orderId, orderLine(order)])),
      );
      const told = new Map(rows.map((row) => [row.orderId, lineOf(row)]));
      const seen = [...person.feed.active].filter(([, line]) => line.includes('market:"derivative"'));
      agreeLines(`events (first) and REST (second) of futures orders of ${person.login}`, new Map(seen), told);
      if (full)
        this.#checkHistory(
          person,
          own.filter((order) => !isActive(order)),
        );
    }
  }

  #checkHistory(person: Person, ended: readonly FuturesOrder[]): void {
    const rows = this.#setting.pages(person, `${ROOT}/order/history?market=derivative`);
    for (const row of rows) {
      const orderId = String(row['orderId']);
      agree(`order-history push of ${orderId}`, person.feed.ended.get(orderId) ?? 'missing', lineOf(row));
    }
    agreeLines(
      `futures order history of ${person.login}`,
      new Map(rows.map((row) => [String(row['orderId']), lineOf(row, ['reason'])])),
      new Map(ended.map((order) => [order.orderId, orderLine(order)])),
    );
    const trades = this.#setting.pages(person, `${ROOT}/trade/derivative/list/my`);
    const lines = trades.map((trade) => lineOf(trade, ['tradeId', 'positionSide']));
    agreeLines(`futures trades of ${person.login}`, counted(lines), counted(this.#fills.get(person.login) ?? []));
    for (const trade of trades) {
      const tradeId = String(trade['tradeId']);
      agree(`my-trades push of ${tradeId}`, person.feed.trades.get(tradeId) ?? 'missing', lineOf(trade));
    }
    checkClosed(this.#setting, person, this.#closed);
  }
}
