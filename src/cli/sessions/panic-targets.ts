/** The exchanges of a panic: the configured one, and those of live records on this machine. */
import { resolve } from 'node:path';
import type { ExchangeOptions } from '../../exchange/options.ts';
import { loadConfig } from '../../session/config/load.ts';
import { isEmbedded } from '../../session/connection/connection.ts';
import type { LiveRecord } from '../../session/emergency/live-record.ts';
import { configSource } from '../config-option.ts';
import type { CliIo } from '../command.ts';

export interface PanicTarget {
  readonly exchange: ExchangeOptions;
  /** Of the sessions. */
  readonly root: string;
  /** Lag of its lists, ms. */
  readonly lagMs: number;
  /** Of the session; null: as for any command. */
  readonly keyFile: string | null;
}

export interface PanicConfig {
  /** Null without an exchange, or when unreadable. */
  readonly target: PanicTarget | null;
  readonly root: string;
  /** Why the configuration is unreadable, or null. */
  readonly problem: unknown;
}

const PARTS = { only: ['exchange', 'journal', 'reconcile'] } as const;

/** An unreadable file is ignored; the environment may hold addresses. */
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

/** Without a configured target every session is meant. */
export function isMeant({ target, root }: PanicConfig, record: LiveRecord): boolean {
  return target === null || record.exchange.baseUrl === target.exchange.baseUrl || record.root === root;
}

/** One per exchange and key. */
export function panicTargets({ target }: PanicConfig, records: readonly LiveRecord[]): readonly PanicTarget[] {
  const all = [...(target === null ? [] : [target]), ...records];
  const nameOf = ({ exchange, keyFile }: PanicTarget): string => `${exchange.baseUrl} ${keyFile ?? ''}`;
  return all.filter((one, index) => all.findIndex((other) => nameOf(other) === nameOf(one)) === index);
}
