/** What a ref names among what works in the session. */
import type { Executor } from '../../execution/executor.ts';
import { sessionErrors } from '../errors.ts';

export interface RemoteTarget {
  readonly strategy: string;
  readonly ref: string;
}

/** `name`: `ref` or `tag/ref`. Throws `remote_ref`. */
export function cancelTargetOf(
  executor: Pick<Executor, 'account' | 'programs'>,
  tags: readonly string[],
  name: string,
): RemoteTarget {
  const found = tags.flatMap((strategy) => {
    const ref = name.startsWith(`${strategy}/`) ? name.slice(strategy.length + 1) : name;
    const programs = executor.programs(strategy);
    if (programs.some((program) => program.ref === ref)) return [{ strategy, ref }];
    const order = executor
      .account(strategy)
      .openOrders()
      .find((one) => one.ref === ref);
    if (order === undefined) return [];
    const parent = programs.find((program) => program.ref === order.parent);
    if (parent === undefined) return [{ strategy, ref }];
    throw fail(`${ref} is an order of ${parent.ref}, which works and would send it again; cancel ${parent.ref}`);
  });
  const [only, ...others] = found;
  if (only === undefined) throw fail(`no order or program ${name} works`);
  if (others.length > 0) throw fail(`${name} names ${found.map((one) => `${one.strategy}/${one.ref}`).join(' and ')}`);
  return only;
}

function fail(why: string): Error {
  return sessionErrors.make('remote_ref', why, { field: 'ref' });
}
