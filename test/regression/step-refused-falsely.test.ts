/**
 * A step of a P2P trade, an application or a withdrawal that was refused and taken: the refusal was believed, and told that
 * the escrow stands which had been released. Its state is looked at before that is said.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { openCliDesk, type CliDesk, type Who } from '../cli/cli-desk.ts';

const DAY_MS = 24 * 3_600_000;
const TRADES = '/api/v1/p2p/client/trade/list/my';

let desk: CliDesk;
let ad: string;
beforeAll(async () => {
  desk = await openCliDesk(93);
  await desk.json('alice', 'transfer', 'make', 'funding', 'p2p', 'USDT', '500', '--yes');
  const terms = ['--price', '95.5', '--amount', '300', '--min', '500', '--max', '9550', '--method', '1'];
  ad = String((await desk.json('alice', 'p2p', 'create', 'USDTRUB', 'sell', ...terms, '--yes'))['id']);
});
afterEach(() => desk.clearFaults());
afterAll(() => desk.stop());

function p2p(who: Who, ...argv: readonly string[]): Promise<unknown> {
  return desk.json(who, 'p2p', ...argv, '--yes');
}

let volume = 10;
async function trade(): Promise<string> {
  volume++;
  const made = await desk.json('bob', 'p2p', 'respond', ad, String(volume), '--yes');
  return String(made['id']);
}

/** The next request that moves something is carried out, and its answer refuses it. */
function refuseNext(method = 'POST'): Promise<void> {
  return desk.fault('*', 'falseRefusal', { match: { method } });
}

async function saidToHaveHappened(who: Who, ...argv: readonly string[]): Promise<void> {
  const { code, stderr } = await desk.call(who, [...argv, '--yes']);
  expect([
    argv,
    code,
    stderr.includes('was refused with insufficient_balance'),
    stderr.includes('IT HAPPENED'),
  ]).toEqual([argv, 4, true, true]);
}

describe('a step of a trade that is refused and taken', () => {
  it.each(['start', 'pay', 'confirm'] as const)('%s is exit 4 and says so', async (verb) => {
    const id = await trade();
    if (verb !== 'start') await p2p('alice', 'start', id);
    if (verb === 'confirm') await p2p('bob', 'pay', id);
    await refuseNext();
    await saidToHaveHappened(verb === 'pay' ? 'bob' : 'alice', 'p2p', verb, id);
  });

  it('cancel and dispute are, too', async () => {
    const canceled = await trade();
    await refuseNext();
    await saidToHaveHappened('bob', 'p2p', 'cancel', canceled);
    const disputed = await trade();
    await p2p('alice', 'start', disputed);
    await p2p('bob', 'pay', disputed);
    await refuseNext();
    await saidToHaveHappened('alice', 'p2p', 'dispute', disputed, '--reason', 'nothing arrived');
  });

  it('and cannot be read is refused as not proved', async () => {
    const id = await trade();
    const rules = [
      { match: { method: 'POST' }, fault: 'falseRefusal', times: 1 },
      { match: { path: TRADES }, fault: 'status', status: 503 },
    ];
    await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
    const { code, stderr } = await desk.call('alice', ['p2p', 'start', id, '--yes']);
    expect([code, stderr.includes('not proved yet: trade could not be read completely')]).toEqual([1, true]);
  });
});

it('a step that is refused, and was not taken, is exit 1', async () => {
  const id = await trade();
  await p2p('alice', 'start', id);
  await p2p('bob', 'pay', id);
  expect(await desk.fails(1, 'operation_refused', 'bob', 'p2p', 'confirm', id, '--yes')).toMatchObject({
    code: 'not_owner',
  });
});

it('a submitted application that is refused is exit 4, and a second submission is refused', async () => {
  writeFileSync(join(desk.folder, 'details.txt'), 'account 1');
  const terms = ['RUB', '7000', '--method', 'sbp', '--details', 'details.txt', '--yes'];
  const { applicationId } = await desk.json('alice', 'fiat', 'draft', 'withdrawal', ...terms);
  await refuseNext('PATCH');
  await saidToHaveHappened('alice', 'fiat', 'submit', String(applicationId));
  const again = await desk.fails(1, 'operation_refused', 'alice', 'fiat', 'submit', String(applicationId), '--yes');
  expect(again).toMatchObject({ code: 'illegal_transition' });
});

it('a canceled withdrawal whose cancellation is refused is exit 4', async () => {
  const to = ['--to', 'cold', '--network', 'TRC20', '--yes', '--json', '--config', 'c.yaml'];
  const book = ['wallet', 'book', 'add', 'cold', '--currency', 'USDT', '--network', 'TRC20', '--yes'];
  await desk.json('alice', ...book, '--address', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE');
  desk.running.advance(DAY_MS);
  const { publicKey, secretKey } = desk.running.users[0]!.apiKey;
  const { TIDEWIRE_2FA_CODE = '' } = desk.loginOf('alice');
  const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, TIDEWIRE_2FA_CODE };
  const made = await callCli(['wallet', 'withdraw', 'USDT', '22', ...to], desk.folder, { env });
  const { transactionId } = JSON.parse(made.stdout) as { transactionId: string };
  await refuseNext('DELETE');
  await saidToHaveHappened('alice', 'wallet', 'cancel', transactionId);
});
