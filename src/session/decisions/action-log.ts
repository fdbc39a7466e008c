/** Decisions as text: one JSON line an action. */
import type { Action } from '../../model/trading/action.ts';
import { Decimal, decimalText } from '../../model/numbers/money.ts';

export interface LoggedAction {
  /** Unix ms with µs fraction, session clock. */
  readonly ts: number;
  readonly tag: string;
  readonly action: unknown;
}

export function actionLine(ts: number, tag: string, action: Action): string {
  return JSON.stringify({ ts, tag, action }, (_, value: unknown) =>
    value instanceof Decimal ? decimalText(value) : value,
  );
}

export function parseActionLine(line: string): LoggedAction {
  return JSON.parse(line) as LoggedAction;
}

export interface ActionDifference {
  readonly index: number;
  readonly left: LoggedAction | null;
  readonly right: LoggedAction | null;
}

export interface ActionComparison {
  readonly left: number;
  readonly right: number;
  readonly equal: number;
  readonly first: ActionDifference | null;
  /** Ms. */
  readonly timeShiftMsMax: number;
}

export function compareActions(left: readonly string[], right: readonly string[]): ActionComparison {
  let timeShiftMsMax = 0;
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const leftLine = left[index];
    const rightLine = right[index];
    const leftAction = leftLine === undefined ? null : parseActionLine(leftLine);
    const rightAction = rightLine === undefined ? null : parseActionLine(rightLine);
    const same =
      leftAction !== null &&
      rightAction !== null &&
      leftAction.tag === rightAction.tag &&
      JSON.stringify(leftAction.action) === JSON.stringify(rightAction.action);
    if (!same) {
      const first = { index, left: leftAction, right: rightAction };
      return { left: left.length, right: right.length, equal: index, first, timeShiftMsMax };
    }
    timeShiftMsMax = Math.max(timeShiftMsMax, Math.abs(leftAction.ts - rightAction.ts));
  }
  return { left: left.length, right: right.length, equal: length, first: null, timeShiftMsMax };
}
