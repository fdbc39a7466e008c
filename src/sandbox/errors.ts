/** Errors of the sandbox room. */
import { defineErrors } from '../model/errors.ts';

export const sandboxErrors = defineErrors({
  sandbox_port_in_use: {
    exit: 4,
    meaning: 'The port of the sandbox is taken by another program.',
    remedy: 'Choose another one with --port, or --port 0 for any free one.',
  },
  sandbox_listen_failed: {
    exit: 4,
    meaning: 'The sandbox cannot listen on its address.',
    remedy: 'The message carries the reason of the system; choose another port or host.',
  },
  sandbox_bad_option: {
    exit: 2,
    meaning: 'An option of the sandbox has a value that it does not take.',
    remedy: 'Correct the option; `tidewire sandbox --help` lists what each takes.',
  },
});
