/**
 * `tidewire keys status`: the key in use, its rights and age, from the exchange's list with a login, else the key file.
 * Exit 1 when expired or refused.
 */
import { Command } from 'commander';
import type { Credentials } from '../../../exchange/client/credentials.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { Permission } from '../../../exchange/interface/permissions.ts';
import { loadConfig } from '../../../session/config/load.ts';
import { credentialsOf } from '../../../session/connection/connection.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { ageWarning, keyAge, type KeyAge } from '../../../session/key-file/age.ts';
import { findStoredKey, keyFilePath, type StoredKey } from '../../../session/key-file/key-file.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { configSource } from '../../config-option.ts';
import { hasLogin, logIn } from '../../operations/login.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';
import { permissionText } from './permission-options.ts';

interface Options extends OperationOptions {
  readonly login?: boolean;
  readonly offline?: boolean;
}

/** Null: not known. */
interface Known {
  readonly name: string | null;
  readonly permissions: readonly Permission[] | null;
  readonly ipAddresses: readonly string[] | null;
  readonly createdAt: number | null;
}

interface KeyPlace {
  readonly publicKey: string;
  readonly source: 'environment' | 'file';
  readonly path: string | null;
  readonly known: Known;
}

interface Checked {
  readonly state: 'active' | 'refused' | 'unchecked';
  readonly account: string | null;
  readonly reason: string | null;
}

const NOTHING: Known = { name: null, permissions: null, ipAddresses: null, createdAt: null };

function placeOf(given: Credentials | null, stored: StoredKey | null): KeyPlace {
  if (given === null) {
    if (stored === null) throw sessionErrors.make('no_api_key', 'no key in the environment, and there is no key file');
    return { publicKey: stored.facts.publicKey, source: 'file', path: stored.path, known: stored.facts };
  }
  const { publicKey } = given;
  const same = stored !== null && stored.facts.publicKey === publicKey;
  return { publicKey, source: 'environment', path: null, known: same ? stored.facts : NOTHING };
}

async function check(exchange: Exchange): Promise<Checked> {
  const me = await exchange.account.me();
  if (me.kind === 'value') return { state: 'active', account: me.value.login, reason: null };
  if (me.error.code !== 'key_refused') throw me.error;
  return { state: 'refused', account: null, reason: me.error.message };
}

async function knownBy(exchange: Exchange, publicKey: string): Promise<Known | null> {
  const keys = answered('own keys', await exchange.money.identity.keys());
  return keys.find((key) => key.publicKey === publicKey.toLowerCase()) ?? null;
}

function agedText(age: KeyAge): string {
  switch (age.kind) {
    case 'endless':
      return 'no end: it has a whitelist';
    case 'unknown':
      return 'not known; --login asks the exchange';
    default:
      return `${age.days} days old, until ${timeText(age.expiresAt)}`;
  }
}

function result(place: KeyPlace, known: Known, checked: Checked, now: number): CommandResult {
  const age = keyAge(known, now);
  const warning = ageWarning(age);
  const warnings = warning === null ? [] : [warning];
  const { publicKey, source, path } = place;
  const { permissions, ipAddresses } = known;
  const from = ipAddresses === null ? 'not known' : ipAddresses.length === 0 ? 'any address' : ipAddresses.join(', ');
  const rows = [
    ['key', publicKey],
    ['from', path ?? 'the environment'],
    ['name', known.name ?? 'not known'],
    ['state', checked.reason ?? (checked.state === 'active' ? `active, of ${checked.account ?? '?'}` : 'not checked')],
    ['may', permissions === null ? 'not known; --login asks the exchange' : permissionText(permissions)],
    ['accepted from', from],
    ['age', agedText(age)],
  ];
  const { name, createdAt } = known;
  const facts = { name, permissions, ipAddresses, createdAt };
  const json = { command: 'keys status', publicKey, source, path, ...checked, ...facts, age, warnings };
  const bad = checked.state === 'refused' || age.kind === 'expired';
  return { json, text: [table(rows), ...warnings].join('\n'), ...(bad ? { exit: 1 } : {}) };
}

async function status(io: CliIo, options: Options): Promise<CommandResult> {
  loadConfig(configSource(io, options.config));
  const place = placeOf(credentialsOf(io.env), findStoredKey(keyFilePath(io.cwd, io.env)));
  if (options.offline === true) {
    return result(place, place.known, { state: 'unchecked', account: null, reason: null }, systemClock.now());
  }
  return withExchange(io, options, 'key', async ({ exchange, clock }) => {
    const checked = await check(exchange);
    if (options.login !== true && !hasLogin(io)) return result(place, place.known, checked, clock.now());
    await logIn(io, exchange);
    const known = await knownBy(exchange, place.publicKey);
    return result(place, known ?? place.known, checked, clock.now());
  });
}

export function buildStatus(io: CliIo): Command {
  return withConfig(
    new Command('status').description('Show the key in use: what it may do, from where, and how long it lives.'),
  )
    .option('--login', 'log in and ask the exchange for permissions, whitelist and age')
    .option('--offline', 'only what the key file says; needs neither passphrase nor network')
    .addHelpText('after', operationHelp(['keys status --offline'], ['me', 'apiKeys']))
    .action(action(io, (options: Options) => status(io, options)));
}
