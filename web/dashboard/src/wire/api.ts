/** Requests to the API: same origin, with the cookie. A failed one throws `ApiError` with the code of the error table. */
import type { BridgeCommand, CommandAccepted, ConfirmAnswer, ErrorAnswer } from './types.ts';

const BASE = '/api/v1/';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly field: string | undefined;

  constructor(status: number, { code, message, hint, field }: ErrorAnswer['error']) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.field = field;
  }
}

/** The server cannot be reached, or what answers is not the API. */
const UNREACHABLE = { code: 'unreachable', message: 'the dashboard server does not answer' };

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(`${BASE}${path}`, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw new ApiError(0, UNREACHABLE);
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function errorOf(response: Response, body: unknown): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body)
    return new ApiError(response.status, (body as ErrorAnswer).error);
  return new ApiError(response.status, { code: 'http', message: `the server answered ${response.status}` });
}

export async function read<T>(
  path: string,
  query: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<T> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const response = await request(`${path}${search === '' ? '' : `?${search}`}`, signal === undefined ? {} : { signal });
  const body = await bodyOf(response);
  if (!response.ok || body === null) throw errorOf(response, body);
  return body as T;
}

function post(path: string, body: string | null, headers: Readonly<Record<string, string>>): Promise<Response> {
  return request(path, { method: 'POST', headers, body });
}

export type CommandAnswer = CommandAccepted | ConfirmAnswer;

export const isConfirm = (answer: CommandAnswer): answer is ConfirmAnswer => 'confirm' in answer;

/** The same key is the same command: however often it is sent, it happens once. */
export async function send(session: string, command: BridgeCommand, key: string): Promise<CommandAnswer> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const response = await post(`${sessionPath(session)}/commands`, JSON.stringify(command), headers);
  const body = await bodyOf(response);
  if (typeof body === 'object' && body !== null && 'confirm' in body) return body as ConfirmAnswer;
  if (!response.ok || body === null) throw errorOf(response, body);
  return body as CommandAccepted;
}

/** Swaps the token for a cookie that scripts cannot read. */
export async function signIn(token: string): Promise<void> {
  const response = await post('login', null, { Authorization: `Bearer ${token}` });
  if (!response.ok) throw errorOf(response, await bodyOf(response));
}

export function sessionPath(session: string): string {
  return `sessions/${encodeURIComponent(session)}`;
}
