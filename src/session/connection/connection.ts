/** A session's connection to the exchange. */
import { createCredentials, type Credentials } from '../../exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../exchange/exchange.ts';
import type { ExchangeOptions } from '../../exchange/options.ts';
import { Instruments } from '../../model/market/instrument.ts';
import type { Clock, Logger, Random } from '../../model/ports.ts';
import type { ListenOptions, RunningSandbox } from '../../sandbox/server.ts';
import { exchangeErrors } from '../../exchange/errors.ts';
import { sessionErrors } from '../errors.ts';
import { shiftedClock } from '../clock/shifted-clock.ts';
import { wallMs } from '../clock/system-clock.ts';

export interface ConnectOptions {
  readonly exchange: ExchangeOptions;
  /** Null: public data only. */
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly seed: number;
}

export interface Connection {
  readonly exchange: Exchange;
  readonly instruments: Instruments;
  /** Exchange time, for all receive times. */
  readonly clock: Clock;
  /** Clock skew of the machine, ms; positive when behind. */
  readonly offsetMs: number;
  /** `sandbox (embedded)` or the host. */
  readonly name: string;
  readonly publicKey: string | null;
  readonly sandbox: RunningSandbox | null;
  close(): Promise<void>;
}

export function credentialsOf(environment: Readonly<Record<string, string | undefined>>): Credentials | null {
  const publicKey = environment['TIDEWIRE_API_KEY'];
  const secretKey = environment['TIDEWIRE_API_SECRET'];
  if (publicKey === undefined || publicKey === '' || secretKey === undefined || secretKey === '') return null;
  return createCredentials(publicKey, secretKey);
}

export function isEmbedded(options: ExchangeOptions): boolean {
  return options.baseUrl === 'sandbox' || options.gatewayUrl === 'sandbox' || options.wsUrl === 'sandbox';
}

const ATTEMPTS = 2;

type Listed = Awaited<ReturnType<Exchange['marketData']['spotInstruments']>>;

async function insistently(read: () => Promise<Listed>): Promise<Listed> {
  let answer = await read();
  const isNothing = (): boolean => answer.kind === 'failed' || answer.value.length === 0;
  for (let attempt = 1; attempt < ATTEMPTS && isNothing(); attempt++) answer = await read();
  return answer;
}

/** Unreadable perpetuals count as unknown. */
async function readInstruments(exchange: Exchange, name: string, logger: Logger): Promise<Instruments> {
  const spot = await insistently(() => exchange.marketData.spotInstruments());
  if (spot.kind === 'failed') {
    throw exchangeErrors.make('exchange_unreachable', `${name} did not answer: ${spot.error.message}`, {
      exchange: name,
    });
  }
  const derivative = await insistently(() => exchange.marketData.derivativeInstruments());
  if (derivative.kind !== 'failed') return new Instruments([...spot.value, ...derivative.value]);
  logger.warn({ exchange: name }, `perpetuals are unknown in this session: ${derivative.error.message}`);
  return new Instruments(spot.value);
}

/** On demand: a live session starts sooner. */
async function embeddedSandbox(options: ListenOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts');
  return startSandbox(options);
}

/** All or none. Throws `config_invalid`. */
function checkAddresses({ baseUrl, gatewayUrl, wsUrl }: ExchangeOptions): void {
  const addresses = Object.entries({ baseUrl, gatewayUrl, wsUrl });
  const embedded = addresses.filter(([, address]) => address === 'sandbox').map(([name]) => `exchange.${name}`);
  if (embedded.length === 0 || embedded.length === addresses.length) return;
  throw sessionErrors.make(
    'config_invalid',
    `${embedded.join(' and ')} is "sandbox" beside addresses of an exchange; give all three, or "sandbox" for all three`,
  );
}

/** Throws `config_invalid`, `exchange_unreachable`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { random, logger, seed, credentials } = options;
  checkAddresses(options.exchange);
  const clock = shiftedClock(options.clock);
  const embedded = isEmbedded(options.exchange);
  const sandbox = embedded
    ? await embeddedSandbox({ port: 0, seed, clock, logger: logger.child({ room: 'sandbox' }) })
    : null;
  const addresses =
    sandbox === null ? {} : { baseUrl: sandbox.restUrl, gatewayUrl: sandbox.gatewayUrl, wsUrl: sandbox.wsUrl };
  const settings = { ...options.exchange, ...addresses };
  const name = embedded ? 'sandbox (embedded)' : new URL(settings.baseUrl).host;
  const exchange = createExchange({
    options: settings,
    credentials,
    clock,
    steady: clock.steady,
    wall: wallMs,
    random: random.fork('exchange'),
    logger,
  });
  const close = async (): Promise<void> => {
    await exchange.close();
    await sandbox?.stop();
  };
  try {
    const instruments = await readInstruments(exchange, name, logger);
    const offsetMs = embedded ? 0 : ((await exchange.clockOffset.measure())?.offsetMs ?? 0);
    if (offsetMs !== 0) {
      clock.shift(offsetMs);
    }
    if (!embedded) await exchange.clockOffset.start((ms) => clock.shift(ms));
    const publicKey = credentials?.publicKey ?? null;
    return { exchange, instruments, clock, offsetMs, name, publicKey, sandbox, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
