/**
 * An order whose answer was lost, on an exchange that keeps no client order ids, beside one of the same terms that a human
 * placed: `plan` shows both, a wrong word is refused, and `reconcile --ours` or `--not-ours` settles it, or `plan --choose`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, errorOf, freshFolder, start, type Ended } from '../e2e/cli.ts';
import { writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { callCli } from './call-cli.ts';
import { ladder } from './ladder.ts';

const CLIENT = '/api/v2/exchange/client/order';

interface Order {
  readonly orderId: string;
  readonly price: string;
  readonly quantity: string;
}

interface Fates {
  readonly resolve: readonly {
    readonly order: { readonly ref: string };
    readonly couldBe: readonly Order[];
    readonly resolvedBy: string;
  }[];
  readonly decisions: readonly { readonly id: string; readonly choices: readonly { readonly name: string }[] }[];
}

interface Healed {
  readonly ownership: readonly object[];
  readonly openOrders: number;
  readonly unresolved: number;
}

it.each([
  ['--ours names it', (ours: string, _theirs: string) => ['--ours', `step-0=${ours}`]],
  ['--not-ours names the other', (_ours: string, theirs: string) => ['--not-ours', theirs]],
  ['plan --choose takes it', (ours: string, _theirs: string) => ['--choose', `order/${ours}=ours`]],
  ['plan --choose takes the other away', (_ours: string, theirs: string) => ['--choose', `order/${theirs}=not-ours`]],
])('shows which orders could be it, and %s', async (_what, wordOf) => {
  const cwd = freshFolder();
  const exchange = await startSandbox({ clock: systemClock, seed: 7, clientOrderIds: false });
  onTestFinished(() => exchange.stop());
  const alice = exchange.users[0]!;
  const addresses = { ...exchange, gatewayUrl: exchange.restUrl };
  const config = writeExchangeConfig(cwd, addresses, '  clientOrderIds: false\n');
  const env = { TIDEWIRE_API_KEY: alice.apiKey.publicKey, TIDEWIRE_API_SECRET: alice.apiKey.secretKey };
  const call = async (...argv: string[]): Promise<Ended> => {
    const { code, stdout, stderr } = await callCli([...argv, '--config', config, '--json'], cwd, { env });
    return { code, signal: null, stdout, stderr };
  };
  const faults = async (...rules: object[]): Promise<void> => {
    const reply = await fetch(`${exchange.restUrl}/sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ rules }),
    });
    expect(reply.status).toBe(200);
  };
  const active = async (): Promise<readonly Order[]> =>
    (await signed(exchange.restUrl, alice.apiKey, 'GET', `${CLIENT}/active`)).json as readonly Order[];

  // The answer is lost, and then the process is killed before it reads a list.
  await faults({ match: { method: 'POST', path: `${CLIENT}/spot` }, fault: 'dropAfterEffect' });
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(1));
  const live = start(['run', strategy, '--config', config, '--live', '--confirm', alice.login, '--json'], { cwd, env });
  await live.during('the order at the exchange', async () => ((await active()).length > 0 ? true : undefined));
  await live.signal('SIGKILL');
  await faults();
  const [ours] = await active();
  const { price, quantity } = ours!;
  const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price, quantity };
  const theirs = (await signed(exchange.restUrl, alice.apiKey, 'POST', `${CLIENT}/spot`, order)).json as Order;

  const { resolve, decisions } = documentOf<Fates>(await call('plan'));
  const [fate] = resolve;
  expect(decisions.map(({ id }) => id).sort()).toEqual([`order/${ours!.orderId}`, `order/${theirs.orderId}`].sort());
  for (const { choices } of decisions) expect(choices.map(({ name }) => name)).toEqual(['ours', 'not-ours']);
  const both = [ours!.orderId, theirs.orderId];
  expect(fate?.order.ref).toBe('step-0');
  expect(fate?.couldBe.map(({ orderId }) => orderId).sort()).toEqual([...both].sort());
  expect(fate?.resolvedBy).toContain('--ours step-0=ID');
  const doubt = documentOf<Healed>(await call('reconcile'));
  expect(doubt).toMatchObject({ unresolved: 1, openOrders: 1, ownership: [] });

  const why = ['--reason', 'the exchange shows it as placed by hand'];
  expect(errorOf(await call('reconcile', '--not-ours', theirs.orderId)).code).toBe('operation_invalid');
  expect(errorOf(await call('reconcile', ...why)).code).toBe('operation_invalid');
  expect(errorOf(await call('reconcile', '--not-ours', '4711', ...why)).code).toBe('order_not_in_doubt');
  expect(errorOf(await call('reconcile', '--ours', `step-9=${theirs.orderId}`, ...why)).code).toBe('order_not_found');
  const word = wordOf(ours!.orderId, theirs.orderId);
  const isChosen = word[0] === '--choose';
  if (!isChosen) {
    const dry = documentOf<Healed>(await call('reconcile', '--dry-run', ...word, ...why));
    expect(dry).toMatchObject({ unresolved: 0, openOrders: 1 });
  }
  const [session] = await sessions(cwd);
  expect(entriesOf(session?.path ?? '', 'order')).toEqual([]);

  const say = (): Promise<Ended> => (isChosen ? call('plan', '--yes', ...word) : call('reconcile', ...word, ...why));
  const said = documentOf<Healed & { readonly healed?: Healed }>(await say());
  expect(said.healed ?? said).toMatchObject({ unresolved: 0, openOrders: 1 });
  expect(entriesOf(session?.path ?? '', 'order')).toMatchObject([{ report: { orderId: ours!.orderId } }]);
  const settled = documentOf<{ adopt: object[]; external: Order[]; resolve: object[] }>(await call('plan'));
  expect(settled).toMatchObject({ resolve: [], decisions: [], adopt: [{ order: { ref: 'step-0' } }] });
  expect(settled.external).toMatchObject([{ orderId: theirs.orderId }]);
  expect(errorOf(await say()).code).toBe(isChosen ? 'decision_not_open' : 'order_not_in_doubt');
});
