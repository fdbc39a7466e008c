/** The `exchange` section of the configuration (docs/config.md). */
import { z } from 'zod';
import { ownTradeSides } from './own-trade-side.ts';

const EMBEDDED = 'sandbox';

function isAddress(text: string, protocols: readonly string[]): boolean {
  return text === EMBEDDED || protocols.includes(URL.parse(text)?.protocol ?? '');
}

const address = z
  .string()
  .refine((text) => isAddress(text, ['http:', 'https:']), 'expected "sandbox" or an address such as "https://host"');
const socketAddress = z
  .string()
  .refine(
    (text) => isAddress(text, ['wss:', 'ws:', 'https:', 'http:']),
    'expected "sandbox" or an address such as "wss://host"',
  );

export const exchangeOptions = z.strictObject({
  baseUrl: address.default('sandbox').describe('Main REST host, or "sandbox"'),
  /** Same paths as `baseUrl`. */
  gatewayUrl: address.default('sandbox').describe('Gateway for requests signed with an API key, or "sandbox"'),
  /** `/websocket/exchange` is added. */
  wsUrl: socketAddress.default('sandbox').describe('WebSocket host, or "sandbox"'),
  clientOrderIds: z.boolean().default(true).describe('Whether the exchange keeps and returns our client order ids'),
  ownTradeSide: z
    .enum(ownTradeSides)
    .default('own')
    .describe(
      "Meaning of `side` in own trades: the own order's side, or the taker's. A fill of an own order is booked with the side of its order either way",
    ),
  overrides: z
    .strictObject({
      endpoints: z
        .record(
          z.string(),
          z.strictObject({
            method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).optional(),
            path: z.string().startsWith('/').optional(),
          }),
        )
        .default({}),
      channels: z.record(z.string(), z.string().min(1)).default({}),
      p2pSocket: z
        .strictObject({
          path: z.string().startsWith('/').default('/websocket/p2p'),
          tokenParameter: z.string().regex(/^\w+$/).default('token'),
        })
        .optional(),
    })
    .default({ endpoints: {}, channels: {} })
    .describe('Replaces methods, paths and names of assumed rows'),
  budget: z
    .strictObject({
      requestsPerSecond: z.number().positive().max(1000).default(20),
      ordersPerSecond: z.number().positive().max(1000).default(10),
    })
    .default({ requestsPerSecond: 20, ordersPerSecond: 10 })
    .describe('Request budget at start; it adapts to 429 answers'),
});

export type ExchangeOptions = z.infer<typeof exchangeOptions>;
