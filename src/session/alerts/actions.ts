/** What a human must do; null where the digest suffices (reliability H05). */
import type { AlarmCode } from '../../spine/events.ts';
import type { GateClosure } from '../../model/ports.ts';

export const alarmActions: Readonly<Record<AlarmCode, string | null>> = {
  late_fill: null,
  overfill: 'Ask the exchange about the order; then `tidewire limits resume`.',
  fill_contradiction:
    'Compare the trade and the balance with the exchange: `tidewire plan` shows the choices where there are any; else `tidewire limits resume`.',
  own_trade_side: 'If the alarm comes with each session, set exchange.ownTradeSide to the other meaning.',
  orders_blocked: 'Check address, country and firewall; cancel on the exchange’s pages if orders rest.',
  margin_settings: 'Set the perpetual back, or stop the session and change `risk.perpetuals`.',
  surveillance: 'Check the strategy: the exchange may treat this conduct as abuse and close the account.',
  off_grid_fill: null,
  contradiction: 'Compare `tidewire why` of the order with the exchange’s list of orders.',
  stray_overflow: null,
  order_vanished: 'Look for the order on the exchange’s pages; what it was to protect may have no exit.',
  ambiguous_match:
    'Find out which order is yours (`tidewire plan`), then run `tidewire reconcile --ours` or `--not-ours`.',
  foreign_prefix: 'Look for another instance on this account and stop one of them.',
  adopted_order: null,
  journal_rewound:
    'Stop any copy of this session that runs elsewhere; compare with `tidewire plan`, then `tidewire journal acknowledge`.',
  balance_residual: 'Find out what moved the balance; the symbol takes no new risk until then.',
  position_residual: 'Find out what moved the position; the symbol takes no new risk until then.',
  liquidated: 'Check margin and positions; the symbol takes no new risk until the next start.',
  undivided:
    'Find out whose it was (`tidewire plan`), stop the session, then `tidewire plan --yes --choose ID=CHOICE`; the symbol takes no new risk until then.',
  comparison_failing:
    'Read what the message names: the list or field that cannot be read. Orders that rest are watched by the stream alone until then.',
  journal_failed: 'Free or repair the disk, or put the folder back, then start again; nothing is sent until then.',
  listener_failed: null,
  killed: 'Find out why, then `tidewire journal clear-kill SESSION --reason "…"` and start again.',
  flatten_stuck: 'Close on the exchange’s pages what the message says, and no more.',
  daily_loss: 'Check the strategy before the next UTC day begins.',
  drawdown:
    'Check the strategy; it takes no new risk until the drawdown is recovered, or a session starts with another limit.',
  left_band: 'Compare with `tidewire drift`; then stop it, or `tidewire resume` where it was paused.',
  strategy_latched: 'Check the strategy; then `tidewire limits enable`.',
  strategy_paused: null,
  strategy_stopped:
    'See what it holds (`tidewire status`) and close it where you must; correct the strategy, then stop the session and start it again. Other strategies go on.',
  limit_override: null,
  limits_widened: null,
  program_stuck: 'Read `tidewire why` of the program; its position stays protected.',
  program_stale: null,
  program_failed: 'Check the position: the named quantity has no exit. Give it one, or `flatten`.',
  exit_late: null,
  unprotected: 'Give the position an exit, or `flatten`.',
  money_refused: null,
  money_not_sent: 'No money has moved. Order it again, by the API with another key, if it is still wanted.',
  money_unknown:
    'Check the exchange’s history before you repeat anything. If it stays unknown: stop, `tidewire reconcile`, `tidewire money decide`.',
};

const ofGates: Readonly<Record<GateClosure['reason'], string | null>> = {
  stale_data: null,
  no_market: null,
  not_reconciled: null,
  stream_down: null,
  loop_lag: null,
  clock_doubt: 'Set the clock of this machine right; nothing new is sent until then.',
  position_mismatch: null,
  overfilled: null,
  orders_blocked: null,
  another_instance: 'Stop the other instance, and cancel what it left.',
  margin_settings: null,
  symbol_halted: null,
  instrument_changed: 'Restart the session, so that it uses the new steps.',
  liquidated: null,
  restored: 'Compare the journal with the exchange, then acknowledge the restore.',
  journal_failed: null,
  auth_failed: 'Renew or unlock the API key; nothing new is sent until then.',
  killed: null,
  stopping: null,
};

export function gateAction(reason: string): string | null {
  return Object.entries(ofGates).find(([name]) => name === reason)?.[1] ?? null;
}

export const OUTAGE_MS = 300_000;
export const OUTAGE_ACTION = 'Check the network and the exchange; run `tidewire panic` from elsewhere if orders rest.';
