/**
 * The exchange of the simulated world: the sandbox core on the world's clock, with a market maker and takers that are not
 * under test, and a human who uses the account under test by hand. Deals with the core directly: its truth is what the
 * process is judged by.
 */
import { CLIENT_PREFIX } from '../../../src/spine/intent-id.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { Random } from '../../../src/model/ports.ts';
import type { OrderRecord } from '../../../src/sandbox/core/orders/order-record.ts';
import { AgentOrders } from '../../../src/sandbox/market/agent-orders.ts';
import { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { clearTicks } from './clear-ticks.ts';
import { PerpetualSide } from './futures/perpetual-side.ts';
import { FUNDING_INTERVAL_HOURS, PERPETUAL, type FuturesTerms } from './futures/terms.ts';
import { SYMBOL } from './restless.ts';

const LEVELS = 6;
const MID_TICKS = 6_000_000;
const LOTS = 1000;
const TRADING = 'unified-trading';
const PLENTY = { USDT: '1000000000', BTC: '100000' };

/** Tells when an operation is over: each leaves a book that is published, and one instant may bring several. */
class ToldSandbox extends Sandbox {
  onOperated: () => void = () => {};

  override operate(run: (now: number) => void): void {
    super.operate(run);
    this.onOperated();
  }
}

export class VenueSide {
  readonly sandbox: ToldSandbox;
  /** Orders that the human placed: not of the process. */
  readonly human = new Set<string>();
  /** Orders of the process that its journal does not know any more, since an older one was put back. */
  readonly forgotten = new Set<string>();
  /** Orders by which the exchange closed a position. */
  readonly forced = new Set<string>();
  /** Orders that were said to be over while they rested; intents that were refused and carried out. */
  readonly calledOver = new Set<string>();
  /** Null in a seed that trades spot alone. */
  readonly futures: PerpetualSide | null;
  /** What own trades were told by that was not so: their side, or what contradicts their orders. */
  readonly misworded = new Set<'side' | 'terms'>();
  /** Transfers that the human made. */
  readonly transfersByHand = new Set<string>();
  isKeyBlocked = false;
  readonly #random: Random;
  readonly #maker: AgentOrders;
  readonly #taker: AgentOrders;
  readonly hasIds: boolean;
  #midTicks = MID_TICKS;
  #isHalted = false;
  /** Symbols that are halted or not listed by themselves. */
  readonly #shut = new Set<string>();
  /** Multiples of the core's step on which the spot market moves. */
  #tickSteps = 1;
  #quotes: OrderRecord[] = [];
  /** From the trading account to another one of the user, and not back. */
  #paidOut = ZERO;

  constructor(clock: VirtualClock, seed: number, clientOrderIds: boolean, terms: FuturesTerms | null = null) {
    const assumed = terms === null ? undefined : { futures: { fundingIntervalHours: FUNDING_INTERVAL_HOURS } };
    this.hasIds = clientOrderIds;
    this.sandbox = new ToldSandbox({ clock, seed, market: 'none', clientOrderIds, assumed });
    const { exchange } = this.sandbox;
    const market = exchange.markets.get(SYMBOL);
    if (market === undefined) throw new Error(`no ${SYMBOL}`);
    this.#random = seededRandom(seed).fork('venue-side');
    this.#maker = new AgentOrders(exchange, market, exchange.addAgent('maker', PLENTY));
    this.#taker = new AgentOrders(exchange, market, exchange.addAgent('taker', PLENTY));
    this.futures = terms === null ? null : this.#openFutures(seed, terms);
    this.sandbox.start();
    this.makeMarket();
  }

  get user() {
    const user = this.sandbox.users.find(({ login }) => login === 'alice');
    if (user === undefined) throw new Error('there is no alice');
    return user;
  }

  get #alice() {
    const trader = this.sandbox.exchange.identity.userByLogin('alice')?.trader;
    if (trader === undefined) throw new Error('there is no alice');
    return trader;
  }

  /** Nobody of the process placed it, as far as its journal knows. */
  isOthers(orderId: string): boolean {
    return this.isStrangers(orderId) || this.forced.has(orderId);
  }

  /** It rests, and bears the mark of a process of ours. */
  restsMarked(orderId: string): boolean {
    return this.truth.active.get(orderId)?.order.clientOrderId?.startsWith(CLIENT_PREFIX) === true;
  }

  /** Somebody placed it, and not the process as far as its journal knows. */
  isStrangers(orderId: string): boolean {
    return this.human.has(orderId) || this.forgotten.has(orderId);
  }

  hasLimit(orderId: string): boolean {
    return this.#orderOf(orderId)?.type === 'limit';
  }

  buys(orderId: string): boolean {
    return this.#orderOf(orderId)?.side === 'buy';
  }

  /** Base units of the order that have not traded. */
  unfilled(orderId: string): number {
    const record = this.#recordOf(orderId);
    return record === undefined ? 0 : record.market.instrument.quantityOf(record.leftLots);
  }

  #orderOf(orderId: string): OrderRecord['order'] | undefined {
    return this.#recordOf(orderId)?.order;
  }

  #recordOf(orderId: string): OrderRecord | undefined {
    return this.truth.orders.findLast((record) => record.orderId === orderId);
  }

  /** Best prices of the market, in ticks; 0 for an empty side. */
  get top() {
    const book = this.sandbox.exchange.markets.get(SYMBOL)?.book;
    return { bidTicks: book?.bidTicks ?? 0, askTicks: book?.askTicks ?? 0 };
  }

  /** What the exchange knows of the account under test. */
  get truth() {
    const { history } = this.#alice;
    if (history === null) throw new Error('alice has no history');
    return history;
  }

  total(currency: string): string {
    return this.#alice.wallet.pocket(currency).row().total;
  }

  /** The market moves: old quotes go, new ones come, now and then somebody takes. */
  makeMarket(): void {
    this.#midTicks += Math.round((this.#random.next() - 0.5) * 2000);
    this.sandbox.operate((now) => {
      for (const quote of this.#quotes) this.#maker.cancel(quote, now);
      this.#quotes = [];
      for (let level = 1; level <= LEVELS; level++) {
        const away = Math.round(level * (100 + this.#random.next() * 600));
        this.#rest('buy', this.#midTicks - away, now);
        this.#rest('sell', this.#midTicks + away, now);
      }
      if (this.#random.next() >= 0.4) return;
      const side = this.#random.next() < 0.5 ? 'buy' : 'sell';
      const lots = LOTS * (1 + Math.floor(this.#random.next() * 9));
      this.#taker.take(side, this.#midTicks + (side === 'buy' ? 6000 : -6000), lots, now);
    });
    this.sandbox.operate((now) => this.futures?.makeMarket(this.#midTicks, now));
  }

  /** The market jumps by up to `most` of its price, back towards where it began when it is far from there. */
  jump(most: number): void {
    const far = this.#midTicks / MID_TICKS;
    const sign = far > 1.3 ? -1 : far < 0.75 ? 1 : this.#random.next() < 0.5 ? -1 : 1;
    this.#midTicks = Math.round(this.#midTicks * (1 + sign * (0.01 + this.#random.next() * most)));
    this.makeMarket();
  }

  /** By hand, on the account under test: an order that rests far away or so near that it is soon taken, or one that trades at once. */
  humanOrder(trades: boolean, isNear = false): void {
    const side = this.#random.next() < 0.5 ? 'buy' : 'sell';
    const away = trades ? 40_000 : isNear ? -300 : -200_000;
    const ticks = this.#onGrid(this.#midTicks + (side === 'buy' ? 1 : -1) * away);
    const price = (ticks / 100).toFixed(2).replace(/\.?0+$/, '');
    const timeInForce = trades ? 'ioc' : 'gtc';
    this.sandbox.operate((now) => {
      const order = { symbol: SYMBOL, side, type: 'limit', timeInForce, price, quantity: '0.002' } as const;
      const record = this.sandbox.exchange.placeSpot(this.#alice, order, now);
      if ('orderId' in record) this.human.add(record.orderId);
    });
  }

  /**
   * Another instance on the same account, which should not be there: its orders bear our mark (X01). One that trades is gone at
   * once.
   */
  strangerOrder(trades: boolean): void {
    if (!this.hasIds) return;
    const price = (this.#onGrid(this.#midTicks + (trades ? 40_000 : -200_000)) / 100).toFixed(2).replace(/\.?0+$/, '');
    const clientOrderId = `${CLIENT_PREFIX}elsewhere-${this.human.size}`;
    this.sandbox.operate((now) => {
      const order = {
        symbol: SYMBOL,
        side: 'buy',
        type: 'limit',
        timeInForce: trades ? 'ioc' : 'gtc',
        price,
        quantity: '0.002',
        clientOrderId,
      } as const;
      const record = this.sandbox.exchange.placeSpot(this.#alice, order, now);
      if ('orderId' in record) this.human.add(record.orderId);
    });
  }

  /** And what was left behind by a journal that is gone. */
  humanCancelsOwn(): void {
    this.sandbox.operate((now) => {
      for (const orderId of [...this.human, ...this.forgotten]) this.#cancel(orderId, now);
    });
  }

  /** One of the orders of the process goes, and the process did not ask for it. */
  cancelOneOfOurs(): void {
    const ours = [...this.truth.active.keys()].filter((id) => !this.isOthers(id));
    // The newest may be one that its process has no answer to yet.
    const orderId = this.#random.next() < 0.5 ? ours[0] : ours.at(-1);
    if (orderId !== undefined) this.sandbox.operate((now) => this.#cancel(orderId, now));
  }

  /** Money goes to another account of the same user, or comes back from there. */
  humanTransfers(): void {
    const { accounts } = this.sandbox.exchange;
    const { userId } = this.#alice.wallet;
    const isBack = this.#paidOut.gt(0) && this.#random.next() < 0.6;
    const amount = isBack ? this.#paidOut : dec(1 + Math.floor(this.#random.next() * 1000));
    const [from, to] = isBack ? (['funding', TRADING] as const) : ([TRADING, 'funding'] as const);
    if (accounts.wallet(userId, from).pocket('USDT').available.lt(amount)) return;
    this.sandbox.operate((now) => {
      this.#transfer(from, to, amount, now);
      this.#paidOut = isBack ? ZERO : this.#paidOut.plus(amount);
    });
  }

  /** What the human took out of the trading account is put back: a difference that stays needs a human's word. */
  humanPaysBack(): void {
    const amount = this.#paidOut;
    if (amount.isZero()) return;
    this.sandbox.operate((now) => {
      this.#transfer('funding', TRADING, amount, now);
      this.#paidOut = ZERO;
    });
  }

  /** A purse of which most is lost is filled up again, from what was never in it. */
  humanRefills(): void {
    const purse = this.futures?.terms.purse ?? 0;
    const missing = dec(purse).minus(this.total('USDT'));
    if (missing.lt(dec(purse).div(2))) return;
    this.sandbox.operate((now) => this.#transfer('funding', TRADING, missing, now));
  }

  /** By hand. */
  #transfer(from: 'funding' | typeof TRADING, to: 'funding' | typeof TRADING, amount: Decimal, now: number): void {
    const { transfers } = this.sandbox.exchange.money;
    const made = transfers.transfer(this.#alice.wallet.userId, { from, to, currency: 'USDT', amount }, now);
    if ('transactionId' in made) this.transfersByHand.add(made.transactionId);
  }

  setHalted(halted: boolean): void {
    this.#isHalted = halted;
    this.#tellHalts();
  }

  /** One symbol alone: it is halted, or not listed. */
  setShut(symbol: string, isShut: boolean): void {
    if (this.#shut.has(symbol) === isShut) return;
    if (isShut) this.#shut.add(symbol);
    else this.#shut.delete(symbol);
    this.#tellHalts();
  }

  /** From now on the market of the symbol moves on these multiples of the core's steps; what rests off them goes. */
  setGrid(symbol: string, tickSteps: number, lotSteps: number): void {
    if (symbol === SYMBOL) this.#tickSteps = tickSteps;
    else this.futures?.setGrid(tickSteps, lotSteps);
    this.sandbox.operate((now) => {
      for (const { orderId, market, order, leftLots } of Array.from(this.truth.active.values())) {
        const isOn = (order.ticks ?? 0) % tickSteps === 0 && leftLots % lotSteps === 0;
        if (market.instrument.symbol === symbol && !isOn) this.#cancel(orderId, now);
      }
    });
    this.makeMarket();
  }

  /** Nothing of the account rests there any more. */
  cancelAllOf(symbol: string): void {
    this.sandbox.operate((now) => {
      for (const { orderId, market } of Array.from(this.truth.active.values()))
        if (market.instrument.symbol === symbol) this.#cancel(orderId, now);
    });
  }

  #tellHalts(): void {
    for (const symbol of [SYMBOL, PERPETUAL]) {
      const market = this.sandbox.exchange.markets.get(symbol);
      if (market === undefined || (symbol === PERPETUAL && this.futures === null)) continue;
      market.halted = this.#isHalted || this.#shut.has(symbol);
    }
  }

  #onGrid(ticks: number): number {
    return Math.round(ticks / this.#tickSteps) * this.#tickSteps;
  }

  setKeyBlocked(blocked: boolean): void {
    this.isKeyBlocked = blocked;
    this.sandbox.exchange.identity.keys.setBlocked(this.user.apiKey.publicKey, blocked);
  }

  #rest(side: 'buy' | 'sell', ticks: number, now: number): void {
    const lots = LOTS * (1 + Math.floor(this.#random.next() * 8));
    const clear = clearTicks(this.#maker.market.book, side, ticks, this.#tickSteps);
    const order = this.#maker.rest(side, clear, lots, now);
    if (order !== undefined) this.#quotes.push(order);
  }

  #cancel(orderId: string, now: number): void {
    const record = this.truth.active.get(orderId);
    if (record !== undefined) this.sandbox.exchange.flowOf(record.market).cancel(record, now);
  }

  /** The account keeps its purse; the rest goes where no loss can take it. */
  #openFutures(seed: number, terms: FuturesTerms): PerpetualSide {
    const { sandbox } = this;
    const trader = this.#alice;
    const amount = trader.wallet.pocket('USDT').available.minus(terms.purse);
    this.#transfer(TRADING, 'funding', amount, sandbox.now());
    const random = seededRandom(seed).fork(`venue-side ${PERPETUAL}`);
    const keep = (orderId: string) => void this.human.add(orderId);
    return new PerpetualSide({ sandbox, trader, random, terms, clientOrderIds: this.hasIds, keep });
  }
}
