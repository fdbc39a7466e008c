/** Errors of the bridge. Its HTTP statuses stand in `server/http-status.ts`. */
import { defineErrors } from '../model/errors.ts';
import { remoteErrorRows } from './remote-errors.ts';

export const bridgeErrors = defineErrors({
  bridge_unauthorized: {
    exit: 3,
    meaning: 'A request to the dashboard has no token, a wrong one, or an expired cookie.',
    remedy:
      "Open the link that the session printed, or send `Authorization: Bearer TOKEN`; the token is in the session's folder.",
  },
  bridge_forbidden: {
    exit: 3,
    meaning: 'The role of the token may not do this, or a browser asked from another origin.',
    remedy: 'Use the token of the role `operate`, and the page of the dashboard itself. A proxy must pass the Host on.',
  },
  bridge_host: {
    exit: 3,
    meaning: 'A request names another host than the dashboard listens for.',
    remedy: 'Use the address that was printed. List a name, such as that of a proxy, in dashboard.names.',
  },
  bridge_too_many: {
    exit: 3,
    meaning: 'Too many wrong tokens, open connections, or reads of the exchange at a time.',
    remedy: 'Wait as long as Retry-After says. The right token is never slowed.',
  },
  bridge_bad_request: {
    exit: 2,
    meaning: 'A request to the dashboard cannot be read.',
    remedy: 'Correct the named field; /api/v1/openapi.json describes every request.',
  },
  bridge_ahead: {
    exit: 2,
    meaning: 'A request asks for entries after a number that the journal has not reached.',
    remedy: 'Continue with the newest number, which the hint names. If the session is another one, read again from 0.',
  },
  bridge_unknown: {
    exit: 2,
    meaning: 'The dashboard has nothing at this address, or no session, result or order of this name.',
    remedy: 'Look at /api/v1/openapi.json, or list what there is: /api/v1/sessions, /api/v1/results.',
  },
  bridge_method: {
    exit: 2,
    meaning: 'The address exists, but not for this method.',
    remedy: 'Look at /api/v1/openapi.json.',
  },
  bridge_too_large: {
    exit: 2,
    meaning: 'The body of a request has more than 64 KiB.',
    remedy: 'Send less at a time.',
  },
  bridge_slow: {
    exit: 2,
    meaning: 'The body of a request did not arrive within ten seconds.',
    remedy: 'Send it at once.',
  },
  bridge_confirmation_needed: {
    exit: 3,
    meaning: 'A command adds risk or moves money, and needs a second step.',
    remedy: 'Send the same command again within a minute, with `code` from `confirm` of the answer.',
  },
  bridge_not_commandable: {
    exit: 1,
    meaning: 'The session cannot be commanded from here: it does not run, or it has no dashboard of its own.',
    remedy:
      'For a running session use the terminal: `tidewire pause`, `cancel-all`, `panic`. An ended session needs no command.',
  },
  bridge_key_reused: {
    exit: 2,
    meaning: 'An Idempotency-Key was used before, for another command.',
    remedy: 'Make a new key for each command; repeat a key only to repeat the same command.',
  },
  bridge_no_answer: {
    exit: 1,
    meaning: 'The session did not answer a command in time.',
    remedy:
      "Look at the session's entries, or repeat the command with the same Idempotency-Key: it is carried out once.",
  },
  bridge_internal: {
    exit: 1,
    meaning: 'A request to the dashboard failed unexpectedly.',
    remedy: 'Please report this as a bug, with the line of the log.',
  },
  operation_no_key: {
    exit: 3,
    meaning: 'An operation of the account needs an API key, and this process holds none: a paper session never does.',
    remedy:
      'Ask the process of a session of `run`; reads are answered by `tidewire dashboard`, too, with the key in its environment or in a key file.',
  },
  operation_no_exchange: {
    exit: 3,
    meaning: 'This process is connected to no exchange: the configuration names the embedded sandbox.',
    remedy: 'Set the three addresses of the exchange, or ask the process of a session.',
  },
  operation_answer: {
    exit: 4,
    meaning: 'An answer of the exchange was decoded, but differs from the operations table.',
    remedy: 'Please report this as a bug, with the name of the operation.',
  },
  dashboard_exposed: {
    exit: 3,
    meaning: 'The dashboard would listen beyond this machine without encryption.',
    remedy:
      'Give dashboard.tls a certificate and a key, or put it behind a proxy that encrypts and set dashboard.public with --behind-proxy. Otherwise leave dashboard.host at 127.0.0.1.',
  },
  dashboard_port: {
    exit: 2,
    meaning: 'The dashboard cannot listen on its port.',
    remedy: 'Give another port with --dashboard PORT; 0 takes any that is free.',
  },
  dashboard_token: {
    exit: 2,
    meaning: 'The token of the dashboard is too short, or cannot be kept.',
    remedy: 'Give at least 32 characters in TIDEWIRE_DASHBOARD_TOKEN, or none: then one is made.',
  },
  dashboard_tls: {
    exit: 2,
    meaning: 'The certificate or the key of the dashboard cannot be read.',
    remedy: 'Check the files of dashboard.tls: PEM, readable by this user, and of one another.',
  },
  ...remoteErrorRows,
});
