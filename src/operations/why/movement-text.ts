/** The chain of a movement of money as lines, for `why`. */
import { requestText } from './money-entry-text.ts';
import { denialLines, stepText } from './order-text.ts';
import type { WhyMovement } from './why-order.ts';

export function movementText({ session, chain, deniedSince }: WhyMovement): string {
  const { ref, strategy, request, state, reason, intentId, receiptId } = chain;
  return [
    `${ref ?? intentId} of ${strategy === '' ? 'a human' : strategy}: ${requestText(request)}`,
    `  ${state}${reason === null ? '' : `: ${reason}`}`,
    `  intent ${intentId} · id of the exchange ${receiptId ?? 'none'} · session ${session}`,
    '',
    'What happened',
    ...chain.steps.map(stepText),
    ...deniedSince.flatMap((denied) => ['', `Denied since, in ${denied.session}`, ...denialLines(denied)]),
  ].join('\n');
}
