/** The start of a session: the owner of the journal, the state from the journal, and the rows of a start. */
import { journalErrors } from '../journal/errors.ts';
import { resumed } from '../journal/resume.ts';
import { canonicalJson, plainJson } from '../model/text/canonical.ts';
import type { Json } from '../model/text/json.ts';
import { restoredText } from '../risk/gates.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import type { Replay } from '../spine/replay.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { regridAll } from '../spine/regrid.ts';
import { CONTROLS } from '../spine/trials.ts';
import type { Core } from './core.ts';
import type { RestoreReport } from './executor-types.ts';

/**
 * Rebuilds the state from the journal and writes the start row. `begun`: continues from it and owns it from then on.
 */
export function restore(core: Core, begun?: Replay): RestoreReport {
  const replay = resumed(core.deps.journal, begun);
  const { state } = replay;
  requireOwnJournal(state.owner, core.deps.facts);
  const clean = state.cleanStop;
  // Accepted in an earlier process, so not counted here, and no end of a streak of rejects.
  for (const orders of [state.orders.allLive(), state.orders.remembered()])
    for (const order of orders) order.counted = order.ackedAt !== 0;
  const { deps } = core;
  const boot = state.boot + 1;
  const start = {
    kind: 'session',
    event: 'start',
    boot,
    bootId: deps.bootId,
    ...(deps.facts === undefined ? {} : { facts: deps.facts }),
  } as const;
  const pending = state.money.unresolved().filter(({ fate }) => fate === 'pending');
  // The start row makes unanswered orders unknown, also in later replays.
  replay.row({ seq: deps.journal.lastSeq + 1, ts: core.now(), entry: start });
  const changed = regridAll(state, deps.instruments);
  core.adopt(state);
  core.put(start);
  for (const instrument of changed) core.putInstrument(instrument);
  for (const record of pending) if (record.fate === 'not-sent') tellUnsent(core, record);
  if (deps.explains === true) putControls(core);
  core.writer.flush();
  const open = state.orders.allLive().filter((order) => !isClosed(order.progress));
  return {
    rows: replay.rows - 1,
    boot,
    clean,
    openOrders: open.length,
    unknownOrders: open.filter((order) => order.progress.state === 'unknown').length,
    killed: core.kill.on,
    restoredBecause: state.restored === undefined ? null : restoredText(state.restored),
  };
}

/** The start row has ended it. A row of its own notifies whoever follows the journal. */
function tellUnsent(core: Core, { intentId, request, reason }: MoneyRecord): void {
  const why = reason ?? '';
  core.put({ kind: 'money-outcome', intentId, outcome: { kind: 'not-sent', reason: why } });
  core.alarm('money_not_sent', `${request.kind} ${intentId} was not sent: ${why}`);
}

/** The row of limits, strategies and versions, written when they change. It holds for the orders after it. */
function putControls({ deps, spine, state }: Core): void {
  const slots = deps.strategies.map(({ tag, name, version, limits, onTrial }) => ({
    tag,
    name,
    version: version ?? null,
    limits,
    ...(onTrial === true ? { trial: true } : {}),
  }));
  const data = plainJson({ risk: deps.options.risk, strategies: slots });
  if (state.controls !== canonicalJson(data)) spine.commit({ kind: 'record', name: CONTROLS, data });
}

const SAME = ['account', 'mode', 'exchange'] as const;

type Facts = Readonly<Record<string, Json>> | undefined;

/**
 * A journal belongs to the account, mode and exchange that it named first. Throws `journal_foreign`. For a process
 * without an account, the command checks it.
 */
export function requireOwnJournal(owner: Facts, now: Facts): void {
  if (owner === undefined || now?.['account'] === undefined) return;
  for (const name of SAME) {
    const [had, has] = [owner[name], now[name]];
    if (had === undefined || has === undefined || had === has) continue;
    throw journalErrors.make(
      'journal_foreign',
      `the journal belongs to ${name} ${canonicalJson(had)}, this session to ${canonicalJson(has)}`,
    );
  }
}
