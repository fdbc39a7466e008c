/**
 * An order by hand and its cancellation are proved, not believed: against an exchange that answers what is not so, and
 * with lists that hold nothing because they cannot.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type LyingExchange } from '../cli/lying-exchange.ts';
import { limitedKey } from '../cli/limited-key.ts';

const CREATE = '/api/v2/exchange/client/order/spot';
const ACTIVE = '/api/v2/exchange/client/order/active';

let desk: CliDesk;
let liar: LyingExchange;

beforeAll(async () => {
  desk = await openCliDesk(78);
  liar = await openLyingExchange(desk);
});
afterEach(async () => {
  liar.lie = null;
  await desk.clearFaults();
  await desk.json('alice', 'spot', 'cancel', '--symbol', 'BTCUSDT', '--yes');
});
afterAll(async () => {
  liar.stop();
  await desk.stop();
});

async function resting(price: string): Promise<string> {
  const { orderId } = await desk.json('alice', 'spot', 'order', 'BTCUSDT', 'buy', '0.001', '--price', price, '--yes');
  return String(orderId);
}

async function open(): Promise<readonly string[]> {
  const { items } = await desk.json<{ items: readonly Json[] }>('alice', 'spot', 'orders');
  return items.map((row) => String(row['orderId']));
}

describe('an order by hand', () => {
  // The same again, on purpose.
  const buy = ['spot', 'order', 'BTCUSDT', 'buy', '0.001', '--yes', '--again', '--price'];

  it.each([
    ['quantity', { quantity: '1' }, 'a quantity of 1 instead of 0.001'],
    ['price', { price: '59000' }, 'a price of 59000 instead of 41000'],
    ['type', { type: 'market' }, 'a market order instead of a limit order'],
    ['time in force', { timeInForce: 'ioc' }, 'ioc instead of gtc'],
    ['filled quantity', { filledQuantity: '5' }, '5 filled of 0.001'],
  ])('that is taken with another %s ends with 4 and is named', async (_what, change, said) => {
    liar.lie = { method: 'POST', path: CREATE, times: 1, edit: (answer) => ({ ...answer, ...change }) };
    const { code, stdout } = await liar.call(...buy, '41000');
    const [orderId] = await open();
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
    expect([code, error.code, error.message.includes(said)]).toEqual([4, 'order_contradicted', true]);
    expect(error.message).toContain(`tidewire spot cancel ${orderId ?? ''}`);
  });

  it('at once, whose answer names no time in force, is as it was asked for', async () => {
    const unnamed = (answer: Json | null): unknown => ({ ...answer, timeInForce: undefined });
    liar.lie = { method: 'POST', path: CREATE, times: 1, edit: unnamed };
    const ended = await liar.call(...buy, '41500', '--ioc');
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { status: 'expired' }]);
    liar.lie = {
      method: 'POST',
      path: CREATE,
      times: 1,
      edit: (answer) => ({ ...(unnamed(answer) as Json), status: 'new' }),
    };
    const { code, stdout } = await liar.call(...buy, '41600', '--ioc');
    const { error } = JSON.parse(stdout) as { error: { message: string } };
    expect([code, error.message.includes('gtc instead of ioc')]).toEqual([4, true]);
  });

  it('is not sent where the exchange is known to refuse it', async () => {
    const refused = (...terms: readonly string[]): Promise<Json> =>
      desk.fails(1, 'operation_refused', 'alice', 'spot', 'order', 'BTCUSDT', 'buy', ...terms, '--yes');
    liar.lie = null;
    await desk.fault(CREATE, 'drop');
    expect(await refused('0.00002', '--price', '41000')).toMatchObject({ code: 'below_minimum' });
    expect(await refused('9000.5', '--price', '41000')).toMatchObject({ code: 'above_maximum' });
    expect(await refused('90', '--price', '60000')).toMatchObject({ code: 'insufficient_balance' });
  });
});

describe('a cancellation by hand', () => {
  it('that is answered as done while the order rests ends with 4', async () => {
    const id = await resting('43000');
    await desk.fault('*', 'falseCancel', { match: { method: 'DELETE' }, times: 9 });
    await desk.fails(4, 'operation_unknown', 'alice', 'spot', 'cancel', id, '--yes');
    expect(await open()).toEqual([id]);
    const path = '/api/v2/exchange/client/order/cancel-many';
    liar.lie = { method: 'POST', path, times: 1, reaches: false, edit: () => ({ canceled: [id], failed: [] }) };
    const { code, stdout } = await liar.call('spot', 'cancel', '--symbol', 'BTCUSDT', '--yes');
    expect([code, JSON.parse(stdout)]).toMatchObject([4, { canceled: [], failed: [id] }]);
  });

  it('of a symbol reaches what a list that lags does not show', async () => {
    await resting('43500');
    liar.lie = { method: 'GET', path: ACTIVE, times: 1, edit: () => [] };
    const { code, stdout } = await liar.call('spot', 'cancel', '--symbol', 'BTCUSDT', '--yes');
    expect([code, (JSON.parse(stdout) as { canceled: unknown[] }).canceled.length]).toEqual([0, 1]);
    expect(await open()).toEqual([]);
  });

  it('of a symbol that is none, of nothing, or of the other market is refused', async () => {
    const id = await resting('44000');
    for (const symbol of ['BTCUSTD', 'BTCUSDTPERP']) {
      const call = ['spot', 'cancel', '--symbol', symbol, '--yes'];
      expect(await desk.fails(1, 'operation_refused', 'alice', ...call)).toMatchObject({ code: 'unknown_symbol' });
      for (const list of ['orders', 'trades'])
        expect(await desk.fails(1, 'operation_refused', 'alice', 'spot', list, symbol)).toMatchObject({
          code: 'unknown_symbol',
        });
    }
    await desk.fails(2, 'operation_invalid', 'alice', 'futures', 'cancel', id, '--yes');
    for (const call of [
      ['cancel', '--symbol', ''],
      ['cancel', ''],
      ['orders', '--id', ''],
      ['ticker', ''],
    ])
      await desk.fails(2, 'operation_invalid', 'alice', 'spot', ...call, ...(call[0] === 'cancel' ? ['--yes'] : []));
    expect(await open()).toEqual([id]);
  });

  it('by a key that may not see the orders does not say that there are none', async () => {
    await resting('45000');
    const env = await limitedKey(desk.running, [{ category: 'trading_futures', accessLevel: 'full' }]);
    for (const call of [['orders'], ['cancel', '--symbol', 'BTCUSDT', '--yes']]) {
      const { code, stdout } = await desk.call('alice', ['spot', ...call, '--json'], { env });
      expect([code, JSON.parse(stdout)]).toMatchObject([
        1,
        { error: { details: { code: 'insufficient_permissions' } } },
      ]);
    }
    expect(await open()).toHaveLength(1);
  });
});

describe('an armed probe', () => {
  const probe = ['probe', '--arm', '--confirm', 'alice', '--yes', '--for', '1ms'];

  it('takes back an order that was refused and rests, and ends with 4', async () => {
    for (const [side, price] of [
      ['buy', '59999'],
      ['sell', '60001'],
    ] as const)
      await desk.json('bob', 'spot', 'order', 'BTCUSDT', side, '0.1', '--price', price, '--yes');
    await desk.fault(CREATE, 'falseRefusal');
    const { code, stdout } = await desk.call('alice', [...probe, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      4,
      { order: { gone: true, orderId: expect.any(String) }, unknown: expect.stringContaining('it was refused') },
    ]);
    expect(await open()).toEqual([]);
  });

  it('names the order that an earlier one left', async () => {
    const client = ['--client-order-id', 'probe-left-behind'];
    const left = await desk.json(
      'alice',
      'spot',
      'order',
      'BTCUSDT',
      'buy',
      '0.001',
      '--price',
      '40000',
      ...client,
      '--yes',
    );
    const { stderr } = await desk.call('alice', probe);
    expect(stderr).toContain(`order ${String(left['orderId'])} of an earlier probe rests`);
  });
});
