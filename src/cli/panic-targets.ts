/**
 * Which exchanges a panic turns to: that of the configuration where it can be read, and those of the live sessions that left
 * a record here, whatever the configuration says. Of `commands/panic.ts`.
 */
import { resolve } from 'node:path';
import type { ExchangeOptions } from '../exchange/options.ts';
import { loadConfig } from '../session/config/load.ts';
import { isEmbedded } from '../session/connection.ts';
import type { LiveRecord } from '../session/live-record.ts';
import { configSource } from './config-option.ts';
import type { CliIo } from './command.ts';

export interface PanicTarget {
  readonly exchange: ExchangeOptions;
  /** Of the sessions. */
  readonly root: string;
  /** What its lists may lag behind, ms. */
  readonly lagMs: number;
  /** Of the session that is meant; null: as for any command. */
  readonly keyFile: string | null;
}

export interface PanicConfig {
  /** Null where it names no exchange, or cannot be read. */
  readonly target: PanicTarget | null;
  readonly root: string;
  /** Why it cannot be read; null where it can. */
  readonly problem: unknown;
}

const PARTS = { only: ['exchange', 'journal', 'reconcile'] } as const;

/** One that cannot be read counts for nothing: addresses may still come from the environment. */
export function panicConfig(io: CliIo, file: string | undefined): PanicConfig {
  const source = configSource(io, file);
  try {
    return { ...targetOf(io, source), problem: null };
  } catch (thrown) {
    try {
      return { ...targetOf(io, { ...source, file: null }), problem: thrown };
    } catch {
      return { target: null, root: resolve(io.cwd, 'data/sessions'), problem: thrown };
    }
  }
}

function targetOf(io: CliIo, source: ReturnType<typeof configSource>): Omit<PanicConfig, 'problem'> {
  const { exchange, journal, reconcile } = loadConfig({ ...source, ...PARTS }).config;
  const root = resolve(io.cwd, journal.dir);
  const target = isEmbedded(exchange) ? null : { exchange, root, lagMs: reconcile.historyLagMs, keyFile: null };
  return { target, root };
}

/** Whether a session is meant: all are where the configuration says nothing. */
export function isMeant({ target, root }: PanicConfig, record: LiveRecord): boolean {
  return target === null || record.exchange.baseUrl === target.exchange.baseUrl || record.root === root;
}

/** One for each exchange and key. */
export function panicTargets({ target }: PanicConfig, records: readonly LiveRecord[]): readonly PanicTarget[] {
  const all = [...(target === null ? [] : [target]), ...records];
  const nameOf = ({ exchange, keyFile }: PanicTarget): string => `${exchange.baseUrl} ${keyFile ?? ''}`;
  return all.filter((one, index) => all.findIndex((other) => nameOf(other) === nameOf(one)) === index);
}
