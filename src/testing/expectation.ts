/** What a scenario can expect, compared with what is. */
import type { Action } from '../model/trading/action.ts';
import { differences, shown } from './difference.ts';
import { testingErrors } from './errors.ts';
import type { Readings } from './scene.ts';
import type { ScenarioWorld } from './world.ts';

/** Some fields of an action; `kind` always. */
export type ExpectedAction = { readonly kind: Action['kind'] } & Readonly<Record<string, unknown>>;

type Fields = Readonly<Record<string, unknown>>;

/** Every field that is named must be so; an entry of a list names the fields that matter. */
export interface Expected {
  /** All since the last `expect` of actions, in order. */
  readonly actions?: readonly ExpectedAction[];
  /** Open orders, oldest first. */
  readonly orders?: readonly Fields[];
  readonly fills?: readonly Fields[];
  readonly denials?: readonly Fields[];
  readonly programs?: readonly Fields[];
  /** Base units of the first instrument, or by symbol. */
  readonly position?: number | string | Readonly<Record<string, number | string>>;
  /** Total, by currency. */
  readonly balances?: Readonly<Record<string, number | string>>;
  readonly equity?: number;
}

type Subject = readonly [name: string, expected: unknown, actual: unknown];

function subjects(expected: Expected, readings: Readings): readonly Subject[] {
  const { position, balances = {}, ...lists } = expected;
  const positions = typeof position === 'object' ? Object.entries(position) : [];
  const one = typeof position === 'object' || position === undefined ? [] : [position];
  return [
    ...Object.entries(lists).map(([name, wanted]): Subject => [name, wanted, readings[name as keyof typeof lists]]),
    ...one.map((wanted): Subject => ['position', wanted, readings.position().quantity]),
    ...positions.map(([symbol, wanted]): Subject => [
      `position of ${symbol}`,
      wanted,
      readings.position(symbol).quantity,
    ]),
    ...Object.entries(balances).map(([currency, wanted]): Subject => [
      `balance of ${currency}`,
      wanted,
      readings.balance(currency).total,
    ]),
  ];
}

/** Throws `scenario_expectation` with one line a difference. */
export function mustBe(expected: Expected | readonly ExpectedAction[], readings: Readings, world: ScenarioWorld): void {
  const wanted: Expected = Array.isArray(expected) ? { actions: expected } : (expected as Expected);
  const compared = subjects(wanted, readings).map(([name, one, actual]) => ({
    name,
    actual,
    lines: differences(one, actual, name),
  }));
  if (wanted.actions !== undefined) world.actions = [];
  const wrong = compared.filter(({ lines }) => lines.length > 0);
  if (wrong.length === 0) return;
  const seconds = (world.clock.nowUs() - world.startUs) / 1_000_000;
  const came = wrong.map(({ name, actual }) => `  ${name}: ${shown(actual)}`);
  const lines = wrong.flatMap(({ lines: all }) => all);
  const denied = readings.denials.slice(-3).map(({ reason, message }) => `  denied: ${reason}: ${message}`);
  const text = [`after ${seconds} s:`, ...lines.map((line) => `  ${line}`), 'what came:', ...came, ...denied].join(
    '\n',
  );
  throw testingErrors.make('scenario_expectation', text, { differences: lines });
}
