/** Errors of the command line. Exit codes: refused 1, a "no" 3, unknown outcome 4. */
import { defineErrors } from '../model/errors.ts';

export const cliErrors = defineErrors({
  not_confirmed: {
    exit: 3,
    meaning: 'The operation was not confirmed, so nothing was sent.',
    remedy: 'Answer yes on a terminal, or give --yes in a script once the plan is the one you want.',
  },
  probe_not_confirmed: {
    exit: 3,
    meaning: 'A probe got one of --arm and --confirm ACCOUNT without the other, so nothing was asked or sent.',
    remedy:
      'Give both, with the login of the account, to place and cancel one least order; without both it only reads.',
  },
  prompt_impossible: {
    exit: 2,
    meaning: 'The command has to ask something, and there is no terminal.',
    remedy: 'Set the environment variable that the message names, or run the command on a terminal.',
  },
  project_not_empty: {
    exit: 2,
    meaning: 'A project is written only into an empty folder, and this one is not empty.',
    remedy: 'Name a folder that is not there yet; for a strategy in a project that exists use `tidewire new`.',
  },
  screen_impossible: {
    exit: 2,
    meaning: 'A screen needs a terminal, and stdin or stdout is not one.',
    remedy: 'Run it on a terminal, or use `tidewire status --json`.',
  },
  prompt_answer: {
    exit: 2,
    meaning: 'An answer on the terminal or on stdin cannot be used.',
    remedy: 'Run the command again and answer as the question says.',
  },
  not_printed: {
    exit: 1,
    meaning: 'The command was carried out, but its result could not be printed completely.',
    remedy: 'Free space where stdout goes. Before you repeat a command that changes something, check what it has done.',
  },
  operation_needs_exchange: {
    exit: 2,
    meaning: 'Operations of an account need an exchange of their own; the configuration names the embedded sandbox.',
    remedy:
      'Start `tidewire sandbox` and use --config config/sandbox.yaml, or set the three addresses of the exchange.',
  },
  operation_invalid: {
    exit: 2,
    meaning: 'The operation makes no sense as given; nothing was sent.',
    remedy: "Correct what the message names; the command's help shows an example.",
  },
  operation_denied: {
    exit: 3,
    meaning: 'A safety rule of tidewire denied the operation before anything was sent.',
    remedy: 'The message names the rule; change what it protects only when you are sure.',
  },
  operation_not_sent: {
    exit: 4,
    meaning: 'The operation did not leave this machine; nothing was changed.',
    remedy: 'Check the addresses in the configuration and the network, then try again.',
  },
  operation_unknown: {
    exit: 4,
    meaning: 'The operation was sent and its outcome is unknown: it may have happened.',
    remedy:
      'Do not repeat it blindly. Look where the message says; the same command later shows what is known by then.',
  },
  order_contradicted: {
    exit: 4,
    meaning: 'The exchange took the order, and says that it is another one than was sent.',
    remedy: 'Look at the order at the exchange; cancel it where it is not what you meant.',
  },
  order_unfilled: {
    exit: 1,
    meaning: 'A market order or the close of a position ended before all of it had traded.',
    remedy: 'The message says how much traded. Look at the book and at what is held before you send the rest.',
  },
  operation_contradicted: {
    exit: 4,
    meaning: 'The exchange answered that it was done, but what it shows is not what was asked for.',
    remedy: 'Look at the exchange before you repeat it. The same command is refused until you give --again.',
  },
  operation_happened: {
    exit: 3,
    meaning: 'An earlier call with the same content had an unknown outcome. It is resolved now: it happened.',
    remedy: 'Nothing was sent. Give --again if you want it a second time.',
  },
});
