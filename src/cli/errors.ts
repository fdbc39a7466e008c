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
    meaning: 'Something has to be asked, and there is no terminal to ask on.',
    remedy: 'Set the environment variable that the message names, or run the command on a terminal.',
  },
  project_not_empty: {
    exit: 2,
    meaning: 'A project is written into an empty folder alone, and this one is none.',
    remedy: 'Name a folder that is not there yet; for a strategy in a project that exists use `tidewire new`.',
  },
  screen_impossible: {
    exit: 2,
    meaning: 'A screen needs a terminal, and stdin or stdout is none.',
    remedy: 'Run it on a terminal, or use `tidewire status --json`.',
  },
  prompt_answer: {
    exit: 2,
    meaning: 'An answer on the terminal or on stdin cannot be used.',
    remedy: 'Run the command again and answer as the question says.',
  },
  not_printed: {
    exit: 1,
    meaning: 'The result could not be printed: what was asked for was done, and its answer is lost or cut short.',
    remedy: 'Free space where stdout goes. Before you repeat what changes something, look what it has done.',
  },
  operation_needs_exchange: {
    exit: 2,
    meaning: 'Operations of an account need an exchange of their own; the configuration names the embedded sandbox.',
    remedy:
      'Start `tidewire sandbox` and use --config config/sandbox.yaml, or set the three addresses of the exchange.',
  },
  operation_invalid: {
    exit: 2,
    meaning: 'The operation cannot be meant as it was given; nothing was sent.',
    remedy: 'Mend what the message names; the help of the command shows an example.',
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
    meaning: 'The operation was sent and no proof came of how it ended: it may have happened.',
    remedy: 'Do not repeat it blindly. Look where the message says; the same command tells what is known by then.',
  },
  operation_happened: {
    exit: 3,
    meaning: 'An earlier call of the same content, whose end was unknown, is proved by now to have happened.',
    remedy: 'Nothing was sent. Give --again if you want it a second time.',
  },
});
