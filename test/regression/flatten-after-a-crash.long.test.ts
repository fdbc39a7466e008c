/**
 * Found by a stranger: `panic --flatten` sold what the journal of a session that was killed said, and not what had filled since: it
 * ended with 0 and nothing named, with the rest still held. Real processes on a real sandbox without agents.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { CLIENT, crash, PERP, SPOT, type Order, type Setting } from '../e2e/crash-setting.ts';
import { CREATE } from '../e2e/scenario.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

const RESTING: Order = { symbol: SPOT, side: 'buy', price: '59995', quantity: '0.05' };
/** 0.05 less the maker's fee, in lots. */
const BOUGHT = { symbol: SPOT, quantity: 'sell 0.04999', outcome: 'accepted' };

/** Killed with an order that rests, which fills before anybody cancels it. */
async function filledSince(setting: Setting): Promise<void> {
  const bot = setting.start(RESTING);
  await setting.journalled(bot, 'order');
  await bot.signal('SIGKILL');
  await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
}

it('closes what filled between the kill and the panic, and nothing twice', () =>
  crash(async (setting) => {
    await filledSince(setting);
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
    expect(setting.orders).toBe(2);
    const again = await setting.panic();
    expect(again).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));

it('sells back no more than is left when the session had sold meanwhile', () =>
  crash(async (setting) => {
    const bot = setting.start(
      { symbol: SPOT, side: 'buy', type: 'market', quantity: '0.05' },
      { ...RESTING, side: 'sell', price: '60005', quantity: '0.03' },
    );
    await setting.journalled(bot, 'fill');
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: SPOT, side: 'buy', price: '60005', quantity: '0.02' });
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [{ quantity: 'sell 0.02997' }], problems: [] });
  }));

it.each([{ clientOrderIds: true }, { clientOrderIds: false }])(
  'finds the order whose answer never came, by its client order id or its terms: $clientOrderIds',
  (options) =>
    crash(async (setting) => {
      await setting.world.faults(
        { match: CREATE, fault: 'dropAfterEffect' },
        { match: { channel: `${SPOT}@order*` }, fault: 'mute' },
        { match: { channel: `${SPOT}@my-trades` }, fault: 'mute' },
      );
      const bot = setting.start(RESTING);
      await setting.orderOfAlice(({ status }) => status === 'new');
      await bot.signal('SIGKILL');
      await setting.world.faults();
      const [session] = await sessions(setting.cwd, ['--config', join(setting.cwd, 'live.yaml')]);
      expect(entriesOf(session!.path, 'order')).toEqual([]);
      await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
      expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
      expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    }, options),
);

it('closes what the journal knows and ends with 4 when the trades cannot be read; the next one closes the rest', () =>
  crash(async (setting) => {
    const bot = setting.start({ symbol: SPOT, side: 'buy', type: 'market', quantity: '0.02' }, RESTING);
    await setting.journalled(bot, 'fill');
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
    await setting.world.faults({ match: { path: `${CLIENT}/trade/spot/list/my` }, fault: 'status', status: 503 });
    const first = await setting.panic();
    expect(first).toMatchObject({ code: 4, flattened: [{ quantity: 'sell 0.01999', outcome: 'accepted' }] });
    expect(first.problems).toEqual([
      expect.stringMatching(/own trades of the spot market could not be read .*more may be held/),
    ]);
    await setting.world.faults();
    const second = await setting.panic();
    expect(second).toMatchObject({
      code: 0,
      flattened: [{ quantity: 'sell 0.04999', outcome: 'accepted' }],
      problems: [],
    });
  }));

it('says 4 for an order that may have filled, when the orders cannot be read', () =>
  crash(async (setting) => {
    await setting.world.faults(
      { match: CREATE, fault: 'dropAfterEffect' },
      { match: { channel: `${SPOT}@order*` }, fault: 'mute' },
      { match: { channel: `${SPOT}@my-trades` }, fault: 'mute' },
    );
    const bot = setting.start(RESTING);
    await setting.orderOfAlice(({ status }) => status === 'new');
    await bot.signal('SIGKILL');
    await setting.world.faults();
    await setting.trade({ symbol: SPOT, side: 'sell', price: '59995', quantity: '0.05' });
    await setting.world.faults({ match: { path: `${CLIENT}/order/history` }, fault: 'status', status: 503 });
    const { code, flattened, problems } = await setting.panic();
    expect({ code, flattened }).toEqual({ code: 4, flattened: [] });
    expect(problems).toEqual([
      expect.stringMatching(/0\.05 BTCUSDT of order .* never answered.*could not be read.*may be held/),
    ]);
  }));

it('learns what became of the order of an earlier panic, or says that it does not know', () =>
  crash(async (setting) => {
    await filledSince(setting);
    await setting.world.faults({ match: CREATE, fault: 'dropAfterEffect', times: 1 });
    expect(await setting.panic()).toMatchObject({ code: 4, flattened: [{ ...BOUGHT, outcome: 'unknown' }] });
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));

it('does not end with 0 while the order of an earlier panic may not have arrived', () =>
  crash(async (setting) => {
    await filledSince(setting);
    await setting.world.faults({ match: CREATE, fault: 'status', status: 503, times: 1 });
    expect(await setting.panic()).toMatchObject({ code: 4, flattened: [{ ...BOUGHT, outcome: 'unknown' }] });
    const again = await setting.panic();
    expect(again).toMatchObject({ code: 4, flattened: [] });
    expect(again.problems).toEqual([expect.stringMatching(/not known what became of -0\.04999 BTCUSDT/)]);
  }));

it('counts no trade of a human', () =>
  crash(async (setting) => {
    await filledSince(setting);
    setting.world.trade('alice', 'buy', '60010', '0.4', true);
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [BOUGHT], problems: [] });
  }));

it.each([{ mode: 'one-way' }, { mode: 'hedge' }])('closes a perpetual that filled since: $mode', ({ mode }) =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const side = mode === 'hedge' ? ({ positionSide: 'long' } as const) : {};
    if (mode === 'hedge') {
      const path = `${CLIENT}/positions/mode`;
      const reply = await signed(setting.world.sandbox.restUrl, setting.key('alice'), 'POST', path, { mode });
      expect(reply.status, reply.text).toBeLessThan(300);
    }
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '59995', quantity: '0.05', ...side });
    await setting.journalled(bot, 'order');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59995', quantity: '0.05' });
    expect(await setting.positions()).toMatchObject([{ symbol: PERP, quantity: '0.05' }]);
    const name = mode === 'hedge' ? `${PERP}/long` : PERP;
    const flattened = [{ symbol: name, quantity: 'sell 0.05', outcome: 'accepted' }];
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened, problems: [] });
    expect(await setting.positions()).toEqual([]);
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [], problems: [] });
  }),
);

it('closes what the account has of a perpetual that a human has partly closed, and then nothing more', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' });
    await setting.journalled(bot, 'fill');
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59990', quantity: '0.02' }, 'alice');
    const { code, flattened, problems } = await setting.panic();
    expect(flattened).toEqual([
      { symbol: PERP, quantity: 'sell 0.05', outcome: 'refused' },
      { symbol: PERP, quantity: 'sell 0.03', outcome: 'accepted' },
    ]);
    expect([code, problems.join()]).toEqual([0, expect.stringContaining('reduce_only_violation')]);
    expect(await setting.positions()).toEqual([]);
    expect(await setting.panic()).toMatchObject({
      code: 0,
      flattened: [{ quantity: 'sell 0.02', outcome: 'refused' }],
    });
  }));

it('leaves alone what a human holds, where a session that is gone was closed by others', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.02' });
    await setting.journalled(bot, 'fill');
    await setting.trade({ symbol: PERP, side: 'sell', price: '59990', quantity: '0.02' }, 'alice');
    await setting.booked(bot);
    await bot.signal('SIGKILL');
    await setting.trade({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' }, 'alice');
    expect(await setting.panic()).toEqual({ code: 0, openAfter: 0, flattened: [], problems: [] });
    expect(await setting.positions()).toMatchObject([{ symbol: PERP, quantity: '0.05' }]);
  }));

it('does not take a refusal for another reason as a word of the position', () =>
  crash(async (setting) => {
    await setting.trade({ symbol: PERP, side: 'buy', price: '59990', quantity: '1' });
    await setting.trade({ symbol: PERP, side: 'sell', price: '60010', quantity: '1' });
    const bot = setting.start({ symbol: PERP, side: 'buy', price: '60010', quantity: '0.05' });
    await setting.journalled(bot, 'fill');
    await bot.signal('SIGKILL');
    const market = setting.world.sandbox.sandbox.exchange.markets.get(PERP);
    if (market === undefined) throw new Error('no market');
    Object.assign(market, { halted: true });
    // An older list, as it may be shown.
    setting.world.answers = (body) => (body.includes('"liquidationPrice"') ? '[]' : body);
    const flattened = [{ symbol: PERP, quantity: 'sell 0.05', outcome: 'refused' }];
    expect(await setting.panic()).toMatchObject({ code: 1, flattened });
  }));
