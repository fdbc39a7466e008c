/**
 * One question about what the documents leave open: how it is asked, what was seen, what the sandbox assumes. A question
 * that could not be put has no row; why stands beside the rows.
 */
import type { CallResult } from '../../exchange/client/classify.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import type { Query } from '../../exchange/client/prepare-request.ts';
import { resultText } from '../../exchange/client/operations/answer.ts';
import { sampleOf } from '../../exchange/wire/decoded.ts';
import { messageOf } from '../../model/errors.ts';

export interface Told {
  readonly kind: 'seen';
  readonly text: string;
  readonly evidence: string;
  readonly unread?: readonly string[];
}

/** `failed`: no answer came, so that the probe is not whole. */
export type Seen =
  | Told
  | { readonly kind: 'unasked'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

export interface Question {
  /** `area/what`. */
  readonly id: string;
  readonly question: string;
  readonly asked: string;
  readonly assumed: string;
  readonly ask: () => Promise<Seen>;
}

export interface ProbeRow extends Omit<Question, 'ask'> {
  readonly seen: string;
  readonly differs: boolean;
  /** A part of what was answered, without secrets. */
  readonly evidence: string;
  /** Fields of the answer that the client does not read. */
  readonly unread: readonly string[];
}

export interface Unasked extends Pick<Question, 'id' | 'question'> {
  readonly why: string;
}

export interface ProbeResult {
  /** False: the exchange did not answer all that was asked. */
  readonly complete: boolean;
  readonly rows: readonly ProbeRow[];
  readonly unasked: readonly Unasked[];
}

/** Raw answers; each address is asked once. */
export type Ask = (endpoint: EndpointName, given?: Given) => Promise<CallResult | 'no-key'>;

export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
}

export function askOf({ http, endpoints }: Pick<Exchange, 'http' | 'endpoints'>, hasKey: boolean): Ask {
  const known = new Map<string, Promise<CallResult>>();
  return async (endpoint, given = {}) => {
    const { access } = endpoints.get(endpoint);
    if (access.kind !== 'public' && !hasKey) return 'no-key';
    const key = JSON.stringify([endpoint, given]);
    const lane = access.kind === 'public' ? 'public' : 'reconcile';
    const answer = known.get(key) ?? http.read({ endpoint, lane, ...given });
    known.set(key, answer);
    return answer;
  };
}

export function seen(text: string, evidence: unknown): Told {
  return { kind: 'seen', text, evidence: sampleOf(evidence) };
}

export function unasked(why: string): Seen {
  return { kind: 'unasked', why };
}

/** What an answer without content says; the content goes to `read`. */
export function judged(result: CallResult | 'no-key', read: (json: unknown) => Seen): Seen {
  if (result === 'no-key') return unasked('it needs an API key, and there is none');
  if (result.kind === 'ok') return read(result.json);
  if (result.kind === 'refused') {
    const { ofKey, message, code, status } = result;
    return ofKey ? unasked(`the key was refused: ${message}`) : seen(`${status} ${code}`, message);
  }
  if (result.kind === 'unknown' && result.status !== null && result.status < 500 && result.status !== 429)
    return seen(`status ${result.status}`, result.reason);
  return { kind: 'failed', why: resultText(result) };
}

/** One after the other, so that the budget of requests lasts. Never rejects. */
export async function answersTo(questions: readonly Question[]): Promise<ProbeResult> {
  const rows: ProbeRow[] = [];
  const others: Unasked[] = [];
  let complete = true;
  for (const { ask, ...question } of questions) {
    const found = await ask().catch((thrown: unknown): Seen => ({ kind: 'failed', why: messageOf(thrown) }));
    if (found.kind === 'seen') {
      const { text, evidence, unread = [] } = found;
      rows.push({ ...question, seen: text, differs: text !== question.assumed, evidence, unread });
      continue;
    }
    complete &&= found.kind !== 'failed';
    others.push({ id: question.id, question: question.question, why: found.why });
  }
  return { complete, rows, unasked: others };
}

export function joined(results: readonly ProbeResult[]): ProbeResult {
  return {
    complete: results.every(({ complete }) => complete),
    rows: results.flatMap(({ rows }) => rows),
    unasked: results.flatMap((result) => result.unasked),
  };
}
