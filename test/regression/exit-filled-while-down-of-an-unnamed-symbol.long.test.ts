/**
 * Found by a stranger: a strategy that has its symbol in the code names none. After a kill nothing of a perpetual was read: its
 * take-profit had filled while nothing ran, was called absent without a look at its market, and a second exit left.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { freshFolder, start } from '../e2e/cli.ts';
import { World } from '../e2e/live-stack.ts';
import { entriesOf, sessions, sessionWhen } from '../e2e/session-view.ts';

const CLIENT = '/api/v2/exchange/client';
const PERP = 'BTCUSDTPERP';

const HARD = `
import { bracket, defineStrategy, z } from 'tidewire';
import { EMPTY, mergeMap, of, timer } from 'rxjs';
export default defineStrategy({
  name: 'hard',
  params: z.object({}),
  setup: ({ market, state }) => {
    const begun = state(z.boolean(), false, 'begun');
    const view = market.view('${PERP}');
    return timer(0, 250).pipe(mergeMap(() => {
      if (begun.get() || Number.isNaN(view.mid)) return EMPTY;
      begun.set(true);
      const entry = { symbol: '${PERP}', side: 'buy', type: 'market', quantity: '0.02' };
      return of(bracket({ ref: 'one', entry, takeProfit: '60100', stopLoss: '50000', timeLimit: '20s' }));
    }));
  },
});
`;

it('learns of the exit that filled while nothing ran, and sends no second one', async () => {
  const world = await World.open({});
  try {
    const { restUrl, gatewayUrl, wsUrl, users } = world.sandbox;
    const key = (login: string) => users.find((user) => user.login === login)!.apiKey;
    const trade = async (side: string, price: string, quantity: string) => {
      const data = { symbol: PERP, type: 'limit', timeInForce: 'gtc', side, price, quantity };
      const reply = await signed(restUrl, key('bob'), 'POST', `${CLIENT}/order/derivative`, data);
      expect(reply.status, reply.text).toBeLessThan(300);
    };
    const ofAlice = async <Row>(path: string): Promise<readonly Row[]> =>
      (await signed(restUrl, key('alice'), 'GET', `${CLIENT}/${path}`)).json as never;
    const cwd = freshFolder();
    const config = join(cwd, 'live.yaml');
    const exchange = `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`;
    writeFileSync(config, `${exchange}reconcile:\n  urgentIntervalMs: 1000\n  historyLagMs: 300\n`);
    writeFileSync(join(cwd, 'hard.ts'), HARD);
    const { publicKey, secretKey } = key('alice');
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, XDG_STATE_HOME: join(cwd, 'state') };
    const session = () =>
      start(['run', 'hard.ts', '--config', config, '--live', '--confirm', 'alice', '--json'], { cwd, env });

    await trade('buy', '59990', '1');
    await trade('sell', '60010', '0.02');
    await trade('sell', '60300', '1');
    const first = session();
    await first.during('the take-profit', async () => {
      const resting = await ofAlice<{ readonly side: string }>('order/active');
      return resting.some(({ side }) => side === 'sell') ? true : undefined;
    });
    await first.signal('SIGKILL');
    await trade('buy', '60100', '0.02');
    expect(await ofAlice('positions/list')).toEqual([]);

    const second = session();
    const { path } = await sessionWhen(second, cwd, 'the fill of the take-profit', ({ fills }) => fills === 2);
    await second.during('the end of the bracket', () => {
      const [end] = entriesOf(path, 'program').flatMap((entry) => (entry.event === 'end' ? [entry.reason] : []));
      if (end !== undefined) expect(end).toBe('takeProfit');
      return end;
    });
    const [{ positions, openOrders } = { positions: null, openOrders: null }] = await sessions(cwd);
    expect({ positions, openOrders }).toEqual({ positions: [], openOrders: [] });
    await second.signal('SIGINT');
    expect(world.alice.orders).toHaveLength(2);
    expect(await ofAlice('positions/list')).toEqual([]);
  } finally {
    await world.close();
  }
});
