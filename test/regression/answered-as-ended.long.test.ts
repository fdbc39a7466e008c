/**
 * An order by hand, a close and a withdrawal that are answered as ended, and are not: the one word of the answer was
 * believed, so that the same command was sent again, or a trade was shown that never was.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type LyingExchange } from '../cli/lying-exchange.ts';

const WITHDRAW = '/api/v1/wallet/create-and-submit-crypto-out';
const HISTORY = '/api/v1/wallet/transactions/list/my';
const ORDER = '/api/v2/exchange/client/order';
const ROW = `${ORDER}/{orderId}`;
const DAY_MS = 24 * 3_600_000;

let desk: CliDesk;
let liar: LyingExchange;
beforeAll(async () => {
  desk = await openCliDesk(92);
  liar = await openLyingExchange(desk);
  const book = ['wallet', 'book', 'add', 'cold', '--currency', 'USDT', '--network', 'TRC20', '--yes'];
  await desk.json('alice', ...book, '--address', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE');
  desk.running.advance(DAY_MS);
});
afterEach(async () => {
  liar.lie = null;
  await desk.clearFaults();
});
afterAll(async () => {
  liar.stop();
  await desk.stop();
});

async function open(area: string): Promise<readonly Json[]> {
  return (await desk.json<{ items: readonly Json[] }>('alice', area, 'orders')).items;
}

describe('an order by hand that rests', () => {
  it.each([
    ['spot', 'BTCUSDT', 'rejected', '41000'],
    ['spot', 'BTCUSDT', 'filled', '41001'],
    ['futures', 'BTCUSDTPERP', 'canceled', '41002'],
    ['futures', 'BTCUSDTPERP', 'expired', '41003'],
  ])('on %s %s and is answered as %s is exit 4, and is not sent again', async (area, symbol, status, price) => {
    const order = [area, 'order', symbol, 'buy', '0.01', '--price', price, '--yes'];
    const before = (await open(area)).length;
    await desk.fault(`${ORDER}/*`, 'falseStatus', { match: { method: 'POST', path: `${ORDER}/*` }, status });
    const { code, stderr } = await desk.call('alice', order);
    expect([code, stderr.includes(`answered as ${status}`), stderr.includes('is shown as new')]).toEqual([
      4,
      true,
      true,
    ]);
    await desk.fails(3, 'operation_happened', 'alice', ...order);
    expect(await open(area)).toHaveLength(before + 1);
  });

  it('and cannot be looked up is exit 4, and is not sent again', async () => {
    const order = ['spot', 'order', 'BTCUSDT', 'buy', '0.01', '--price', '41004', '--yes'];
    const rules = [
      { match: { method: 'POST', path: `${ORDER}/*` }, fault: 'falseStatus', status: 'rejected', times: 1 },
      { match: { method: 'GET', path: ROW }, fault: 'status', status: 503 },
    ];
    await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
    await desk.fails(4, 'operation_contradicted', 'alice', ...order);
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'alice', ...order);
  });
});

it('an order that was rejected, as its own row says, is exit 1, and may be sent again', async () => {
  const order = ['spot', 'order', 'BTCUSDT', 'buy', '0.01', '--price', '42000', '--yes'];
  const rejected = (answer: Json | null): Json => ({ ...answer, status: 'rejected' });
  liar.lie = {
    method: 'POST',
    path: `${ORDER}/spot`,
    times: 1,
    edit: (answer) => {
      liar.lie = { method: 'GET', path: `${ORDER}/${String(answer?.['orderId'])}`, times: 1, edit: rejected };
      return rejected(answer);
    },
  };
  const { code, stdout } = await liar.call(...order);
  expect([code, stdout.includes('operation_refused')]).toEqual([1, true]);
  await desk.json('alice', ...order);
});

describe('a trade that happened', () => {
  beforeAll(async () => {
    for (const [area, symbol] of [
      ['spot', 'BTCUSDT'],
      ['futures', 'BTCUSDTPERP'],
    ] as const)
      await desk.json('bob', area, 'order', symbol, 'sell', '0.1', '--price', '60000', '--yes');
    await desk.json('bob', 'futures', 'order', 'BTCUSDTPERP', 'buy', '0.1', '--price', '59999', '--yes');
  });

  it('is exit 0 also where it cannot be looked up, and says so', async () => {
    const order = ['spot', 'order', 'BTCUSDT', 'buy', '0.01', '--yes'];
    expect(await desk.json('alice', ...order)).toMatchObject({ status: 'filled' });
    await desk.fault(ROW, 'status', { match: { method: 'GET', path: ROW }, status: 503, times: 9 });
    const { code, stderr } = await desk.call('alice', order);
    expect([code, stderr.includes('could not be read')]).toEqual([0, true]);
  });

  it('and is answered as a close that did nothing is exit 4', async () => {
    await desk.json('alice', 'futures', 'order', 'BTCUSDTPERP', 'buy', '0.02', '--yes');
    liar.lie = {
      method: 'POST',
      path: '/api/v2/exchange/client/positions/close',
      times: 1,
      edit: (answer) => ({ ...answer, status: 'rejected', filledQuantity: '0' }),
    };
    const { code, stdout } = await liar.call('futures', 'close', 'BTCUSDTPERP', '--quantity', '0.01', '--yes');
    expect([code, stdout.includes('is shown as filled')]).toEqual([4, true]);
  });
});

describe('a withdrawal', () => {
  const failed = (answer: Json | null): Json => ({ ...answer, status: 'failed' });

  async function withdraw(amount: string): Promise<readonly [code: number, said: string]> {
    const argv = ['wallet', 'withdraw', 'USDT', amount, '--to', 'cold', '--network', 'TRC20', '--yes', '--json'];
    const { publicKey, secretKey } = desk.running.users[0]!.apiKey;
    const { TIDEWIRE_2FA_CODE = '' } = desk.loginOf('alice');
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, TIDEWIRE_2FA_CODE };
    const { code, stdout } = await callCli([...argv, '--config', liar.config], desk.folder, { env });
    return [code, stdout];
  }

  it('that is answered as failed, and is submitted, is exit 4, and is not sent again', async () => {
    liar.lie = { method: 'POST', path: WITHDRAW, times: 1, edit: failed };
    expect(await withdraw('26')).toEqual([4, expect.stringContaining('the exchange shows it as submitted')]);
    expect(await withdraw('26')).toEqual([3, expect.stringContaining('operation_happened')]);
  });

  it('that failed, as the history says, is exit 1', async () => {
    liar.lie = {
      method: 'POST',
      path: WITHDRAW,
      times: 1,
      edit: (answer) => {
        const edit = (page: Json | null): Json => ({ ...page, items: ((page?.['items'] ?? []) as Json[]).map(failed) });
        liar.lie = { method: 'GET', path: HISTORY, times: 1, edit };
        return failed(answer);
      },
    };
    expect(await withdraw('27')).toEqual([1, expect.stringContaining('operation_refused')]);
  });
});
