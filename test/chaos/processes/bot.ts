/**
 * The bot under test: `tidewire run --live --confirm alice` behind the proxy, always with the same configuration and
 * folder, so that every start goes on with the same session.
 *
 * The windows of the reconciler are short: the proxy lets no request through whose signature is older than 1 s
 * (`proxy.ts`), so the exchange's own 30 s are never reached; with the 2 s of clock doubt that the reconciler adds in any
 * case an absence is proved after 2.5 s, which leaves 1.5 s for an exchange that is short of processor time.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSessions } from '../../../src/session/store/store.ts';
import { Child } from './child.ts';
import type { Disk } from './disk.ts';
import type { Exchange } from './exchange.ts';
import type { FaultyProxy } from './proxy.ts';

export interface BotOptions {
  readonly dir: string;
  readonly proxy: FaultyProxy;
  readonly exchange: Exchange;
  readonly clientOrderIds: boolean;
  /** What the sessions lie on, where it can be made full. */
  readonly disk: Disk | null;
  /** With order programs (`patient.ts`) instead of orders alone (`hasty.ts`). */
  readonly programs: boolean;
}

export class Bot {
  readonly dir: string;
  readonly quietFile: string;
  readonly noteFile: string;
  readonly disk: Disk | null;
  readonly programs: boolean;
  readonly #tradingFile: string;
  readonly #config: string;
  readonly #strategy: string;
  readonly #keys: Readonly<Record<string, string>>;
  #starts = 0;

  constructor({ dir, proxy, exchange, clientOrderIds, disk, programs }: BotOptions) {
    this.dir = dir;
    this.#strategy = join(import.meta.dirname, programs ? 'patient.ts' : 'hasty.ts');
    this.disk = disk;
    this.programs = programs;
    this.quietFile = join(dir, 'quiet');
    this.noteFile = join(dir, 'note');
    this.#tradingFile = join(dir, 'trading');
    this.#config = join(dir, 'live.yaml');
    const { publicKey, secretKey } = exchange.key('alice');
    this.#keys = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
    const address = `127.0.0.1:${proxy.port}`;
    writeFileSync(this.#config, configText(address, join(dir, 'sessions'), clientOrderIds));
  }

  /** Whether the newest process has sent an order. */
  isTrading(): boolean {
    return existsSync(this.#tradingFile);
  }

  /** Whether the strategy of this process has begun to decide. */
  isDeciding(process: Child): boolean {
    return this.decidingFrom(process) !== null;
  }

  /** Unix ms by the clock of the process. */
  decidingFrom({ pid }: Child): number | null {
    try {
      const record = listSessions(join(this.dir, 'sessions'))[0]?.record;
      return record !== undefined && record.pid === pid ? record.decidingFrom : null;
    } catch {
      return null;
    }
  }

  /** A process on the same session; `more` is environment for `boundaries.ts`. */
  start(more: Readonly<Record<string, string>>): Child {
    const seed = String(++this.#starts);
    const args = [
      'run',
      this.#strategy,
      '--config',
      this.#config,
      '--param',
      `quiet=${this.quietFile}`,
      '--seed',
      seed,
    ];
    const env = { ...this.#keys, CHAOS_NOTE: this.noteFile, CHAOS_TRADING: this.#tradingFile, ...more };
    rmSync(this.#tradingFile, { force: true });
    return new Child([...args, '--live', '--confirm', 'alice', '--json'], { cwd: this.dir, env, watched: true });
  }
}

function configText(address: string, sessions: string, clientOrderIds: boolean): string {
  return `exchange:
  baseUrl: http://${address}
  gatewayUrl: http://${address}
  wsUrl: ws://${address}
  clientOrderIds: ${clientOrderIds}
  budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 }
account: { reporting: USDT }
risk: { messagesPerSecond: 1000, repeatedRejects: 1000 }
reconcile:
  intervalMs: 500
  urgentIntervalMs: 150
  sweepIntervalMs: 1000
  signatureWindowMs: 500
  fenceMarginMs: 0
  earlierClockMs: 200
  historyLagMs: 200
recording: { dir: recordings, compress: false, private: true }
journal: { dir: ${sessions}, durability: full }
`;
}
