/** A private stream whose login has ended without a word (S10): the socket lives, answers pings and pushes nothing. */
import { afterEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { ExchangeSocket } from '../../../src/exchange/client/sockets/socket.ts';
import type { SocketTransport } from '../../../src/model/ports.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { PrivateSession } from '../../../src/session/connection/private-session.ts';
import { HandClock } from '../../execution/rig.ts';

/** The exchange's side of the socket, which takes every login and pushes when it is told to. */
function exchangeSide(): { readonly transport: SocketTransport; logins: number; push(): void } {
  let tell: (text: string) => void = () => {};
  const side = {
    logins: 0,
    push: () => tell(JSON.stringify({ channel: 'CLNTF@my-balances', seq: null, ts: 1, data: [] })),
    transport: {
      connect: (_url: string, handlers: Parameters<SocketTransport['connect']>[1]) => {
        tell = (text) => handlers.message(text);
        const answer = (text: string): void => {
          const { method } = JSON.parse(text) as { method: string };
          if (method === 'auth') {
            side.logins++;
            handlers.message(JSON.stringify({ method: 'auth', success: true }));
          } else if (method === 'ping') handlers.message(JSON.stringify({ pong: 1 }));
        };
        queueMicrotask(() => handlers.open());
        return {
          bufferedBytes: 0,
          send: (text: string, done: (ok: boolean) => void) => {
            done(true);
            queueMicrotask(() => answer(text));
          },
          close: () => {},
          terminate: () => {},
        };
      },
    },
  };
  return side;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function logged() {
  const clock = new HandClock();
  const side = exchangeSide();
  const socket = new ExchangeSocket({
    url: 'ws://127.0.0.1/websocket/exchange',
    transport: side.transport,
    clock,
    random: seededRandom(1),
    exchangeNow: () => clock.now(),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    logger: silentLogger,
  });
  const login = new PrivateSession(socket, clock, silentLogger);
  login.start();
  socket.start();
  await clock.advanceAsync(1_000, 100);
  expect(socket.state.kind).toBe('open');
  expect(side.logins).toBe(1);
  cleanups.push(() => login.stop());
  return { clock, side, login };
}

describe('the login of the private stream', () => {
  it('is made anew when a fill is learned that was never pushed', async () => {
    const { clock, side, login } = await logged();
    side.push();
    await clock.advanceAsync(60_000);
    login.filled();
    await clock.advanceAsync(10_000, 100);
    expect(side.logins).toBe(2);
  });

  it('is left alone when the push came a little before or after', async () => {
    const { clock, side, login } = await logged();
    side.push();
    await clock.advanceAsync(4_000);
    login.filled();
    await clock.advanceAsync(60_000);
    login.filled();
    await clock.advanceAsync(3_000);
    side.push();
    await clock.advanceAsync(60_000);
    expect(side.logins).toBe(1);
  });

  it('is not made anew for every fill of a stream that stays silent', async () => {
    const { clock, side, login } = await logged();
    for (let fill = 0; fill < 10; fill++) {
      login.filled();
      await clock.advanceAsync(20_000);
    }
    expect(side.logins).toBe(2);
  });

  it('is made anew twice a day in any case', async () => {
    const { clock, side } = await logged();
    await clock.advanceAsync(11 * 3_600_000, 5_000);
    expect(side.logins).toBe(1);
    await clock.advanceAsync(2 * 3_600_000, 5_000);
    expect(side.logins).toBe(2);
  });
});
