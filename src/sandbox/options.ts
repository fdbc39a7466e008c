/** Options of a sandbox; bounds fit one machine. */
import type { InstrumentSpec } from '../model/market/instrument.ts';
import type { Clock, Logger } from '../model/ports.ts';
import { createChannelTable } from '../exchange/interface/channels.ts';
import { createEndpointTable, type EndpointOverride } from '../exchange/interface/endpoints.ts';
import { limits } from '../exchange/interface/limits.ts';
import { assumedSchema, type Assumed, type AssumedInput } from './core/assumptions.ts';
import type { MarketDriver } from './market/driver.ts';
import { sandboxErrors } from './errors.ts';

export interface P2pSocketAddress {
  readonly path: string;
  readonly tokenParameter: string;
}

export interface SandboxOverrides {
  readonly endpoints?: Readonly<Record<string, EndpointOverride>> | undefined;
  readonly channels?: Readonly<Record<string, string>> | undefined;
  readonly p2pSocket?: P2pSocketAddress | undefined;
}

export interface SandboxOptions {
  readonly clock: Clock;
  /** Default 1. */
  readonly seed?: number | undefined;
  readonly logger?: Logger | undefined;
  /** `none`: only users trade. Default `synthetic`. */
  readonly market?: 'synthetic' | 'none' | MarketDriver | undefined;
  /** Added to the defaults, replacing equal symbols. */
  readonly instruments?: readonly InstrumentSpec[] | undefined;
  /** False: the field is ignored. Default true. */
  readonly clientOrderIds?: boolean | undefined;
  readonly assumed?: AssumedInput | undefined;
  /** As the client's `exchange.overrides`. */
  readonly overrides?: SandboxOverrides | undefined;
  /** Port time without client messages. Default 30 s. */
  readonly idleCloseMs?: number | undefined;
  /** Slower subscribers are disconnected. Default 8 MiB. */
  readonly sendBufferBytesMax?: number | undefined;
  /** Per socket; more ends it. Default 500. */
  readonly messagesPerSecondMax?: number | undefined;
}

export type SandboxSettings = Readonly<ReturnType<typeof sandboxSettings>>;

/** Throws `sandbox_bad_option`. */
export function readAssumed(value: unknown): Assumed {
  const parsed = assumedSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `${['assumed', ...path].join('.')}: ${message}`);
  throw sandboxErrors.make('sandbox_bad_option', lines.join('; '), { problems: lines });
}

/** Throws `sandbox_bad_option`, `override_unknown` or `override_refused`. */
export function sandboxSettings(options: SandboxOptions) {
  return {
    clock: options.clock,
    seed: options.seed ?? 1,
    idleCloseMs: options.idleCloseMs ?? limits.idleCloseMs,
    sendBufferBytesMax: options.sendBufferBytesMax ?? 8 * 1024 * 1024,
    messagesPerSecondMax: options.messagesPerSecondMax ?? 500,
    clientOrderIds: options.clientOrderIds ?? true,
    assumed: readAssumed(options.assumed),
    endpoints: createEndpointTable(options.overrides?.endpoints),
    channels: createChannelTable(options.overrides?.channels),
    p2pSocket: options.overrides?.p2pSocket ?? { path: '/websocket/p2p', tokenParameter: 'token' },
  };
}

export const BODY_BYTES_MAX = 1024 * 1024;
export const FRAME_BYTES_MAX = 64 * 1024;
export const SUBSCRIPTIONS_MAX = 1024;
