/** `p2p confirm` was sent for a trade that nobody had paid; so was every other step that the state did not allow. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { p2pTradeTransitions, type P2pTradeStatus } from '../../src/exchange/interface/states.ts';
import type { P2pStep } from '../../src/operations/exchange/p2p-steps.ts';
import { openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(76);
});
afterAll(() => desk.stop());

const STEPS: readonly P2pStep[] = ['start', 'pay', 'confirm', 'dispute', 'cancel'];

/** What would arrive at the exchange gets no answer and would end unknown, so that a refusal was made here. */
async function refused(step: P2pStep, id: string, status: P2pTradeStatus): Promise<void> {
  await desk.fault(`/api/v1/p2p/client/trade/${step}`, 'drop');
  const reason = step === 'dispute' ? ['--reason', 'nothing came'] : [];
  const ended = await desk.call('alice', ['p2p', step, id, ...reason, '--yes']);
  await desk.clearFaults();
  expect([status, step, ended.code]).toEqual([status, step, 1]);
  expect(ended.stderr).toContain(`trade ${id} is ${status}, and ${step} needs `);
  expect(ended.stderr).toContain('nothing was sent');
}

async function refusedIn(status: P2pTradeStatus, id: string): Promise<void> {
  const allowed = p2pTradeTransitions.filter(({ from }) => from === status).map(({ trigger }) => trigger);
  for (const step of STEPS) if (!allowed.includes(step)) await refused(step, id, status);
}

it('p2p steps/only in the states of the table', async () => {
  const terms = ['--price', '95.5', '--amount', '100', '--min', '500', '--max', '9550', '--method', '1'];
  const ad = await desk.json('alice', 'p2p', 'create', 'USDTRUB', 'sell', ...terms, '--yes');
  const trade = await desk.json('bob', 'p2p', 'respond', String(ad['id']), '10', '--yes');
  const id = String(trade['id']);
  await refusedIn('open:wait-confirm', id);
  await desk.json('alice', 'p2p', 'start', id, '--yes');
  await refusedIn('open', id);
  const unpaid = await desk.call('alice', ['p2p', 'confirm', id, '--yes']);
  expect(unpaid.stderr).toContain('next: the buyer pays 955 RUB; wait');
  await desk.json('bob', 'p2p', 'pay', id, '--yes');
  await refusedIn('send-payment-document', id);
  await desk.json('alice', 'p2p', 'dispute', id, '--reason', 'nothing came', '--yes');
  await refusedIn('dispute:open', id);
  await desk.json('alice', 'p2p', 'confirm', id, '--yes');
  await refusedIn('complete', id);
});

it('p2p confirm/a lost answer is looked up before the state is judged', async () => {
  const [ad] = (await desk.json<{ items: { id: string }[] }>('alice', 'p2p', 'my-ads', '--status', 'active')).items;
  const id = String((await desk.json('bob', 'p2p', 'respond', ad!.id, '11', '--yes'))['id']);
  await desk.json('alice', 'p2p', 'start', id, '--yes');
  await desk.json('bob', 'p2p', 'pay', id, '--yes');
  await desk.fault('/api/v1/p2p/client/trade/confirm', 'dropAfterEffect');
  await desk.fails(4, 'operation_unknown', 'alice', 'p2p', 'confirm', id, '--yes');
  await desk.clearFaults();
  await desk.fails(3, 'operation_happened', 'alice', 'p2p', 'confirm', id, '--yes');
});
