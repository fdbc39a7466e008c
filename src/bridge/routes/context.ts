/** What the rows of the API are made from. */
import type { Clock, Logger } from '../../model/ports.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { SettingsAnswer } from '../schemas/research.ts';
import type { ExchangePort } from '../operations-table/exchange-port.ts';
import type { SignalDoor } from '../signals/door.ts';
import type { Tokens } from '../server/tokens.ts';

export interface BridgeContext {
  readonly fleet: Fleet;
  readonly tokens: Tokens;
  readonly cookieName: string;
  /** Whether a browser asks for that host by https. */
  readonly isEncrypted: (host: string | undefined) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly startedAt: number;
  readonly settings: SettingsAnswer['settings'];
  /** Folders that results and recordings are looked for in, beside those of sessions. */
  readonly resultFolders: readonly string[];
  readonly sweepFolders: readonly string[];
  readonly recordingFolders: readonly string[];
  /** Null: none is configured. */
  readonly exchange: ExchangePort | null;
  readonly signals: Pick<SignalDoor, 'admit'>;
  /** Open WebSockets. */
  readonly clients: () => number;
}
