/** The link to a session of another process: its own server, with the token that lies in its folder. */
import { request, WebSocket, type Agent } from 'undici';
import type { Cancel } from '../../model/ports.ts';
import type { RemoteMove } from '../../session/remote/remote-moves.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import { isProcess } from '../../session/store/is-process.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { readSession, type SessionFolder } from '../../session/store/store.ts';
import { bridgeErrors } from '../errors.ts';
import { operationRoutePath } from '../operations-table/route-names.ts';
import { operations } from '../operations-table/table.ts';
import { confirmAnswer } from '../schemas/common.ts';
import { ASKED_BY, commandAccepted } from '../schemas/command.ts';
import { book, candlePage, equityCurve, type Book } from '../schemas/market.ts';
import { errorAnswer } from '../schemas/common.ts';
import { operationOrdered } from '../schemas/operations.ts';
import { sessionDetail, type SessionDetail } from '../schemas/session.ts';
import { readAddress, readToken, type Address } from '../thread/address-file.ts';
import type { Asked, Told } from '../thread/messages.ts';
import { pinnedAgent } from './pinned.ts';
import type { LiveEars, LiveWish, SessionLink } from './session-link.ts';

const ANSWER_MS = 10_000;
/** Its state is asked for with a list, which must not wait for one that is frozen. */
const STATE_MS = 2_000;

/** For one use, now. Null where the session does not run, or its process has no server. */
export function remoteLink({ path }: SessionFolder): SessionLink | null {
  const server = serverOf(path);
  return server === null ? null : new RemoteServerLink(server);
}

interface SessionServer extends Address {
  readonly id: string;
  readonly token: string;
}

/**
 * The server of the process that works on the session now. Another one may listen at the address of a process that is
 * gone, and must learn no token.
 */
function serverOf(path: string): SessionServer | null {
  try {
    const folder = readSession(path);
    // Any asker holds the lock for a moment, so the lock alone does not show a process.
    if (folder === null || !isProcess(folder.record.pid) || !isRunning(folder)) return null;
    const address = readAddress(folder);
    const token = readToken(path);
    return address === null || token === null ? null : { ...address, id: folder.record.id, token };
  } catch {
    // The state is unknown.
    return null;
  }
}

/** As the operation of its kind takes it. */
function moved(
  { kind, ...content }: RemoteMove,
  { strategy, code, secrets, reason }: Omit<RemoteOrder, 'key' | 'who'>,
  session: string,
): { readonly path: string; readonly body: object } {
  const row = operations.find(({ call }) => call.kind === 'money' && call.command === kind);
  if (row === undefined) throw new RangeError(`no operation moves ${kind}`);
  return { path: operationRoutePath(row), body: { ...content, session, strategy, code, text: secrets?.code, reason } };
}

class RemoteServerLink implements SessionLink {
  readonly #server: SessionServer;
  /** Of the session by its id, so that the server refuses what is meant for another one. */
  readonly #base: string;

  constructor(server: SessionServer) {
    this.#server = server;
    this.#base = `/api/v1/sessions/${encodeURIComponent(server.id)}`;
  }

  async order({ key, who, ...order }: RemoteOrder): Promise<RemoteAnswer> {
    const { path, body } =
      order.move === undefined
        ? { path: `${this.#base}/commands`, body: order }
        : moved(order.move, order, this.#server.id);
    const answer = await this.#call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'idempotency-key': key, 'content-type': 'application/json', [ASKED_BY]: who },
    });
    if (answer === null) throw bridgeErrors.make('bridge_no_answer', 'the server of the session did not answer');
    const accepted = commandAccepted.or(operationOrdered).safeParse(answer.json);
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
      const curve = equityCurve.safeParse((await this.#call(`${this.#base}/equity`))?.json);
      return curve.success ? { kind: 'curve', points: curve.data.points } : null;
    }
    // Both belong to the process of the session.
    if (asked.kind !== 'candles') return null;
    const { symbol, intervalMs, limit } = asked;
    const query = new URLSearchParams({ symbol, interval: `${intervalMs}ms`, limit: String(limit) });
    const page = candlePage.safeParse((await this.#call(`${this.#base}/candles?${String(query)}`))?.json);
    return page.success ? { kind: 'candles', candles: page.data.candles } : null;
  }

  /** Live parts stay where the session is. */
  want(): void {}

  readonly detail = async (): Promise<SessionDetail | null> => {
    const known = sessionDetail.safeParse((await this.#call(this.#base, {}, STATE_MS))?.json);
    return known.success ? known.data : null;
  };

  readonly book = async (symbol: string, depth: number): Promise<Book | null> => {
    const query = new URLSearchParams({ symbol, depth: String(depth) });
    const known = book.safeParse((await this.#call(`${this.#base}/book?${String(query)}`))?.json);
    return known.success ? known.data : null;
  };

  readonly follow = ({ topics, symbols, depth, after }: LiveWish, { heard, over }: LiveEars): Cancel => {
    const { url, id } = this.#server;
    const given = { session: id, topics: topics.join(','), depth: String(depth), after: String(after) };
    const query = new URLSearchParams({ ...given, ...(symbols === null ? {} : { symbols: symbols.join(',') }) });
    const options = { ...this.#dispatcher(), headers: this.#authorization() };
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v1/stream?${String(query)}`, options);
    socket.addEventListener('message', ({ data }) => heard(String(data)));
    let isOver = false;
    const end = (): void => {
      if (!isOver) over();
      isOver = true;
    };
    socket.addEventListener('error', end);
    socket.addEventListener('close', end);
    return () => {
      isOver = true;
      socket.close();
    };
  };

  #authorization(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.#server.token}` };
  }

  #dispatcher(): { readonly dispatcher?: Agent } {
    const { certificate } = this.#server;
    return certificate === undefined ? {} : { dispatcher: pinnedAgent(certificate) };
  }

  async #call(
    path: string,
    options: { readonly method?: 'POST'; readonly body?: string; readonly headers?: Record<string, string> } = {},
    withinMs = ANSWER_MS,
  ): Promise<{ readonly status: number; readonly json: unknown } | null> {
    const limits = { signal: AbortSignal.timeout(withinMs) };
    const { url } = this.#server;
    const headers = { ...options.headers, ...this.#authorization() };
    try {
      const { statusCode, body } = await request(`${url}${path}`, {
        ...options,
        ...limits,
        ...this.#dispatcher(),
        headers,
      });
      return { status: statusCode, json: await body.json() };
    } catch {
      return null;
    }
  }
}
