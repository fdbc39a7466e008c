/** Every error that `execution/` throws, once. Denials of actions are not errors: see `model/deny-reason.ts`. */
import { defineErrors } from '../model/errors.ts';

export const executionErrors = defineErrors({
  journal_locked: {
    exit: 3,
    meaning: 'Another process works on this journal.',
    remedy:
      'Stop the other instance first, or use another session directory. The lock frees itself when its process ends.',
  },
  journal_full: {
    exit: 5,
    meaning: 'The disk that holds the journal is full; nothing is sent without a journal row.',
    remedy: 'Free disk space, then start again: open orders are adopted from the journal and the exchange.',
  },
  journal_gone: {
    exit: 5,
    meaning:
      'The files of the journal were removed, moved, replaced or cut while the session ran; nothing was sent from then on.',
    remedy:
      'Put the folder of the session back, or restore it from a backup; look with `tidewire journal verify` and `tidewire plan`, then start again.',
  },
  journal_failed: {
    exit: 5,
    meaning: 'The journal cannot be written or read; nothing is sent without a journal row.',
    remedy: 'Check the disk and the file permissions of the session directory, then start again.',
  },
  journal_corrupt: {
    exit: 5,
    meaning: 'The journal fails its integrity check.',
    remedy: 'Keep the file, run `tidewire journal verify` to see where it breaks, and restore the newest backup.',
  },
  journal_newer: {
    exit: 5,
    meaning: 'The journal was written by a newer version.',
    remedy: 'Update tidewire; an older version never touches a newer journal.',
  },
  journal_not_found: {
    exit: 2,
    meaning: 'There is no journal at this place.',
    remedy: 'Name a session directory, its journal.db, or an id under data/sessions.',
  },
  journal_unreadable: {
    exit: 2,
    meaning:
      'The journal cannot be opened to be read, or its log cannot: permissions, or a place where nothing can be written. It is not known to be broken.',
    remedy:
      'Mend the permissions. On a read-only disk a journal and older backups need a log that cannot be made there: copy the file, with its `-wal` if there is one, into a folder that can be written, and name the copy. Backups of this version need none.',
  },
  journal_exists: {
    exit: 3,
    meaning: 'The target of a restore or backup exists already.',
    remedy: 'Choose another target or move the existing file away; nothing is overwritten.',
  },
  backup_interrupted: {
    exit: 1,
    meaning: 'The backup was interrupted before it was whole; nothing of it is left.',
    remedy: 'Give the same command again.',
  },
  journal_foreign: {
    exit: 3,
    meaning: 'The journal belongs to another account, mode or exchange than this session.',
    remedy: 'Put the folder back where it came from. A journal is never used for another account.',
  },
  journal_owner: {
    exit: 3,
    meaning: 'The folder or file of the journal belongs to another user of this machine.',
    remedy: 'Run as the user who owns it, or give the files to this one with chown.',
  },
  journal_rewound: {
    exit: 5,
    meaning: 'The journal knows less than it did: it was put back by hand, lost its last rows, or is gone.',
    remedy:
      'Put the newer journal back if there is one, before anything starts. Else the next start takes no new risk: let it compare itself with the exchange (`tidewire plan`, `tidewire reconcile`, or `run`), then `tidewire journal acknowledge SESSION --reason "…"`.',
  },
  journal_not_restored: {
    exit: 2,
    meaning: 'The journal is not one that waits for its restore to be acknowledged.',
    remedy: '`tidewire status` shows which sessions are restored and not acknowledged.',
  },
  order_not_in_doubt: {
    exit: 2,
    meaning: 'Nobody has to say whose that order at the exchange is: it could not be one of unknown fate.',
    remedy: '`tidewire plan` shows orders of unknown fate, and beside each which orders at the exchange could be it.',
  },
  decision_not_open: {
    exit: 2,
    meaning:
      'No decision of that id is open: it was never shown, it is decided, or what it is about has changed since.',
    remedy: 'Look again with `tidewire plan`, and give an id that it shows now. Nothing was decided.',
  },
  decision_choice: {
    exit: 2,
    meaning: 'The decision has no such choice.',
    remedy: 'Give one of the choices that the message names; `tidewire plan` says what each does. Nothing was decided.',
  },
  unknown_strategy: {
    exit: 1,
    meaning: 'An action came from a strategy tag that the executor was not told of.',
    remedy: 'List the strategy under `strategies` with this tag.',
  },
  limit_unknown: {
    exit: 2,
    meaning: 'The name is no limit that can be overridden.',
    remedy: 'Use one of the names in the message; docs/risk.md lists all limits.',
  },
  limit_value: {
    exit: 2,
    meaning: 'The value is not one of this limit, or the strategy is not known.',
    remedy: 'Amounts are decimals such as "2500"; fractions lie between 0 and 1; strategies are named by their tag.',
  },
  not_latched: {
    exit: 2,
    meaning: 'The strategy is not latched, or the symbol not halted, in this session.',
    remedy: '`tidewire limits show SESSION` lists what is.',
  },
  not_on_trial: {
    exit: 2,
    meaning: 'The strategy is not on trial in this session.',
    remedy: '`tidewire limits show SESSION` lists what is; trials exist where `risk.canary` is configured.',
  },
  trial_not_over: {
    exit: 3,
    meaning: 'The trial of the version is not over: it has not run long enough, or has too few fills.',
    remedy: 'Wait, or set `risk.canary.minMs` and `minFills` before the session starts.',
  },
  duplicate_strategy: {
    exit: 2,
    meaning: 'Two strategies share a tag.',
    remedy: 'Give each entry of `strategies` a tag of its own.',
  },
});
