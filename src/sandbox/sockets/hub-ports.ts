/** Ports of the sandbox's sockets. */
import type { Logger } from '../../model/ports.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Faults } from '../faults.ts';
import type { SandboxSettings } from '../options.ts';
import type { Topic } from './publisher.ts';

export interface HubPorts {
  readonly exchange: Exchange;
  readonly settings: SandboxSettings;
  readonly faults: Faults;
  readonly logger: Logger;
  /** Exchange time. */
  now(): number;
  snapshot(topic: Topic): string | undefined;
}
