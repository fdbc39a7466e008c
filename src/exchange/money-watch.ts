/** Money beside the trading account, polled, and pushed where there is a P2P socket. A failed poll reports nothing. */
import type { Balance } from '../model/trading/account.ts';
import { messageOf } from '../model/errors.ts';
import type { P2pTrade } from '../model/funds/p2p.ts';
import type { Cancel, Clock, Logger } from '../model/ports.ts';
import type { Reading } from '../model/result.ts';
import type { MoneyEvent, MoneyQueries, VenueQueries } from '../model/venue.ts';
import type { P2pSocket } from './client/sockets/p2p-socket.ts';

export interface MoneyWatchOptions {
  /** Between balance polls by anyone. */
  readonly balancesMs: number;
  /** Tripled with a socket; null: no P2P. */
  readonly p2pMs: number | null;
}

export interface MoneyWatchDeps {
  readonly query: MoneyQueries & Pick<VenueQueries, 'balances'>;
  readonly onBalances: (listener: (reading: Reading<Balance>) => void) => Cancel;
  readonly socket: P2pSocket | null;
  readonly options: MoneyWatchOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emit: (event: MoneyEvent) => void;
}

const POLLS_SAVED = 2;
/** Age in intervals at which another poll still replaces ours. */
const FRESH_INTERVALS = 1.5;

export class MoneyWatch {
  readonly #deps: MoneyWatchDeps;
  readonly #timers: Cancel[] = [];
  readonly #busy = new Set<string>();
  #userId: string | undefined;
  #hasMarkets = false;
  #balancesAsOf = Number.NEGATIVE_INFINITY;
  /** Local time of the last poll by another caller. */
  #othersReadAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(deps: MoneyWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, options, socket } = this.#deps;
    this.#timers.push(this.#deps.onBalances((reading) => this.#tellBalances(reading)));
    this.#repeat(options.balancesMs, 'balances', () => this.#balances());
    if (options.p2pMs === null) return;
    let saved = 0;
    this.#repeat(options.p2pMs, 'p2p', async () => {
      saved = socket?.state.kind === 'open' && saved < POLLS_SAVED ? saved + 1 : 0;
      if (saved === 0) await this.#p2p();
    });
    const unlisten = socket?.listen({
      event: (event) => {
        // Advertisements of all users are pushed.
        if (event.kind === 'advertisement' && event.advertisement.maker.userId === this.#userId)
          this.#tell({ kind: 'advertisements', advertisements: [event.advertisement], whole: false });
        // Login and key may belong to different accounts.
        if (event.kind === 'trade' && this.#isOurs(event.trade))
          this.#tell({ kind: 'p2pTrades', trades: [event.trade] });
      },
      state: (state) => {
        if (state.kind === 'open') this.#once('p2p', () => this.#p2p());
      },
    });
    if (unlisten !== undefined) this.#timers.push(unlisten);
    if (socket !== null) this.#timers.push(clock.after(0, () => socket.start()));
  }

  #isOurs({ buyUserId, sellUserId }: P2pTrade): boolean {
    return this.#userId !== undefined && (buyUserId === this.#userId || sellUserId === this.#userId);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers.splice(0)) cancel();
    await this.#deps.socket?.stop();
  }

  #repeat(intervalMs: number, name: string, read: () => Promise<void>): void {
    this.#once(name, read);
    this.#timers.push(this.#deps.clock.every(intervalMs, () => this.#once(name, read)));
  }

  /** One at a time, or an older result could arrive later. */
  #once(name: string, read: () => Promise<void>): void {
    if (this.#stopped || this.#busy.has(name)) return;
    this.#busy.add(name);
    read().then(
      () => this.#busy.delete(name),
      (thrown: unknown) => {
        this.#busy.delete(name);
        this.#deps.logger.error({ problem: messageOf(thrown) }, `${name} could not be read`);
      },
    );
  }

  #tell(event: MoneyEvent): void {
    if (!this.#stopped) this.#deps.emit(event);
  }

  async #balances(): Promise<void> {
    const { clock, options, query } = this.#deps;
    if (this.#othersReadAt > clock.now() - FRESH_INTERVALS * options.balancesMs) return;
    await query.balances();
  }

  #tellBalances(reading: Reading<Balance>): void {
    if (reading.kind !== 'complete' || reading.asOf < this.#balancesAsOf) return;
    this.#balancesAsOf = reading.asOf;
    if (!this.#busy.has('balances')) this.#othersReadAt = this.#deps.clock.now();
    this.#tell({ kind: 'accounts', balances: reading.items, whole: true });
  }

  async #p2p(): Promise<void> {
    const { query, logger } = this.#deps;
    if (this.#userId === undefined) {
      const reading = await query.p2pProfile();
      const [user] = reading.kind === 'complete' ? reading.items : [];
      this.#userId = user?.userId;
      if (user !== undefined) this.#tell({ kind: 'p2pProfile', user });
    }
    if (!this.#hasMarkets) {
      const reading = await query.p2pMarkets();
      this.#hasMarkets = reading.kind === 'complete';
      if (reading.kind === 'complete') this.#tell({ kind: 'p2pMarkets', markets: reading.items });
      else logger.warn({ reason: reading.reason }, 'the P2P pairs could not be read');
    }
    const [advertisements, trades] = await Promise.all([query.advertisements(), query.p2pTrades()]);
    // Trades first: a listener may look up the trade of a sold-out advertisement.
    if (trades.kind === 'complete') this.#tell({ kind: 'p2pTrades', trades: trades.items });
    if (advertisements.kind === 'complete')
      this.#tell({ kind: 'advertisements', advertisements: advertisements.items, whole: true });
  }
}
