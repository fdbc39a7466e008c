/** `tidewire p2p start|pay|confirm|dispute|cancel TRADE`. `confirm` releases the escrow for good. */
import { Command } from 'commander';
import type { EndpointName } from '../../../exchange/interface/endpoints.ts';
import type { MoneyRequest } from '../../../model/funds/money-commands.ts';
import type { P2pTrade } from '../../../model/funds/p2p.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConsent } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { requireStep, type P2pStep } from '../../../operations/exchange/p2p-steps.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { P2P_LOOK } from './create.ts';
import { tradeDocument } from './documents.ts';
import { nextText, partOf, sidesOf, timeLeftText, tradeText, type Part } from './text.ts';
import { tradeDetail } from './trades.ts';

type PlainKind = 'startTrade' | 'payTrade' | 'confirmTrade' | 'cancelTrade';

interface Step {
  readonly verb: P2pStep;
  /** For messages: "the start". */
  readonly what: string;
  readonly endpoint: EndpointName;
  readonly description: string;
  readonly by: 'maker' | 'either' | Exclude<Part, 'none'>;
  readonly warnings: (trade: P2pTrade) => readonly string[];
}

const plainSteps: Readonly<Record<PlainKind, Step>> = {
  startTrade: {
    verb: 'start',
    what: 'the start',
    endpoint: 'p2pStartTrade',
    description: 'Confirm the start of a trade, as the maker, within 10 minutes.',
    by: 'maker',
    warnings: (trade) => [`from here on the buyer is expected to pay ${sidesOf(trade).quote}`],
  },
  payTrade: {
    verb: 'pay',
    what: 'the notice of payment',
    endpoint: 'p2pPayTrade',
    description: 'Say, as the buyer, that you have paid.',
    by: 'buyer',
    warnings: (trade) => [
      `say it only after you have sent ${sidesOf(trade).quote}: it moves no money by itself`,
      'once paid, the trade cannot be canceled',
    ],
  },
  confirmTrade: {
    verb: 'confirm',
    what: 'the confirmation',
    endpoint: 'p2pConfirmTrade',
    description: 'Confirm, as the seller, that the payment arrived: releases the escrow for good.',
    by: 'seller',
    warnings: (trade) => [
      `THIS RELEASES ${sidesOf(trade).base} TO THE BUYER AND CANNOT BE UNDONE`,
      `check first whether ${sidesOf(trade).quote} has really arrived; a message or a picture is no evidence`,
    ],
  },
  cancelTrade: {
    verb: 'cancel',
    what: 'the cancellation',
    endpoint: 'p2pCancelTrade',
    description: 'Cancel a trade that nobody has paid yet.',
    by: 'either',
    warnings: (trade) => [
      `the escrow of ${sidesOf(trade).base} goes back to the seller`,
      'as the buyer, do not cancel when you have paid already',
    ],
  },
};

const disputeStep: Step = {
  verb: 'dispute',
  what: 'the appeal',
  endpoint: 'p2pDisputeTrade',
  description: 'Open an appeal: the exchange decides who gets the escrow.',
  by: 'either',
  warnings: () => ['the exchange decides; keep the proofs of the payment'],
};

/** Warnings; the exchange decides. */
function doubts(step: Step, part: Part): readonly string[] {
  if (part === 'none') return ['you are neither buyer nor seller of this trade'];
  const forOther = (step.by === 'buyer' || step.by === 'seller') && step.by !== part;
  return forOther ? [`this step is the ${step.by}'s, and you are the ${part}`] : [];
}

interface Asked {
  readonly step: Step;
  readonly request: MoneyRequest<PlainKind | 'disputeTrade'>;
  readonly options: MutatingOptions;
}

async function take(io: CliIo, open: OpenExchange, { step, request, options }: Asked): Promise<CommandResult> {
  const { exchange, clock } = open;
  const { tradeId } = request;
  const move = { request, what: step.what, look: P2P_LOOK };
  await settleEarlier(io, open, move);
  const trade = answered('the trade', await exchange.money.p2p.trade(tradeId));
  const { userId } = answered('the current user', await exchange.account.me());
  const part = partOf(trade, userId);
  requireStep(step.what, trade, step.verb, nextText(trade, part, clock.now()).replaceAll('\n', ' '));
  const left = timeLeftText(trade, clock.now());
  const plan = {
    title: `${step.verb} trade ${tradeId}`,
    rows: [
      ['account', await open.account()],
      ['you', `${tradeText(trade, part)} at ${trade.price}`],
      ['state', left === '' ? trade.status : `${trade.status}, ${left} left`],
    ] as const,
    warnings: [...doubts(step, part), ...step.warnings(trade)],
  };
  await confirmPlan(io, plan, options);
  const moved = await moveMoney(io, open, move);
  return {
    json: { command: `p2p ${step.verb}`, ...tradeDocument(moved) },
    text: tradeDetail(moved, userId, clock.now()),
  };
}

function stepCommand({ verb, description, endpoint }: Step, example: string): Command {
  return withConsent(new Command(verb).description(description))
    .argument('<id>', 'id of the trade, as `p2p trades` lists it')
    .addHelpText('after', operationHelp([`p2p ${example} --config config/sandbox.yaml`], [endpoint, 'p2pTrade', 'me']));
}

function plainCommand(io: CliIo, kind: PlainKind): Command {
  const step = plainSteps[kind];
  return stepCommand(step, `${step.verb} 17`).action(
    action(io, (tradeId: string, options: MutatingOptions) =>
      withExchange(io, options, 'key', (open) => take(io, open, { step, request: { kind, tradeId }, options })),
    ),
  );
}

interface DisputeOptions extends MutatingOptions {
  readonly reason: string;
}

function disputeCommand(io: CliIo): Command {
  return stepCommand(disputeStep, 'dispute 17 --reason "the payment did not arrive"')
    .requiredOption('--reason <TEXT>', 'what happened, for the exchange')
    .action(
      action(io, (tradeId: string, options: DisputeOptions) => {
        const request = { kind: 'disputeTrade', tradeId, reason: options.reason } as const;
        return withExchange(io, options, 'key', (open) => take(io, open, { step: disputeStep, request, options }));
      }),
    );
}

export function tradeMoves(io: CliIo): readonly Command[] {
  return [
    plainCommand(io, 'startTrade'),
    plainCommand(io, 'payTrade'),
    plainCommand(io, 'confirmTrade'),
    disputeCommand(io),
    plainCommand(io, 'cancelTrade'),
  ];
}
