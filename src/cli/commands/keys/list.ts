/** `tidewire keys list` and `keys delete`, by login. The exchange does not keep secrets. */
import { Command } from 'commander';
import type { ApiKeyRow, DeletedApiKey } from '../../../exchange/wire/api-keys.ts';
import { KEY_PATTERN } from '../../../exchange/interface/limits.ts';
import { ageWarning, keyAge } from '../../../session/key-file/age.ts';
import { action, type CliIo } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type MutatingOptions, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig, withYes } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { accepted, outcomeOf } from '../../operations/outcome.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { secondFactor } from '../../operations/secrets.ts';
import { requireShown } from '../../operations/shown.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';
import { permissionText } from './permission-options.ts';

const WHAT = 'delete the key';
const LOOK = 'see `tidewire keys list`';

const HEAD = ['name', 'status', 'may', 'from', 'created', 'expires', 'public key'];

function rowOf({ name, status, permissions, ipAddresses, createdAt, expiresAt, publicKey }: ApiKeyRow): string[] {
  const from = ipAddresses.length === 0 ? 'any address' : ipAddresses.join(', ');
  const end = expiresAt === null ? 'never' : timeText(expiresAt);
  return [name, status ?? '', permissionText(permissions), from, timeText(createdAt), end, publicKey];
}

export function buildList(io: CliIo): Command {
  return withConfig(new Command('list').description('List own API keys.'))
    .addHelpText('after', operationHelp(['keys list --config config/sandbox.yaml'], ['login', 'apiKeys']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'login', async ({ exchange, clock }) => {
          const items = answered('own keys', await exchange.money.identity.keys());
          const now = clock.now();
          const warnings = items.flatMap((key) => {
            const warning = ageWarning(keyAge(key, now));
            return warning === null ? [] : [`${key.name}: ${warning}`];
          });
          const text = items.length === 0 ? 'no keys' : table(items.map(rowOf), { head: HEAD });
          return {
            json: { command: 'keys list', complete: true, items, warnings },
            text: [text, ...warnings].join('\n'),
          };
        }),
      ),
    );
}

/** By whole public key or unique prefix. */
function chosen(keys: readonly ApiKeyRow[], text: string): ApiKeyRow {
  const found = keys.filter(({ publicKey }) => publicKey.startsWith(text.toLowerCase()));
  const [key] = found;
  if (key !== undefined && found.length === 1) return key;
  const why = found.length === 0 ? 'no own key begins so' : `${found.length} keys begin so`;
  throw cliErrors.make('operation_invalid', `${text}: ${why}; see \`tidewire keys list\``, { argument: 'key' });
}

export function buildDelete(io: CliIo): Command {
  return withYes(new Command('delete').description('Delete an API key; it stops working at once.'))
    .argument('<key>', 'public key, or 8 or more of its first characters')
    .addHelpText(
      'after',
      operationHelp(['keys delete 3f0c91ab --config config/sandbox.yaml'], ['login', 'apiKeys', 'deleteApiKey']),
    )
    .action(
      action(io, async (text: string, options: MutatingOptions) => {
        if (!KEY_PATTERN.test(text.padEnd(64, '0')) || text.length < 8) {
          throw cliErrors.make('operation_invalid', `${text.length} characters are not 8 to 64 hexadecimal ones`, {
            argument: 'key',
          });
        }
        return withExchange(io, options, 'login', async (open) => {
          const { exchange, name: host } = open;
          const key = chosen(answered('own keys', await exchange.money.identity.keys()), text);
          const { publicKey, name } = key;
          const rows = [
            ['public key', publicKey],
            ['may', permissionText(key.permissions)],
          ] as const;
          const warnings = ['it stops working at once, whatever uses it, and cannot be brought back'];
          await confirmPlan(io, { title: `delete API key "${name}" at ${host}`, rows, warnings }, options);
          const code = await secondFactor(io, 'to delete the key');
          const outcome = await outcomeOf<DeletedApiKey>((dispatch, done) =>
            exchange.money.identity.deleteKey(publicKey, code, dispatch, done),
          );
          accepted(WHAT, outcome, LOOK);
          const word = { what: WHAT, noun: 'key', id: publicKey, status: 'deleted', states: ['deleted'], look: LOOK };
          await requireShown(open, word, async () => {
            const left = answered('own keys', await exchange.money.identity.keys()).find(
              (each) => each.publicKey === publicKey,
            );
            return { status: left === undefined ? 'deleted' : (left.status ?? 'active') };
          });
          return { json: { command: 'keys delete', publicKey, name }, text: `key "${name}" ${publicKey} is deleted` };
        });
      }),
    );
}
