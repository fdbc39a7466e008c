/** Why an action was denied before sending; source of docs/deny-reasons.md. */

export const denyReasons = {
  not_finite: 'a price or quantity is not a finite number',
  not_positive: 'a price, quantity or amount is zero or below',
  unknown_symbol: 'the symbol is not an instrument of this venue',
  symbol_halted: 'the instrument is halted',
  off_tick: 'the price is not a multiple of the tick size',
  off_lot: 'the quantity is not a multiple of the lot size',
  below_minimum: 'the quantity or notional is below the minimum of the instrument',
  above_maximum: 'the price or quantity is above the maximum of the instrument',
  missing_price: 'a limit order has no price',
  wrong_side: 'a stop, take-profit or bound lies on the wrong side of the price',
  bad_fraction: 'fractions or weights sum to more than 1',
  would_cross: 'a post-only order would trade at once',
  duplicate_ref: 'the ref was used before by this strategy',
  unknown_ref: 'no order or program of this strategy has this ref',
  insufficient_balance: 'the free balance does not cover the order',
  max_order_size: 'the quantity exceeds the configured maximum of an order',
  max_order_value: 'the notional exceeds the configured maximum of an order',
  max_position: 'the position could exceed the configured maximum if everything working filled',
  max_open_orders: 'too many orders are working',
  max_open_notional: 'the value of all working orders could exceed its configured maximum',
  max_gross: 'the gross value of all positions could exceed the configured maximum if everything working filled',
  max_net: 'the net value of all positions could exceed the configured maximum if everything working filled',
  order_flow: 'the value of the orders of the last minute or hour would exceed its configured maximum',
  symbol_not_allowed: 'the symbol is not on the configured list of allowed symbols',
  price_collar: 'the price is too far from the mid',
  message_rate: 'too many messages to the exchange in the last second or minute',
  daily_loss: 'the loss of the day has reached its limit',
  drawdown: 'the fall from the highest equity or profit of the session has reached its limit',
  strategy_latched: 'the strategy is latched after repeated executions or refusals until a human enables it',
  strategy_paused: 'a human has paused the strategy and not resumed it yet',
  trading_hours: 'it is outside the configured trading hours of the strategy',
  cooldown: 'the strategy closed a position in the symbol, and its configured cooldown is not over yet',
  max_trades: 'the orders of new risk of the UTC day could exceed their configured number',
  strategy_budget: "the strategy's own budget is used up",
  duplicate_order: 'an equal order is unresolved or about to leave',
  repeated_rejects: 'the exchange refused the same thing several times in a row',
  reduce_only: 'the order would not reduce the position',
  stale_data: 'the market data of the symbol is stale',
  no_market: 'the symbol has no usable book yet, so the order cannot be checked',
  not_reconciled: 'the account is not reconciled with the exchange yet',
  stream_down: 'the private stream is down',
  loop_lag: 'the process stood still and has not caught up yet',
  clock_doubt: 'the clock differs too much from the exchange',
  position_mismatch: 'the position here and on the exchange differ and the difference is not explained',
  overfilled:
    'the exchange filled more than was ordered in this symbol, or a fill contradicted its order, and no human has resumed it',
  another_instance:
    'orders on the account have the prefix of this bot and are not in this journal: another instance trades there',
  orders_blocked: 'something in front of the exchange rejects orders: a firewall, a country block or a captcha',
  instrument_changed: 'the exchange has changed the steps of the instrument since the start of the session',
  margin_settings: 'position mode, margin type or leverage of the perpetual differ from the configuration',
  surveillance:
    'orders, cancels, layers or self-crosses of the strategy are beyond what is configured as proper conduct',
  not_exitable: 'the position would be too small to be sold after fees and an adverse move',
  liquidated:
    'the exchange liquidated a position of the symbol since the start, or a liquidation waits for a human to attribute it',
  restored: 'the journal was restored from a backup or has lost rows, and no human has acknowledged it',
  journal_failed: 'the journal cannot be written',
  auth_failed: 'the exchange refuses the key',
  killed: 'the kill switch is on',
  stopping: 'the strategy is stopping',
  flattening: 'a flatten of the strategy in this symbol is not done yet, or an exit waits for other orders to end',
  expired: 'the action waited longer than its time to live',
  superseded: 'a newer action replaced this one before it was sent',
  route_not_allowed: 'the configuration does not allow transfers on this route',
  max_transfer: 'the amount exceeds the configured maximum of a transfer, or none is configured for the currency',
  daily_transfer: 'the transfers of the day would exceed their configured maximum',
  p2p_not_allowed: 'the configuration does not allow P2P to this strategy',
  price_bounds: 'the price is outside the price-bound rule of the P2P pair',
  advertisement_limit: 'as many advertisements of this side and pair are active as the exchange allows',
  unknown_trade: 'no P2P trade of this user has this id',
  unresolved_money: 'the same movement of money is unresolved: it may have happened',
  unsupported: 'this action or option is not supported here',
} as const;

export type DenyReason = keyof typeof denyReasons;

/** Worst case compared with a limit; estimates. */
export type RiskFigure = readonly [check: DenyReason, whose: string, value: number, limit: number];

export interface Denied {
  readonly kind: 'denied';
  readonly reason: DenyReason;
  /** E.g. "price 60000.005 is not a multiple of 0.01". */
  readonly message: string;
  readonly field?: string;
  readonly figures?: readonly RiskFigure[];
}

export function denied(reason: DenyReason, message: string, field?: string): Denied {
  return field === undefined ? { kind: 'denied', reason, message } : { kind: 'denied', reason, message, field };
}
