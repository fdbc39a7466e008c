/**
 * The signed client without a network: every request is answered at once with whatever text and status lie ready. Time is
 * virtual, so budgets and pauses end when they should.
 */
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger, type HttpTransport } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import type { Corpus } from './corpus.ts';

const START_US = Date.UTC(2026, 0, 1) * 1000;
const TURNS_MAX = 300;
export const EMPTY_LIST = /\[\s*\]/;
export const STATUSES = [200, 200, 200, 200, 200, 200, 400, 404, 409, 500, 502] as const;

/** Answers whatever lies ready, at once. */
class Canned implements HttpTransport {
  status = 200;
  body = '';
  request(_request: unknown, _deadlineMs: number, done: Parameters<HttpTransport['request']>[2]): void {
    done({ kind: 'response', status: this.status, headers: {}, body: this.body });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface Desk {
  readonly canned: Canned;
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
}

export function openDesk(): Desk {
  const canned = new Canned();
  const clock = new VirtualClock(START_US);
  const exchange = createExchange({
    options: exchangeOptions.parse({
      baseUrl: 'http://x.invalid',
      gatewayUrl: 'http://x.invalid',
      wsUrl: 'ws://x.invalid',
    }),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    httpTransports: { orders: canned, reconcile: canned, public: canned },
  });
  return { canned, clock, exchange };
}

/** What waits for the budget or a pause ends with time. Throws when it does not. */
export async function ends<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  for (let turn = 0; turn < TURNS_MAX && !isOver; turn++) {
    for (let step = 0; step < 10 && !isOver; step++) await Promise.resolve();
    if (!isOver && turn > 2) clock.advanceTo(clock.nowUs() + 1_000_000);
  }
  if (!isOver) throw new Error(`did not end within ${TURNS_MAX} s`);
  return over;
}

/** Texts of answers to one request, as the exchange gave them. Throws when there are none. */
export function textsOf(
  bodies: Corpus['bodies'],
  isMeant: (body: Corpus['bodies'][number]) => boolean,
): readonly string[] {
  const texts = bodies.filter((body) => isMeant(body)).map(({ text }) => text);
  if (texts.length === 0) throw new Error(`the corpus has no answer for ${isMeant.toString()}`);
  return texts;
}
