/** `tidewire keys store`: encrypts an existing key into a key file, after a test on the exchange. */
import { isIP } from 'node:net';
import { Command } from 'commander';
import { createCredentials } from '../../../exchange/client/credentials.ts';
import { storeKey, findStoredKey, keyFilePath } from '../../../session/key-file/key-file.ts';
import type { KeyFacts } from '../../../session/key-file/format.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { repeated, timeOption } from '../../config-option.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { hasLogin, logIn } from '../../operations/login.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { askedFor } from '../../operations/secrets.ts';
import { newPassphrase } from './passphrase.ts';

interface Options extends OperationOptions {
  readonly name?: string;
  readonly created?: string;
  readonly ip?: readonly string[];
  readonly login?: boolean;
  readonly file?: string;
  readonly replace?: boolean;
}

function whitelistOf(addresses: readonly string[] | undefined): string[] | null {
  const wrong = addresses?.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw cliErrors.make('operation_invalid', `--ip ${wrong} is not an IP address`);
  return addresses === undefined ? null : [...addresses];
}

/** By the exchange's list with a login, else by the options. */
async function factsOf(io: CliIo, options: Options, open: OpenExchange, publicKey: string): Promise<KeyFacts> {
  const { exchange, config } = open;
  const { login, userId } = answered('the current user', await exchange.account.me());
  const base = { publicKey, account: login ?? userId, exchange: config.exchange.baseUrl };
  const given = {
    name: options.name ?? '',
    createdAt: timeOption('created', options.created) ?? null,
    permissions: null,
    ipAddresses: whitelistOf(options.ip),
  };
  if (options.login !== true && !hasLogin(io)) return { ...base, ...given };
  await logIn(io, exchange);
  const keys = answered('own keys', await exchange.money.identity.keys());
  const row = keys.find((key) => key.publicKey === publicKey);
  if (row === undefined) return { ...base, ...given };
  const { name, createdAt, permissions, ipAddresses } = row;
  return { ...base, name, createdAt, permissions: [...permissions], ipAddresses: [...ipAddresses] };
}

async function store(io: CliIo, options: Options): Promise<CommandResult> {
  const path = keyFilePath(io.cwd, io.env, options.file);
  if (options.replace !== true && findStoredKey(path) !== null) {
    throw sessionErrors.make('owner_file_exists', `${path} holds a key already`, { path });
  }
  const given = await askedFor(io, { name: 'TIDEWIRE_API_KEY', question: 'Public key', shown: true });
  const secretKey = await askedFor(io, { name: 'TIDEWIRE_API_SECRET', question: 'Secret key' });
  const publicKey = given.toLowerCase();
  const credentials = createCredentials(publicKey, secretKey);
  return withExchange(io, options, credentials, async (open) => {
    const facts = await factsOf(io, options, open, publicKey);
    storeKey(path, facts, secretKey, await newPassphrase(io), { replace: options.replace === true });
    const text = `key ${publicKey} of ${facts.account ?? ''} is stored in ${path}`;
    return { json: { command: 'keys store', ...facts, file: path }, text };
  });
}

const HELP = `

The key is read from TIDEWIRE_API_KEY and TIDEWIRE_API_SECRET, or asked for. Unset them afterwards: what stands in the
environment comes before the key file.`;

export function buildStore(io: CliIo): Command {
  return withConfig(new Command('store').description('Store a key that you have in an encrypted key file.'))
    .option('--name <NAME>', 'to distinguish keys')
    .option('--created <TIME>', 'when it was created, so that its end can be warned of')
    .option('--ip <ADDRESS>', 'an address of its whitelist; repeatable', repeated)
    .option('--login', 'log in and ask the exchange for all of that')
    .option('--file <FILE>', 'the key file; TIDEWIRE_KEY_FILE or data/keys/default.json by default')
    .option('--replace', 'put it in the place of a key file that is there')
    .addHelpText('after', operationHelp(['keys store --login --config config/sandbox.yaml'], ['me', 'apiKeys']) + HELP)
    .action(action(io, (options: Options) => store(io, options)));
}
