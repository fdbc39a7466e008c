/** Shared options of operation commands. Invalid values throw `operation_invalid` before anything is opened. */
import type { Command } from 'commander';
import { dec, decimalText, isDecimalText } from '../../model/numbers/money.ts';
import { cliErrors } from '../errors.ts';

export function withConfig(command: Command): Command {
  return command.option('--config <FILE>', 'configuration file').hook('preAction', requireTexts);
}

/** An empty text is a variable that a script has not set. */
function requireTexts(command: Command): void {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const given: readonly (readonly [name: string, value: unknown])[] = [
    ...command.registeredArguments.map((each, at) => [each.name().toUpperCase(), command.processedArgs[at]] as const),
    ...command.options.map((each) => [each.name(), options[each.attributeName()]] as const),
  ];
  const isEmpty = (text: unknown): boolean => typeof text === 'string' && text.trim() === '';
  const found = given.find(([, value]) => [value].flat().some(isEmpty));
  if (found === undefined) return;
  const [name] = found;
  throw cliErrors.make('operation_invalid', `${shown(name)} is empty; is a variable of a script not set?`, {
    option: name,
  });
}

/** For changes: they show a plan and ask. */
export function withYes(command: Command): Command {
  return withConfig(command).option('--yes', 'do it without asking; the plan is still shown');
}

export function withConsent(command: Command): Command {
  return withYes(command).option(
    '--again',
    'repeat a movement whose outcome was unknown and that happened, as was found since',
  );
}

function shown(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}

/** Canonical text of an amount above zero. */
export function amountOption(name: string, text: string): string {
  if (isDecimalText(text) && dec(text).gt(0)) return decimalText(text);
  throw cliErrors.make('operation_invalid', `${shown(name)} ${text} is not a plain amount above zero such as 12.5`, {
    option: name,
  });
}

export function oneOfOption<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw cliErrors.make('operation_invalid', `${shown(name)} ${text} is none of ${values.join(', ')}`, { option: name });
}

/** Currency codes are upper case. */
export function currencyOption(name: string, text: string): string {
  if (/^[A-Za-z0-9_-]{1,20}$/.test(text)) return text.toUpperCase();
  throw cliErrors.make('operation_invalid', `${shown(name)} ${text} is not a currency such as USDT`, { option: name });
}

/** A whole number from 1 to `max`. */
export function countOption(name: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw cliErrors.make('operation_invalid', `${shown(name)} ${text} is not a whole number from 1 to ${max}`, {
    option: name,
  });
}

/** Network names are upper case. */
export function networkOption(name: string, text: string): string {
  if (/^[A-Za-z0-9_-]{1,20}$/.test(text)) return text.toUpperCase();
  throw cliErrors.make('operation_invalid', `${shown(name)} ${text} is not a network such as TRC20`, { option: name });
}
