/** Every error of a journal. */
import { defineErrors, type TidewireError } from '../model/errors.ts';

export const journalErrors = defineErrors({
  journal_locked: {
    exit: 3,
    meaning: 'Another process works on this journal.',
    remedy:
      'Stop the other instance first, or use another session directory. The lock frees itself when its process ends.',
  },
  journal_full: {
    exit: 5,
    meaning: "The journal's disk is full; nothing is sent without a journal row.",
    remedy: 'Free disk space, then start again: open orders are adopted from the journal and the exchange.',
  },
  journal_gone: {
    exit: 5,
    meaning:
      'The files of the journal were removed, moved, replaced or cut while the session ran; nothing was sent from then on.',
    remedy:
      'Put the folder of the session back under its own name, not inside another folder, or restore it from a backup; check it with `tidewire journal verify` and `tidewire plan`, then start again.',
  },
  journal_archive: {
    exit: 5,
    meaning:
      "A segment of the journal's archive (`journal-archive/`) is missing, or is not what was written. Older rows cannot be read; a session with a snapshot of this build needs none of them.",
    remedy:
      'Restore the named file from a backup of the journal or a copy of the folder, and check with `tidewire journal verify`. A live session starts and trades without it, if its newest snapshot is of this build; results, `plan`, `why`, `export` and `backup` need it.',
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
    remedy: 'Name a session directory, its journal.db, or an id below `journal.dir` (data/sessions; `--config FILE`).',
  },
  journal_unreadable: {
    exit: 2,
    meaning:
      'The journal or its log cannot be opened for reading: permissions, or a read-only place. This does not mean that it is damaged.',
    remedy:
      'Correct the permissions. A journal and older backups need a log file, which cannot be made on a read-only disk: copy the file, with its `-wal` if there is one, into a writable folder and name the copy. Backups of this version need no log.',
  },
  journal_exists: {
    exit: 3,
    meaning: 'The target of a restore or backup exists already.',
    remedy: 'Choose another target or move the existing file away; nothing is overwritten.',
  },
  backup_interrupted: {
    exit: 1,
    meaning: 'The backup was interrupted before it was complete; nothing of it is left.',
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
    meaning:
      'The journal has fewer rows than before: an older copy was restored by hand, its last rows are lost, or it is gone.',
    remedy:
      'Put the newer journal back if there is one, before anything starts. Otherwise the next start takes no new risk: reconcile it with the exchange (`tidewire plan`, `tidewire reconcile`; where no row is left `run` alone), then `tidewire journal acknowledge SESSION --reason "…"`.',
  },
  journal_not_restored: {
    exit: 2,
    meaning: 'The journal has no restore that waits for an acknowledgement.',
    remedy: '`tidewire status` shows which sessions are restored and not acknowledged.',
  },
});

/** `row`: the one that breaks it. */
export function corrupt(path: string, text: string, row?: number): TidewireError {
  return journalErrors.make('journal_corrupt', `${path}${text}`, row === undefined ? { path } : { path, row });
}
