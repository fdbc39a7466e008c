/**
 * Found by the simulator (seed 60001738): the exchange refused the order of a `panic --flatten` and carried it out. `panic.jsonl`
 * noted that nothing had moved, so the session booked what was closed as a trade of somebody else, the strategy went on
 * believing in its position, and the next `--flatten` closed it a second time.
 */
import { expect, it } from 'vitest';
import { until, type Stack, type World } from '../e2e/live-stack.ts';
import { holding } from '../e2e/panic-setting.ts';
import { CREATE } from '../e2e/scenario.ts';

const positionOf = (stack: Stack): string => stack.executor.account('taker').position('BTCUSDT').quantity;
const refusesFalsely = (world: World): Promise<void> =>
  world.faults({ match: CREATE, fault: 'falseRefusal', times: 1 });
const SOLD = 'sell 0.04997 refused';

it('is booked by the next start', () =>
  holding(async ({ world, flatten, restart }) => {
    await refusesFalsely(world);
    expect(await flatten()).toEqual([SOLD]);
    const next = await restart();
    await until(() => positionOf(next) === '0.000005', 'the position is what is left');
    expect(await flatten()).toEqual([]);
  }));

it('is not closed a second time, whether or not the orders can be read', () =>
  holding(async ({ world, flatten }) => {
    await refusesFalsely(world);
    expect(await flatten()).toEqual([SOLD]);
    expect(await flatten()).toEqual([]);
    await world.faults({ match: { path: '/api/v2/exchange/client/order/history' }, fault: 'status', status: 503 });
    expect(await flatten()).toEqual([]);
    expect(world.alice.orders).toHaveLength(2);
  }));

it('halts nothing where the market took a part', () =>
  holding(async ({ world, flatten, restart }) => {
    const { exchange } = world.sandbox.sandbox;
    const { trader } = exchange.identity.userByLogin('bob')!;
    world.sandbox.sandbox.operate((now) =>
      exchange.orders.cancelMany(trader, null, { markets: new Set(['spot']) }, now),
    );
    world.trade('bob', 'buy', '59990', '0.02');
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    const next = await restart();
    await until(() => positionOf(next) === '0.029975', 'the part is booked');
    expect(next.alarms().filter((alarm) => alarm.startsWith('contradiction'))).toEqual([]);
  }));
