/** The three methods of Telegram's Bot API that the bot uses. A failure is a word; it never names the address, which holds the token. */
import { request } from 'undici';
import { z } from 'zod';
import { codeOf } from '../../session/alerts/failure-code.ts';

const ANSWER_MS_MAX = 10_000;
const BODY_BYTES_MAX = 4 * 2 ** 20;
const UPDATES_MAX = 50;
const TEXT_MAX = 4_000;

const envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

/** An update that is no text message has no `message`: it is acknowledged and passed over. */
const update = z.object({
  update_id: z.int(),
  message: z
    .object({
      /** Unix seconds. */
      date: z.number(),
      chat: z.object({ id: z.union([z.number(), z.string()]).transform(String) }),
      text: z.string().max(8_192).optional(),
    })
    .optional()
    .catch(undefined),
});
const updates = z.array(update);

export type BotUpdate = z.output<typeof update>;

export type BotAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string; readonly status: number | null; readonly retryAfterS: number };

export interface BotApiOptions {
  readonly baseUrl: string;
  readonly token: string;
}

export class BotApi {
  readonly #address: string;
  /** Ends what is under way when the bot stops. */
  readonly #ended = new AbortController();

  constructor({ baseUrl, token }: BotApiOptions) {
    this.#address = `${baseUrl.replace(/\/$/, '')}/bot${token}`;
  }

  /** `offset` acknowledges all before it. `waitS`: how long the answer may wait for a message. */
  async updates(offset: number, waitS: number): Promise<BotAnswer<readonly BotUpdate[]>> {
    const body = { offset, timeout: waitS, limit: UPDATES_MAX, allowed_updates: ['message'] };
    const answer = await this.#call('getUpdates', body, ANSWER_MS_MAX + waitS * 1_000);
    if (answer.kind === 'failed') return answer;
    const parsed = updates.safeParse(answer.value);
    return parsed.success
      ? { kind: 'ok', value: parsed.data }
      : { kind: 'failed', reason: 'an answer of another shape', status: null, retryAfterS: 0 };
  }

  async send(chat: string, text: string): Promise<BotAnswer<unknown>> {
    return this.#call('sendMessage', { chat_id: chat, text: text.slice(0, TEXT_MAX) }, ANSWER_MS_MAX);
  }

  /** Shown in the menu of the chat. */
  async setCommands(
    commands: readonly { readonly command: string; readonly description: string }[],
  ): Promise<BotAnswer<unknown>> {
    return this.#call('setMyCommands', { commands }, ANSWER_MS_MAX);
  }

  close(): void {
    this.#ended.abort();
  }

  async #call(method: string, body: object, withinMs: number): Promise<BotAnswer<unknown>> {
    try {
      const answer = await request(`${this.#address}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        headersTimeout: withinMs,
        signal: AbortSignal.any([this.#ended.signal, AbortSignal.timeout(withinMs)]),
      });
      return read(answer.statusCode, await bounded(answer.body));
    } catch (thrown) {
      return { kind: 'failed', reason: codeOf(thrown), status: null, retryAfterS: 0 };
    }
  }
}

function read(status: number, text: string | null): BotAnswer<unknown> {
  const failed = (reason: string, retryAfterS = 0): BotAnswer<unknown> => ({
    kind: 'failed',
    reason,
    status,
    retryAfterS,
  });
  if (text === null) return failed('an answer that is too long');
  try {
    const { ok, result, parameters } = envelope.parse(JSON.parse(text));
    return ok ? { kind: 'ok', value: result } : failed(`status ${status}`, parameters?.retry_after ?? 0);
  } catch {
    return failed(`status ${status}, no answer of the Bot API`);
  }
}

/** Null for a longer one. */
async function bounded(body: AsyncIterable<Buffer>): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
