/**
 * A second whole stack on the account under test: another process with a journal, sockets and a strategy of its own, which
 * should not be there (reliability X01). Nothing fails for it, so that whatever it does is its own word. Each must notice the
 * other where client ids are kept (R3), cancel and claim nothing of it (S5), and when it is stopped it knows what is its own
 * (L1). To the process under test its orders are those of others.
 *
 * Time of RxJS is one a thread, so its strategy has none of its operators. Spot alone.
 */
import { filter, map, merge } from 'rxjs';
import { cancel, defineStrategy, place, z, type Action } from '../../../src/index.ts';
import { dec, ZERO } from '../../../src/model/numbers/money.ts';
import type { PreparedRequest } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { Disk } from './disk.ts';
import type { ChangedInstruments } from './changed-instruments.ts';
import { FalseStatus } from './false-status.ts';
import { FaultPlan, faultKinds } from './fault-plan.ts';
import { ForgottenIds } from './forgotten-ids.ts';
import { httpNetwork } from './http-network.ts';
import { InstanceLaw } from './instance-law.ts';
import type { Laws } from './laws.ts';
import { Limiter } from './limiter.ts';
import { OldPositions } from './old-positions.ts';
import { OwnTradeWords } from './own-trade-words.ts';
import { ProcessClock } from './process-clock.ts';
import { Process } from './process.ts';
import { RareStates } from './rare-states.ts';
import { SYMBOL } from './restless.ts';
import { SocketNetwork } from './socket-network.ts';
import { signedOf } from './spot-positions.ts';
import { ACTIVE_TOLD, CREATES, PAST_TOLD, Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';
import { WrongClock } from './wrong-clock.ts';

const TAG = 'other';
/** No strategy under test orders so much: where there are no client ids terms are all that tells two orders apart. */
const QUANTITY = '0.0037';
const ORDER_ID = /\d{12,}/g;
/** After its switch was pulled it has cancelled what rests and knows the rest by then. */
const STOPS_US = 45_000_000;

export interface SecondStackOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly rare: RareStates;
  readonly laws: Laws;
  readonly instruments: ChangedInstruments;
  readonly seed: number;
  readonly clientOrderIds: boolean;
}

export class SecondStack {
  readonly #options: SecondStackOptions;
  /** What it has placed. */
  readonly #placed = new Set<string>();
  #boots = 0;
  #process: Process | null = null;
  /** True time, µs. */
  #stopAtUs = 0;
  #buryAtUs: number | null = null;
  #wasShut = false;
  /** A login that was refused is final, and a human does not start this one again. */
  #wasBlocked = false;

  constructor(options: SecondStackOptions) {
    this.#options = options;
  }

  /** Begins now, and is told to stop then; nothing when it runs. `isFleeting`: nothing of it ever rests. */
  begin(stopAtUs: number, isFleeting: boolean): void {
    const { venue, rare } = this.#options;
    if (this.#process !== null || venue.futures !== null) return;
    rare.mark('second stack');
    this.#stopAtUs = stopAtUs;
    this.#buryAtUs = null;
    this.#wasShut = false;
    this.#wasBlocked = false;
    // Each has a journal of its own.
    this.#placed.clear();
    this.#process = this.#boot(isFleeting);
  }

  /** A human pulls its switch, lets it finish, and ends it. */
  everySecond(): void {
    const process = this.#process;
    if (process === null) return;
    const { clock, rare } = this.#options;
    this.#wasBlocked ||= this.#options.venue.isKeyBlocked;
    this.#wasShut ||= process.closedBecause()?.startsWith('another_instance') === true;
    if (this.#buryAtUs === null && clock.nowUs() >= this.#stopAtUs) {
      process.kill('a human stops the other instance');
      this.#buryAtUs = clock.nowUs() + STOPS_US;
    }
    if (this.#buryAtUs === null || clock.nowUs() < this.#buryAtUs) return;
    if (this.#wasShut) rare.mark('second stack noticed the first');
    this.#judge(process);
    process.bury();
    this.#process = null;
  }

  /** Nothing fails any more: it is to go. */
  calm(): void {
    this.#stopAtUs = Math.min(this.#stopAtUs, this.#options.clock.nowUs());
  }

  stop(): void {
    this.#process?.bury();
  }

  #boot(isFleeting: boolean): Process {
    const { clock, venue, seed, clientOrderIds, rare, laws } = this.#options;
    const random = seededRandom(seed).fork(`second stack ${++this.#boots}`);
    const plan = new FaultPlan(random, { without: new Set(faultKinds) });
    const processClock = new ProcessClock(clock, 0);
    const ownRare = new RareStates();
    const trace = new Trace();
    const noticed = new InstanceLaw({
      isStranger: (orderId) => !this.#placed.has(orderId),
      restsMarked: (orderId) => venue.restsMarked(orderId),
      violated: (what) => laws.violated('R3', `the second stack: ${what}`),
    });
    noticed.boot(clock.nowUs());
    trace.onLine = (us, what) => {
      if (ACTIVE_TOLD.test(what)) noticed.told(us, what);
      else if (PAST_TOLD.test(what)) noticed.toldPast(us, what);
      else if (CREATES.test(what)) noticed.create(us);
    };
    const world = {
      clock,
      sandbox: venue.sandbox,
      plan,
      trace,
      rare: ownRare,
      limiter: new Limiter(plan, ownRare),
      ids: new ForgottenIds(plan),
      ownTrades: new OwnTradeWords(plan, venue),
      falseStatus: new FalseStatus(plan, venue),
      positions: new OldPositions(plan, ownRare),
      instruments: this.#options.instruments,
      venueClock: new WrongClock({
        clock,
        plan,
        rare: ownRare,
        trace,
        secretKey: venue.user.apiKey.secretKey,
        paysFunding: false,
      }),
      isOut: () => false,
      isClosed: () => false,
      arriving: this.#arrivals(),
      raceCancel: () => {},
      afterEnd: (run: () => void) => run(),
    };
    const journal = new Disk().open({
      isDead: () => processClock.dead,
      isFull: () => false,
      isBusy: () => false,
      boundary: () => {},
      onAppend: () => {},
    });
    rare.mark(isFleeting ? 'second stack of which nothing rests' : 'second stack with orders that rest');
    return new Process({
      clock: processClock,
      http: httpNetwork(world, { clock: processClock, onSend: (request) => this.#onSend(request) }),
      sockets: new SocketNetwork(world, processClock),
      journal,
      random,
      user: venue.user,
      clientOrderIds,
      strategies: [otherStrategy(isFleeting)],
      // Each is the first start of a session of its own.
      bootId: `o${seed}s${this.#boots}_1`,
      isBesideAnother: true,
      watchesInstruments: () => this.#options.instruments.isInUse,
      onExit: () => {
        // It could not start, such as with a key that is blocked.
        this.#process?.bury();
        this.#process = null;
      },
    });
  }

  /** What a request of it brings to the exchange is its own: told before the laws of the other look. */
  #arrivals(): (mark: string | null) => void {
    const { venue, laws } = this.#options;
    let before = 0;
    return (mark) => {
      const { orders } = venue.truth;
      if (mark !== null) before = orders.length;
      else {
        for (const { orderId } of orders.slice(before)) {
          this.#placed.add(orderId);
          venue.human.add(orderId);
        }
        before = orders.length;
        laws.look();
      }
    };
  }

  #onSend({ method, url, body }: PreparedRequest): string | null {
    const { laws } = this.#options;
    const text = method === 'DELETE' ? url : url.endsWith('/order/cancel-many') ? body : '';
    for (const [orderId] of text.matchAll(ORDER_ID))
      if (!this.#placed.has(orderId))
        laws.violated('S5', `the second stack cancels ${orderId}, which it did not place`);
    return TAG;
  }

  #judge(process: Process): void {
    const { venue, laws } = this.#options;
    const executor = process.engine?.executor;
    if (executor === undefined || !process.hasStarted || this.#wasBlocked) return;
    const violated = (what: string): void => laws.violated('L1', `the second stack: ${what}`);
    for (const orderId of venue.truth.active.keys())
      if (this.#placed.has(orderId)) violated(`${orderId} rests after its switch was pulled`);
    if (executor.unresolvedCount() > 0) violated(`${executor.unresolvedCount()} unresolved`);
    const held = dec(executor.account(TAG).position(SYMBOL).quantity);
    const own = venue.truth.trades.filter(({ orderId }) => this.#placed.has(orderId));
    const truly = own.reduce((sum, trade) => sum.plus(signedOf(trade)), ZERO);
    if (!held.eq(truly)) violated(`position ${held.toFixed()}, truly ${truly.toFixed()}`);
  }
}

/** One that never lets an order rest, or one that places, changes and cancels. */
function otherStrategy(isFleeting: boolean) {
  return defineStrategy({
    name: TAG,
    params: z.object({}),
    symbols: () => [SYMBOL],
    setup({ market, clock, account, random }) {
      let mid = 0;
      const watch = market.top(SYMBOL).pipe(
        map((top): Action[] => {
          mid = top.mid;
          return [];
        }),
        filter((actions) => actions.length > 0),
      );
      const acts = clock.every('4s').pipe(
        map((): Action[] => {
          if (mid === 0) return [];
          const side = random() < 0.5 ? 'buy' : 'sell';
          const away = isFleeting ? 60 : -Math.ceil(random() * 30);
          const price = Math.round(mid + (side === 'buy' ? away : -away));
          const timeInForce = isFleeting ? 'ioc' : 'gtc';
          const [oldest, ...others] = account.openOrders(SYMBOL);
          const order = place({ symbol: SYMBOL, side, type: 'limit', price, quantity: QUANTITY, timeInForce });
          // A change of price is a cancel and another order.
          return oldest !== undefined && others.length > 1 ? [cancel({ ref: oldest.ref }), order] : [order];
        }),
      );
      return merge(watch, acts);
    },
  });
}
