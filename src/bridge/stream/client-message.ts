/** What a client says on the stream. Anything else is answered with an error; the socket stays open. */
import { bridgeErrors } from '../errors.ts';
import { subscribeMessage, type StreamMessage, type SubscribeMessage } from '../schemas/stream.ts';

type Wrong = Extract<StreamMessage, { type: 'error' }>;

function wrong(message: string, field?: string): Wrong {
  const { code } = bridgeErrors.make('bridge_bad_request', message);
  return { type: 'error', error: { code, message, ...(field === undefined ? {} : { field }) } };
}

/** `text`: null for a binary message. */
export function messageFrom(text: string | null): SubscribeMessage | Wrong {
  if (text === null) return wrong('a message is JSON text');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('a message is JSON text');
  }
  const parsed = subscribeMessage.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return wrong(issue?.message ?? 'not understood', issue?.path.map(String).join('.') || undefined);
}
