/**
 * Found by the simulated worlds: a withdrawal that never arrived was never proved absent while a session traded, since each fee of
 * a trade counted as a movement of its currency. Trading touches no other account.
 */
import { expect, it } from 'vitest';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { row, SENT, transfer, verdictOn } from './movement-rig.ts';

const withdraw: MoneyRequest = { kind: 'withdraw', currency: 'USDT', network: 'TRC20', address: 'T1', amount: '5' };
const at = { createdAt: SENT + 5_000, updatedAt: SENT + 5_000 };
const fee = row({ transactionId: 'f1', type: 'trade_fee', amount: '0.1', ...at });
const deposit = row({ transactionId: 'd1', type: 'deposit', account: 'funding', amount: '5', ...at });

it.each(['trade_fee', 'funding', 'overdraft_interest'])('a withdrawal is absent beside a %s', (type) => {
  expect(verdictOn(withdraw, { rows: [{ ...fee, type }], isQuiet: true }).kind).toBe('absent');
});

it('what may have made up for it keeps it open', () => {
  expect(verdictOn(withdraw, { rows: [fee, deposit], isQuiet: true }).kind).toBe('open');
});

it('a transfer of the trading account stays open beside a fee of a trade where no other balance shows it', () => {
  const into: MoneyRequest = { ...transfer, to: 'p2p' };
  expect(verdictOn(into, { rows: [fee], isQuiet: true }).kind).toBe('open');
});
