/** What `why` found, as lines. */
import { movementText } from './movement-text.ts';
import { deniedText, orderChainText } from './order-text.ts';
import { programText } from './program-text.ts';
import type { WhyAnswer } from './why-order.ts';

export function whyText(why: WhyAnswer): string {
  switch (why.kind) {
    case 'order':
      return orderChainText(why);
    case 'program':
      return programText(why);
    case 'movement':
      return movementText(why);
    case 'denied':
      return deniedText(why);
  }
}
