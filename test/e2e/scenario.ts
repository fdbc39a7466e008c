/** One scenario on a world of its own: opens, runs, mends the faults, waits until everything holds, closes. */
import type { Action } from '../../src/model/trading/action.ts';
import { settled } from './checks.ts';
import { Stack, SYMBOL, tempDir, World, type StackOptions } from './live-stack.ts';

const PATH = '/api/v2/exchange/client';
export const CREATE = { method: 'POST', path: `${PATH}/order/spot` };
export const CANCEL = { method: 'DELETE', path: `${PATH}/order/*` };
export const CANCEL_MANY = { method: 'POST', path: `${PATH}/order/cancel-many` };

export function limit(side: 'buy' | 'sell', price: string, quantity = '0.01', ref?: string): Action {
  return { kind: 'place', symbol: SYMBOL, side, type: 'limit', price, quantity, ...(ref === undefined ? {} : { ref }) };
}

export function market(side: 'buy' | 'sell', quantity = '0.01'): Action {
  return { kind: 'place', symbol: SYMBOL, side, type: 'market', quantity };
}

export interface Setting {
  readonly world: World;
  readonly stack: Stack;
  readonly dir: string;
  /** Ids of orders of the account that the scenario placed by other means. */
  readonly foreign: string[];
}

export interface ScenarioOptions {
  readonly ids: boolean;
  readonly alarms?: readonly string[];
  readonly reconcile?: StackOptions['reconcile'];
  readonly ownTradeSide?: StackOptions['ownTradeSide'];
}

export async function scenario(
  options: ScenarioOptions,
  run: (setting: Setting) => Promise<void>,
  risk: object = {},
  alarms: readonly string[] = [],
): Promise<void> {
  const world = await World.open({ clientOrderIds: options.ids });
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const { reconcile, ownTradeSide } = options;
    const stack = await Stack.start(world, {
      dir,
      risk,
      ...(reconcile === undefined ? {} : { reconcile }),
      ...(ownTradeSide === undefined ? {} : { ownTradeSide }),
    });
    await stack.whenReady();
    const foreign: string[] = [];
    await run({ world, stack, dir, foreign });
    await world.faults();
    await settled(stack, dir, { foreign, alarms: [...(options.alarms ?? []), ...alarms] });
  } finally {
    await world.close();
  }
}
