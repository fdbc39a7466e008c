/** What a ref given to `cancel` names in the state of a running session. Pure. */
import { nearest } from '../../model/text/nearest.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { operationErrors } from '../errors.ts';

export interface CancelTarget {
  readonly strategy: string;
  readonly ref: string;
}

interface Found extends CancelTarget {
  readonly what: 'order' | 'program';
  readonly state: string;
  readonly isOver: boolean;
  /** Ref of the working program whose order it is. */
  readonly parent?: string;
}

const NEAREST = 3;

/** `name`: `ref` or `tag/ref`. Throws `cancel_unknown`, `cancel_ended`, `cancel_child`, `order_ambiguous`. */
export function cancelTarget(state: StateView, tags: readonly string[], name: string, session: string): CancelTarget {
  const found = tags.flatMap((tag) => named(state, tag, name));
  const [first] = found;
  if (first === undefined) {
    const refs = refsOf(state);
    const near = nearest(name, refs, NEAREST);
    const some = [...refs].slice(0, NEAREST).join(', ');
    const hint =
      near.length > 0 ? `nearest: ${near.join(', ')}` : some === '' ? 'nothing works there' : `at work there: ${some}`;
    throw operationErrors.make('cancel_unknown', `${session} knows no order or program ${name}; ${hint}`, {
      ref: name,
      near,
    });
  }
  const working = found.filter(({ isOver }) => !isOver);
  const [only, ...others] = working;
  if (only === undefined) {
    const { what, ref, strategy } = first;
    throw operationErrors.make('cancel_ended', `the ${what} ${ref} of ${strategy} is ${first.state}`, {
      ref,
      state: first.state,
    });
  }
  if (others.length > 0) {
    const refs = working.map(({ strategy, ref }) => `${strategy}/${ref}`);
    throw operationErrors.make('order_ambiguous', `${name} names ${refs.join(' and ')}`, { refs });
  }
  if (only.parent !== undefined)
    throw operationErrors.make('cancel_child', `${only.ref} is an order of ${only.parent}, which works`, {
      ref: only.ref,
      parent: only.parent,
    });
  return { strategy: only.strategy, ref: only.ref };
}

function named({ programs, orders }: StateView, strategy: string, name: string): readonly Found[] {
  const ref = name.startsWith(`${strategy}/`) ? name.slice(strategy.length + 1) : name;
  const program = programs.of(strategy, ref) ?? programs.of(strategy, name);
  if (program !== undefined) {
    const { state } = program;
    return [{ what: 'program', strategy, ref: program.ref, state, isOver: state !== 'working' }];
  }
  const order = orders.byRef(strategy, ref) ?? orders.byRef(strategy, name);
  if (order === undefined) return [];
  const { state } = order.progress;
  const parent = order.parent === undefined ? undefined : programs.of(strategy, order.parent);
  const isChild = parent?.state === 'working';
  const over = { what: 'order', strategy, ref: order.ref, state, isOver: isClosed(order.progress) } as const;
  return [isChild ? { ...over, parent: parent.ref } : over];
}

function refsOf({ programs, orders }: StateView): ReadonlySet<string> {
  const live = orders.allLive().filter(({ progress, parent }) => parent === undefined && !isClosed(progress));
  return new Set([...[...programs.working].map(({ ref }) => ref), ...live.map(({ ref }) => ref)]);
}
