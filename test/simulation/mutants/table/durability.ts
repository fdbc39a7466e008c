/** Mutants of what must outlive the process: rows that are believed to be durable, and what a start reads of them. */
import { shortKills } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const EXECUTOR = 'src/execution/executor.ts';
const REPLAY = 'src/spine/replay.ts';
const LINKED = 'src/journal/files/linked-files.ts';

export const durabilityMutants: readonly Mutant[] = [
  {
    id: 'power-cut-loses-rows',
    catalogue: 'P05',
    what: 'the last rows before a power cut are gone (synchronous=NORMAL), as no kill shows',
    file: 'test/simulation/world/machine.ts',
    find: "    rare.mark('power lost');",
    replace:
      "    rare.mark('power lost');\n    (this.disk.rows as unknown[]).splice(Math.max(0, this.disk.rows.length - 6));",
    faults: { 'power-loss': 0.005 },
  },
  {
    id: 'commit-believed',
    catalogue: 'P05',
    what: 'a commit is believed to be durable before it is',
    file: 'src/journal/journal-writer.ts',
    find: '      this.#store.append(this.#clock.now(), rows);\n      this.#queue = [];',
    replace:
      '      this.#queue = [];\n      const now = this.#clock.now();\n      this.#clock.after(5, () => this.#store.append(now, rows));',
    faults: { 'power-loss': 0.002 },
  },
  {
    id: 'kill-row-given-up',
    catalogue: 'INV-K3',
    what: 'a kill whose row meets a busy disk is not written again',
    file: EXECUTOR,
    find: "  core.spine.commit({ kind: 'kill', on: true, reason });",
    replace: "  core.spine.commitDurably({ kind: 'kill', on: true, reason });",
    calm: true,
    faults: { 'kill-switch': 0.2, 'disk-busy': 0.02 },
    knobs: [shortKills],
  },
  {
    id: 'latch-cleared-by-restart',
    catalogue: 'INV-K3',
    what: 'a start row clears the latch',
    file: REPLAY,
    find: '    state.boot = boot;',
    replace: '    state.boot = boot;\n    state.killReason = undefined;',
    faults: { 'kill-switch': 0.01, 'power-loss': 0.002 },
  },
  {
    id: 'start-forgets-liquidations',
    catalogue: 'O39',
    what: 'a start does not rebuild positions from liquidations',
    file: REPLAY,
    find: '        apply(state, entry, row.ts, this.#instrumentOf);',
    replace: "        if (entry.kind !== 'liquidation') apply(state, entry, row.ts, this.#instrumentOf);",
    ruin: true,
  },
  {
    id: 'start-forgets-funding',
    catalogue: 'M14',
    what: 'a start forgets which payments of funding were booked',
    file: REPLAY,
    find: '        apply(state, entry, row.ts, this.#instrumentOf);',
    replace: "        if (entry.kind !== 'funding') apply(state, entry, row.ts, this.#instrumentOf);",
    futures: true,
    faults: { kill: 0.01 },
  },
  {
    id: 'refusal-after-boot',
    catalogue: 'O29',
    what: 'a start takes orders without an answer for refused',
    file: REPLAY,
    find: "state.outcome(order, { kind: 'unknown', reason: 'the process ended before the answer' }, order.sentAt);",
    replace:
      "state.outcome(order, { kind: 'refused', code: 'gone', message: 'the process ended before the answer' }, order.sentAt);",
    faults: { 'power-loss': 0.005, 'request-slow': 0.3 },
  },
  {
    id: 'gone-files-unseen',
    catalogue: 'P07',
    what: 'a session goes on whose journal was taken away under it',
    file: LINKED,
    find: '      if (doubt === null) continue;',
    replace: '      if (doubt !== undefined) continue;',
    faults: { 'journal-gone': 0.02 },
  },
  {
    id: 'gone-files-seen-at-rows-alone',
    catalogue: 'P07',
    what: 'a session that writes nothing goes on whose journal was taken away under it',
    file: 'src/journal/journal-writer.ts',
    find: '    if (this.#failure === undefined && this.#store.failing) this.#fail(this.#store.failing);\n    if',
    replace: '    if',
    calm: true,
    faults: { 'journal-gone': 0.02, 'kill-switch': 0.1 },
  },
  {
    id: 'replaced-files-unseen',
    catalogue: 'P07',
    what: 'another file under the name of the journal counts as the one that is open',
    file: LINKED,
    find: 'status.dev !== device || status.ino !== inode',
    replace: 'status.dev !== device',
    faults: { 'journal-gone': 0.02 },
  },
  {
    id: 'cut-log-unseen',
    catalogue: 'P07',
    what: 'a log that was cut counts as the one that is open',
    file: LINKED,
    find: 'if (status.size < bytes) return',
    replace: 'if (status.size < 0n) return',
    faults: { 'journal-gone': 0.02 },
  },
];
