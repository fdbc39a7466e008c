/** Metrics for whoever may read, and signals from senders that sign or know a secret path. */
import { z } from 'zod';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import { isTidewireError } from '../../model/errors.ts';
import { SessionMetrics } from '../metrics/session-metrics.ts';
import { bridgeErrors } from '../errors.ts';
import { errorAnswerOf } from '../server/error-answer.ts';
import { route, type Route, type RouteAnswer } from '../server/route.ts';
import type { SignalRequest } from '../signals/door.ts';
import type { BridgeContext } from './context.ts';

const name = z.string().max(64).describe('As under `signals` of the configuration');
const signed = z.object({ name });
const byPath = z.object({ name, secret: z.string().max(256).describe('`secretPath` of the configuration') });
const taken = z.object({ name: z.string(), id: z.string() });

const ANSWERS = {
  202: { about: 'It is durable, and the strategies have received it', schema: taken },
  409: { about: 'Its id was seen before' },
  429: { about: 'Too many of this name' },
  503: { about: 'The session cannot take it now' },
} as const;

export function remoteRoutes(context: BridgeContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/metrics',
      name: 'metrics',
      summary: 'Metrics of the session of this process for Prometheus, at most a second old',
      role: 'read',
      answers: { 200: { about: 'The text format, version 0.0.4', type: 'text/plain' } },
      handle: async () => {
        const told = (await context.fleet.own?.ask({ kind: 'metrics' })) ?? null;
        if (told?.kind !== 'metrics')
          throw bridgeErrors.make('bridge_unknown', 'this server has no session of its own that runs');
        return { status: 200, text: told.text, type: SessionMetrics.contentType };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/signals/{name}',
      name: 'signal',
      summary: 'A signal for strategies, signed: hex HMAC-SHA256 of `timestamp\\nid\\nbody`',
      role: 'open',
      params: signed,
      body: null,
      headers: {
        'X-Signal-Id': 'At most 64 characters; a repeated one is not taken again',
        'X-Signal-Timestamp': 'Unix ms, at most 30 s from the clock of this machine',
        'X-Signal-Signature': 'Hex',
      },
      answers: { ...ANSWERS, 401: { about: 'Signature or time is wrong' } },
      handle: ({ params, headers, text }) => answerTo(context, { name: params.name, secretPath: null, headers, text }),
    }),
    route({
      method: 'POST',
      path: '/api/v1/signals/{name}/{secret}',
      name: 'signalByPath',
      summary: 'A signal of a sender that cannot sign, as plain text or JSON',
      role: 'open',
      params: byPath,
      body: null,
      answers: ANSWERS,
      handle: ({ params, headers, text }) =>
        answerTo(context, { name: params.name, secretPath: params.secret, headers, text }),
    }),
  ];
}

async function answerTo({ fleet, signals }: BridgeContext, request: SignalRequest): Promise<RouteAnswer> {
  let signal: InboundSignal;
  try {
    signal = signals.admit(request);
  } catch (thrown) {
    const answer = errorAnswerOf(thrown);
    const after = isTidewireError(thrown) ? thrown.details['retryAfterS'] : undefined;
    return typeof after !== 'number'
      ? answer
      : { ...answer, headers: { ...answer.headers, 'retry-after': String(after) } };
  }
  const told = (await fleet.own?.ask({ kind: 'signal', signal })) ?? null;
  if (told?.kind !== 'signal' || told.taken === 'not-now')
    throw bridgeErrors.make('signal_not_taken', 'the session does not take signals now');
  const { id } = signal;
  if (told.taken === 'seen') throw bridgeErrors.make('signal_seen', `signal ${request.name} ${id} was taken before`);
  return { status: 202, json: { name: request.name, id } };
}
