/** Bugs of commands by which a human moves money, in worlds where one does, and of the limits of strategies. */
import type { Mutant } from '../mutant.ts';

export const moneyMutants: readonly Mutant[] = [
  {
    id: 'money-found-in-that-of-another',
    catalogue: 'V4',
    what: 'a code whose redemption is in doubt is found in the redemption of another one',
    file: 'src/treasury/money-intents.ts',
    find: 'const claimed = claimsFor(money, evidence, rules);',
    replace: 'const claimed = new Set();',
    faults: { 'request-lost': 0.3 },
    money: 1,
    asks: true,
  },
  {
    id: 'money-repeated-while-in-doubt',
    catalogue: 'V6',
    what: 'a command of unknown outcome does not hold back one of the same content',
    file: 'src/treasury/money-intents.ts',
    find: 'if (other === undefined || (isCancellation(request) && !isUnderWay)) return null;',
    replace: 'if (request !== null) return null;',
    more: [
      {
        file: 'src/treasury/by-hand.ts',
        find: 'if (earlier !== undefined)',
        replace: "if (earlier?.fate === 'accepted')",
      },
    ],
    faults: { 'answer-lost': 0.3 },
    money: 1,
    asks: true,
  },
  {
    id: 'money-cancel-absent-too-early',
    catalogue: 'V3',
    what: 'a withdrawal that is listed as submitted shows that its cancel, still on its way, did not happen',
    file: 'src/treasury/proofs.ts',
    find: 'const doubt = doubtOf(of, name, reading);',
    replace: "const doubt = reading.kind === 'complete' ? null : doubtOf(of, name, reading);",
    faults: { 'request-late': 0.3 },
    money: 1,
    asks: true,
  },
  {
    id: 'transfers-of-the-day-not-counted',
    catalogue: 'V7',
    what: 'the limit of a day is compared with each transfer alone',
    file: 'src/treasury/transfers.ts',
    find: 'const sum = port.state.money.transferred(tag, currency, port.now()).plus(amount);',
    replace: 'const sum = amount;',
    knobs: [
      {
        file: 'test/simulation/world/transfer-whims.ts',
        find: "maxPerDay: { USDT: '6000' }",
        replace: "maxPerDay: { USDT: '900' }",
      },
    ],
    transfers: 0.4,
  },
];
