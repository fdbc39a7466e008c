/**
 * A human who moves money by the command line, beside the session or while it is down: each command is a process of its own with
 * the money journal of the account, meets the same faults and may be killed at any instant. The next one looks first what became
 * of those before it.
 */
import { OFFSET_HALT_MS } from '../../../src/exchange/client/clock-offset.ts';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { isTidewireError, messageOf } from '../../../src/model/errors.ts';
import type { JournalEntry, JournalRow, JournalStore } from '../../../src/model/entries/journal.ts';
import { silentLogger, type PreparedRequest } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { shiftedClock } from '../../../src/session/clock/shifted-clock.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { moneyAccess, type MoneyAccess } from '../../../src/session/money/money.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { canonicalRequest, fingerprintOf, secretHashOf } from '../../../src/spine/money/content.ts';
import type { MoneyRecord } from '../../../src/spine/money/state.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import type { HandMove } from '../../../src/treasury/by-hand.ts';
import { isStep } from '../../../src/treasury/proofs.ts';
import { Disk } from './disk.ts';
import type { FaultPlan } from './fault-plan.ts';
import { httpNetwork, type HttpWorld } from './http-network.ts';
import type { Laws } from './laws.ts';
import { ProcessClock } from './process-clock.ts';
import { REST_URL, WS_URL } from './process.ts';
import { BY_COMMAND_LINE, MONEY_PATH, Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const KILLED_SHARE = 0.15;
const KILLED_MS_MAX = 8000;

export type Move = Pick<HandMove, 'request' | 'secrets'>;

export interface MoneyCommandsOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly laws: Laws;
  readonly seed: number;
  readonly clientOrderIds: boolean;
  /** The way to the exchange of the process that runs. */
  readonly world: () => HttpWorld;
  readonly skewUs: () => number;
  readonly isFull: () => boolean;
}

export class MoneyCommands {
  /** Hears what becomes durable, and what happens at the exchange. */
  onRows: (us: number, entries: readonly JournalEntry[]) => void = () => {};
  onLine: (us: number, what: string) => void = () => {};
  readonly #options: MoneyCommandsOptions;
  readonly #disk = new Disk();
  readonly #config;
  #runs: ProcessClock | null = null;

  constructor(options: MoneyCommandsOptions) {
    this.#options = options;
    this.#config = configSchema.parse({ exchange: { clientOrderIds: options.clientOrderIds } });
  }

  get isRunning(): boolean {
    return this.#runs !== null;
  }

  get rows(): readonly JournalRow[] {
    return this.#disk.rows;
  }

  /** As the journal says. */
  get records(): readonly MoneyRecord[] {
    return replayRows(this.rows).state.money.records();
  }

  /** Null: it only looks what became of the earlier ones. */
  begin(move: Move | null): void {
    if (this.isRunning) return;
    const { clock, plan, trace, laws, skewUs } = this.#options;
    trace.add(clock.nowUs(), `command line: ${move?.request.kind ?? 'reconcile'}`);
    const own = new ProcessClock(clock, skewUs());
    this.#runs = own;
    if (plan.isOn && plan.between(0, 1) < KILLED_SHARE)
      clock.schedule(clock.nowUs() + Math.round(plan.between(0, KILLED_MS_MAX) * 1000), 'venue', () =>
        this.#end(own, 'killed'),
      );
    void this.#run(own, move).then(
      () => this.#end(own, 'over'),
      (thrown: unknown) => {
        // Such as a disk that is full.
        if (!isTidewireError(thrown)) laws.violated('crash', `a command threw ${messageOf(thrown)}`);
        this.#end(own, 'failed');
      },
    );
  }

  stop(): void {
    if (this.#runs !== null) this.#end(this.#runs, 'the world ends');
  }

  #end(own: ProcessClock, how: string): void {
    if (this.#runs !== own) return;
    const { clock, trace } = this.#options;
    trace.add(clock.nowUs(), `command line is over: ${how}`);
    own.dead = true;
    this.#runs = null;
  }

  async #run(own: ProcessClock, move: Move | null): Promise<void> {
    const real = shiftedClock(own);
    const exchange = this.#exchange(own, real);
    const measured = await exchange.clockOffset.measure();
    if (own.dead || measured === null || Math.abs(measured.offsetMs) > OFFSET_HALT_MS) return;
    real.shift(measured.offsetMs);
    const parts = { exchange, config: this.#config, clock: real, logger: silentLogger };
    const access = moneyAccess('', this.#journal(own), parts);
    await access.resolve();
    if (!own.dead && move !== null && (await mayGo(access, move)) && !own.dead)
      await access.send(move.request, move.secrets);
    if (!own.dead) access.close();
  }

  #journal(own: ProcessClock): JournalStore {
    const { clock, plan, isFull } = this.#options;
    return this.#disk.open({
      isDead: () => own.dead,
      isFull,
      isBusy: () => plan.strikes('disk-busy'),
      boundary: (at) => {
        if (plan.strikes('kill-at-journal')) this.#end(own, `kill-at-journal ${at}`);
      },
      onAppend: (entries) => this.onRows(clock.nowUs(), entries),
    });
  }

  #exchange(own: ProcessClock, real: ReturnType<typeof shiftedClock>): Exchange {
    const { venue, seed } = this.#options;
    // Laws of the process read the trace.
    const trace = new Trace();
    trace.onLine = (us, what) => this.onLine(us, what);
    const world = { ...this.#options.world(), trace };
    const http = httpNetwork(world, { clock: own, onSend: (request) => this.#onSend(own, request) });
    const { apiKey } = venue.user;
    return createExchange({
      options: exchangeOptions.parse({
        ...this.#config.exchange,
        baseUrl: REST_URL,
        gatewayUrl: REST_URL,
        wsUrl: WS_URL,
      }),
      credentials: createCredentials(apiKey.publicKey, apiKey.secretKey),
      clock: real,
      steady: real.steady,
      wall: () => own.wall(),
      random: seededRandom(seed),
      logger: silentLogger,
      httpTransports: { orders: http, reconcile: http, public: http },
    });
  }

  /** Not to be doubled on its way: nothing tells the exchange that it is the same. */
  #onSend(own: ProcessClock, { method, url }: PreparedRequest): string | null {
    if (this.#options.plan.strikes('kill-at-send')) this.#end(own, 'kill-at-send');
    return method === 'POST' && MONEY_PATH.test(url) ? BY_COMMAND_LINE : null;
  }
}

/** As the commands themselves ask before they move money (`src/cli/operations/move-money.ts`). */
async function mayGo(access: MoneyAccess, { request, secrets = {} }: Move): Promise<boolean> {
  if (isStep(request)) return true;
  const fingerprint = fingerprintOf(canonicalRequest(request), secretHashOf(secrets));
  const earlier = access.records().findLast((record) => record.fingerprint === fingerprint);
  if (earlier?.fate === 'accepted') return false;
  return (await access.disprove(fingerprint)) === null;
}
