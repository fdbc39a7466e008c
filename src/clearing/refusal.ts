/**
 * Business refusals of clearing, by code and values. The sandbox sends them as they are, the simulation as an outcome.
 */
export interface ClearingRefusal {
  readonly kind: 'refusal';
  readonly code:
    | 'above_maximum'
    | 'below_minimum'
    | 'off_lot'
    | 'off_tick'
    | 'illegal_transition'
    | 'reduce_only_violation'
    | 'leverage_too_high'
    | 'insufficient_balance';
  readonly message: string;
  readonly field: string;
}

export function refusal(code: ClearingRefusal['code'], message: string, field: string): ClearingRefusal {
  return { kind: 'refusal', code, message, field };
}

export function refuseBalance(currency: string): ClearingRefusal {
  return refusal('insufficient_balance', `the available ${currency} does not cover the order`, 'quantity');
}
