/**
 * The sandbox as a process of its own, as `tidewire sandbox` starts it; answers about its CPU time and memory, calms its
 * market, fills the history of its users.
 */
import { startSandbox } from '../../src/sandbox/server.ts';
import { syntheticMarket } from '../../src/sandbox/synthetic-market.ts';
import type { UserCredentials } from '../../src/sandbox/core/identity/users.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { answerQuestions, usage } from './processes.ts';

export interface SandboxReady {
  readonly restUrl: string;
  readonly wsUrl: string;
  readonly users: readonly UserCredentials[];
}

/**
 * `heap` collects all garbage first; `calm` ends the agents' trading; `fill` lets each user trade until its history is as
 * long as it gets. All answer a `Usage`.
 */
export interface ServerQuestion {
  readonly kind: 'usage' | 'heap' | 'calm' | 'fill';
}

const FILL_ORDERS_A_TURN = 200;
/** Past the bound, and until the tables of ids have taken their final size. */
const FILL_SHARE = 1.6;
const FILL_SIDES = ['buy', 'sell'] as const;

const market = syntheticMarket();
const { restUrl, wsUrl, users, sandbox } = await startSandbox({ clock: systemClock, market });

/** Small market orders of every user, many in a turn of the event loop, so that the agents keep up. */
async function fillHistory(): Promise<void> {
  const { exchange, settings } = sandbox;
  const traders = users.flatMap(({ login }) => exchange.identity.userByLogin(login)?.trader ?? []);
  const order = { symbol: 'BTCUSDT', type: 'market', timeInForce: 'ioc', price: null, quantity: '0.0001' } as const;
  for (let count = 0; count < settings.assumed.historyMax * FILL_SHARE; count++) {
    const side = FILL_SIDES[count % 2]!;
    sandbox.operate((now) => {
      for (const trader of traders) {
        exchange.placeSpot(trader, { ...order, side, clientOrderId: `fill-${process.pid}-${count}` }, now);
      }
    });
    if (count % FILL_ORDERS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
answerQuestions(async ({ kind }: ServerQuestion) => {
  if (kind === 'calm') market.stop();
  if (kind === 'fill') await fillHistory();
  return usage({ collect: kind === 'heap' });
});
process.send?.({ restUrl, wsUrl, users } satisfies SandboxReady);
