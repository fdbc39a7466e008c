/**
 * `tidewire wallet book add|list|remove|reseal`: addresses allowed for withdrawals (docs/keys.md). Uses exchange time,
 * so that the local clock cannot age an address.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { isFormKnown, oftenNeedsMemo } from '../../../exchange/wire/money/address-form.ts';
import { addEntry, usableFrom, type BookEntry, type NewEntry } from '../../../session/address-book/book.ts';
import { readBook, readUnprovedBook, writeBook } from '../../../session/address-book/store.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { logIn } from '../../operations/login.ts';
import {
  withExchange,
  type MutatingOptions,
  type OpenExchange,
  type OperationOptions,
} from '../../operations/open-exchange.ts';
import { currencyOption, networkOption, withConfig, withYes } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';
import { needCredentials } from './credentials.ts';

interface AddOptions extends MutatingOptions {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string;
}

function bookPath(io: CliIo, { config }: OpenExchange): string {
  return resolve(io.cwd, config.wallet.addressBook);
}

/** Money sent on an unsupported network never arrives. */
async function requireNetwork({ exchange }: OpenExchange, currency: string, network: string): Promise<void> {
  const all = answered('the currencies', await exchange.money.crypto.currencies());
  const networks = all.find((row) => row.currency === currency)?.networks ?? [];
  if (networks.some((row) => row.network === network)) return;
  const known = networks.length === 0 ? 'nothing' : networks.map((row) => row.network).join(', ');
  throw cliErrors.make('operation_invalid', `${currency} has no network ${network}; it has ${known}`, {
    option: 'network',
  });
}

function doubts({ network, memo }: NewEntry): readonly string[] {
  return [
    ...(isFormKnown(network) ? [] : [`the form of addresses on ${network} is not known here, so it was not checked`]),
    ...(memo === null && oftenNeedsMemo(network)
      ? [`an address of an exchange on ${network} often needs a memo (--memo): without it the money is lost`]
      : []),
  ];
}

async function add(io: CliIo, open: OpenExchange, name: string, options: AddOptions): Promise<CommandResult> {
  const credentials = needCredentials(open);
  const path = bookPath(io, open);
  const currency = currencyOption('currency', options.currency);
  const network = networkOption('network', options.network);
  const wanted = { name, currency, network, address: options.address, memo: options.memo ?? null };
  const { addressDelayHours } = open.config.wallet;
  // Checks the input before any request.
  addEntry(readBook(path, credentials), wanted, open.clock.now(), addressDelayHours);
  await requireNetwork(open, currency, network);
  const plan = {
    title: `add ${name} to the address book`,
    rows: [
      ['currency', `${currency} on ${network}`],
      ['address', wanted.address],
      ...(wanted.memo === null ? [] : [['memo', wanted.memo] as const]),
      ['usable', addressDelayHours === 0 ? 'at once' : `after ${addressDelayHours} hours`],
    ] as const,
    warnings: [
      'compare every character with where the address comes from: money sent to a wrong one is gone',
      ...doubts(wanted),
    ],
  };
  await confirmPlan(io, plan, options);
  const entries = addEntry(readBook(path, credentials), wanted, open.clock.now(), addressDelayHours);
  writeBook(path, entries, credentials);
  const entry = entries.at(-1);
  const from = entry === undefined ? 0 : usableFrom(entry, addressDelayHours);
  return {
    json: { command: 'wallet book add', ...entry, usableFrom: from, file: path },
    text: `${name} is in ${path}, usable from ${timeText(from)}`,
  };
}

export function buildAdd(io: CliIo): Command {
  return withYes(new Command('add').description('Add an address that withdrawals may go to, after its delay.'))
    .argument('<name>', 'letters, digits, . _ and -')
    .requiredOption('--currency <CURRENCY>', 'for example USDT')
    .requiredOption('--network <NETWORK>', 'as `wallet currencies` lists it')
    .requiredOption('--address <ADDRESS>', 'the whole address')
    .option('--memo <MEMO>', 'where the network needs one')
    .addHelpText(
      'after',
      operationHelp(
        [
          'wallet book add cold --currency USDT --network TRC20 --address TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm --config config/sandbox.yaml',
        ],
        ['withdrawalCurrencies'],
      ),
    )
    .action(
      action(io, (name: string, options: AddOptions) =>
        withExchange(io, options, 'key', (open) => add(io, open, name, options)),
      ),
    );
}

const HEAD = ['name', 'currency', 'network', 'address', 'memo', 'added', 'usable'];

function rowsOf(entries: readonly BookEntry[], hours: number, now: number): string[][] {
  return entries.map((entry) => {
    const { name, currency, network, address, memo, addedAt } = entry;
    const from = usableFrom(entry, hours);
    return [name, currency, network, address, memo ?? '', timeText(addedAt), now >= from ? 'now' : timeText(from)];
  });
}

export function buildList(io: CliIo): Command {
  return withConfig(new Command('list').description('List the address book.'))
    .addHelpText('after', operationHelp(['wallet book list --config config/sandbox.yaml'], []))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async (open) => {
          const entries = readBook(bookPath(io, open), needCredentials(open));
          const hours = open.config.wallet.addressDelayHours;
          const now = open.clock.now();
          const items = entries.map((entry) => {
            const from = usableFrom(entry, hours);
            return { ...entry, usableFrom: from, usable: now >= from };
          });
          const text = items.length === 0 ? 'the book is empty' : table(rowsOf(entries, hours, now), { head: HEAD });
          return { json: { command: 'wallet book list', complete: true, items }, text };
        }),
      ),
    );
}

export function buildRemove(io: CliIo): Command {
  return withConfig(new Command('remove').description('Remove an address from the book.'))
    .argument('<name>', 'as `wallet book list` shows it')
    .addHelpText('after', operationHelp(['wallet book remove cold --config config/sandbox.yaml'], []))
    .action(
      action(io, (name: string, options: OperationOptions) =>
        withExchange(io, options, 'key', async (open) => {
          const credentials = needCredentials(open);
          const path = bookPath(io, open);
          const entries = readBook(path, credentials);
          const rest = entries.filter((entry) => entry.name !== name);
          if (rest.length === entries.length) {
            throw cliErrors.make('operation_invalid', `${name} is not in the address book`, { argument: 'name' });
          }
          writeBook(path, rest, credentials);
          return { json: { command: 'wallet book remove', name, left: rest.length }, text: `${name} is removed` };
        }),
      ),
    );
}

/** Seals the book with a new API key after a human's check and login; every delay restarts. */
async function reseal(io: CliIo, open: OpenExchange, options: MutatingOptions): Promise<CommandResult> {
  const credentials = needCredentials(open);
  const path = bookPath(io, open);
  const hours = open.config.wallet.addressDelayHours;
  const entries = readUnprovedBook(path);
  if (entries.length === 0) throw cliErrors.make('operation_invalid', `${path} holds no address`);
  const plan = {
    title: 'seal the address book with the key in use',
    rows: entries.map(({ name, currency, network, address, memo }) => {
      const tail = memo === null ? '' : `, memo ${memo}`;
      return [name, `${currency} on ${network}: ${address}${tail}`] as const;
    }),
    warnings: [
      'these addresses are not verified: compare every one of them with its origin',
      `the delay of ${hours} hours starts anew for each`,
    ],
  };
  await confirmPlan(io, plan, options);
  await logIn(io, open.exchange);
  const addedAt = Math.floor(open.clock.now());
  const anew = entries.map((entry) => ({ ...entry, addedAt, delayHours: hours }));
  writeBook(path, anew, credentials);
  return { json: { command: 'wallet book reseal', items: anew }, text: `${anew.length} addresses are sealed anew` };
}

export function buildReseal(io: CliIo): Command {
  return withYes(
    new Command('reseal').description('Adopt an address book that another API key sealed; asks for a login.'),
  )
    .addHelpText('after', operationHelp(['wallet book reseal --config config/sandbox.yaml'], ['login']))
    .action(
      action(io, (options: MutatingOptions) => withExchange(io, options, 'key', (open) => reseal(io, open, options))),
    );
}

export function buildBook(io: CliIo): Command {
  return new Command('book')
    .description('The addresses that withdrawals may go to.')
    .addCommand(buildAdd(io))
    .addCommand(buildList(io))
    .addCommand(buildRemove(io))
    .addCommand(buildReseal(io))
    .addHelpText('after', '\nExample:\n  npx tidewire wallet book list --config config/sandbox.yaml');
}
