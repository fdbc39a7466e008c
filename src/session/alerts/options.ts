/** The `alerts` section of the configuration. */
import { z } from 'zod';

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

export const alertOptions = z.array(sinkOptions).max(8).default([]);

export type SinkOptions = z.output<typeof sinkOptions>;
export type AlertTopic = SinkOptions['on'][number];

export function sinkSecrets(sinks: readonly SinkOptions[]): readonly string[] {
  return sinks.flatMap((sink) => (sink.kind === 'telegram' ? [sink.token] : sink.kind === 'webhook' ? [sink.url] : []));
}
