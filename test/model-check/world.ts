/**
 * One sandbox for one sequence, as its users see it: REST through the whole shell (signature, routes, publisher), the
 * two sockets, and a clock that the sequence moves. No transport and no waiting: an answer is there when the call
 * returns. The client is this folder's own; it shares nothing with src/exchange/client.
 */
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { hmac, totp, type KeyPair } from './signing.ts';
import { Feed } from './feed.ts';
import { Mismatch } from './mismatch.ts';

const START_MS = 1_700_000_000_000;
const HOME = '127.0.0.1';
/** The hub looks for idle sockets by the port clock; longer waits go through the control operation. */
export const PORT_WAIT_MS_MAX = 20_000;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  /** Null on success; the bare text of a key refusal. */
  readonly code: string | null;
}

export interface Person {
  readonly userId: string;
  readonly login: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly key: KeyPair;
  readonly feed: Feed;
}

/** Of an order book: when it was asked for. */
const TIMESTAMP = /"ts":\d+,/;

/** Parsed when it is looked at. */
class Reply implements Answer {
  readonly status: number;
  readonly text: string;

  constructor(status: number, text: string) {
    this.status = status;
    this.text = text;
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  get code(): string | null {
    if (this.status === 200) return null;
    return this.text.startsWith('{') ? (this.json as { readonly code: string }).code : this.text;
  }
}

export class World {
  readonly sandbox: Sandbox;
  readonly people: readonly Person[];
  readonly #clock = new VirtualClock(START_MS * 1000);
  readonly #read = new Map<string, string>();
  readonly #tokens = new Map<string, { readonly token: string; readonly endsAt: number }>();
  /** Exchange time as this side counts it. */
  now = START_MS;

  constructor(seed = 3) {
    this.sandbox = new Sandbox({ clock: this.#clock, seed, market: 'none' });
    this.sandbox.start();
    this.people = this.sandbox.users.map(({ login, password, auth2faSecret, apiKey }, index) => ({
      userId: `u${index + 1}`,
      login,
      password,
      totpSecret: auth2faSecret,
      key: apiKey,
      feed: new Feed(login),
    }));
    for (const person of this.people) {
      this.#openExchangeSocket(person);
      this.#openP2pSocket(person);
    }
  }

  /** A request signed with the person's full key. */
  call(person: Person, method: Method, path: string, data?: object): Answer {
    const body = data === undefined ? '' : JSON.stringify(data);
    return this.send(method, path, body, this.signed(person.key, method, path, body));
  }

  /** A request with the person's login token. */
  callByLogin(person: Person, method: Method, path: string, data?: object): Answer {
    const body = data === undefined ? '' : JSON.stringify(data);
    return this.send(method, path, body, { authorization: `Bearer ${this.token(person)}` });
  }

  /**
   * The same, or undefined when the answer is the one of the last call and `version`, which stands for everything that it
   * is compared with, is too: then nothing can have come apart.
   */
  readChanged(person: Person, path: string, version: string): unknown {
    const answer = this.#get(person, path);
    const key = `${version} ${answer.text.replace(TIMESTAMP, '')}`;
    const name = `${person.login} ${path}`;
    if (this.#read.get(name) === key) return undefined;
    this.#read.set(name, key);
    return answer.json;
  }

  read(person: Person, path: string): unknown {
    return this.#get(person, path).json;
  }

  #get(person: Person, path: string): Answer {
    const answer = this.call(person, 'GET', path);
    if (answer.status !== 200) throw new Mismatch(`GET ${path} answers ${answer.status} ${answer.text}`);
    return answer;
  }

  signed(key: KeyPair, method: Method, path: string, body: string, now = this.now): Record<string, string> {
    const timestamp = String(now);
    const signature = hmac(key.secretKey, `${timestamp}\n${method}\n${path}\n${body}`);
    return { 'x-api-key': key.publicKey, 'x-api-timestamp': timestamp, 'x-api-signature': signature };
  }

  send(method: Method, target: string, body: string, headers: Record<string, string>, address = HOME): Answer {
    let answer: Answer | undefined;
    const request = { method, target, headers, body: Buffer.from(body), address };
    this.sandbox.handle(request, (reply) => {
      answer = reply === null ? undefined : new Reply(reply.status, reply.body);
    });
    if (answer === undefined) throw new Mismatch(`${method} ${target}: no answer`);
    if (answer.status >= 500) throw new Mismatch(`${method} ${target}: ${answer.status} ${answer.text}`);
    return answer;
  }

  totp(person: Person, steps = 0): string {
    return totp(person.totpSecret, this.now + steps * 30_000);
  }

  token(person: Person): string {
    const known = this.#tokens.get(person.login);
    if (known !== undefined && this.now < known.endsAt) return known.token;
    const body = JSON.stringify({ login: person.login, password: person.password, auth2fa_code: this.totp(person) });
    const { token, expiresAt } = this.send('POST', '/api/v1/auth/login', body, {}).json as {
      readonly token: string;
      readonly expiresAt: number;
    };
    this.#tokens.set(person.login, { token, endsAt: expiresAt - 2000 });
    return token;
  }

  /** Lets time pass: on the port's clock when it is short, else by the control operation. */
  wait(ms: number): void {
    this.now += ms;
    if (ms > PORT_WAIT_MS_MAX) {
      const { text, status } = this.send('POST', '/sandbox/clock', JSON.stringify({ advanceMs: ms }), {});
      if (status !== 200) throw new Mismatch(`the clock answers ${text}`);
    } else {
      for (const { feed } of this.people) feed.ping();
      this.#clock.advanceTo(this.#clock.nowUs() + ms * 1000);
    }
    for (const person of this.people) {
      const known = this.#tokens.get(person.login);
      // The P2P socket ends with its token: a client comes back with a new one and reads everything anew.
      if (known === undefined || this.now >= known.endsAt) this.#openP2pSocket(person);
    }
  }

  close(): void {
    this.sandbox.stop();
  }

  #openExchangeSocket({ feed, key }: Person): void {
    const session = this.sandbox.hub.attach(feed.connection(), HOME);
    if (session === undefined) throw new Mismatch('no room for a socket');
    feed.send = (text) => session.receive(text);
    feed.open(key, this.now, [...this.sandbox.exchange.markets.keys()]);
  }

  #openP2pSocket(person: Person): void {
    const { feed } = person;
    feed.leaveP2p();
    const session = this.sandbox.p2pHub.attach(feed.p2pConnection(), this.token(person));
    if (session === undefined) throw new Mismatch('the P2P socket refuses a good token');
    feed.leaveP2p = () => session.ended();
    const mine = this.read(person, '/api/v1/p2p/client/advertisement/my') as readonly { readonly id: string }[];
    const trades = this.read(person, '/api/v1/p2p/client/trade/list/my') as readonly { readonly id: string }[];
    feed.startP2p(mine, trades);
  }
}
