/**
 * Bugs that the simulator has not found yet, or cannot find in its world; docs/reliability-testing.md says why. They are
 * hunted with `--survivors`; one that is found moves to the table of its room.
 */
import { oneAtATime } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

export const survivors: readonly Mutant[] = [
  {
    id: 'own-trades-as-external',
    catalogue: 'O24',
    what: 'a trade that may be of an order on its way is booked as one of others, and then as its own',
    file: 'src/execution/reconcile/external-trades.ts',
    find: '      if (this.#couldBeOurs(fill, rules)) this.waitingFrom',
    replace: '      if (fill.ts < 0) this.waitingFrom',
    faults: { 'answer-late': 0.5, 'frame-lost': 0.1 },
    seed: 1,
  },
  {
    id: 'residual-at-once',
    catalogue: 'M08',
    what: 'a difference of two readings is booked although fills are still on their way',
    file: 'src/execution/reconcile/account-check.ts',
    find: "    if (!isStill && verdict.kind !== 'explained') return undefined;",
    replace: '    void isStill;',
    more: [
      {
        file: 'src/execution/reconcile/residual.ts',
        find: 'asOf > seen.since && asOf - seen.since >= this.#lagMs',
        replace: 'asOf > seen.since',
      },
    ],
    faults: { 'frame-lost': 0.02, 'answer-late': 0.1 },
    seed: 1,
  },
  {
    id: 'start-forgets-unknown',
    catalogue: 'O29',
    what: 'a start takes orders without an answer for not sent',
    file: 'src/execution/replay.ts',
    find: "state.outcome(order, { kind: 'unknown', reason: 'the process ended before the answer' }, order.sentAt);",
    replace: "state.close(order, 'denied', 'not_sent', 'the process ended before the answer');",
    faults: { kill: 0.03, 'request-slow': 0.3 },
    seed: 1,
  },
  {
    id: 'start-keeps-pending',
    catalogue: 'O15',
    what: 'a start keeps orders that were never sent as pending',
    file: 'src/execution/replay.ts',
    find: "      if (order.progress.state === 'pending')\n        state.close(order, 'denied', 'not_sent', 'the process ended before it was sent');\n      else if",
    replace: '      if',
    faults: { kill: 0.03, 'request-lost': 0.2 },
    knobs: [oneAtATime],
    seed: 1,
  },
  {
    id: 'start-forgets-cancels',
    catalogue: 'O30',
    what: 'a start forgets which orders were to go',
    file: 'src/execution/replay.ts',
    find: '      if (order !== undefined) order.cancelWanted = true;',
    replace: '      if (order !== undefined) order.cancelWanted = false;',
    faults: { kill: 0.02, 'request-lost': 0.3 },
    seed: 1,
  },
  {
    id: 'own-orders-meet',
    catalogue: 'INV-R2',
    what: 'own orders trade with each other',
    file: 'src/execution/placement.ts',
    find: 'return ownOrdersMet(this.#core.deps.market, spec, this.#core.state.orders.live(spec.instrument.symbol));',
    replace:
      'return ownOrdersMet(this.#core.deps.market, spec, this.#core.state.orders.live(spec.instrument.symbol).slice(0, 0));',
    seed: 1,
  },
  {
    id: 'mute-channel-left',
    catalogue: 'S02',
    what: 'a silent channel is not asked for again while pings are answered',
    file: 'src/streams/freshness.ts',
    find: 'if (subscription.refusal !== undefined || !subscription.isSilent(nowMs)) continue;',
    replace: 'if (nowMs > 0) continue;',
    more: [
      {
        file: 'src/streams/book-recovery.ts',
        find: 'if (!this.#paused && !this.#deps.isUsable(attempt.instrument.symbol)) this.#try(attempt);',
        replace: '',
      },
    ],
    faults: { 'channel-mute': 0.03, 'frame-lost': 0.02 },
    seed: 1,
  },
];
