/**
 * Bugs of what only real processes, files and signals show: a supervisor, a journal whose files are taken, a panic, an orderly
 * end. Each puts a hole back that was found from outside; the regression test of that hole has to see it.
 */
import type { Edit } from '../../simulation/mutants/mutant.ts';

export interface ProcessMutant {
  /** Unique; what goes wrong, in short. */
  readonly id: string;
  /** What the code does wrongly. */
  readonly what: string;
  readonly edits: readonly Edit[];
  /** The tests that have to fail: a file, and a pattern of their names. */
  readonly test: { readonly file: string; readonly title: string };
}

const BLOCKED = 'test/regression/blocked-strategy.long.test.ts';
const GONE = 'test/regression/journal-gone.long.test.ts';
const PANIC = 'test/regression/panic-without-help.long.test.ts';
const BOTH_WAYS = 'test/regression/false-terminal-status.long.test.ts';
const PATIENCE = 'src/session/supervisor/patience.ts';
const END = 'src/session/supervisor/end-at-once.ts';

export const processMutants: readonly ProcessMutant[] = [
  {
    id: 'stall-unseen',
    what: 'nobody ends a process whose strategy does not come back',
    edits: [
      {
        file: PATIENCE,
        find: "    return this.#endingAt === null && isArmed && stoodMs >= this.#stallMs ? 'stalled' : null;",
        replace: '    return null;',
      },
    ],
    test: { file: BLOCKED, title: 'caught in a loop' },
  },
  {
    id: 'stall-leaves-orders',
    what: 'a process whose strategy does not come back is ended, and its orders rest',
    edits: [
      {
        file: END,
        find: '  const cancelling = task.cancel?.(CANCEL_MS[cause]) ?? null;',
        replace: '  const cancelling = null;',
      },
    ],
    test: { file: BLOCKED, title: 'caught in a loop' },
  },
  {
    id: 'stall-forgets-the-kill',
    what: 'the next start trades on with the strategy that did not come back',
    edits: [
      {
        file: END,
        find: "  const told = cause === 'stalled' ? tryKillFile(path, error.message) : null;",
        replace: '  const told = null;',
      },
    ],
    test: { file: BLOCKED, title: 'caught in a loop' },
  },
  {
    id: 'signal-at-a-loop-unheard',
    what: 'a signal waits for a main thread that stands still',
    edits: [
      {
        file: PATIENCE,
        find: "    if (isBlocked) return 'blocked';\n",
        replace: '',
      },
    ],
    test: { file: BLOCKED, title: 'ended by SIGTERM' },
  },
  {
    id: 'panic-needs-the-configuration',
    what: 'a configuration that does not parse leaves a panic without an exchange, although a live session has told of it',
    edits: [
      {
        file: 'src/cli/commands/steer/panic.ts',
        find: '  const targets = panicTargets(config, live.records);',
        replace: '  const targets = panicTargets(config, []);',
      },
    ],
    test: { file: PANIC, title: 'configuration that does not parse' },
  },
  {
    id: 'panic-waits-for-nobody',
    what: 'a panic is done while a process that was called may still send',
    edits: [
      {
        file: 'src/session/emergency/panic-live.ts',
        find: '    return (each.call !== null && hasHeard(each.folder, each.call)) || !this.#isHeld(each);',
        replace: '    return each.call === null || hasHeard(each.folder, each.call) || this.#isHeld(each);',
      },
    ],
    test: { file: PANIC, title: 'while a process that holds the account is not silent' },
  },
  {
    id: 'panic-believes-empty-lists',
    what: 'a panic whose cancels were all refused is done by empty lists',
    edits: [
      {
        file: 'src/session/emergency/panic.ts',
        find: '      if (isAnswered && row.isLong) return',
        replace: '      if (row.isLong) return',
      },
    ],
    test: { file: PANIC, title: 'not done by empty lists alone' },
  },
  {
    id: 'journal-gone-unseen',
    what: 'a session trades on whose journal was deleted under it',
    edits: [
      {
        file: 'src/journal/files/linked-files.ts',
        find: '      if (doubt === null) continue;',
        replace: '      if (doubt !== undefined) continue;',
      },
    ],
    test: { file: GONE, title: 'whose database is deleted' },
  },
  {
    id: 'journal-gone-goes-on',
    what: 'a session whose journal was deleted under it sends nothing any more, and neither cancels nor ends',
    edits: [
      {
        file: 'src/session/realtime.ts',
        find: "event.code === 'journal_failed') failed.resolve();",
        replace: "event.code === 'killed') failed.resolve();",
      },
    ],
    test: { file: GONE, title: 'whose database is deleted' },
  },
  {
    id: 'end-without-a-comparison',
    what: 'an orderly end believes its journal, and orders rest that were called over',
    edits: [
      {
        file: 'src/session/healing/orderly-end.ts',
        find: 'const { differs, active } = await untilAgreed({ engine, reconciler }, clock, deadline);',
        replace: 'const { differs, active } = NOTHING;',
      },
    ],
    test: { file: BOTH_WAYS, title: 'is cancelled by an orderly end' },
  },
  {
    id: 'plan-sees-no-ended-order',
    what: 'plan and reconcile say that nothing rests that is over by the journal',
    edits: [
      {
        file: 'src/reconciler/compare.ts',
        find: '  for (const report of active) endedYetActive(comparison, report);\n',
        replace: '',
      },
    ],
    test: { file: BOTH_WAYS, title: 'plan and reconcile name an order' },
  },
];
