/**
 * P2P (interface, "Advertisement", "Trade (P2P)", "Limits"; wire profile): advertisements and trades as two tables of
 * moves, escrow on the seller's `p2p` account. Who may take a step, the arbiter's half hour and his verdict are assumed.
 */
import { amount, amountText, product, rounded, type Amount } from './amount.ts';
import { advertisementLine } from './feed.ts';
import { agree, agreeLines, lineOf, Mismatch } from './mismatch.ts';
import type { P2pStep, TradeMove } from './p2p-step.ts';
import {
  advertisementFacts,
  BASE_PLACES,
  MARKET,
  QUOTE_PLACES,
  tradeLine,
  type Advertisement,
  type Trade,
} from './p2p-trade.ts';
import { picked, type Setting } from './setting.ts';
import type { Person } from './world.ts';

type StepOf<Kind extends P2pStep['kind']> = Extract<P2pStep, { readonly kind: Kind }>;

interface Market {
  readonly advertisementMaxCountSell: number;
  readonly advertisementMaxCountDeactivatedSell: number;
  readonly advertisementMinAmount: number;
  readonly advertisementMaxAmount: number;
  readonly tradeMinAmount: number;
  readonly tradeMaxAmount: number;
  readonly tradeActiveMaxCount: number;
  readonly pricePrecision: number;
  readonly marketPriceValidationRule: { readonly params: { ask: number; bid: number; price: number } };
}

/** From, move, who may, to. */
const tradeMoves: readonly (readonly [string, TradeMove, 'maker' | 'buyer' | 'seller' | 'either', string])[] = [
  ['open:wait-confirm', 'start', 'maker', 'open'],
  ['open:wait-confirm', 'cancel', 'either', 'cancel'],
  ['open', 'pay', 'buyer', 'send-payment-document'],
  ['open', 'cancel', 'either', 'cancel'],
  ['send-payment-document', 'confirm', 'seller', 'complete'],
  ['send-payment-document', 'dispute', 'either', 'dispute:open'],
  ['dispute:open', 'confirm', 'seller', 'complete'],
];
const BASE = 'USDT';
const CONFIRM_MS = 10 * 60_000;
const ARBITER_MS = 30 * 60_000;
const ROOT = '/api/v1/p2p/client';

export class P2pModel {
  readonly #setting: Setting;
  readonly #market: Market;
  readonly #advertisements: Advertisement[] = [];
  readonly #trades: Trade[] = [];
  readonly #completed = new Map<Person, number>();
  #version = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    const [market] = setting.world.read(setting.person(0), `${ROOT}/market/list`) as readonly Market[];
    if (market === undefined) throw new Mismatch('there is no P2P pair');
    this.#market = market;
  }

  take(step: P2pStep): void {
    this.#version++;
    switch (step.kind) {
      case 'advertise':
        return this.#advertise(step);
      case 'move-advertisement':
        return this.#moveAdvertisement(step);
      case 'edit':
        return this.#edit(step);
      case 'respond':
        return this.#respond(step);
      case 'move-trade':
        return this.#moveTrade(this.#setting.person(step.who), picked(this.#trades, step.pick), step.move, step.reason);
      case 'go-on':
        return this.#goOn(step);
    }
  }

  #advertise({ who, side, amount: size, price, minLimit, maxLimit, methods }: StepOf<'advertise'>): void {
    const maker = this.#setting.person(who);
    const terms = { price, amount: size, minLimit, maxLimit, paymentMethodIds: methods };
    const body = { marketId: MARKET, side, ...terms };
    const answer = this.#setting.world.call(maker, 'POST', `${ROOT}/advertisement`, body);
    const must = [...this.#doubtTerms(price, size, minLimit, maxLimit, methods)];
    if (this.#count(maker, side, 'active') >= this.#market.advertisementMaxCountSell) must.push('limit_reached');
    if (side === 'sell' && this.#free(maker) < amount(size)) must.push('insufficient_balance');
    if (!this.#setting.accepted('advertise', answer, must)) return;
    const { id } = answer.json as { readonly id: string };
    const limits = { minLimit: amount(minLimit), maxLimit: amount(maxLimit), available: amount(size) };
    const { now: createdAt } = this.#setting;
    const status = 'active' as const;
    const made = { id, maker, side, createdAt, price: amount(price), ...limits, offers: 1, methods, status };
    this.#advertisements.push(made);
    agree('advertisement', advertisementFacts(answer.json), this.#advertisementLine(made));
  }

  #moveAdvertisement({ who, pick, move }: StepOf<'move-advertisement'>): void {
    const person = this.#setting.person(who);
    const advertisement = picked(this.#advertisements, pick);
    const path = `${ROOT}/advertisement/${advertisement?.id ?? '17'}`;
    const { world } = this.#setting;
    const answer =
      move === 'delete' ? world.call(person, 'DELETE', path) : world.call(person, 'POST', `${path}/${move}`);
    const must = this.#doubtOwner(person, advertisement);
    if (advertisement !== undefined) {
      const { status, side, available, maker } = advertisement;
      const from = { activate: ['deactivated'], deactivate: ['active'], delete: ['active', 'deactivated'] }[move];
      if (!from.includes(status)) must.push('illegal_transition');
      if (move === 'activate') {
        if (this.#count(maker, side, 'active') >= this.#market.advertisementMaxCountSell) must.push('limit_reached');
        if (side === 'sell' && this.#free(maker) < available) must.push('insufficient_balance');
      }
      const hidden = this.#count(maker, side, 'deactivated');
      if (move === 'deactivate' && hidden >= this.#market.advertisementMaxCountDeactivatedSell)
        must.push('limit_reached');
    }
    if (!this.#setting.accepted(`advertisement-${move}`, answer, must) || advertisement === undefined) return;
    advertisement.status = ({ activate: 'active', deactivate: 'deactivated', delete: 'canceled' } as const)[move];
    agree('advertisement', advertisementFacts(answer.json), this.#advertisementLine(advertisement));
  }

  #edit({ who, pick, amount: size, price, minLimit }: StepOf<'edit'>): void {
    const person = this.#setting.person(who);
    const advertisement = picked(this.#advertisements, pick);
    const change = {
      ...(size === null ? {} : { amount: size }),
      ...(price === null ? {} : { price }),
      ...(minLimit === null ? {} : { minLimit }),
    };
    const path = `${ROOT}/advertisement/${advertisement?.id ?? '17'}`;
    const answer = this.#setting.world.call(person, 'PATCH', path, change);
    const must = this.#doubtOwner(person, advertisement);
    if (advertisement !== undefined) {
      if (advertisement.status !== 'deactivated') must.push('illegal_transition');
      const newMin = minLimit ?? amountText(advertisement.minLimit);
      const newMax = amountText(advertisement.maxLimit);
      const newPrice = price ?? amountText(advertisement.price);
      must.push(...this.#doubtTerms(newPrice, size ?? '1', newMin, newMax, advertisement.methods));
    }
    if (!this.#setting.accepted('edit', answer, must) || advertisement === undefined) return;
    if (size !== null) {
      advertisement.available = amount(size);
      advertisement.offers++;
    }
    if (price !== null) advertisement.price = amount(price);
    if (minLimit !== null) advertisement.minLimit = amount(minLimit);
    agree('advertisement', advertisementFacts(answer.json), this.#advertisementLine(advertisement));
  }

  #respond({ who, pick, part, method }: StepOf<'respond'>): void {
    const person = this.#setting.person(who);
    const others = this.#advertisements.filter((each) => each.maker !== person && each.status === 'active');
    // Mostly an advertisement that can be answered.
    const from = others.length > 0 && pick % 8 !== 0 ? others : this.#advertisements;
    const advertisement = picked(from, pick);
    const size = responseText(part, advertisement);
    const body = { advertisementId: advertisement?.id ?? '17', amount: size, paymentMethodId: method };
    const answer = this.#setting.world.call(person, 'POST', `${ROOT}/trade`, body);
    const must = advertisement === undefined ? ['not_found'] : this.#doubtResponse(person, advertisement, size, method);
    if (!this.#setting.accepted('respond', answer, must) || advertisement === undefined) return;
    const base = amount(size);
    const { maker, side, price } = advertisement;
    const [buyer, seller] = side === 'sell' ? [person, maker] : [maker, person];
    const { now } = this.#setting;
    const { id } = answer.json as { readonly id: string };
    const trade: Trade = {
      id,
      advertisement,
      offer: advertisement.offers,
      taker: person,
      buyer,
      seller,
      base,
      price,
      method,
      quote: rounded(product(base, price), QUOTE_PLACES),
      createdAt: now,
      updatedAt: now,
      status: 'open:wait-confirm',
      cancelStep: this.#setting.at(now + CONFIRM_MS, () => this.#become(trade, 'cancel')),
    };
    this.#trades.push(trade);
    advertisement.available -= base;
    this.#setting.purse.move(seller, 'p2p', BASE, -base, base);
    agree('trade', lineOf(answer.json, ['idNumber', 'roomId']), tradeLine(trade));
  }

  #doubtResponse(person: Person, advertisement: Advertisement, size: string, method: string): string[] {
    const { maker, status, side, price, available, minLimit, maxLimit, methods } = advertisement;
    const must: string[] = [];
    const base = amount(size);
    if ((size.split('.')[1] ?? '').length > BASE_PLACES) return ['bad_request'];
    const quote = rounded(product(base, price), QUOTE_PLACES);
    if (maker === person) must.push('bad_request');
    if (status !== 'active') must.push('illegal_transition');
    if (!methods.includes(method)) must.push('bad_request');
    if (base > available || quote > maxLimit) must.push('above_maximum');
    if (base === 0n || quote < minLimit) must.push('below_minimum');
    const max = this.#market.tradeActiveMaxCount;
    if ([person, maker].some((each) => this.#openTrades(each).length >= max)) must.push('limit_reached');
    const seller = side === 'sell' ? maker : person;
    if (this.#free(seller) < base) must.push('insufficient_balance');
    return must;
  }

  /** The right side takes the next step, so that trades come far. */
  #goOn({ who, pick, appeals, reason }: StepOf<'go-on'>): void {
    const person = this.#setting.person(who);
    const trade = picked(this.#openTrades(person), pick);
    if (trade === undefined) return;
    if (trade.status === 'open:wait-confirm') this.#moveTrade(trade.advertisement.maker, trade, 'start', reason);
    else if (trade.status === 'open') this.#moveTrade(trade.buyer, trade, 'pay', reason);
    else if (appeals) this.#moveTrade(person, trade, 'dispute', reason);
    else this.#moveTrade(trade.seller, trade, 'confirm', reason);
  }

  #moveTrade(person: Person, trade: Trade | undefined, move: TradeMove, reason: string): void {
    const body = { tradeId: trade?.id ?? '17', ...(move === 'dispute' ? { reason } : {}) };
    const answer = this.#setting.world.call(person, 'POST', `${ROOT}/trade/${move}`, body);
    const row = tradeMoves.find(([from, name]) => from === trade?.status && name === move);
    const must = trade === undefined ? ['not_found'] : [];
    if (trade !== undefined) {
      const actor = tradeMoves.find(([, name]) => name === move)?.[2] ?? 'either';
      const { advertisement, buyer, seller } = trade;
      const may = { maker: [advertisement.maker], buyer: [buyer], seller: [seller], either: [buyer, seller] }[actor];
      if (!may.includes(person)) must.push('not_owner');
      if (row === undefined) must.push('illegal_transition');
    }
    if (!this.#setting.accepted(`trade-${move}`, answer, must) || trade === undefined || row === undefined) return;
    trade.cancelStep();
    this.#become(trade, row[3]);
    if (move === 'dispute') {
      const isFound = reason === 'sandbox-complete' || (reason !== 'sandbox-cancel' && person === trade.buyer);
      const verdict = isFound ? 'complete' : 'cancel';
      trade.cancelStep = this.#setting.at(this.#setting.now + ARBITER_MS, () => this.#become(trade, verdict));
    }
    agree('trade', lineOf(answer.json, ['idNumber', 'roomId']), tradeLine(trade));
  }

  #become(trade: Trade, status: string): void {
    this.#version++;
    this.#setting.count(`trade ${trade.status} to ${status}`);
    trade.status = status;
    trade.updatedAt = this.#setting.now;
    const { advertisement, buyer, seller, base } = trade;
    const { purse } = this.#setting;
    if (status === 'cancel') {
      purse.move(seller, 'p2p', BASE, base, -base);
      if (trade.offer === advertisement.offers) advertisement.available += base;
    } else if (status === 'complete') {
      purse.move(seller, 'p2p', BASE, 0n, -base);
      purse.move(buyer, 'p2p', BASE, base);
      for (const person of [seller, buyer]) {
        this.#setting.transaction(person, 'p2p', 'completed', BASE, base, 'p2p');
        this.#completed.set(person, (this.#completed.get(person) ?? 0) + 1);
      }
    }
    if (status === 'cancel' || status === 'complete') this.#completeSold(advertisement);
  }

  #completeSold(advertisement: Advertisement): void {
    const { available, status } = advertisement;
    const isOpen = this.#trades.some((each) => each.advertisement === advertisement && !each.status.startsWith('c'));
    if (available !== 0n || isOpen || (status !== 'active' && status !== 'deactivated')) return;
    this.#setting.count(`advertisement ${status} to completed`);
    advertisement.status = 'completed';
  }

  check(full: boolean): void {
    const { world } = this.#setting;
    const version = `${this.#version} ${world.people.map(({ feed }) => feed.frames).join(' ')}`;
    for (const person of world.people) {
      const mine = world.readChanged(person, `${ROOT}/advertisement/my`, version);
      if (mine !== undefined) this.#checkAdvertisements(person, mine as readonly { readonly id: string }[]);
      const trades = world.readChanged(person, `${ROOT}/trade/list/my`, version);
      if (trades !== undefined) this.#checkTrades(person, trades as readonly { readonly id: string }[]);
      if (full) this.#checkProfile(person);
    }
    if (!full) return;
    const listed = this.#setting.pages(this.#setting.person(1), `${ROOT}/advertisement/list?marketId=${MARKET}`, 2);
    const shown = this.#advertisements.filter(({ status }) => status === 'active').map(({ id }) => id);
    agree('public advertisements', listed.map(({ id }) => String(id)).join(), shown.toReversed().join());
  }

  #checkAdvertisements(person: Person, rows: readonly { readonly id: string }[]): void {
    const actual = new Map(rows.map((row) => [row.id, advertisementFacts(row)]));
    const own = this.#advertisements.filter(({ maker }) => maker === person);
    const expected = new Map(own.map((each) => [each.id, this.#advertisementLine(each)]));
    agreeLines(`advertisements of ${person.login}`, actual, expected);
    const told = new Map(rows.map((row) => [row.id, advertisementLine(row)]));
    for (const [id, line] of told) {
      agree(`advertisement ${id} by events to its maker`, person.feed.advertisements.get(id) ?? 'missing', line);
      for (const other of this.#setting.world.people) {
        const seen = other.feed.advertisements.get(id);
        if (seen === undefined) continue;
        const what = `advertisement ${id} by events to ${other.login}`;
        if (this.#mayFollow(other, id)) agree(what, seen, line);
        else agree(what, String(seen.includes('status:"active"')), 'false');
      }
    }
  }

  /** While it is hidden, only its maker and the parties of its trades are told what becomes of it. */
  #mayFollow(person: Person, advertisementId: string): boolean {
    const advertisement = this.#advertisements.find(({ id }) => id === advertisementId);
    return (
      advertisement?.status === 'active' ||
      advertisement?.maker === person ||
      this.#trades.some((trade) => trade.advertisement === advertisement && trade.taker === person)
    );
  }

  #checkTrades(person: Person, rows: readonly { readonly id: string }[]): void {
    const actual = new Map(rows.map((row) => [row.id, lineOf(row, ['idNumber', 'roomId'])]));
    const own = this.#trades.filter(({ buyer, seller }) => buyer === person || seller === person);
    agreeLines(`P2P trades of ${person.login}`, actual, new Map(own.map((each) => [each.id, tradeLine(each)])));
    const told = new Map(rows.map((row) => [row.id, lineOf(row)]));
    agreeLines(`events (first) and REST (second) of P2P trades of ${person.login}`, person.feed.p2pTrades, told);
  }

  #checkProfile(person: Person): void {
    const { tradesCount } = this.#setting.world.read(person, `${ROOT}/profile`) as { readonly tradesCount: number };
    agree(`completed trades of ${person.login}`, String(tradesCount), String(this.#completed.get(person) ?? 0));
  }

  #advertisementLine(advertisement: Advertisement): string {
    const { id, side, status, price, minLimit, maxLimit, available, createdAt, methods } = advertisement;
    const trades = this.#trades.filter((trade) => trade.advertisement === advertisement);
    return lineOf({
      id,
      side,
      status,
      price: Number(amountText(price)),
      minLimit: Number(amountText(minLimit)),
      maxLimit: Number(amountText(maxLimit)),
      availableAmount: Number(amountText(available)),
      createdAt: new Date(createdAt).toISOString(),
      methods: methods.join(),
      states: trades.map((trade) => `${trade.id} ${trade.status}`).join(),
    });
  }

  #doubtTerms(price: string, size: string, minLimit: string, maxLimit: string, methods: readonly string[]): string[] {
    const must: string[] = [];
    const { pricePrecision, marketPriceValidationRule, ...market } = this.#market;
    const { ask, bid, price: anchor } = marketPriceValidationRule.params;
    if ((price.split('.')[1] ?? '').length > pricePrecision) must.push('off_tick');
    const hundredths = amount(String(anchor)) / 100n;
    const low = hundredths * BigInt(100 - ask);
    const high = hundredths * BigInt(100 + bid);
    if (amount(price) < low || amount(price) > high) must.push('price_out_of_bounds');
    if ((size.split('.')[1] ?? '').length > BASE_PLACES) must.push('bad_request');
    if (amount(size) < amount(String(market.advertisementMinAmount))) must.push('below_minimum');
    if (amount(size) > amount(String(market.advertisementMaxAmount))) must.push('above_maximum');
    const [least, most] = [amount(String(market.tradeMinAmount)), amount(String(market.tradeMaxAmount))];
    if (amount(minLimit) < least || amount(maxLimit) < amount(minLimit)) must.push('below_minimum');
    if (amount(minLimit) > most || amount(maxLimit) > most) must.push('above_maximum');
    if (methods.length === 0 || methods.some((method) => !['1', '2', '3'].includes(method))) must.push('bad_request');
    return must;
  }

  #doubtOwner(person: Person, advertisement: Advertisement | undefined): string[] {
    if (advertisement === undefined) return ['not_found'];
    return advertisement.maker === person ? [] : ['not_owner', 'not_found'];
  }

  #count(maker: Person, side: string, status: string): number {
    return this.#advertisements.filter((each) => each.maker === maker && each.side === side && each.status === status)
      .length;
  }

  #openTrades(person: Person): Trade[] {
    return this.#trades.filter(
      ({ status, buyer, seller }) => !status.startsWith('c') && (buyer === person || seller === person),
    );
  }

  #free(person: Person): Amount {
    return this.#setting.purse.available(person, 'p2p', BASE);
  }
}

function responseText(part: string, advertisement: Advertisement | undefined): string {
  const available = advertisement?.available ?? 0n;
  const unit = amount('0.0001');
  if (part === 'all') return amountText(available);
  if (part === 'half') return amountText((available / 2n / unit) * unit);
  return part === 'over' ? amountText(available + unit) : part;
}
