/** Every error that `execution/` throws. Denials of actions are in `model/trading/deny-reason.ts`. */
import { defineErrors } from '../model/errors.ts';

export const executionErrors = defineErrors({
  decision_not_open: {
    exit: 2,
    meaning:
      'No decision with that id is open: it was never shown, is decided already, or its subject has changed since.',
    remedy: 'Look again with `tidewire plan`, and give an id that it shows now. Nothing was decided.',
  },
  decision_choice: {
    exit: 2,
    meaning: 'The decision has no such choice.',
    remedy: 'Give one of the choices that the message names; `tidewire plan` says what each does. Nothing was decided.',
  },
  fills_cursor_unknown: {
    exit: 1,
    meaning:
      'A strategy asked for its fills since a fill that no session of the account here has, or that is no longer kept.',
    remedy: 'Keep the cursor in `state` and ask in `setup`; give no cursor to have all fills of the session.',
  },
  unknown_strategy: {
    exit: 1,
    meaning: 'An action came from an unknown strategy tag.',
    remedy: 'List the strategy under `strategies` with this tag.',
  },
  duplicate_strategy: {
    exit: 2,
    meaning: 'Two strategies share a tag.',
    remedy: 'Give each entry of `strategies` its own tag.',
  },
});
