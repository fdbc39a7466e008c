/**
 * Treasury of paper and backtest: transfers between simulated accounts, own advertisements without takers. Everything
 * else is refused with `not_available`.
 */
import type { AccountType, Balance } from '../model/account.ts';
import type { TransactionRow, TransferRoute } from '../model/money-records.ts';
import { dec, decimalText, isDecimalText } from '../model/money.ts';
import type { Advertisement, P2pMarket } from '../model/p2p.ts';
import type { MoneyOutcome, Reading } from '../model/result.ts';
import { US_PER_MS } from '../model/time.ts';
import type {
  MoneyAnswers,
  MoneyContents,
  MoneyKind,
  MoneyRequest,
  Treasury,
  TreasuryCommand,
  TreasuryEvent,
  TreasuryQueries,
} from '../model/treasury.ts';
import { verdictOf, type OnDispatch } from '../model/venue.ts';
import { refused, type Refusal } from './admission.ts';
import { SIMULATED_USER, SimulatedAdvertisements } from './advertisements.ts';
import type { LaneClock } from './arrivals.ts';
import { simulationErrors } from './errors.ts';
import { InOrder } from './latency.ts';
import { Outbox } from './outbox.ts';

export interface LedgerPort {
  transfer(from: AccountType, to: AccountType, currency: string, amount: string): boolean;
  grantTo(account: AccountType, currency: string, amount: string): void;
  balancesOf(account: AccountType): readonly Balance[];
}

export interface SimulatedTreasuryDeps {
  readonly clock: LaneClock;
  readonly ledger: LedgerPort;
  readonly latency: { readonly entryMs: number; readonly responseMs: number };
  /** Beside the trading account. */
  readonly accounts: Readonly<Partial<Record<AccountType, Readonly<Record<string, string>>>>>;
  readonly markets: readonly P2pMarket[];
}

/** From an earlier process's journal, in order. */
export interface AcceptedRequest {
  readonly request: MoneyRequest;
  readonly ts: number;
}

type Answer = MoneyAnswers[MoneyKind] | Refusal;

const joined: readonly AccountType[] = ['funding', 'unified-trading', 'p2p'];
const all: readonly AccountType[] = [...joined, 'referral-program', 'overdraft'];

export class SimulatedTreasury implements Treasury {
  readonly query: TreasuryQueries;
  readonly #deps: SimulatedTreasuryDeps;
  readonly #advertisements: SimulatedAdvertisements;
  readonly #entry = new InOrder();
  readonly #outbox: Outbox<TreasuryEvent>;
  readonly #transactions: TransactionRow[] = [];

  constructor(deps: SimulatedTreasuryDeps) {
    this.#deps = deps;
    this.#outbox = new Outbox(deps.clock);
    this.#advertisements = new SimulatedAdvertisements(deps.markets);
    this.query = this.#queries();
    for (const account of all)
      for (const [currency, amount] of Object.entries(deps.accounts[account] ?? {}))
        if (account !== 'unified-trading') deps.ledger.grantTo(account, currency, amount);
  }

  /** The trading account's part is in the venue's restored state. */
  restore(accepted: readonly AcceptedRequest[]): void {
    for (const { request, ts } of accepted) {
      if (request.kind === 'transfer') this.#regrant(request, ts);
      else this.#execute(request, ts);
    }
  }

  listen(listener: (event: TreasuryEvent) => void): void {
    if (this.#outbox.connected) throw simulationErrors.make('simulation_listener', 'a second listener of the treasury');
    this.#outbox.connect(listener);
  }

  start(): void {
    this.#post(this.#deps.clock.nowUs(), [
      { kind: 'profile', user: SIMULATED_USER },
      { kind: 'markets', markets: this.#deps.markets },
      { kind: 'trades', trades: [], whole: true },
      { kind: 'advertisements', advertisements: this.#advertisements.all(), whole: true },
      { kind: 'balances', balances: this.#others(), whole: false },
    ]);
  }

  async stop(): Promise<void> {
    this.#outbox.close();
  }

  send({ intentId, request }: TreasuryCommand, onDispatch: OnDispatch): void {
    const { clock, latency } = this.#deps;
    const verdict = verdictOf(onDispatch);
    if (verdict !== 'go') {
      this.#post(clock.nowUs(), [{ kind: 'outcome', intentId, outcome: { kind: 'denied', denied: verdict } }]);
      return;
    }
    const us = this.#entry.arrival(clock.nowUs() + Math.round(latency.entryMs * US_PER_MS));
    clock.schedule(us, 'command', () => {
      const answer = this.#execute(request, us / US_PER_MS);
      const outcome: MoneyOutcome<MoneyAnswers[MoneyKind]> =
        'kind' in answer ? answer : { kind: 'accepted', value: answer };
      const moved: TreasuryEvent = { kind: 'balances', balances: this.#others(), whole: false };
      this.#post(us + Math.round(latency.responseMs * US_PER_MS), [{ kind: 'outcome', intentId, outcome }, moved]);
    });
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
    if (!this.#deps.ledger.transfer(from, to, currency, amount))
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
    const { ledger } = this.#deps;
    const { from, to, currency, amount } = content;
    this.#record(content, now);
    if (from !== 'unified-trading' && to !== 'unified-trading') ledger.transfer(from, to, currency, amount);
    else if (from === 'unified-trading') ledger.grantTo(to, currency, amount);
    else ledger.grantTo(from, currency, decimalText(dec(amount).neg()));
  }

  /** Assumed, as in the sandbox. */
  #advertise(request: MoneyContents['advertise'], now: number): Advertisement | Refusal {
    const market = this.#deps.markets.find(({ marketId }) => marketId === request.marketId);
    const held = this.#deps.ledger.balancesOf('p2p').find(({ currency }) => currency === market?.base);
    if (request.side === 'sell' && dec(held?.available ?? '0').lt(request.amount))
      return refused('insufficient_balance', `the ${market?.base ?? 'base'} of p2p does not cover ${request.amount}`);
    return this.#advertisements.create(request, now);
  }

  /** The venue publishes the trading account. */
  #others(): readonly Balance[] {
    return all.flatMap((account) => (account === 'unified-trading' ? [] : this.#deps.ledger.balancesOf(account)));
  }

  #post(us: number, events: readonly TreasuryEvent[]): void {
    for (const event of events) this.#outbox.post(us, event);
  }

  #queries(): TreasuryQueries {
    const { clock, ledger, markets } = this.#deps;
    const complete = async <T>(items: readonly T[]): Promise<Reading<T>> => {
      return { kind: 'complete', asOf: clock.now(), items };
    };
    const routes: TransferRoute[] = joined.flatMap((from) =>
      joined.filter((to) => to !== from).map((to) => ({ from, to, currencies: null })),
    );
    return {
      balances: () => complete(all.flatMap((account) => ledger.balancesOf(account))),
      transactions: (from) => complete(this.#transactions.filter(({ createdAt }) => createdAt >= from).toReversed()),
      codes: () => complete([]),
      routes: () => complete(routes),
      advertisements: () => complete(this.#advertisements.all()),
      trades: () => complete([]),
      p2pMarkets: () => complete(markets),
      paymentMethods: () => complete([]),
      p2pProfile: () => complete([SIMULATED_USER]),
      futuresOrders: () => complete([]),
      futuresTrades: () => complete([]),
      positions: () => complete([]),
    };
  }
}
