/** Every reason that a gate can give; the type fails when one is added and not tested. */
import type { GateClosure } from '../../src/model/ports.ts';

const all: Readonly<Record<GateClosure['reason'], true>> = {
  stale_data: true,
  no_market: true,
  not_reconciled: true,
  stream_down: true,
  loop_lag: true,
  clock_doubt: true,
  position_mismatch: true,
  overfilled: true,
  orders_blocked: true,
  another_instance: true,
  margin_settings: true,
  symbol_halted: true,
  instrument_changed: true,
  liquidated: true,
  journal_failed: true,
  auth_failed: true,
  restored: true,
  killed: true,
  stopping: true,
};

export const gateReasons = Object.keys(all) as (keyof typeof all)[];
