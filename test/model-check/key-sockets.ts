/**
 * Sockets that were logged in with keys (interface, "WebSocket login"): good ones live as long as their key, and see the
 * channels that the key may read.
 */
import type { Key } from './keys.ts';
import { publicKeyText, timestampOf } from './keys.ts';
import type { KeyFault } from './keys-step.ts';
import { agree, Mismatch } from './mismatch.ts';
import type { Setting } from './setting.ts';
import { hmac } from './signing.ts';

interface Socket {
  readonly key: Key;
  readonly session: { receive(text: string): void; ended(): void };
  isOpen: boolean;
}

interface Reply {
  readonly method?: string;
  readonly success?: boolean;
  readonly error?: string;
}

/** WebSocket codes for what REST says in words. */
const codes: Readonly<Record<string, string>> = {
  'invalid API key format': 'invalid_key_format',
  'invalid timestamp format': 'timestamp_out_of_range',
  'api key not found': 'key_not_found',
  'api key is not active': 'key_not_found',
  'api key expired': 'key_expired',
  'timestamp expired': 'timestamp_out_of_range',
  'ip address not in whitelist': 'key_not_found',
  'invalid signature': 'invalid_signature',
};

export class KeySockets {
  readonly #setting: Setting;
  readonly #sockets: Socket[] = [];
  /** Keys that were blocked once: their sockets may be gone although they are good again. */
  readonly #wasDead = new Set<Key>();

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** `doubts` are the texts that REST would answer. The documents give the codes no order. */
  open(key: Key, faults: readonly KeyFault[], address: string, doubts: readonly string[]): void {
    const { world, now } = this.#setting;
    const replies: Reply[] = [];
    const close = (): void => {
      socket.isOpen = false;
    };
    const connection = {
      send: (text: string) => void replies.push(JSON.parse(text) as Reply),
      bufferedBytes: 0,
      close,
      terminate: close,
    };
    const session = world.sandbox.hub.attach(connection, address);
    if (session === undefined) throw new Mismatch('no room for a socket');
    const socket: Socket = { key, session, isOpen: true };
    const timestamp = faults.includes('time-format') ? 'soon' : timestampOf(faults, now);
    const secret = faults.includes('signature') ? 'f'.repeat(64) : key.secretKey;
    const publicKey = publicKeyText(key, faults);
    const signature = hmac(secret, `${timestamp}\n${publicKey}`);
    session.receive(JSON.stringify({ method: 'auth', key: publicKey, timestamp, signature }));
    const [login] = replies;
    const allowed = doubts.flatMap((text) => codes[text] ?? []);
    this.#setting.count(`open-socket: ${login?.error ?? 'done'}`);
    const error = login?.error ?? 'none';
    if (login?.success === true ? allowed.length > 0 : !allowed.includes(error)) {
      throw new Mismatch(`socket login: ${JSON.stringify(login)}, reasons of the model: ${allowed.join() || 'none'}`);
    }
    if (login?.success !== true) {
      session.ended();
      return;
    }
    this.#sockets.push(socket);
    session.receive(JSON.stringify({ id: 1, method: 'subscribe', data: ['CLNTF@my-balances'] }));
    const subscribed = replies.find(({ method }) => method === 'subscribe');
    const mayRead = (key.levels.get('trading_spot') ?? 0) >= 1;
    agree('subscribe by a key', String(subscribed?.error), String(mayRead ? undefined : 'insufficient_permissions'));
  }

  ping(): void {
    for (const { isOpen, session } of this.#sockets) if (isOpen) session.receive('{"method":"ping"}');
  }

  check(settled: boolean, isExpired: (key: Key) => boolean): void {
    for (const { key, isOpen } of this.#sockets) {
      const isDead = key.state !== 'active' || isExpired(key);
      const mustBeClosed = key.state === 'deleted' || (settled && isDead);
      if (isOpen && mustBeClosed) throw new Mismatch(`a socket outlives its key, which is ${key.state}`);
      if (!isOpen && !isDead && !this.#wasDead.has(key)) throw new Mismatch('a socket of a good key was closed');
      if (isDead) this.#wasDead.add(key);
    }
  }
}
