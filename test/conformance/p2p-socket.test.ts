/** The P2P socket over plain ws: events of trades, advertisements and chat for whom they concern. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openDesk, type Desk } from './money-desk.ts';
import { observeP2pEvent } from './observe.ts';
import { witness } from './sightings.ts';

const ROOT = '/api/v1/p2p/client';

interface Event {
  readonly [name: string]: unknown;
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

class Listener {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  readonly #events: Event[] = [];
  #wake: (() => void)[] = [];

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    this.socket.on('error', () => {});
    this.socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString('utf8')) as Event;
      observeP2pEvent(url, event);
      this.#events.push(event);
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  async next(fits: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const index = this.#events.findIndex(fits);
      const [event] = index < 0 ? [] : this.#events.splice(index, 1);
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  status(event: string, status: string): Promise<Event> {
    return this.next((each) => each.event === event && each.data?.['status'] === status);
  }
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(62);
});
afterAll(() => desk.stop());

async function listen(index: number): Promise<Listener> {
  const listener = new Listener(`${desk.running.wsUrl}/websocket/p2p?token=${await desk.login(index)}`);
  await new Promise((resolve, reject) => {
    listener.socket.on('open', resolve);
    listener.socket.on('error', reject);
  });
  return listener;
}

describe('the P2P socket', () => {
  it('tells both parties of a trade, everybody of advertisements, and carries their chat', async () => {
    const alice = await listen(0);
    const bob = await listen(1);
    const terms = { marketId: 'USDTRUB', side: 'sell', price: '95', amount: '10', minLimit: '10', maxLimit: '950' };
    const body = { ...terms, paymentMethodIds: ['1'] };
    const made = await desk.good(desk.alice, 'POST', `${ROOT}/advertisement`, body);
    for (const listener of [alice, bob]) {
      expect((await listener.status('advertisement', 'active')).data).toMatchObject({ id: made['id'], price: 95 });
    }
    const request = { advertisementId: made['id'], amount: '10', paymentMethodId: '1' };
    const trade = await desk.good(desk.bob, 'POST', `${ROOT}/trade`, request);
    for (const listener of [alice, bob]) {
      expect((await listener.status('trade', 'open:wait-confirm')).data).toEqual(trade);
    }
    const { id: tradeId, roomId } = trade;
    bob.socket.send(JSON.stringify({ event: 'message', data: { roomId, text: 'hello' } }));
    for (const listener of [alice, bob]) {
      const { data } = await listener.next((each) => each.event === 'message');
      expect(data).toMatchObject({ roomId, text: 'hello', userId: trade['buyUserId'], createdAt: expect.any(String) });
    }
    await desk.good(desk.alice, 'POST', `${ROOT}/trade/start`, { tradeId });
    await desk.good(desk.bob, 'POST', `${ROOT}/trade/pay`, { tradeId });
    await desk.good(desk.alice, 'POST', `${ROOT}/trade/confirm`, { tradeId });
    for (const listener of [alice, bob]) {
      for (const status of ['open', 'send-payment-document', 'complete']) await listener.status('trade', status);
      await listener.status('advertisement', 'completed');
    }
    for (const listener of [alice, bob]) listener.socket.terminate();
    witness('frame/p2p-socket');
  });

  it('tells strangers that an advertisement is hidden, and nothing more until it is shown again', async () => {
    const alice = await listen(0);
    const bob = await listen(1);
    const terms = { marketId: 'USDTRUB', side: 'sell', price: '95', amount: '10', minLimit: '10', maxLimit: '950' };
    const made = await desk.good(desk.alice, 'POST', `${ROOT}/advertisement`, { ...terms, paymentMethodIds: ['1'] });
    const path = `${ROOT}/advertisement/${String(made['id'])}`;
    await desk.good(desk.alice, 'POST', `${path}/deactivate`);
    await desk.good(desk.alice, 'PATCH', path, { price: '96' });
    await desk.refused(404, 'not_found', desk.bob, 'GET', path);
    await desk.good(desk.alice, 'PATCH', path, { price: '97' });
    await desk.good(desk.alice, 'POST', `${path}/activate`);
    await desk.good(desk.alice, 'DELETE', path);
    const heard = async (listener: Listener): Promise<unknown[]> => {
      const told: unknown[] = [];
      for (;;) {
        const { data } = await listener.next(
          (each) => each.event === 'advertisement' && each.data?.['id'] === made['id'],
        );
        told.push([data?.['status'], data?.['price']]);
        if (data?.['status'] === 'canceled') return told;
      }
    };
    const shown = [
      ['active', 95],
      ['deactivated', 95],
    ];
    const again = [
      ['active', 97],
      ['canceled', 97],
    ];
    expect(await heard(bob)).toEqual([...shown, ...again]);
    expect(await heard(alice)).toEqual([...shown, ['deactivated', 96], ['deactivated', 97], ...again]);
    for (const listener of [alice, bob]) listener.socket.terminate();
  });

  it('answers whatever a client sends, and ends with its token', async () => {
    const alice = await listen(0);
    alice.socket.send(JSON.stringify({ method: 'ping' }));
    expect(await alice.next((each) => each.pong !== undefined)).toEqual({ pong: expect.any(Number) });
    const bad = [
      'x',
      '[]',
      '{}',
      '{"event":"message"}',
      '{"event":"message","data":{"roomId":"room-1","text":"x"}}',
      Buffer.from([1, 2]),
    ];
    for (const frame of bad) {
      alice.socket.send(frame);
      const { data } = await alice.next((each) => each.event === 'error');
      expect(data).toEqual({ code: 'bad_request' });
    }
    await desk.advance(61 * 60_000);
    alice.socket.send(JSON.stringify({ method: 'ping' }));
    expect(await alice.closed).toBe(1008);
  });

  it('is closed to those without a good token', async () => {
    for (const query of ['', '?token=', '?token=x']) {
      const refused = new Listener(`${desk.running.wsUrl}/websocket/p2p${query}`);
      const status = new Promise((resolve) => {
        refused.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      });
      expect(await status).toBe(401);
    }
  });
});
