/**
 * `tidewire keys create`: a new API key by login and 2FA (interface, "Create API key"). The secret goes to the key
 * file, or to stdout with `--print` or when the file cannot be written.
 */
import { Command } from 'commander';
import type { NewApiKey } from '../../../exchange/wire/api-keys.ts';
import type { Permission } from '../../../exchange/interface/permissions.ts';
import { limits } from '../../../exchange/interface/limits.ts';
import { findStoredKey, keyFilePath, storeKey } from '../../../session/key-file/key-file.ts';
import { messageOf } from '../../../model/errors.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { repeated } from '../../config-option.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withYes } from '../../operations/options.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { accepted, outcomeOf } from '../../operations/outcome.ts';
import { confirmPlan, type Plan } from '../../operations/plan.ts';
import { secondFactor } from '../../operations/secrets.ts';
import { timeText } from '../../operations/text.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { newPassphrase } from './passphrase.ts';
import { permissionText, permissionsOf, whitelistOf } from './permission-options.ts';

interface Options extends MutatingOptions {
  readonly name: string;
  readonly permission: readonly string[];
  readonly ip?: readonly string[];
  readonly file?: string;
  readonly replace?: boolean;
  readonly print?: boolean;
}

interface Wish {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly ipAddresses: readonly string[];
}

function wishOf({ name, permission, ip }: Options): Wish {
  const permissions = permissionsOf(permission);
  return { name, permissions, ipAddresses: whitelistOf(ip ?? [], permissions) };
}

function planOf({ name, permissions, ipAddresses }: Wish, host: string, now: number, target: string): Plan {
  const bare = ipAddresses.length === 0;
  const end = timeText(now + limits.keyLifetimeWithoutWhitelistMs);
  return {
    title: `create API key "${name}" at ${host}`,
    rows: [
      ['may', permissionText(permissions)],
      ['from', bare ? 'any address' : ipAddresses.join(', ')],
      ['until', bare ? `${end} (90 days, since it has no whitelist)` : 'it is deleted'],
      ['secret to', target],
    ],
    warnings: ['whoever has the secret can do all of this; the exchange shows it once and cannot recover it'],
  };
}

/** At most ten active keys; checked before a 2FA code is used. */
async function requireRoom({ exchange, clock }: OpenExchange): Promise<void> {
  const keys = answered('own keys', await exchange.money.identity.keys());
  const now = clock.now();
  const active = keys.filter(
    ({ status, expiresAt }) => (status === null || status === 'active') && (expiresAt === null || expiresAt > now),
  );
  if (active.length < limits.activeKeysMax) return;
  throw refusedBeforehand(
    'the key',
    'too_many_keys',
    `${active.length} keys are active, ${limits.activeKeysMax} are allowed; delete one first`,
  );
}

/** Where the secret goes; checked before the key exists. */
function targetOf(io: CliIo, { print, file, replace }: Options): string | null {
  if (print === true) return null;
  const path = keyFilePath(io.cwd, io.env, file);
  if (replace !== true && findStoredKey(path) !== null) {
    throw sessionErrors.make('owner_file_exists', `${path} holds a key already`, { path });
  }
  return path;
}

async function create(io: CliIo, options: Options, open: OpenExchange): Promise<CommandResult> {
  const wish = wishOf(options);
  const path = targetOf(io, options);
  const { exchange, name: host, clock, config } = open;
  await requireRoom(open);
  const account = await open.account();
  const passphrase = path === null ? null : await newPassphrase(io);
  await confirmPlan(io, planOf(wish, host, clock.now(), path ?? 'stdout, once'), options);
  const request = { ...wish, auth2faCode: await secondFactor(io, 'to create the key') };
  const createdAt = Math.floor(clock.now());
  const outcome = await outcomeOf<NewApiKey>((dispatch, done) =>
    exchange.money.identity.createKey(request, dispatch, done),
  );
  const key = accepted('create a key', outcome, 'see `tidewire keys list`; delete a key whose secret you do not have');
  const json = { command: 'keys create', publicKey: key.publicKey, ...wish, account, createdAt };
  if (path === null || passphrase === null) return printed(key, json);
  const facts = { publicKey: key.publicKey, ...wish, account, exchange: config.exchange.baseUrl, createdAt };
  const stored = { ...facts, permissions: [...wish.permissions], ipAddresses: [...wish.ipAddresses] };
  try {
    storeKey(path, stored, key.secretKey, passphrase, { replace: options.replace === true });
  } catch (thrown) {
    io.err(`error: the key file could not be written: ${messageOf(thrown)}\n  The secret is printed instead, once.\n`);
    return { ...printed(key, json), exit: 1 };
  }
  return { json: { ...json, file: path }, text: `key ${key.publicKey}\nstored in ${path}` };
}

function printed(key: NewApiKey, json: object): CommandResult {
  const text = `TIDEWIRE_API_KEY=${key.publicKey}\nTIDEWIRE_API_SECRET=${key.secretKey}`;
  return { json: { ...json, secretKey: key.secretKey, file: null }, text };
}

const EXAMPLES = [
  'keys create --name bot --permission trading_spot=full --config config/sandbox.yaml',
  'keys create --name trading --permission trading_spot=full --permission crypto_processing=full --ip 127.0.0.1 --config config/sandbox.yaml',
];

const QUESTIONS = `

Login, password, 2FA code and passphrase are asked for on the terminal, or read from TIDEWIRE_LOGIN, TIDEWIRE_PASSWORD,
TIDEWIRE_2FA_CODE and TIDEWIRE_KEY_PASSPHRASE; TIDEWIRE_JWT takes the place of a login.`;

export function buildCreate(io: CliIo): Command {
  return withYes(new Command('create').description('Create an API key and store its secret in an encrypted key file.'))
    .requiredOption('--name <NAME>', 'to distinguish keys')
    .requiredOption('--permission <CATEGORY=LEVEL>', 'none, read_only or full in a category; repeatable', repeated)
    .option('--ip <ADDRESS>', 'whitelist: accepted only from here; repeatable', repeated)
    .option('--file <FILE>', 'the key file; TIDEWIRE_KEY_FILE or data/keys/default.json by default')
    .option('--replace', 'put the new key in the place of a key file that is there')
    .option('--print', 'print the secret once instead of storing it')
    .addHelpText('after', operationHelp(EXAMPLES, ['login', 'apiKeys', 'createApiKey']) + QUESTIONS)
    .action(
      action(io, async (options: Options) => {
        wishOf(options);
        return withExchange(io, options, 'login', (open) => create(io, options, open));
      }),
    );
}
