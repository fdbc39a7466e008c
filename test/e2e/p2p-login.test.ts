/** `run` with a strategy that acts on P2P: a login opens its socket, without one P2P is read, and the start says which. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCustomer, type Customer } from '../cli/operations/customer.ts';
import { strategyFile, type Running } from './cli.ts';

const maker = strategyFile('p2p-maker');

/** Sockets of P2P that the sandbox has let in, by what they came with. */
function p2pSockets({ sandbox: { sandbox } }: Customer): readonly string[] {
  const tokens: string[] = [];
  const attach = sandbox.p2pHub.attach.bind(sandbox.p2pHub);
  sandbox.p2pHub.attach = (connection, token) => {
    const session = attach(connection, token);
    if (session !== undefined) tokens.push(token);
    return session;
  };
  return tokens;
}

async function trader(): Promise<Customer> {
  const customer = await openCustomer();
  const entry = { file: maker, params: { amount: '300' }, limits: { p2p: true } };
  appendFileSync(join(customer.cwd, 'c.yaml'), `strategies: ${JSON.stringify([entry])}\n`);
  return customer;
}

function run(customer: Customer, env: Readonly<Record<string, string | undefined>>): Running {
  return customer.begin(['run', maker, '--live', '--confirm', customer.user.login], { env });
}

it('logs in and listens to its socket', async () => {
  const customer = await trader();
  const sockets = p2pSockets(customer);
  const bot = run(customer, customer.login());
  await bot.during('the socket of P2P', () => (sockets.length > 0 ? true : undefined));
  const ended = await bot.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).not.toContain('instead of pushed');
  expect(ended.stderr + ended.stdout).not.toContain(sockets[0]);
});

it.each([
  ['without a login', {}, /set TIDEWIRE_LOGIN and TIDEWIRE_PASSWORD, or TIDEWIRE_JWT/],
  ['with a login that is refused', { TIDEWIRE_PASSWORD: 'not the one' }, /the login failed, .*login_failed/],
] as const)('%s says that P2P is read, and goes on', async (_what, more, said) => {
  const customer = await trader();
  const sockets = p2pSockets(customer);
  const env = 'TIDEWIRE_PASSWORD' in more ? { ...customer.login(), ...more } : more;
  const requests: string[] = [];
  const { sandbox } = customer.sandbox;
  const handle = sandbox.handle.bind(sandbox);
  sandbox.handle = (request, respond) => {
    requests.push(request.target);
    handle(request, respond);
  };
  const bot = run(customer, env);
  await bot.during('a reading of P2P', () => requests.find((target) => target.includes('p2p')));
  const ended = await bot.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('P2P is read every few seconds instead of pushed');
  expect(ended.stderr).toMatch(said);
  expect(sockets).toEqual([]);
});
