/** The live session. Requires `--live` and `--confirm ACCOUNT`, the login of the key. */
import type { Credentials } from '../exchange/client/credentials.ts';
import { OFFSET_HALT_MS } from '../exchange/client/clock-offset.ts';
import { userCredentials, userLogins } from '../sandbox/core/identity/users.ts';
import { InstrumentWatch } from '../exchange/instrument-watch.ts';
import type { VenueOptions } from '../exchange/exchange.ts';
import type { Clock } from '../model/ports.ts';
import type { Config } from './config/schema.ts';
import { isEmbedded, type Connection } from './connection/connection.ts';
import { sessionErrors } from './errors.ts';
import { isLoopback } from './connection/is-loopback.ts';
import { LiveWatch } from './recorder/live-watch.ts';
import { LoopLag } from './clock/loop-lag.ts';
import { pacedVenue } from './clock/paced-source.ts';
import { PrivateSession } from './connection/private-session.ts';
import { recordSocket } from './feed/record-socket.ts';
import { wallMs } from './clock/system-clock.ts';
import type { VenueContext, VenueParts } from './venue-parts.ts';

export interface Confirmation {
  readonly live: boolean;
  readonly account: string | undefined;
  readonly credentials: Credentials | null;
}

export function allowLive({ live, account, credentials }: Confirmation, config: Config): Credentials {
  if (!live || account === undefined) {
    throw sessionErrors.make('live_not_confirmed', 'nothing was sent: --live and --confirm ACCOUNT are both needed');
  }
  if (isEmbedded(config.exchange)) {
    throw sessionErrors.make('live_no_exchange', 'exchange.baseUrl, gatewayUrl or wsUrl is "sandbox"');
  }
  if (credentials === null)
    throw sessionErrors.make('no_api_key', 'TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set');
  refuseSandboxKey(credentials, config);
  return credentials;
}

/** Throws `live_sandbox_key`. */
export function refuseSandboxKey(credentials: Credentials, config: Pick<Config, 'exchange'>): void {
  const { baseUrl, gatewayUrl, wsUrl } = config.exchange;
  const outside = [baseUrl, gatewayUrl, wsUrl].find((url) => !isLoopback(url));
  if (outside !== undefined && isSandboxKey(credentials.publicKey)) {
    throw sessionErrors.make('live_sandbox_key', `the key is one of the sandbox, the exchange is ${outside}`, {
      url: outside,
    });
  }
}

/** Sandbox keys derive from small seeds and are not secret. */
const WELL_KNOWN_SEEDS = 1000;

function isSandboxKey(publicKey: string): boolean {
  for (let seed = 0; seed < WELL_KNOWN_SEEDS; seed++) {
    if (userLogins.some((login) => userCredentials(seed, login).apiKey.publicKey === publicKey)) return true;
  }
  return false;
}

/** Throws `clock_off`, `live_wrong_account`. */
export async function confirmAccount(
  connection: Connection,
  account: string,
  wanted = `--confirm names ${account}`,
): Promise<void> {
  const { offsetMs, exchange, name } = connection;
  if (Math.abs(offsetMs) > OFFSET_HALT_MS) {
    throw sessionErrors.make(
      'clock_off',
      `this clock is ${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'behind' : 'ahead of'} ${name}`,
      { offsetMs },
    );
  }
  const me = await exchange.account.me();
  if (me.kind === 'failed') throw me.error;
  if (me.value.login !== account) {
    throw sessionErrors.make('live_wrong_account', `the key belongs to ${me.value.login}, ${wanted}`, {
      login: me.value.login,
    });
  }
}

const BALANCES_MS = 10_000;
const P2P_MS = 5_000;

export function watchesP2p({ strategies }: Config): boolean {
  return strategies.some(({ limits }) => limits.p2p === true);
}

/** Without a login P2P is polled. */
function moneyOptions({ connection, logger }: VenueContext, config: Config): VenueOptions {
  const { exchange } = connection;
  const isP2p = watchesP2p(config);
  const hasLogin = exchange.login.token() !== null;
  let isTold = false;
  const onLoginNeeded = (reason: string): void => {
    if (!isTold) logger.error({}, `${reason}: nothing of P2P is pushed any more, it is read every ${P2P_MS / 1000} s`);
    isTold = true;
  };
  return {
    p2pSocket: isP2p && hasLogin ? exchange.p2pSocket(onLoginNeeded) : null,
    watch: { balancesMs: BALANCES_MS, p2pMs: isP2p ? P2P_MS : null },
  };
}

export function liveVenue(context: VenueContext, real: Clock, config: Config): VenueParts {
  const { connection, clock, startedAt, recorder, raw, symbols, earlier } = context;
  const traded = symbols.flatMap((symbol) => connection.instruments.find(symbol) ?? []);
  const watch = new LiveWatch(recorder, earlier, startedAt);
  const loop = new LoopLag(real, context.logger, {
    wall: wallMs,
    onWake: () => void connection.exchange.clockOffset.measure(),
  });
  const socket = connection.exchange.privateSocket();
  recordSocket(socket, raw, 'private');
  const { marketData } = connection.exchange;
  const instruments = new InstrumentWatch({
    traded,
    read: { spot: () => marketData.spotInstruments(), derivative: () => marketData.derivativeInstruments() },
    clock: real,
    logger: context.logger,
  });
  const login = new PrivateSession(socket, real, context.logger);
  return {
    venue: pacedVenue(connection.exchange.venue(traded, { socket, ...moneyOptions(context, config) }), clock, real),
    privateAgeMs: () => socket.ageMs,
    sinks: [],
    gates: [...connection.exchange.gates, loop, instruments],
    wall: wallMs,
    undecodable: (symbol) => instruments.unreadable(symbol),
    started: (session) => {
      watch.start(session);
      loop.start();
      login.start();
      instruments.start();
      session.engine.executor.listen((event) => {
        if (event.kind === 'fill') login.filled();
        if (event.kind !== 'order') return;
        const { symbol, state, reason = '' } = event.order;
        const instrument = connection.instruments.find(symbol);
        if (instrument !== undefined) instruments.cover(instrument);
        if (state === 'rejected') instruments.refused(reason);
      });
    },
    ended: (atMs) => {
      loop.stop();
      login.stop();
      instruments.stop();
      watch.end(atMs);
    },
    assumptions: { exchange: connection.name, reporting: config.account.reporting, risk: config.risk },
  };
}
