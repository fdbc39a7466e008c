/** Errors of the session room. */
import { defineErrors } from '../model/errors.ts';

export const sessionErrors = defineErrors({
  config_not_found: {
    exit: 2,
    meaning: 'The configuration file does not exist or cannot be read.',
    remedy: 'Check the path given with --config, or leave it out to use config/default.yaml.',
  },
  config_syntax: {
    exit: 2,
    meaning: 'The configuration file is not valid YAML.',
    remedy: 'Correct the named line; indentation is two spaces and a key ends with a colon.',
  },
  config_invalid: {
    exit: 2,
    meaning: 'A configuration value is invalid, or a key is unknown.',
    remedy: 'Correct the named path; `tidewire config schema` describes every key.',
  },
  config_variable: {
    exit: 2,
    meaning: 'The configuration reads an environment variable that is not set.',
    remedy: 'Set the variable or write the value into the file.',
  },
  signal_file_unreadable: {
    exit: 2,
    meaning: 'The signal file of a backtest cannot be read.',
    remedy: 'Check the path given with --signal-file.',
  },
  no_strategy: {
    exit: 2,
    meaning: 'No strategy was named, neither as an argument nor in the configuration.',
    remedy: 'Name a strategy file: tidewire paper strategies/spread-maker.ts',
  },
  duplicate_tag: {
    exit: 2,
    meaning: 'Two strategies of one configuration have the same tag.',
    remedy: 'Give each strategy of the configuration its own tag.',
  },
  currency_unknown_here: {
    exit: 2,
    meaning: 'No instrument of the exchange, or of the data, has a currency given by `--start`.',
    remedy: 'Give one of the currencies that are named.',
  },
  reporting_unpriced: {
    exit: 2,
    meaning:
      'What is traded has no price in the reporting currency, so neither its limits in money nor its result have a value.',
    remedy: 'Set account.reporting to a currency in which the symbols are quoted, and write limits in money in it.',
  },
  symbol_unknown_here: {
    exit: 2,
    meaning: 'A strategy trades a symbol that this exchange does not have.',
    remedy: 'Give one of the symbols that are named to the parameter that is named: `--param NAME=SYMBOL`.',
  },
  symbol_not_listed: {
    exit: 4,
    meaning:
      'The exchange does not list a symbol in which the session to be resumed has a position, an order or a program, and nothing watches it meanwhile.',
    remedy:
      'Start it again: it continues as soon as the list has the symbol. Until then look at the exchange after what the message names; `tidewire panic` cancels every order.',
  },
  no_data: {
    exit: 2,
    meaning: 'The data holds nothing in the period asked for.',
    remedy: 'Widen --from and --to, or check the data with `tidewire data info PATH`.',
  },
  live_not_confirmed: {
    exit: 3,
    meaning: 'Real orders need both flags, --live and --confirm ACCOUNT.',
    remedy: 'Paper-trade first; then add --live --confirm followed by the login of the account.',
  },
  live_wrong_account: {
    exit: 3,
    meaning: "The key's account is not the one that --confirm names, or not the session's.",
    remedy:
      'Check which key is set, and confirm the login that it belongs to, or name a session of that account: `tidewire status` lists them.',
  },
  live_key_permission: {
    exit: 3,
    meaning: 'The key lacks a permission that a live session needs.',
    remedy: 'Create a key with full trading permission: `tidewire keys create --permission trading_spot=full`.',
  },
  live_sandbox_key: {
    exit: 3,
    meaning: 'A well-known sandbox key was given for an exchange that is not on this machine.',
    remedy: 'Set TIDEWIRE_API_KEY and TIDEWIRE_API_SECRET to a key of your own.',
  },
  live_uncertified: {
    exit: 3,
    meaning:
      'The check of certificates is switched off, so anybody on the network path could pretend to be the exchange.',
    remedy: 'Unset NODE_TLS_REJECT_UNAUTHORIZED. For a certificate of your own set NODE_EXTRA_CA_CERTS to its file.',
  },
  live_unencrypted: {
    exit: 3,
    meaning:
      'An address of the exchange is not encrypted, so anybody on the network path could read the login and pretend to be the exchange.',
    remedy:
      'Use https:// and wss:// under exchange: in the configuration. Only a sandbox on this machine needs neither.',
  },
  live_no_exchange: {
    exit: 2,
    meaning: 'Live needs the addresses of an exchange; the configuration names the embedded sandbox.',
    remedy:
      'Start `tidewire sandbox` and use --config config/sandbox.yaml, or set the three addresses of the exchange.',
  },
  no_api_key: {
    exit: 2,
    meaning: 'This needs an API key and none is set.',
    remedy:
      'Set TIDEWIRE_API_KEY and TIDEWIRE_API_SECRET, or store a key with `tidewire keys store`; never on the command line.',
  },
  approvals_unreadable: {
    exit: 5,
    meaning: 'The list of approved versions beside the sessions cannot be read.',
    remedy: 'Mend or move the file; without it every version begins its trial anew.',
  },
  band_unusable: {
    exit: 2,
    meaning:
      'The file that `strategies[].band` names holds no band of this strategy, or the session runs several strategies.',
    remedy: 'Give the file that `tidewire validate --result FILE` wrote for this strategy, or leave band out.',
  },
  limit_not_confirmed: {
    exit: 3,
    meaning: 'A change of limits was not confirmed in time, or the session does not run.',
    remedy:
      'Where the session does not run, start it and give the command again. Else propose the change again with `tidewire limits override` or `widen`, and confirm it within a minute with the code that is printed.',
  },
  command_not_heeded: {
    exit: 1,
    meaning: 'The running session has not carried out a pause, a resume or a change of limits in time.',
    remedy:
      'The message says whether it was withdrawn or may still take effect. Check with `tidewire status` and the log whether the session runs, then give the command again; `tidewire panic` stops trading without it.',
  },
  session_not_running: {
    exit: 2,
    meaning: 'The session does not run, so it carries out no command.',
    remedy:
      '`tidewire panic` cancels every order of a live account without the session, and latches it. A start continues its orders and programs, and its strategies may trade before you can cancel.',
  },
  session_several: {
    exit: 2,
    meaning: 'Several sessions run and it is not clear which one is meant.',
    remedy: 'Name one with --session; `tidewire status` lists them.',
  },
  cancel_not_heeded: {
    exit: 1,
    meaning: 'The running session has not accepted the cancel command in time.',
    remedy:
      'The message says whether it was withdrawn or may still take effect. Check with `tidewire status` whether it still runs, and read its log; `tidewire panic` cancels without it.',
  },
  owner_file_exists: {
    exit: 3,
    meaning: 'A file for its owner alone is there already and would be lost.',
    remedy: 'Name another file, or give --replace when the old content is not needed any more.',
  },
  owner_file_open: {
    exit: 3,
    meaning: 'A key file or address book can be read or changed by others, so it cannot be trusted.',
    remedy: 'Restrict it to its owner (chmod 600 FILE). If others may have seen a key, delete it and create a new one.',
  },
  owner_file_unreadable: {
    exit: 5,
    meaning: 'A key file, an address book or the list of money journals is there but cannot be read.',
    remedy: 'Check the path and its permissions, or restore the file.',
  },
  key_file_damaged: {
    exit: 5,
    meaning: 'A key file was cut or changed after it was written.',
    remedy: 'Restore it from a copy, or delete the key at the exchange and create a new one.',
  },
  key_file_passphrase: {
    exit: 2,
    meaning: 'The passphrase of a key file is wrong, or too short to protect it.',
    remedy: 'Give the passphrase that the file was made with. It cannot be recovered: without it create a new key.',
  },
  key_file_other_exchange: {
    exit: 3,
    meaning: 'The key file belongs to another exchange than the configuration names.',
    remedy: 'Set TIDEWIRE_KEY_FILE to the key file of this exchange, or use the configuration of the other one.',
  },
  address_book_damaged: {
    exit: 5,
    meaning: 'The address book was changed by something other than tidewire, or cut.',
    remedy: 'Find out who wrote to it before any money moves. Restore a copy, or start a new book.',
  },
  address_book_other_key: {
    exit: 3,
    meaning: 'The address book is sealed with another API key, so its addresses are not verified.',
    remedy: 'Use that key, or check each address and run `tidewire wallet book reseal`; their delay then starts again.',
  },
  address_invalid: {
    exit: 2,
    meaning: 'An address cannot be put into the address book.',
    remedy: 'Correct what the message names; `tidewire wallet book list` shows the entries.',
  },
  address_not_in_book: {
    exit: 3,
    meaning:
      'Withdrawals go only to addresses of the address book, for the currency and network with which they were added.',
    remedy: 'Add the address with `tidewire wallet book add` and wait for its delay.',
  },
  address_ambiguous: {
    exit: 3,
    meaning:
      'Several entries of the address book are meant: by name and by address, or by one address with different memos.',
    remedy:
      'Give the name of the entry; where that is the address of another, give its address, or remove one of the two.',
  },
  address_too_new: {
    exit: 3,
    meaning: 'The address was added too short a time ago for money to go there.',
    remedy: 'Wait; the delay gives you time to notice an address that you did not add.',
  },
  clock_off: {
    exit: 3,
    meaning: 'The clock of this machine differs too much from the exchange.',
    remedy: 'Set the clock (for example with `timedatectl set-ntp true`) and start again.',
  },
  session_not_found: {
    exit: 2,
    meaning: 'There is no such session.',
    remedy:
      'List the sessions with `tidewire status`; where the configuration is not the standard one, name it with `--config FILE`.',
  },
  session_unreadable: {
    exit: 5,
    meaning: 'A session folder is there but cannot be read, so it is not known whether it is unfinished.',
    remedy: 'Restore the file that is named, or move the folder away once you know that nothing of it is open.',
  },
  drift_sum: {
    exit: 1,
    meaning: 'The parts of a drift do not add up to the gap.',
    remedy: 'This is a bug in tidewire. Please report it with the folder of the session.',
  },
  drift_unpriced: {
    exit: 2,
    meaning: 'Something that was traded, or a fee, has no price in the reporting currency in the recording.',
    remedy: 'Set account.reporting to a currency in which the symbols of the session are quoted.',
  },
  nothing_to_replay: {
    exit: 2,
    meaning: 'The session has no record of decisions.',
    remedy: 'Replay a paper or live session that ran long enough to decide something.',
  },
  replay_unreadable: {
    exit: 5,
    meaning: 'The recording holds notes of what the session saw that this version cannot read.',
    remedy:
      'Replay it with the version that recorded it. `--simulate`, `drift` and backtests read its frames all the same.',
  },
  session_unfinished: {
    exit: 3,
    meaning:
      'A new live session would abandon the orders, the programs or the active kill switch of one of the same account that did not end in order, or a strategy would not know what it holds.',
    remedy:
      'Start with the same strategies and tags (others may join them) and without --new, to continue it. A position alone is left behind with --new. To abandon all: `tidewire panic`, then `tidewire reconcile`, then `tidewire journal clear-kill SESSION --reason "…"`, then start; decide unresolved money with `tidewire money decide`.',
  },
  reporting_changed: {
    exit: 3,
    meaning:
      'The session that this start would continue counts its equity and its losses in another currency than `account.reporting`.',
    remedy: 'Set `account.reporting` to that currency. For another one start with --new, once nothing is left at work.',
  },
  session_running: {
    exit: 3,
    meaning: 'Another process runs this session, or a live session on the same account.',
    remedy:
      'Stop the other process first. Paper takes --new for a session of its own; live strategies that share an account run in one process, listed in one configuration.',
  },
  session_stalled: {
    exit: 1,
    meaning: 'A strategy or another function blocked the event loop for `risk.stallMs`, so nothing else could run.',
    remedy:
      'Correct the named line. Open orders were cancelled by another connection and the kill switch is on: see `tidewire plan`, then `tidewire journal clear-kill SESSION --reason "…"` and start again.',
  },
  session_killed: {
    exit: 3,
    meaning:
      'The session began and ended with its kill switch on: it reconciled, sent cancels and exits, and denied everything else.',
    remedy:
      'Look with `tidewire plan`. When trading is safe again: `tidewire journal clear-kill SESSION --reason "…"`, then start again.',
  },
  session_cut_short: {
    exit: 1,
    meaning: 'The session could not end in order, or was stopped a second time.',
    remedy:
      'Open orders were cancelled by another connection as far as there was time; `tidewire panic` cancels the rest. The next start continues the session.',
  },
  clock_behind_journal: {
    exit: 3,
    meaning: 'The clock is earlier than the last row of the journal, so new rows would be out of order.',
    remedy: 'Set the clock (for example with `timedatectl set-ntp true`) and start again.',
  },
  build_changed: {
    exit: 3,
    meaning: 'A live session was left unfinished by another build of tidewire than this one.',
    remedy:
      'Check with `tidewire plan`. If the change was intended, `tidewire journal approve-build SESSION --reason TEXT`; otherwise start the named build.',
  },
  build_approved: {
    exit: 2,
    meaning: 'There is no change of build to approve.',
    remedy: 'Start the session; `tidewire journal show SESSION --kind session` shows which builds worked on it.',
  },
  disk_low: {
    exit: 3,
    meaning: 'Too little space is left for the journal of a live session.',
    remedy: 'Free at least 1 GB, or ten times the journal, or point journal.dir to another disk.',
  },
  disk_full: {
    exit: 1,
    meaning: 'A file could not be written: the disk is full, or the quota of this user is used up.',
    remedy: 'Free space, or point journal.dir and recording.dir elsewhere. What was written before stays readable.',
  },
  not_writable: {
    exit: 1,
    meaning: 'A file could not be written: this user may not, the disk is read-only, or the path is no file or folder.',
    remedy: 'Check the path that is named and who may write there, or give another one.',
  },
  strict_warnings: {
    exit: 5,
    meaning: '--strict was given and a warning touches the results.',
    remedy: 'Correct what the warnings name, or run without --strict to accept them.',
  },
  remote_field: {
    exit: 2,
    meaning: 'A command from outside lacks a field, or a field has a value that cannot be read.',
    remedy: 'Give the field that is named; docs/bridge.md has the fields of each command.',
  },
  remote_strategy: {
    exit: 2,
    meaning: 'A command from outside names a strategy that this session does not have.',
    remedy: 'Give one of the tags that are named, or none for all of them.',
  },
  remote_symbol: {
    exit: 2,
    meaning: 'A command from outside names a symbol that the exchange does not have.',
    remedy: 'Give a symbol of the session, or none for all of them.',
  },
  remote_ref: {
    exit: 2,
    meaning: 'A command from outside names an order or a program that does not work, or several.',
    remedy: 'Give the ref of a working order or program, as TAG/REF where two strategies use the same.',
  },
  remote_nothing: {
    exit: 1,
    meaning: 'A command from outside would change nothing: the state that it ends is not active.',
    remedy: 'Check the state of the session first.',
  },
  remote_denied: {
    exit: 3,
    meaning: 'A safety rule denies what a command from outside asks for; nothing was sent.',
    remedy: 'The message names the reason (docs/deny-reasons.md); change what it protects only when you are sure.',
  },
  remote_not_confirmed: {
    exit: 3,
    meaning:
      'A command that adds risk came with a wrong code, too late, without a first step, or after what it confirms had changed.',
    remedy: 'Send the command without a code, then the same command with the code of the answer within a minute.',
  },
  remote_not_durable: {
    exit: 5,
    meaning: 'A command from outside was carried out, but the journal could not be written.',
    remedy: 'Check the disk and the log. A kill still works; everything else that adds risk is denied.',
  },
  result_invalid: {
    exit: 2,
    meaning: 'A result file cannot be read.',
    remedy: 'Name the JSON file that `backtest --result FILE` wrote.',
  },
  bad_option: {
    exit: 2,
    meaning:
      'An option or an argument has a value that cannot be read, does not exist, or does not go with the others.',
    remedy: 'Give a value as the message says; --help of the command describes each option.',
  },
});
