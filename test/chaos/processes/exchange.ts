/**
 * The sandbox exchange as a process of its own, its market (bob, through a client that shares no code with tidewire's)
 * and the truth about the account of the bot.
 */
import type { Random } from '../../../src/model/ports.ts';
import { Child, pause, within } from './child.ts';
import { signed, type KeyPair } from './plain-client.ts';

const CLIENT = '/api/v2/exchange/client';
/** USDT. */
const MID = 60_000;

interface User {
  readonly login: string;
  readonly apiKey: KeyPair;
}

export interface VenueOrder {
  readonly orderId: string;
  readonly clientOrderId?: string;
  readonly status: string;
}

export interface VenueTrade {
  readonly tradeId: string;
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

export interface Truth {
  readonly active: readonly VenueOrder[];
  readonly orders: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
}

/** Where bob's market stood from `ts` (Unix ms of this machine) on. */
export interface Priced {
  readonly ts: number;
  readonly mid: number;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export class Exchange {
  readonly url: string;
  readonly prices: Priced[] = [];
  readonly #process: Child;
  readonly #users: readonly User[];

  private constructor(process: Child, url: string, users: readonly User[]) {
    this.#process = process;
    this.url = url;
    this.#users = users;
  }

  static async start(cwd: string, seed: number): Promise<Exchange> {
    const child = new Child(['sandbox', '--port', '0', '--seed', String(seed), '--market', 'none', '--json'], { cwd });
    const line = await within(30_000, () => (child.stdout.includes('\n') ? child.stdout : null));
    if (line === null) throw new Error(`the exchange did not start: ${child.said}`);
    const { restUrl, users } = JSON.parse(line) as { readonly restUrl: string; readonly users: readonly User[] };
    return new Exchange(child, restUrl, users);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  key(login: string): KeyPair {
    const user = this.#users.find((each) => each.login === login);
    if (user === undefined) throw new Error(`no user ${login}`);
    return user.apiKey;
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  /**
   * Bob trades until `isOver`: he takes what stands beyond his own prices and lays his market anew; where it `wanders`, in
   * another place each second, up to 200 USDT away.
   */
  async keepMarket(random: Random, isOver: () => boolean, wanders = false): Promise<void> {
    let mid = MID;
    for (let round = 0; !isOver(); round++) {
      if (wanders && round % 5 === 0)
        mid = Math.min(MID + 200, Math.max(MID - 200, mid + 10 * (Math.floor(random.next() * 13) - 6)));
      if (round % (wanders ? 5 : 20) === 0) await this.layMarket(mid);
      const quantity = `0.0${1 + Math.floor(random.next() * 6)}`;
      if (random.next() < 0.5) await this.#bob('sell', mid - 10, quantity, 'ioc');
      else await this.#bob('buy', mid + 10, quantity, 'ioc');
      await this.#bob('buy', mid - 15, '0.05');
      await this.#bob('sell', mid + 15, '0.05');
      await pause(80 + random.next() * 200);
    }
  }

  async layMarket(mid = MID): Promise<void> {
    const reply = await signed(this.url, this.key('bob'), 'POST', `${CLIENT}/order/cancel-many`, {});
    if (reply.status !== 200) throw new Error(`bob cannot cancel: ${reply.status} ${reply.text}`);
    this.prices.push({ ts: Date.now(), mid });
    await this.#bob('buy', mid - 10, '2');
    await this.#bob('sell', mid + 10, '2');
  }

  /** He may have run out of something for the moment. */
  async #bob(side: 'buy' | 'sell', price: number, quantity: string, timeInForce = 'gtc'): Promise<void> {
    const order = { symbol: 'BTCUSDT', side, type: 'limit', timeInForce, price: String(price), quantity };
    const reply = await signed(this.url, this.key('bob'), 'POST', `${CLIENT}/order/spot`, order);
    if (reply.status !== 200 && !reply.text.includes('insufficient_balance'))
      throw new Error(`bob was refused: ${reply.status} ${reply.text}`);
  }

  async truth(login: string): Promise<Truth> {
    const key = this.key(login);
    const active = (await this.#get(key, `${CLIENT}/order/active`)) as readonly VenueOrder[];
    const history = await this.#pages<VenueOrder>(key, `${CLIENT}/order/history`);
    const trades = await this.#pages<VenueTrade>(key, `${CLIENT}/trade/spot/list/my`);
    return { active, orders: [...active, ...history], trades };
  }

  async #get(key: KeyPair, path: string): Promise<unknown> {
    const reply = await signed(this.url, key, 'GET', path);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return JSON.parse(reply.text);
  }

  async #pages<Item>(key: KeyPair, path: string): Promise<readonly Item[]> {
    const all: Item[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await this.#get(key, `${path}?limit=1000${more}`)) as Page<Item>;
      all.push(...page.items);
      cursor = page.nextCursor;
    }
    return all;
  }
}
