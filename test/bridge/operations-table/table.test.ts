/** The operations table is whole: every endpoint, every movement of money and every command has its row. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { notOperations, operations } from '../../../src/bridge/operations-table/table.ts';
import { commands } from '../../../src/cli/command-table.ts';
import type { CliIo } from '../../../src/cli/command.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { endpointRows } from '../../../src/exchange/interface/endpoint-rows.ts';
import type { EndpointRow } from '../../../src/exchange/interface/endpoint-row.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';

/** What touches no exchange, watches it, or joins rows of the table. */
const NOT_OPERATIONS: ReadonlySet<string> = new Set([
  'keys status',
  'keys store',
  'wallet book',
  'wallet networks',
  'p2p say',
  'p2p watch',
]);
const GROUPS = [
  'account',
  'spot',
  'futures',
  'transfer',
  'wallet',
  'fiat',
  'codes',
  'overdraft',
  'p2p',
  'keys',
] as const;

const io: CliIo = {
  out: () => {},
  err: () => {},
  isTty: false,
  env: {},
  cwd: '/',
  interrupted: new Promise(() => {}),
  exit: () => {},
};

async function commandsOf(group: (typeof GROUPS)[number]): Promise<readonly string[]> {
  const command: Command = (await commands[group]!.load()).build(io);
  return command.commands.map((child) => `${group} ${child.name()}`);
}

const endpointOf = (name: string): EndpointRow =>
  (endpointRows as readonly EndpointRow[]).find((row) => row.name === name)!;

describe('bridge/operations-table', () => {
  it('names every endpoint of the interface, or says why it is no operation', () => {
    const named = new Set(operations.flatMap(({ endpoints }) => endpoints));
    const reasons = Object.keys(notOperations);
    const missing = endpointRows.map(({ name }) => name).filter((name) => !named.has(name) && !reasons.includes(name));
    expect(missing).toEqual([]);
    expect(reasons.filter((name) => named.has(name as never))).toEqual([]);
    expect(reasons.filter((name) => endpointOf(name) === undefined)).toEqual([]);
  });

  it('has each name once, as area.verb', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+\.[a-z-]+$/.test(name))).toEqual([]);
  });

  it('names a command for each row, and a row for each command', async () => {
    const known = (await Promise.all(GROUPS.map(commandsOf))).flat();
    const told = new Set(operations.map(({ command }) => command));
    expect([...told].filter((command) => !known.includes(command))).toEqual([]);
    expect(operations.filter(({ surface }) => !surface.includes('cli'))).toEqual([]);
    expect(known.filter((command) => !told.has(command) && !NOT_OPERATIONS.has(command))).toEqual([]);
  });

  it('calls what there is of the exchange client', () => {
    const exchange: object = createExchange({
      options: exchangeOptions.parse({
        baseUrl: 'http://127.0.0.1:1',
        gatewayUrl: 'http://127.0.0.1:1',
        wsUrl: 'ws://127.0.0.1:1',
      }),
      credentials: null,
      clock: systemClock,
      random: seededRandom(1),
      logger: silentLogger,
    });
    const methods = operations.flatMap(({ call }) => (call.kind === 'client' ? [call.method] : []));
    const found = methods.map((method) =>
      method.split('.').reduce<unknown>((at, part) => Reflect.get(at as object, part), exchange),
    );
    expect(found.map((each) => typeof each)).toEqual(methods.map(() => 'function'));
  });

  it('says confirmed first of commands that ask alone, which take --yes', async () => {
    const asked = await Promise.all(
      operations.map(async ({ command, confirmation }): Promise<readonly string[]> => {
        if (confirmation === 'none') return [];
        const [group = '', verb = ''] = command.split(' ');
        const built: Command = (await commands[group]!.load()).build(io);
        const found = built.commands.find((child) => child.name() === verb);
        return found?.options.some(({ long }) => long === '--yes') === true ? [] : [command];
      }),
    );
    expect(asked.flat()).toEqual([]);
  });

  it('changes nothing by a row that says so, and by no row of an endpoint that only reads', () => {
    for (const { name, endpoints, moves, confirmation } of operations) {
      const changes = endpoints.some((each) => endpointOf(each).effect === 'mutating');
      expect([name, moves !== 'nothing']).toEqual([name, changes]);
      if (!changes) expect([name, confirmation]).toEqual([name, 'none']);
    }
  });

  it('leaves to the terminal alone what takes money out, and whatever touches a key or a secret', () => {
    const elsewhere = operations.filter(({ surface }) => surface.includes('api') || surface.includes('mcp'));
    const endpoints = elsewhere.flatMap((row) => row.endpoints.map(endpointOf));
    expect(
      endpoints.filter(({ answersSecret, access }) => answersSecret === true || access.kind === 'jwt-only'),
    ).toEqual([]);
    const moving = elsewhere.filter(({ call }) => call.kind !== 'read');
    expect(moving.map(({ name, confirmation }) => `${name} ${confirmation}`)).toEqual([
      'transfer.make two-step',
      'wallet.cancel none',
      'fiat.delete two-step',
      'codes.redeem two-step',
      'overdraft.pay two-step',
      'p2p.deactivate none',
      'p2p.delete none',
      'p2p.start two-step',
      'p2p.pay two-step',
      'p2p.dispute two-step',
      'p2p.cancel none',
    ]);
    // An AI client has no code, so it has what needs none.
    for (const { name, confirmation, surface } of moving)
      expect([name, surface.includes('mcp')]).toEqual([name, confirmation === 'none']);
  });

  it('says of what is on the terminal alone why, and of nothing else', () => {
    for (const { name, surface, terminalOnly } of operations)
      expect([name, terminalOnly !== null]).toEqual([name, !surface.includes('api')]);
  });

  it('moves each kind of money by one row', () => {
    const kinds = operations.flatMap(({ call }) => (call.kind === 'money' ? [call.command] : []));
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.length).toBe(24);
  });
});
