/** The `alerts` section of the configuration. */
import { z } from 'zod';
import { parseDuration } from '../../model/time.ts';

const common = {
  on: z
    .array(z.enum(['page', 'digest', 'fill', 'session']))
    .min(1)
    .default(['page', 'digest', 'session'])
    .describe('page: somebody must act; digest: the rest, gathered; fill: own fills at once; session: start and end'),
};
const address = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });

const sinkOptions = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('webhook'),
    url: address.describe('Gets each message as a JSON body by POST'),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('telegram'),
    token: z.string().min(1).describe('Of the bot; stands in the environment'),
    chat: z.string().min(1),
    baseUrl: address.default('https://api.telegram.org'),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('command'),
    run: z.array(z.string()).min(1).describe('Program and arguments; the message is its standard input'),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('file'),
    path: z.string().min(1).describe('Gets a JSON line each'),
    ...common,
  }),
]);

/** A bot that takes commands as well, of these chats alone (docs/remote.md). */
const telegramOptions = z.strictObject({
  telegram: z.strictObject({
    token: z.string().min(1).describe('Of the bot; stands in the environment'),
    chats: z
      .array(z.union([z.string().regex(/^-?\d+$/, 'expected the number of a chat'), z.int().transform(String)]))
      .min(1)
      .max(16)
      .describe('Numbers of the chats that get alerts and may command; others get no answer'),
    commands: z.boolean().default(true).describe('false: alerts alone'),
    baseUrl: address.default('https://api.telegram.org'),
  }),
  ...common,
});

const PING_MS_MIN = 5_000;
const PING_MS_MAX = 86_400_000;

/** A dead man's handle: an outside watcher pages when the pings stop. */
const pingOptions = z.strictObject({
  ping: z.strictObject({
    url: address.describe('Fetched by GET while the session is healthy, and only then'),
    every: z
      .string()
      .refine((text) => {
        const ms = parseDuration(text);
        return ms >= PING_MS_MIN && ms <= PING_MS_MAX;
      }, 'expected a duration from "5s" to "1d"')
      .default('1m')
      .describe('How often'),
  }),
});

export const alertOptions = z
  .array(z.union([sinkOptions, telegramOptions, pingOptions]))
  .max(8)
  .default([]);

export type AlertOptions = z.output<typeof alertOptions>;
export type SinkOptions = z.output<typeof sinkOptions>;
export type TelegramOptions = z.output<typeof telegramOptions>['telegram'];
export type PingOptions = z.output<typeof pingOptions>['ping'];
export type AlertTopic = SinkOptions['on'][number];

export function sinksOf(alerts: AlertOptions): readonly SinkOptions[] {
  return alerts.flatMap((alert): readonly SinkOptions[] => {
    if ('kind' in alert) return [alert];
    if (!('telegram' in alert)) return [];
    const { token, chats, baseUrl } = alert.telegram;
    return chats.map((chat) => ({ kind: 'telegram', token, chat, baseUrl, on: alert.on }));
  });
}

export function telegramsOf(alerts: AlertOptions): readonly TelegramOptions[] {
  return alerts.flatMap((alert) => ('telegram' in alert ? [alert.telegram] : []));
}

export function pingsOf(alerts: AlertOptions): readonly PingOptions[] {
  return alerts.flatMap((alert) => ('ping' in alert ? [alert.ping] : []));
}

export function alertSecrets(alerts: AlertOptions): readonly string[] {
  return [...sinkSecrets(sinksOf(alerts)), ...pingsOf(alerts).map(({ url }) => url)];
}

export function sinkSecrets(sinks: readonly SinkOptions[]): readonly string[] {
  return sinks.flatMap((sink) => (sink.kind === 'telegram' ? [sink.token] : sink.kind === 'webhook' ? [sink.url] : []));
}
