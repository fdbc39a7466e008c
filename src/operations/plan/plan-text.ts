/** A plan as lines for a terminal. */
import type { ExecutorEvent } from '../../spine/events.ts';
import { trialText } from '../../risk/protections/trial.ts';
import type { OrderReport, OrderUpdate } from '../../model/trading/order.ts';
import type { MoneyFinding } from '../../session/money/heal-money.ts';
import { offersText } from '../../session/emergency/standing-offers.ts';
import { pressing } from './decisions.ts';
import type { ProgramRow } from '../programs/session-programs.ts';
import type { SessionPlan } from './plan.ts';

export function changeText(change: ExecutorEvent): string {
  if (change.kind === 'order') {
    const { ref, side, symbol, quantity, filledQuantity, state } = change.order;
    return `order ${ref}: ${side} ${filledQuantity}/${quantity} ${symbol} is ${state}`;
  }
  if (change.kind === 'fill') {
    const { ref, side, symbol, quantity, price } = change.fill;
    return `fill of ${ref}: ${side} ${quantity} ${symbol} at ${price}`;
  }
  return change.kind === 'alarm' ? `${change.code}: ${change.message}` : change.kind;
}

const FATES = { happened: 'did happen', absent: 'did not happen', open: 'is still unknown' } as const;

export function moneyText({ kind, intentId, verdict, why }: MoneyFinding): string {
  return `${kind} ${intentId} ${FATES[verdict]}: ${why}`;
}

/** `heals`: it will be carried out. */
export function planText(plan: SessionPlan, heals = false): string {
  const { session, account, exchange, failures, doubts, nothingToDo, requests } = plan;
  const asked = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const offers = plan.running ? null : offersText(plan.p2p);
  const isKilled = plan.refuse.some(({ reason }) => reason === 'killed');
  return [
    `${session} on ${exchange}, account ${account} (${asked} requests)`,
    ...failures.map((failure) => `! could not be read: ${failure}`),
    ...doubts.map((doubt) => `! ${doubt}`),
    ...section('= continues with', [
      ...plan.adopt.map(
        ({ strategy, order, next }) =>
          `${orderText(order)} of ${strategy}${next === 'compare' ? '; stands until the strategy says otherwise' : ''}`,
      ),
      ...(isKilled ? [] : plan.programs.map(programText)),
      ...plan.flattens.map(({ strategy, symbol }) => `the flatten of ${symbol} of ${strategy}`),
    ]),
    ...section('- ends, since the kill switch is on', isKilled ? plan.programs.map(programText) : []),
    ...section('+ takes into the journal', plan.changes.map(changeText)),
    ...section('- cancels', plan.cancel.map(orderText)),
    ...section('? finds out', [
      ...plan.resolve.flatMap(({ order, resolvedBy, couldBe }) => [
        `${orderText(order)}: ${resolvedBy}`,
        ...couldBe.map(
          (report) => `  ${reportText(report)}, ${report.status}, ${new Date(report.createdAt).toISOString()}`,
        ),
      ]),
      ...plan.money.map(moneyText),
    ]),
    ...section(
      '? for you to decide (`tidewire plan --yes --choose ID=CHOICE`)',
      plan.decisions.flatMap(({ id, what, seen, choices }) => [
        `${id}: ${what}`,
        ...seen.map((line) => `  ${line}`),
        ...choices.map(({ name, does }) => `  =${name}: ${does}`),
      ]),
    ),
    ...section(
      '! refuses',
      plan.refuse.map(({ reason, message }) => `${reason}: ${message}`),
    ),
    ...section(
      '! UNPROTECTED (a start gives no exit of its own: let the strategy do it, or close it)',
      plan.unprotected.map(({ strategy, symbol, quantity }) => `${quantity} of ${symbol} of ${strategy} have no exit`),
    ),
    ...section('! has our prefix, not in this journal (a start cancels it)', plan.foreign.map(reportText)),
    ...section('  external (counted in risk, not touched)', plan.external.map(reportText)),
    ...section(
      '  balances and positions',
      [...plan.balances, ...plan.positions].map(
        ({ name, told, explained, verdict }) => `${name}: exchange ${told}, journal ${explained}, ${verdict}`,
      ),
    ),
    ...section(
      '  limits',
      plan.limits.map(({ limit, of, stands, allowed }) => `${limit} of ${of}: ${stands} of ${allowed}`),
    ),
    ...(offers === null ? [] : section('! P2P, by the journal (a start takes it over)', [offers])),
    ...section('  on trial', plan.trials.map(trialText)),
    ...section(
      '! both sides do not agree',
      plan.disagreements.map(({ message }) => message),
    ),
    '',
    nothingToDo
      ? 'Nothing to do.'
      : heals
        ? `Of this the journal is healed now${pressing(plan.decisions).length > 0 ? ', except what you leave undecided' : ''}; \`run\` does the rest.`
        : `Nothing was changed. \`tidewire plan --yes\` or \`tidewire reconcile\` heals the journal; \`run\` does all of it${plan.unprotected.length > 0 ? ' but what is unprotected' : ''}.`,
  ].join('\n');
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', head, ...lines.map((line) => `    ${line}`)];
}

function orderText({ ref, side, filledQuantity, quantity, symbol, price, state, orderId }: OrderUpdate): string {
  return `${ref} (${orderId ?? 'no id yet'}): ${side} ${filledQuantity}/${quantity} ${symbol} at ${price ?? 'market'}, ${state}`;
}

function programText({ ref, kind, symbol, strategy, filled, quantity, waitsFor, next }: ProgramRow): string {
  const of = quantity === null ? '' : `/${quantity}`;
  const trigger = next.trigger === undefined ? '' : `, trigger ${next.trigger}`;
  return `${kind} ${ref}: ${filled}${of} filled, ${symbol} of ${strategy}; it waits for ${waitsFor ?? 'nothing'}${trigger}`;
}

function reportText({ orderId, clientOrderId, side, filledQuantity, quantity, symbol, price }: OrderReport): string {
  return `${orderId}${clientOrderId === undefined ? '' : ` (${clientOrderId})`}: ${side} ${filledQuantity}/${quantity} ${symbol} at ${price ?? 'market'}`;
}
