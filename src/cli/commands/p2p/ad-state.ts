/** `tidewire p2p activate|deactivate|delete ID`: shows, hides or ends an advertisement. */
import { Command } from 'commander';
import type { EndpointName } from '../../../exchange/interface/endpoints.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConsent } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { P2P_LOOK } from './create.ts';
import { advertisementDocument } from './documents.ts';
import { offerText } from './text.ts';

interface Step {
  readonly verb: 'activate' | 'deactivate' | 'delete';
  /** For messages. */
  readonly what: string;
  readonly kind: 'activateAdvertisement' | 'deactivateAdvertisement' | 'deleteAdvertisement';
  readonly endpoint: EndpointName;
  readonly description: string;
  readonly warning: string;
}

const steps = {
  activate: {
    verb: 'activate',
    what: 'the activation',
    kind: 'activateAdvertisement',
    endpoint: 'p2pActivateAdvertisement',
    description: 'Show a deactivated advertisement to everybody.',
    warning: 'everybody sees it at once; who responds starts a trade',
  },
  deactivate: {
    verb: 'deactivate',
    what: 'the deactivation',
    kind: 'deactivateAdvertisement',
    endpoint: 'p2pDeactivateAdvertisement',
    description: 'Hide an advertisement; it can be edited then.',
    warning: 'started trades continue',
  },
  delete: {
    verb: 'delete',
    what: 'the deletion',
    kind: 'deleteAdvertisement',
    endpoint: 'p2pDeleteAdvertisement',
    description: 'Delete an advertisement.',
    warning: 'a deleted advertisement cannot be restored; started trades continue',
  },
} as const satisfies Readonly<Record<string, Step>>;

async function take(
  io: CliIo,
  open: OpenExchange,
  { step, advertisementId, options }: { step: Step; advertisementId: string; options: MutatingOptions },
): Promise<CommandResult> {
  const ad = answered('the advertisement', await open.exchange.money.p2p.advertisement(advertisementId));
  const plan = {
    title: `${step.verb} advertisement ${advertisementId}`,
    rows: [
      ['account', await open.account()],
      ['offer', `${ad.maker.username} ${offerText(ad)} at ${ad.price} ${ad.quote}, ${ad.availableAmount} left`],
      ['state', ad.status],
    ] as const,
    warnings: [step.warning],
  };
  await confirmPlan(io, plan, options);
  const request = { kind: step.kind, advertisementId };
  const moved = await moveMoney(io, open, { request, what: step.what, look: P2P_LOOK });
  return {
    json: { command: `p2p ${step.verb}`, ...advertisementDocument(moved) },
    text: `advertisement ${moved.advertisementId} is ${moved.status}`,
  };
}

function stepCommand(io: CliIo, step: Step): Command {
  const { verb, description, endpoint } = step;
  return withConsent(new Command(verb).description(description))
    .argument('<id>', 'id of the advertisement, as `p2p my-ads` lists it')
    .addHelpText(
      'after',
      operationHelp([`p2p ${verb} 17 --config config/sandbox.yaml`], [endpoint, 'p2pAdvertisement']),
    )
    .action(
      action(io, (advertisementId: string, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) => take(io, open, { step, advertisementId, options })),
      ),
    );
}

export function buildActivate(io: CliIo): Command {
  return stepCommand(io, steps.activate);
}

export function buildDeactivate(io: CliIo): Command {
  return stepCommand(io, steps.deactivate);
}

export function buildDelete(io: CliIo): Command {
  return stepCommand(io, steps.delete);
}
