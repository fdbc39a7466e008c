/**
 * A live session on an exchange in a process of its own: its server reads the account by the client of the session, and
 * moves money through its treasury, in two steps, once a key, and never again where the end is not known.
 */
import { expect, it } from 'vitest';
import { freshFolder } from '../../e2e/cli.ts';
import { startExchange } from '../../e2e/exchange-process.ts';
import { liveSession, refusal, type Reply } from './live-session.ts';

const TRANSFER = '/operations/transfer/make';
const LIMITS = `strategies:
  - file: ladder.ts
    limits: { transfers: { routes: [[unified-trading, funding]], max: { USDT: '500' }, maxPerDay: { USDT: '700' } } }
journal: { dir: data/sessions, durability: normal }
`;

it('reads by the client of the session, and transfers by its treasury what the limits of a strategy allow', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const live = await liveSession(cwd, exchange, LIMITS);
  const { token, readToken } = live;
  const post = (body: object, key: string, by = token): Promise<Reply> => live.post(TRANSFER, body, key, by);
  const funding = async (): Promise<number> => {
    const { json } = await live.get('/operations/account/overview?account=funding&currency=USDT');
    return Number(json.items?.[0]?.['total']);
  };

  await live.traded();
  const found = await live.get('/operations/spot/orders?symbol=BTCUSDT', readToken);
  expect(found.json).toMatchObject({ complete: true });
  expect(found.json.items?.map(({ symbol }) => symbol)).toContain('BTCUSDT');
  const before = await funding();

  const wish = { from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '400' };
  expect(refusal(await post(wish, 'a', readToken))).toEqual([403, 'bridge_forbidden', undefined]);
  expect(refusal(await post({ ...wish, reason: '' }, 'a'))).toEqual([400, 'bridge_bad_request', 'reason']);
  expect(refusal(await post({ ...wish, amount: '4e2' }, 'a'))).toEqual([400, 'bridge_bad_request', 'amount']);
  expect(refusal(await post({ ...wish, to: 'bob' }, 'a'))).toEqual([400, 'bridge_bad_request', 'to']);
  expect(refusal(await post({ ...wish, address: 'T1' }, 'a'))).toEqual([400, 'bridge_bad_request', 'address']);
  expect(refusal(await post({ ...wish, amount: '501' }, 'a'))).toEqual([409, 'remote_denied', 'amount']);
  expect(refusal(await post({ ...wish, from: 'funding', to: 'p2p' }, 'a'))).toEqual([409, 'remote_denied', undefined]);
  expect(refusal(await post({ ...wish, strategy: 'other' }, 'a'))).toEqual([404, 'remote_strategy', 'strategy']);

  const asked = await post(wish, 'a');
  expect(refusal(asked)).toEqual([409, 'bridge_confirmation_needed', undefined]);
  expect(asked.json.confirm?.what).toContain('move 400 USDT from unified-trading to funding');
  const { code = '' } = asked.json.confirm ?? {};
  expect(refusal(await post({ ...wish, amount: '401', code }, 'a'))).toEqual([409, 'remote_not_confirmed', undefined]);
  expect(await live.entries('money-intent')).toEqual([]);
  const done = await post({ ...wish, code }, 'a');
  expect(done).toMatchObject({ status: 202, json: { command: 'transfer' } });
  await live.process.during('the money', async () => ((await funding()) === before + 400 ? true : undefined));
  // The same key answers the same and moves nothing.
  expect((await post({ ...wish, code }, 'a')).json.seq).toBe(done.json.seq);
  expect(refusal(await post({ ...wish, amount: '300' }, 'a'))).toEqual([409, 'bridge_key_reused', 'Idempotency-Key']);
  // Over the most of a day.
  expect(refusal(await post(wish, 'b'))).toEqual([409, 'remote_denied', 'amount']);

  const [told] = (await live.entries('record')).filter(({ seq }) => seq === done.json.seq);
  expect(told?.entry).toMatchObject({
    data: {
      command: 'move',
      reason: 'a test',
      who: expect.stringContaining('api'),
      move: { kind: 'transfer', ...wish },
    },
  });
  expect(JSON.stringify(told)).not.toContain(code);
  const [intent] = await live.entries('money-intent');
  const [sending] = await live.entries('money-sending');
  expect(done.json.seq).toBeLessThan(intent!.seq);
  expect(intent!.seq).toBeLessThan(sending!.seq);

  const path = '/api/v1/accounting/client/transfer/account';
  await exchange.control('faults', { rules: [{ match: { method: 'POST', path }, fault: 'drop', times: 9 }] });
  expect((await live.confirmed(TRANSFER, { ...wish, amount: '100' }, 'c')).status).toBe(202);
  await live.process.during('an unknown end', async () =>
    (await live.entries('money-outcome')).find(({ entry }) => JSON.stringify(entry).includes('unknown')),
  );
  // One intent, sent once.
  expect(await live.entries('money-intent')).toHaveLength(2);
  expect(await live.entries('money-sending')).toHaveLength(2);
  const { json } = await live.get('/sessions/current');
  expect(JSON.stringify(json['alarms'])).toContain('money_unknown');
  const all = JSON.stringify([json, await live.get('/operations'), await live.get('/operations/account/me')]);
  for (const secret of [exchange.user.apiKey.secretKey, exchange.user.apiKey.publicKey, token])
    expect(all).not.toContain(secret);
});
