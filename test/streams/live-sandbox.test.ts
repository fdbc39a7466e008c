/**
 * The live public stream over a real socket against the sandbox: a book that stands, a gap and a mute channel that are
 * found and healed, a connection that dies. Faults are set as any client would, over HTTP.
 */
import { filter, firstValueFrom, take, timeout, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { ExchangeSocket } from '../../src/exchange/client/sockets/socket.ts';
import { createWsTransport } from '../../src/exchange/client/sockets/socket-transport.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { createPublicStream, type PublicStream } from '../../src/streams/public.ts';

const wsTransport = createWsTransport();

interface Live {
  readonly sandbox: RunningSandbox;
  readonly stream: PublicStream;
  readonly fault: (rules: readonly object[]) => Promise<void>;
}

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function live(): Promise<Live> {
  const clock = createSystemClock();
  const sandbox = await startSandbox({ port: 0, seed: 7, clock, logger: silentLogger });
  const socket = new ExchangeSocket({
    url: `${sandbox.wsUrl}/websocket/exchange`,
    transport: wsTransport,
    clock,
    random: seededRandom(1),
    exchangeNow: () => clock.now(),
    credentials: null,
    logger: silentLogger,
  });
  const answer = await fetch(`${sandbox.restUrl}/api/v2/exchange/public/asset/instrument/spot/list`);
  expect(answer.status).toBe(200);
  const specs = (await answer.json()) as readonly Record<string, string>[];
  const instruments = new Instruments(
    specs.map((row) => ({
      symbol: row['symbol'] ?? '',
      market: 'spot',
      base: row['base'] ?? '',
      quote: row['quote'] ?? '',
      tickSize: row['tickSize'] ?? '',
      lotSize: row['lotSize'] ?? '',
      minQuantity: row['minQuantity'] ?? '',
      maxQuantity: row['maxQuantity'] ?? '',
      minNotional: row['minNotional'] ?? '',
      status: 'trading',
    })),
  );
  const stream = createPublicStream({ source: socket, instruments, clock });
  stream.start();
  socket.start();
  endings.push(async () => {
    stream.stop();
    await socket.stop();
    await sandbox.stop();
  });
  return {
    sandbox,
    stream,
    async fault(rules) {
      const sent = await fetch(`${sandbox.restUrl}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ rules }),
      });
      expect(sent.status).toBeLessThan(300);
    },
  };
}

describe('against the sandbox', () => {
  it('a book stands, moves and is never crossed; a trade comes', async () => {
    const { stream } = await live();
    const trade = firstValueFrom(stream.market.trades('BTCUSDT').pipe(timeout(15_000)));
    const tops = await firstValueFrom(stream.market.top('BTCUSDT').pipe(take(5), toArray(), timeout(15_000)));
    for (const { bid, ask } of tops) expect(bid).toBeLessThan(ask);
    expect((await trade).price).toBeGreaterThan(0);
    expect(stream.counts.decodeFailures).toBe(0);
    expect(stream.gate.closedBecause('BTCUSDT')).toBeNull();
  });

  it('a gap in the depth channel gives the book up, and a new snapshot brings it back', async () => {
    const { stream, fault } = await live();
    await firstValueFrom(stream.market.top('BTCUSDT').pipe(timeout(15_000)));
    const opened = firstValueFrom(stream.market.gaps('BTCUSDT').pipe(timeout(15_000)));
    const healed = firstValueFrom(
      stream.market.gaps('BTCUSDT').pipe(
        filter(({ to }) => to !== null),
        timeout(15_000),
      ),
    );
    await fault([{ match: { channel: 'BTCUSDT@depth' }, fault: 'gap', times: 1 }]);
    expect(await opened).toMatchObject({ to: null, reason: expect.stringContaining('missing') });
    await fault([]);
    await healed;
    expect(stream.market.best('BTCUSDT')).toBeDefined();
  });

  it('a mute depth channel is found although the connection lives, and healed', async () => {
    const { stream, fault } = await live();
    await firstValueFrom(stream.market.top('BTCUSDT').pipe(timeout(15_000)));
    await fault([{ match: { channel: 'BTCUSDT@depth' }, fault: 'mute' }]);
    const opened = await firstValueFrom(stream.market.gaps('BTCUSDT').pipe(timeout(20_000)));
    expect(opened.reason).toContain('stale');
    expect(stream.gate.closedBecause('BTCUSDT')).not.toBeNull();
    const healed = firstValueFrom(
      stream.market.gaps('BTCUSDT').pipe(
        filter(({ to }) => to !== null),
        timeout(25_000),
      ),
    );
    await fault([]);
    await healed;
    expect(stream.gate.closedBecause('BTCUSDT')).toBeNull();
    expect(stream.market.best('BTCUSDT')).toBeDefined();
  }, 60_000);

  it('a connection that dies is a gap, and everything is back after the reconnection', async () => {
    const { stream, fault } = await live();
    await firstValueFrom(stream.market.top('BTCUSDT').pipe(timeout(15_000)));
    const gaps = firstValueFrom(stream.market.gaps('BTCUSDT').pipe(take(2), toArray(), timeout(25_000)));
    await fault([{ match: { channel: 'BTCUSDT@depth' }, fault: 'disconnect', times: 1 }]);
    const [opened, ended] = await gaps;
    expect(opened).toMatchObject({ to: null, reason: expect.stringContaining('connection lost') });
    expect(ended?.to).not.toBeNull();
    expect(stream.market.best('BTCUSDT')).toBeDefined();
  });
});
