/** Errors of what comes in from outside beside the API: signals, and clients of `tidewire mcp`. */
import type { ErrorRow } from '../model/errors.ts';

export const remoteErrorRows = {
  signal_unknown: {
    exit: 2,
    meaning: 'A signal came for a name, or on a secret path, that is not configured.',
    remedy: 'Add the name to `signals` of the configuration, or send to one that stands there.',
  },
  signal_signature: {
    exit: 3,
    meaning: 'The signature of a signal is missing or wrong.',
    remedy: 'Sign `timestamp\\nid\\nbody` with HMAC-SHA256 and the secret of this name, and send it in hex.',
  },
  signal_time: {
    exit: 3,
    meaning: 'The time of a signal is more than 30 s from the clock of this machine.',
    remedy: 'Send it at once, with X-Signal-Timestamp in Unix ms; set the clocks of both machines.',
  },
  signal_invalid: {
    exit: 2,
    meaning: 'A signal has no id, no time, or a body that cannot be read.',
    remedy: 'Send X-Signal-Id, X-Signal-Timestamp and a JSON body; docs/remote.md has an example.',
  },
  signal_seen: {
    exit: 1,
    meaning: 'A signal of this name and id was taken before; it is not given to the strategies again.',
    remedy: 'Nothing is to be done. A new signal needs a new id.',
  },
  signal_too_many: {
    exit: 1,
    meaning: 'More than 60 signals of one name came within a minute.',
    remedy: 'Send less often, or put several values into the data of one signal.',
  },
  signal_not_taken: {
    exit: 4,
    meaning: 'The session cannot take signals now: its strategies do not decide, or its journal cannot be written.',
    remedy: "Send the same signal again while it is valid; read the session's log.",
  },
  mcp_too_long: {
    exit: 1,
    meaning: 'The answer of a tool of `tidewire mcp` is too long for a client.',
    remedy: 'Ask for less: a smaller limit, entries after a number, one kind.',
  },
  mcp_outside: {
    exit: 2,
    meaning: 'An AI client named a strategy file outside the working folder.',
    remedy: 'Put the strategy into the folder that `tidewire mcp` was started in.',
  },
  mcp_run_failed: {
    exit: 1,
    meaning: 'A backtest or sweep that an AI client asked for failed.',
    remedy: "The message contains the command's error; correct that.",
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;
