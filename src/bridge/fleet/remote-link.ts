/** The link to a session of another process: its own server, with the token that lies in its folder. */
import { request } from 'undici';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { SessionFolder } from '../../session/store.ts';
import { bridgeErrors } from '../errors.ts';
import { confirmAnswer } from '../schemas/common.ts';
import { commandAccepted } from '../schemas/command.ts';
import { book, candlePage, equityCurve, type Book } from '../schemas/market.ts';
import { errorAnswer } from '../schemas/common.ts';
import { sessionDetail, type SessionDetail } from '../schemas/session.ts';
import { readAddress, readToken } from '../thread/address-file.ts';
import type { Asked, Told } from '../thread/messages.ts';
import type { SessionLink } from './session-link.ts';

const ANSWER_MS = 10_000;

/** Null where the process of the session has no server. */
export function remoteLink({ path }: SessionFolder): SessionLink | null {
  const address = readAddress(path);
  const token = readToken(path);
  return address === null || token === null ? null : new RemoteServerLink(address.url, token);
}

class RemoteServerLink implements SessionLink {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = `${url}/api/v1/sessions/current`;
    this.#token = token;
  }

  async order({ key, who, ...command }: RemoteOrder): Promise<RemoteAnswer> {
    const answer = await this.#call('/commands', {
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
      const curve = equityCurve.safeParse((await this.#call('/equity'))?.json);
      return curve.success ? { kind: 'curve', points: curve.data.points } : null;
    }
    // Both belong to the process of the session.
    if (asked.kind !== 'candles') return null;
    const { symbol, intervalMs, limit } = asked;
    const query = new URLSearchParams({ symbol, interval: `${intervalMs}ms`, limit: String(limit) });
    const page = candlePage.safeParse((await this.#call(`/candles?${String(query)}`))?.json);
    return page.success ? { kind: 'candles', candles: page.data.candles } : null;
  }

  /** Live parts stay where the session is. */
  want(): void {}

  readonly detail = async (): Promise<SessionDetail | null> => {
    const known = sessionDetail.safeParse((await this.#call(''))?.json);
    return known.success ? known.data : null;
  };

  readonly book = async (symbol: string, depth: number): Promise<Book | null> => {
    const query = new URLSearchParams({ symbol, depth: String(depth) });
    const known = book.safeParse((await this.#call(`/book?${String(query)}`))?.json);
    return known.success ? known.data : null;
  };

  async #call(
    path: string,
    options: { readonly method?: 'POST'; readonly body?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<{ readonly status: number; readonly json: unknown } | null> {
    const limits = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS };
    const headers = { ...options.headers, authorization: `Bearer ${this.#token}` };
    try {
      const { statusCode, body } = await request(`${this.#url}${path}`, { ...options, ...limits, headers });
      return { status: statusCode, json: await body.json() };
    } catch {
      return null;
    }
  }
}
