/**
 * Found by a stranger: a cancellation of a withdrawal that was lost on its way could not be tried again for 68 s, while the money
 * was leaving; nor could an offer be hidden. A second deletion that was refused truly was reported as "it happened".
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

const DAY_MS = 24 * 3_600_000;

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(94);
});
afterEach(() => desk.clearFaults());
afterAll(() => desk.stop());

it('a withdrawal is canceled at once by a second try', async () => {
  const book = ['wallet', 'book', 'add', 'cold', '--currency', 'USDT', '--network', 'TRC20', '--yes'];
  await desk.json('alice', ...book, '--address', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE');
  desk.running.advance(DAY_MS);
  const withdraw = ['wallet', 'withdraw', 'USDT', '41', '--to', 'cold', '--network', 'TRC20', '--yes', '--json'];
  const made = await desk.call('alice', withdraw, { env: desk.loginOf('alice') });
  const { transactionId } = JSON.parse(made.stdout) as { transactionId: string };
  await desk.fault(`/api/v1/wallet/create-crypto-out/${transactionId}`, 'drop');
  await desk.fails(4, 'operation_unknown', 'alice', 'wallet', 'cancel', transactionId, '--yes');
  expect(await desk.json('alice', 'wallet', 'cancel', transactionId, '--yes')).toMatchObject({ status: 'canceled' });
});

it('an offer is hidden at once by a second try, and its second deletion is refused', async () => {
  const terms = ['--price', '95.5', '--amount', '100', '--min', '500', '--max', '9550', '--method', '1', '--yes'];
  const id = String((await desk.json('alice', 'p2p', 'create', 'USDTRUB', 'sell', ...terms))['id']);
  await desk.fault(`/api/v1/p2p/client/advertisement/${id}/deactivate`, 'drop');
  await desk.fails(4, 'operation_unknown', 'alice', 'p2p', 'deactivate', id, '--yes');
  expect(await desk.json('alice', 'p2p', 'deactivate', id, '--yes')).toMatchObject({ status: 'deactivated' });
  expect(await desk.json('alice', 'p2p', 'delete', id, '--yes')).toMatchObject({ status: 'canceled' });
  const refused = await desk.fails(1, 'operation_refused', 'alice', 'p2p', 'delete', id, '--yes');
  expect(refused).toMatchObject({ code: 'illegal_transition' });
});
