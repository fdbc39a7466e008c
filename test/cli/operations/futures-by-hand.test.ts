/**
 * Perpetuals by hand whose answer never came: the process was killed, or the request was lost on its way. Nothing is sent
 * a second time before the exchange's own lists prove that the first one never arrived.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ended } from '../../e2e/cli.ts';
import { openCustomer, type Customer } from './customer.ts';

const ORDER_PATH = '/api/v2/exchange/client/order/derivative';
const CLOSE_PATH = '/api/v2/exchange/client/positions/close';
const buy = ['futures', 'order', 'BTCUSDTPERP', 'buy', '0.01', '--price', '60000', '--yes'];
const closePart = ['futures', 'close', 'BTCUSDTPERP', '--quantity', '0.004', '--yes'];

type Row = Readonly<Record<string, unknown>>;

function codeOf({ stdout }: Ended): string | undefined {
  return (JSON.parse(stdout) as { error?: { code: string } }).error?.code;
}

async function listOf(customer: Customer, ...args: string[]): Promise<readonly Row[]> {
  const ended = await customer.call(args);
  expect(ended.code, ended.stderr).toBe(0);
  return (JSON.parse(ended.stdout) as { items: readonly Row[] }).items;
}

/** The other side of the trade. */
function bob({ sandbox }: Customer): Record<string, string> {
  const { publicKey, secretKey } = sandbox.users[1]!.apiKey;
  return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
}

async function other(customer: Customer, side: string, quantity: string): Promise<void> {
  const order = ['futures', 'order', 'BTCUSDTPERP', side, quantity, '--price', '60000', '--yes'];
  const ended = await customer.call(order, { env: bob(customer) });
  expect(ended.code, ended.stderr).toBe(0);
}

/** Killed while the exchange's answer to `path` is on its way. */
async function killedDuring(customer: Customer, path: string, args: readonly string[]): Promise<void> {
  const gateway = await customer.heldBack(path);
  const file = join(customer.cwd, 'c.yaml');
  // For every call from here on: the journal is that of an account at an address.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(customer.sandbox.restUrl, gateway.url));
  const killed = customer.begin(args);
  await killed.during('the answer of the exchange', () => (gateway.held() > 0 ? true : undefined));
  await killed.signal('SIGKILL');
}

describe('an order by hand', () => {
  it('that was killed between intent and answer is not sent again by the next call', async () => {
    const customer = await openCustomer();
    await killedDuring(customer, ORDER_PATH, buy);
    const [order] = await listOf(customer, 'futures', 'orders');
    const again = await customer.call(buy);
    expect([again.code, codeOf(again)]).toEqual([3, 'operation_happened']);
    expect(again.stdout).toContain(String(order?.['orderId']));
    expect(await listOf(customer, 'futures', 'orders')).toHaveLength(1);
    expect(await listOf(customer, 'money', 'list')).toMatchObject([
      { fate: 'accepted', request: { kind: 'futuresOrder' }, receipt: { id: order?.['orderId'] } },
    ]);
  });

  it('that never arrived is sent again only when the lists prove it', async () => {
    const customer = await openCustomer();
    await customer.faults([{ match: { path: ORDER_PATH }, fault: 'drop', times: 1 }]);
    const lost = await customer.call(buy);
    expect([lost.code, codeOf(lost)]).toEqual([4, 'operation_unknown']);
    // Past the signature, but not past what the lists may lag.
    customer.sandbox.advance(45_000);
    const denied = await customer.call(buy);
    expect([denied.code, codeOf(denied)]).toEqual([3, 'operation_denied']);
    expect(denied.stdout).toContain('money decide');
    expect(await listOf(customer, 'futures', 'orders')).toEqual([]);
    customer.sandbox.advance(45_000);
    const sent = await customer.call(buy);
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toContain('did not happen');
    expect(await listOf(customer, 'futures', 'orders')).toHaveLength(1);
  });
});

describe('a close by hand', () => {
  it('of a part that was killed between intent and answer closes that part once', async () => {
    const customer = await openCustomer();
    await other(customer, 'sell', '0.01');
    expect((await customer.call(buy)).code).toBe(0);
    await other(customer, 'buy', '0.01');
    await killedDuring(customer, CLOSE_PATH, closePart);
    const again = await customer.call(closePart);
    expect([again.code, codeOf(again)]).toEqual([3, 'operation_happened']);
    expect(await listOf(customer, 'futures', 'positions')).toMatchObject([{ quantity: '0.006' }]);
    expect((await customer.call([...closePart, '--again'])).code).toBe(0);
    expect(await listOf(customer, 'futures', 'positions')).toMatchObject([{ quantity: '0.002' }]);
  });

  it('that never arrived is made again when own trades explain the position', async () => {
    const customer = await openCustomer();
    await other(customer, 'sell', '0.01');
    expect((await customer.call(buy)).code).toBe(0);
    await customer.faults([{ match: { path: CLOSE_PATH }, fault: 'drop', times: 1 }]);
    expect(codeOf(await customer.call(closePart))).toBe('operation_unknown');
    // Meanwhile more is bought: that is an order of its own.
    await other(customer, 'sell', '0.02');
    expect((await customer.call(buy.with(4, '0.02'))).code).toBe(0);
    expect(codeOf(await customer.call(closePart))).toBe('operation_denied');
    customer.sandbox.advance(90_000);
    await other(customer, 'buy', '0.03');
    const closed = await customer.call(closePart);
    expect(closed.code, closed.stderr).toBe(0);
    expect(await listOf(customer, 'futures', 'positions')).toMatchObject([{ quantity: '0.026' }]);
  });
});
