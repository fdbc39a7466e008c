/**
 * Money of the simulated venue: transfers between own accounts, own advertisements without takers. Everything else is
 * refused with `not_available`.
 */
import type { AccountType, Balance } from '../../model/trading/account.ts';
import type {
  AnyMoneyOutcome,
  MoneyAnswers,
  MoneyContents,
  MoneyKind,
  MoneyRequest,
} from '../../model/funds/money-commands.ts';
import type { TransactionRow } from '../../model/funds/money-records.ts';
import { dec, decimalText, isDecimalText } from '../../model/numbers/money.ts';
import type { Advertisement, P2pMarket } from '../../model/funds/p2p.ts';
import type { Reading } from '../../model/result.ts';
import type { MoneyQueries, VenueEvent } from '../../model/venue.ts';
import { refused, type Refusal } from '../venue/admission.ts';
import { SIMULATED_USER, SimulatedAdvertisements } from './advertisements.ts';
import type { Purse } from './purse.ts';

export interface SimulatedMoneyOptions {
  /** Beside the trading account. */
  readonly accounts: Readonly<Partial<Record<AccountType, Readonly<Record<string, string>>>>>;
  readonly markets: readonly P2pMarket[];
}

export interface SimulatedMoneyDeps extends SimulatedMoneyOptions {
  readonly purse: Purse;
  /** What the trading account can spare. */
  readonly covers: (currency: string, amount: string) => boolean;
  readonly now: () => number;
}

/** From an earlier process's journal, in order. */
export interface AcceptedRequest {
  readonly request: MoneyRequest;
  readonly ts: number;
}

type Answer = MoneyAnswers[MoneyKind] | Refusal;

const TRADING = 'unified-trading';
const joined: readonly AccountType[] = ['funding', TRADING, 'p2p'];
const others: readonly AccountType[] = ['funding', 'p2p', 'referral-program', 'overdraft'];

export class SimulatedMoney {
  readonly query: MoneyQueries;
  readonly #deps: SimulatedMoneyDeps;
  readonly #advertisements: SimulatedAdvertisements;
  readonly #transactions: TransactionRow[] = [];

  constructor(deps: SimulatedMoneyDeps) {
    this.#deps = deps;
    this.#advertisements = new SimulatedAdvertisements(deps.markets);
    this.query = this.#queries();
    for (const account of others)
      for (const [currency, amount] of Object.entries(deps.accounts[account] ?? {}))
        deps.purse.grantTo(account, currency, dec(amount));
  }

  /** The trading account's part is in the venue's restored state. */
  restore(accepted: readonly AcceptedRequest[]): void {
    for (const { request, ts } of accepted) {
      if (request.kind === 'transfer') this.#regrant(request, ts);
      else this.#execute(request, ts);
    }
  }

  start(): VenueEvent[] {
    return [
      { kind: 'p2pProfile', user: SIMULATED_USER },
      { kind: 'p2pMarkets', markets: this.#deps.markets },
      { kind: 'p2pTrades', trades: [] },
      { kind: 'advertisements', advertisements: this.#advertisements.all(), whole: true },
      this.told(),
    ];
  }

  outcomeOf(request: MoneyRequest, now: number): AnyMoneyOutcome {
    const answer = this.#execute(request, now);
    return 'kind' in answer ? answer : { kind: 'accepted', value: answer };
  }

  /** The trading account is published as `balances`. */
  told(): VenueEvent {
    return { kind: 'accounts', balances: this.others(), whole: false };
  }

  others(): readonly Balance[] {
    return others.flatMap((account) => this.#deps.purse.balancesOf(account));
  }

  #execute(request: MoneyRequest, now: number): Answer {
    switch (request.kind) {
      case 'transfer':
        return this.#transfer(request, now);
      case 'advertise':
        return this.#advertise(request, now);
      case 'editAdvertisement':
        return this.#advertisements.edit(request, now);
      case 'activateAdvertisement':
      case 'deactivateAdvertisement':
      case 'deleteAdvertisement':
        return this.#advertisements.move(request.kind, request.advertisementId, now);
      default:
        return refused('not_available', `${request.kind} has no counterpart in a simulation`);
    }
  }

  #transfer(
    { from, to, currency, amount }: MoneyContents['transfer'],
    now: number,
  ): MoneyAnswers['transfer'] | Refusal {
    if (from === to || !joined.includes(from) || !joined.includes(to))
      return refused('route_not_available', `no route takes ${currency} from ${from} to ${to}`);
    if (!isDecimalText(amount) || !dec(amount).gt(0))
      return refused('below_minimum', `amount ${amount} is not above zero`);
    const { purse, covers } = this.#deps;
    const isCovered = from !== TRADING || covers(currency, amount);
    if (!isCovered || !purse.transfer(from, to, currency, dec(amount)))
      return refused('insufficient_balance', `the available ${currency} of ${from} does not cover ${amount}`);
    return this.#record({ from, to, currency, amount }, now);
  }

  #record(content: MoneyContents['transfer'], now: number): MoneyAnswers['transfer'] {
    const { from: account, currency } = content;
    const amount = decimalText(content.amount);
    const transactionId = `sim-tr-${this.#transactions.length + 1}`;
    const entry = { type: 'transfer', status: 'completed', currency, amount, fee: '0', account } as const;
    this.#transactions.push({ transactionId, ...entry, createdAt: now, updatedAt: now });
    return { ...content, amount, transferId: transactionId, createdAt: now };
  }

  /** Books only the other account. */
  #regrant(content: MoneyContents['transfer'], now: number): void {
    const { purse } = this.#deps;
    const { from, to, currency } = content;
    const amount = dec(content.amount);
    this.#record(content, now);
    if (from !== TRADING && to !== TRADING) purse.transfer(from, to, currency, amount);
    else if (from === TRADING) purse.grantTo(to, currency, amount);
    else purse.grantTo(from, currency, amount.neg());
  }

  /** Assumed, as in the sandbox. */
  #advertise(request: MoneyContents['advertise'], now: number): Advertisement | Refusal {
    const market = this.#deps.markets.find(({ marketId }) => marketId === request.marketId);
    const held = this.#deps.purse.balancesOf('p2p').find(({ currency }) => currency === market?.base);
    if (request.side === 'sell' && dec(held?.available ?? '0').lt(request.amount))
      return refused('insufficient_balance', `the ${market?.base ?? 'base'} of p2p does not cover ${request.amount}`);
    return this.#advertisements.create(request, now);
  }

  #queries(): MoneyQueries {
    const { now, markets } = this.#deps;
    const complete = async <T>(items: readonly T[]): Promise<Reading<T>> => {
      return { kind: 'complete', asOf: now(), items };
    };
    return {
      transactions: (from) => complete(this.#transactions.filter(({ createdAt }) => createdAt >= from).toReversed()),
      codes: () => complete([]),
      advertisements: () => complete(this.#advertisements.all()),
      p2pTrades: () => complete([]),
      p2pMarkets: () => complete(markets),
      p2pProfile: () => complete([SIMULATED_USER]),
    };
  }
}
