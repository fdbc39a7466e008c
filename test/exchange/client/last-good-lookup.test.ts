/** Name look-ups that fail or hang after they once succeeded (reliability R09), against a real server on loopback. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createHttpTransports } from '../../../src/exchange/client/http-transport.ts';
import { createLastGoodLookup } from '../../../src/exchange/client/last-good-lookup.ts';
import type { HttpResult } from '../../../src/model/ports.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';

type Answer = LookupAddress[] | Error | 'never';

const server = createServer((_request, response) => response.end('{}'));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const HERE: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

/** One request after each of these answers of the resolver, each on a connection of its own. */
async function asked(answers: readonly Answer[]): Promise<{ readonly results: string[]; readonly lookups: number }> {
  const clock = createSystemClock();
  let lookups = 0;
  const lookup = createLastGoodLookup(clock, (_host, _options, done) => {
    const answer = answers[lookups++] ?? 'never';
    if (answer === 'never') return;
    queueMicrotask(() => (answer instanceof Error ? done(answer, []) : done(null, answer)));
  });
  const results: string[] = [];
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < answers.length; count++) {
    const transports = createHttpTransports(clock, lookup);
    const request = { url: `http://exchange.invalid:${port}/`, method: 'GET', headers: {}, body: '' } as const;
    const result = await new Promise<HttpResult>((resolve) => transports.orders.request(request, 5_000, resolve));
    results.push(result.kind);
    await Promise.all(Object.values(transports).map((transport) => transport.close()));
  }
  return { results, lookups };
}

const failure = Object.assign(new Error('getaddrinfo EAI_AGAIN exchange.invalid'), {
  code: 'EAI_AGAIN',
  syscall: 'getaddrinfo',
});

it('uses the address of an earlier look-up when the resolver fails or does not answer', async () => {
  expect(await asked([HERE, failure, 'never'])).toEqual({ results: ['response', 'response', 'response'], lookups: 3 });
});

it('is not-sent when the name was never found, or has no address', async () => {
  expect(await asked([failure, []])).toMatchObject({ results: ['not-sent', 'not-sent'] });
});
