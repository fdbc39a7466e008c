/** The sections `metrics` and `signals` of the configuration. */
import { z } from 'zod';
import { parseDuration } from '../../model/time.ts';

const address = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });
const PORT_MAX = 65_535;
const PUSH_MS_MIN = 1_000;
const PUSH_MS_MAX = 3_600_000;

const otlpOptions = z.strictObject({
  url: address.describe('Of the collector, with its path, such as http://127.0.0.1:4318/v1/metrics'),
  every: z
    .string()
    .refine((text) => {
      const ms = parseDuration(text);
      return ms >= PUSH_MS_MIN && ms <= PUSH_MS_MAX;
    }, 'expected a duration from "1s" to "1h"')
    .default('10s')
    .describe('How often'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('Such as a key of the collector; they are never shown'),
});

export const metricsOptions = z
  .strictObject({
    port: z
      .number()
      .int()
      .min(0)
      .max(PORT_MAX)
      .optional()
      .describe('Serves /metrics on this port of 127.0.0.1 without a token; 0: any free port; none by default'),
    otlp: otlpOptions.optional().describe('Pushes the same metrics by OTLP over HTTP, as JSON'),
  })
  .prefault({});

const SECRET_CHARS_MIN = 16;

/** Long enough to be unguessable. */
const secret = z
  .string()
  .min(SECRET_CHARS_MIN, `expected at least ${SECRET_CHARS_MIN} characters`)
  .describe('Stands in the environment');

const signalSource = z.union([
  z.strictObject({ secret: secret.describe('Of the HMAC; stands in the environment') }),
  z.strictObject({
    secretPath: secret
      .regex(/^[A-Za-z0-9_-]+$/, 'expected letters, digits, - and _')
      .describe(
        'Secret end of the address for a sender that cannot sign, such as TradingView; stands in the environment',
      ),
  }),
]);

export const signalOptions = z
  .record(
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'expected 1 to 64 letters, digits, - _ .'),
    signalSource,
  )
  .default({})
  .describe('Signals that come over HTTP, by the name that `signals(name)` listens to');

export type MetricsOptions = z.output<typeof metricsOptions>;
export type OtlpOptions = z.output<typeof otlpOptions>;
export type SignalOptions = z.output<typeof signalOptions>;

/** The secrets of these sections, which are never shown. */
export function bridgeSecrets(signals: SignalOptions, metrics: MetricsOptions): readonly string[] {
  return [
    ...Object.values(signals).map((source) => ('secret' in source ? source.secret : source.secretPath)),
    ...Object.values(metrics.otlp?.headers ?? {}),
  ];
}
