/** `tidewire p2p` against a real sandbox with two users: documents, checks beforehand, every step of a trade, the socket. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json, type Who } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(75);
});
afterAll(() => desk.stop());

const terms = ['--price', '95.5', '--amount', '100', '--min', '500', '--max', '9550', '--method', '1'] as const;
const create = ['p2p', 'create', 'USDTRUB', 'sell', ...terms] as const;

async function advertise(): Promise<string> {
  return String((await desk.json('alice', ...create, '--yes'))['id']);
}

async function respond(ad: string, amount = '10'): Promise<string> {
  return String((await desk.json('bob', 'p2p', 'respond', ad, amount, '--yes'))['id']);
}

function step(who: Who, verb: string, id: string): Promise<Json> {
  return desk.json(who, 'p2p', verb, id, '--yes');
}

async function heldByAlice(): Promise<Json | undefined> {
  const { items } = await desk.json<{ items: Json[] }>('alice', 'account', 'overview', '--account', 'p2p');
  return items.find((row) => row['currency'] === 'USDT');
}

describe('p2p reads', () => {
  it('show pairs with their bounds, methods and the profile, in the names of the document', async () => {
    const { items } = await desk.json<{ items: Json[] }>('alice', 'p2p', 'markets');
    expect(items[0]).toMatchObject({
      marketId: 'USDTRUB',
      baseCurrencyId: 'USDT',
      pricePrecision: 4,
      advertisementMaxCountSell: 3,
      tradeActiveMaxCount: 5,
      marketPriceValidationRule: { ruleType: 'anchor', params: { ask: '10', bid: '10', price: '95' } },
    });
    const text = await desk.call('alice', ['p2p', 'markets']);
    expect(text.stdout).toContain('85.5 to 104.5 RUB (anchor 95, -10 % +10 %)');
    const methods = await desk.json<{ items: Json[] }>('alice', 'p2p', 'methods');
    expect(methods.items).toContainEqual({ id: '1', name: expect.any(String) });
    expect(await desk.json('bob', 'p2p', 'profile')).toMatchObject({ username: 'bob', tradesCount: 0 });
  });
});

describe('what does not exist', () => {
  it('is refused with not_found when it is read', async () => {
    for (const noun of ['ad', 'trade']) {
      const details = await desk.fails(1, 'operation_refused', 'alice', 'p2p', noun, '999');
      expect(details).toMatchObject({ code: 'not_found' });
    }
    await desk.fails(1, 'operation_refused', 'alice', 'p2p', 'confirm', '999', '--yes');
  });
});

describe('advertisements', () => {
  it('are created, listed, hidden, edited, shown and deleted', async () => {
    const id = await advertise();
    const ads = await desk.json<{ complete: boolean; items: Json[] }>('bob', 'p2p', 'ads', '--market', 'usdtrub');
    expect(ads.complete).toBe(true);
    expect(ads.items).toContainEqual(
      expect.objectContaining({ id, side: 'sell', price: '95.5', availableAmount: '100', minLimit: '500' }),
    );
    const early = await desk.fails(1, 'operation_refused', 'alice', 'p2p', 'edit', id, '--price', '96', '--yes');
    expect(early).toMatchObject({ code: 'illegal_transition' });
    expect(await step('alice', 'deactivate', id)).toMatchObject({ id, status: 'deactivated' });
    const edited = await desk.json(
      'alice',
      'p2p',
      'edit',
      id,
      '--price',
      '96',
      '--method',
      '1',
      '--method',
      '2',
      '--yes',
    );
    expect(edited).toMatchObject({ price: '96', availableAmount: '100', status: 'deactivated' });
    expect(edited['paymentMethods']).toHaveLength(2);
    expect(await step('alice', 'activate', id)).toMatchObject({ status: 'active' });
    const foreign = await desk.fails(1, 'operation_refused', 'bob', 'p2p', 'delete', id, '--yes');
    expect(foreign).toMatchObject({ code: 'not_owner' });
    expect(await step('alice', 'delete', id)).toMatchObject({ status: 'canceled' });
    const mine = await desk.json<{ items: Json[] }>('alice', 'p2p', 'my-ads', '--status', 'canceled');
    expect(mine.items.map((row) => row['id'])).toContain(id);
  });

  it('are checked against the rules of the pair before anything is sent', async () => {
    const wrong = async (option: string, value: string): Promise<Json> => {
      const call = create.map((word, index) => (create[index - 1] === option ? value : word));
      return desk.fails(1, 'operation_refused', 'alice', ...call, '--yes');
    };
    expect(await wrong('--price', '104.51')).toMatchObject({ code: 'price_out_of_bounds', field: 'price' });
    expect(await wrong('--price', '95.12345')).toMatchObject({ code: 'off_tick', field: 'price' });
    expect(await wrong('--amount', '0.5')).toMatchObject({ code: 'below_minimum', field: 'amount' });
    expect(await wrong('--amount', '999999')).toMatchObject({ code: 'insufficient_balance' });
    expect(await wrong('--max', '400')).toMatchObject({ code: 'below_minimum', field: 'maxLimit' });
    await desk.fails(3, 'not_confirmed', 'alice', ...create);
    await desk.fails(2, 'operation_invalid', 'alice', 'p2p', 'create', 'BTCEUR', 'sell', ...terms, '--yes');
    await desk.fails(2, 'operation_invalid', 'alice', 'p2p', 'edit', '1', '--yes');
    expect((await desk.json<{ items: Json[] }>('alice', 'p2p', 'my-ads', '--status', 'active')).items).toEqual([]);
  });

  it('are not created twice when the answer was lost, and at most three of a side', async () => {
    await desk.fault('/api/v1/p2p/client/advertisement', 'dropAfterEffect');
    await desk.fails(4, 'operation_unknown', 'alice', ...create, '--yes');
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'alice', ...create, '--yes');
    const first = await desk.json<{ items: Json[] }>('alice', 'p2p', 'my-ads', '--status', 'active');
    expect(first.items).toHaveLength(1);
    for (const price of ['96', '97']) {
      const other = create.map((word) => (word === '95.5' ? price : word));
      await desk.json('alice', ...other, '--yes');
    }
    const fourth = await desk.fails(1, 'operation_refused', 'alice', ...create, '--yes', '--again');
    expect(fourth).toMatchObject({ code: 'limit_reached' });
    const { items } = await desk.json<{ items: Json[] }>('alice', 'p2p', 'my-ads', '--status', 'active');
    for (const row of items) await step('alice', 'delete', String(row['id']));
  });
});

describe('a trade', () => {
  it('goes from response to confirmation, with decoded amounts, deadlines and a warning before the release', async () => {
    const before = Number((await heldByAlice())?.['total']);
    const ad = String((await desk.json('alice', ...create, '--yes', '--again'))['id']);
    const small = await desk.fails(1, 'operation_refused', 'bob', 'p2p', 'respond', ad, '1', '--yes');
    expect(small).toMatchObject({ code: 'below_minimum', field: 'amount' });
    const trade = await desk.json('bob', 'p2p', 'respond', ad, '10', '--yes');
    expect(trade).toMatchObject({
      command: 'p2p respond',
      volume: '10',
      volumeCurrencyId: 'USDT',
      amount: '955',
      amountCurrencyId: 'RUB',
      price: '95.5',
      status: 'open:wait-confirm',
      confirmUntil: Number(trade['createdAt']) + 600_000,
    });
    expect(await heldByAlice()).toMatchObject({ locked: '10' });
    const id = String(trade['id']);
    const shown = await desk.call('alice', ['p2p', 'trade', id]);
    expect(shown.stdout).toMatch(/within (10 min 0|9 min \d+) s/);
    expect(await step('alice', 'start', id)).toMatchObject({ status: 'open' });
    expect(await step('bob', 'pay', id)).toMatchObject({ status: 'send-payment-document' });
    const notMine = await desk.fails(1, 'operation_refused', 'bob', 'p2p', 'confirm', id, '--yes');
    expect(notMine).toMatchObject({ code: 'not_owner' });
    const asked = await desk.call('alice', ['p2p', 'confirm', id]);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('THIS RELEASES 10 USDT TO THE BUYER AND CANNOT BE UNDONE');
    expect(await step('alice', 'confirm', id)).toMatchObject({ status: 'complete' });
    expect(await heldByAlice()).toMatchObject({ locked: '0', total: String(before - 10) });
    await step('alice', 'delete', ad);
  });

  it('is canceled, disputed, and refused in the wrong state', async () => {
    const ad = String((await desk.json('alice', ...create, '--yes', '--again'))['id']);
    const canceled = await respond(ad, '11');
    expect(await step('bob', 'cancel', canceled)).toMatchObject({ status: 'cancel' });
    const late = await desk.fails(1, 'operation_refused', 'alice', 'p2p', 'start', canceled, '--yes');
    expect(late).toMatchObject({ code: 'illegal_transition' });
    const disputed = await respond(ad, '12');
    await step('alice', 'start', disputed);
    await step('bob', 'pay', disputed);
    const appeal = ['p2p', 'dispute', disputed, '--reason', 'nothing arrived', '--yes'];
    expect(await desk.json('alice', ...appeal)).toMatchObject({ status: 'dispute:open' });
    const open = await desk.json<{ items: Json[] }>('bob', 'p2p', 'trades', '--open');
    expect(open.items.map((row) => row['id'])).toEqual([disputed]);
    await step('alice', 'delete', ad);
  });

  it('is not started twice when the answer was lost', async () => {
    const ad = String((await desk.json('alice', ...create, '--yes', '--again'))['id']);
    await desk.fault('/api/v1/p2p/client/trade', 'dropAfterEffect');
    await desk.fails(4, 'operation_unknown', 'bob', 'p2p', 'respond', ad, '13', '--yes');
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'bob', 'p2p', 'respond', ad, '13', '--yes');
    const { items } = await desk.json<{ items: Json[] }>('bob', 'p2p', 'trades');
    expect(items.filter((row) => row['volume'] === '13')).toHaveLength(1);
  });
});

describe('p2p watch', () => {
  it('prints events until it is interrupted, and one document with --json', async () => {
    const env = { ...desk.loginOf('bob'), TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' };
    let interrupt = (): void => {};
    const interrupted = new Promise<string>((resolve) => {
      interrupt = () => resolve('SIGINT');
    });
    let heard = false;
    const onOut = (): void => {
      heard = true;
    };
    const lines = desk.call('bob', ['p2p', 'watch', '--jsonl', '--only', 'advertisement'], {
      env,
      interrupted,
      onOut,
    });
    const document = desk.call('bob', ['p2p', 'watch', '--json'], { env, interrupted });
    const ads: string[] = [];
    for (let round = 0; !heard && round < 100; round++) {
      const id = await desk.json<{ id: string }>(
        'alice',
        'p2p',
        'create',
        'USDTRUB',
        'buy',
        ...terms,
        '--yes',
        '--again',
      );
      ads.push(id.id);
      await step('alice', 'delete', id.id);
    }
    interrupt();
    const [streamed, whole] = await Promise.all([lines, document]);
    expect([streamed.code, whole.code, streamed.stderr.includes('watching')]).toEqual([0, 0, true]);
    const event = JSON.parse(streamed.stdout.split('\n')[0]!) as { event: string; data: Json };
    expect(event).toMatchObject({ event: 'advertisement', data: { side: 'buy', user: { username: 'alice' } } });
    expect(ads).toContain(event.data['id']);
    const { events, dropped } = JSON.parse(whole.stdout) as { events: Json[]; dropped: number };
    expect(dropped).toBe(0);
    expect(Array.isArray(events)).toBe(true);
  });

  it('hears what is said in the chat of a trade', async () => {
    const ad = String((await desk.json('alice', ...create, '--yes', '--again'))['id']);
    const trade = await desk.json('bob', 'p2p', 'respond', ad, '14', '--yes');
    const env = { ...desk.loginOf('bob'), TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' };
    const say = ['p2p', 'say', String(trade['id']), 'on its way'];
    expect((await desk.call('bob', say, { env })).code).toBe(3);
    const said = await desk.call('bob', [...say, '--yes', '--json'], { env });
    expect([said.code, said.code === 0 ? '' : said.stderr]).toEqual([0, '']);
    expect(JSON.parse(said.stdout)).toMatchObject({ roomId: trade['roomId'], text: 'on its way' });
    const long = await desk.call('bob', ['p2p', 'say', String(trade['id']), 'x'.repeat(5000), '--yes'], { env });
    expect([long.code, long.stderr.includes('bad_request')]).toEqual([1, true]);
  });

  it('needs a login: an API key is not enough', async () => {
    const ended = await desk.call('bob', ['p2p', 'watch', '--for', '1s']);
    expect([ended.code, ended.stderr.split(':')[0]]).toEqual([2, 'error prompt_impossible']);
    const wrong = await desk.call('bob', ['p2p', 'watch'], {
      env: { ...desk.loginOf('bob'), TIDEWIRE_PASSWORD: 'guess' },
    });
    expect([wrong.code, wrong.stderr.includes('login_failed'), wrong.stderr.includes('guess')]).toEqual([
      1,
      true,
      false,
    ]);
  });
});
