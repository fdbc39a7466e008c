/**
 * Money that moved while the exchange answered that it refuses, and whose lists show it later: the refusal was believed after
 * one look, and the same command sent it twice. It is denied until the lists can lag no longer, and looked up then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type LyingExchange } from '../cli/lying-exchange.ts';

const TRANSFER = '/api/v1/accounting/client/transfer/account';
const HISTORY = '/api/v1/wallet/transactions/list/my';
const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';
const CODE = '/api/v1/code/create-api';
const CODES = '/api/v1/code/my';
const ORDER = '/api/v2/exchange/client/order/spot';
const ACTIVE = '/api/v2/exchange/client/order/active';

let desk: CliDesk;
let liar: LyingExchange;
beforeAll(async () => {
  desk = await openCliDesk(94);
  liar = await openLyingExchange(desk);
  const config = readFileSync(join(desk.folder, liar.config), 'utf8');
  writeFileSync(join(desk.folder, liar.config), config.replace('historyLagMs: 200', 'historyLagMs: 600000'));
  const own = readFileSync(join(desk.folder, 'c.yaml'), 'utf8');
  writeFileSync(join(desk.folder, 'c.yaml'), own.replace('historyLagMs: 200', 'historyLagMs: 0'));
});
afterEach(async () => {
  liar.lie = null;
  await desk.clearFaults();
});
afterAll(async () => {
  liar.stop();
  await desk.stop();
});

/** Through lists that may lag for ten minutes. */
async function slow(...argv: readonly string[]): Promise<readonly [code: number, said: string]> {
  const { code, stdout } = await liar.call(...argv, '--yes');
  return [code, stdout];
}

async function held(account: string): Promise<number> {
  const { items } = await desk.json<{ items: Json[] }>('alice', 'account', 'overview', '--currency', 'USDT');
  return Number(items.find((row) => row['account'] === account)?.['available']);
}

function transfer(amount: string): readonly string[] {
  return ['transfer', 'make', 'funding', 'unified-trading', 'USDT', amount];
}

describe('what was refused and happened, and is not listed yet', () => {
  const none = (page: Json | null): Json => ({ ...page, items: [] });

  it.each([
    ['a transfer', TRANSFER, HISTORY, none, transfer('21')],
    ['a code', CODE, CODES, none, ['codes', 'create', 'USDT', '22']],
    ['an order', ORDER, ACTIVE, () => [], ['spot', 'order', 'BTCUSDT', 'buy', '0.01', '--price', '41000']],
  ])(
    '%s is refused at once, denied within the lag, and named once it is listed',
    async (_what, path, list, edit, argv) => {
      const before = liar.count('POST', path);
      await desk.fault(path, 'falseRefusal');
      liar.lie = { method: 'GET', path: list, times: 99, edit };
      expect(await slow(...argv)).toEqual([1, expect.stringContaining('that is not proved yet')]);
      expect(await slow(...argv)).toEqual([3, expect.stringContaining('may not show yet what it did')]);
      liar.lie = null;
      expect(await slow(...argv)).toEqual([3, expect.stringContaining('operation_happened')]);
      expect(liar.count('POST', path)).toBe(before + 1);
    },
  );

  it('a transfer that the history shows while the balances lag is exit 4, and is denied', async () => {
    const before = await held('unified-trading');
    let first: Json | null = null;
    const frozen = (answer: Json | null): Json | null => (first ??= answer);
    await desk.fault(TRANSFER, 'falseRefusal');
    liar.lie = { method: 'GET', path: BALANCES, times: 99, edit: frozen };
    expect(await slow(...transfer('23'))).toEqual([4, expect.stringContaining('may be it')]);
    expect(await slow(...transfer('23'))).toEqual([3, expect.stringContaining('operation_denied')]);
    liar.lie = null;
    expect(await slow(...transfer('23'))).toEqual([3, expect.stringContaining('operation_happened')]);
    expect(await held('unified-trading')).toBe(before + 23);
  });
});

it('what was refused, and did not happen, may be sent again after the lag, or with --again', async () => {
  const create = ['codes', 'create', 'USDT', '5', '--for', 'nobody'];
  expect((await slow(...create))[0]).toBe(1);
  expect((await slow(...create))[0]).toBe(3);
  expect((await slow(...create, '--again'))[0]).toBe(1);
  for (let time = 0; time < 2; time++) await desk.fails(1, 'operation_refused', 'alice', ...create, '--yes');
});
