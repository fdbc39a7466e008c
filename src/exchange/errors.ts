/** Errors of the exchange room (docs/errors.md). */
import { defineErrors } from '../model/errors.ts';

export const exchangeErrors = defineErrors({
  override_unknown: {
    exit: 2,
    meaning: 'A config override names an endpoint or channel that does not exist.',
    remedy: 'Correct the name under exchange.overrides; docs/interface.md lists the rows.',
  },
  override_refused: {
    exit: 2,
    meaning: 'A config override names a documented endpoint or channel.',
    remedy: 'Remove it: only assumed rows can be overridden.',
  },
  exchange_unreachable: {
    exit: 4,
    meaning: 'The exchange could not be reached or did not answer in time.',
    remedy: 'Check the addresses under exchange in the config and the network, then try again.',
  },
  exchange_refused: {
    exit: 4,
    meaning: 'The exchange refused a request.',
    remedy: 'The message carries the reason given by the exchange; correct the request or the key.',
  },
  key_refused: {
    exit: 4,
    meaning: 'The exchange refuses the API key.',
    remedy: 'Check the key, its permissions, its IP whitelist, its age (90 days without whitelist) and the clock.',
  },
  login_refused: {
    exit: 4,
    meaning: 'The exchange refuses the login or its token.',
    remedy: 'Log in again; check login, password and the 2FA code, which depends on the clock.',
  },
  login_required: {
    exit: 4,
    meaning: 'The operation needs a login with password and 2FA code; an API key never has this right.',
    remedy: 'Log in first. A login lives for a limited time.',
  },
  exchange_not_available: {
    exit: 4,
    meaning: 'The exchange does not offer this operation.',
    remedy: 'Do without it, or use a service (or a version of the sandbox) that has it.',
  },
  exchange_answer: {
    exit: 4,
    meaning: 'An answer of the exchange could not be decoded.',
    remedy:
      'Compare what the message names with the documentation of the service; names and paths that are only assumed can be replaced (`exchange.overrides`, docs/interface.md).',
  },
  bad_key: {
    exit: 2,
    meaning: 'The API key in the environment or key file is not of the right form.',
    remedy:
      'The public key is 64 hexadecimal characters, the secret is hexadecimal too, as the exchange gave it; copy them again.',
  },
});
