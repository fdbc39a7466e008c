/** The link to a session of another process: its own server, with the token that lies in its folder. */
import type { Clock } from '../../model/ports.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { SessionFolder } from '../../session/store.ts';
import { bridgeErrors } from '../errors.ts';
import { confirmAnswer } from '../schemas/common.ts';
import { commandAccepted } from '../schemas/command.ts';
import { candlePage, equityCurve } from '../schemas/market.ts';
import { errorAnswer } from '../schemas/common.ts';
import { readAddress, readToken } from '../thread/address-file.ts';
import type { Asked, Told } from '../thread/messages.ts';
import type { SessionLink } from './session-link.ts';

const ANSWER_MS = 10_000;

/** Finds the link of a folder; null where its process has no server. */
export function remoteLinks(clock: Clock): (folder: SessionFolder) => SessionLink | null {
  return ({ path }) => {
    const address = readAddress(path);
    const token = readToken(path);
    return address === null || token === null ? null : new RemoteServerLink(address.url, token, clock);
  };
}

class RemoteServerLink implements SessionLink {
  readonly #url: string;
  readonly #token: string;
  readonly #clock: Clock;

  constructor(url: string, token: string, clock: Clock) {
    this.#url = `${url}/api/v1/sessions/current`;
    this.#token = token;
    this.#clock = clock;
  }

  async order({ key, who, ...command }: RemoteOrder): Promise<RemoteAnswer> {
    const answer = await this.#fetch('/commands', {
      method: 'POST',
      body: JSON.stringify({ ...command, reason: `${command.reason} (${who})`.slice(0, 500) }),
      headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    });
    if (answer === null) throw bridgeErrors.make('bridge_no_answer', 'the server of the session did not answer');
    const accepted = commandAccepted.safeParse(answer.json);
    if (accepted.success) return { kind: 'done', seq: accepted.data.seq, ts: accepted.data.ts };
    const confirm = confirmAnswer.safeParse(answer.json);
    if (confirm.success) {
      const { code: confirmCode, expiresAt, what } = confirm.data.confirm;
      return { kind: 'confirm', confirmCode, expiresAt, what };
    }
    const failed = errorAnswer.safeParse(answer.json);
    if (!failed.success) throw bridgeErrors.make('bridge_no_answer', `its server answered ${answer.status}`);
    const { code, message, hint = '' } = failed.data.error;
    return { kind: 'failed', code, message, remedy: hint };
  }

  async ask(asked: Asked): Promise<Told | null> {
    if (asked.kind === 'curve') {
      const curve = equityCurve.safeParse((await this.#fetch('/equity'))?.json);
      return curve.success ? { kind: 'curve', points: curve.data.points } : null;
    }
    const { symbol, intervalMs, limit } = asked;
    const query = new URLSearchParams({ symbol, interval: `${intervalMs}ms`, limit: String(limit) });
    const page = candlePage.safeParse((await this.#fetch(`/candles?${String(query)}`))?.json);
    return page.success ? { kind: 'candles', candles: page.data.candles } : null;
  }

  /** Live parts stay where the session is: its own page shows them. */
  want(): void {}

  async #fetch(
    path: string,
    options: { readonly method?: string; readonly body?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<{ readonly status: number; readonly json: unknown } | null> {
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS, () => late.abort());
    try {
      const headers = { ...options.headers, authorization: `Bearer ${this.#token}` };
      const response = await fetch(`${this.#url}${path}`, { ...options, headers, signal: late.signal });
      return { status: response.status, json: await response.json() };
    } catch {
      return null;
    } finally {
      cancel();
    }
  }
}
