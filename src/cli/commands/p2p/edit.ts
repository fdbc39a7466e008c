/** `tidewire p2p edit ID`: new terms of a deactivated advertisement; others stay. */
import { Command } from 'commander';
import type { Advertisement, AdvertisementTerms } from '../../../model/funds/p2p.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { repeated } from '../../config-option.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent } from '../../operations/options.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { P2P_LOOK } from './create.ts';
import { advertisementDocument } from './documents.ts';
import { checkPrice, readBounds } from './price-bounds.ts';
import { checkAmounts } from './terms.ts';
import { advertisementText } from './text.ts';

interface Options extends MutatingOptions {
  readonly price?: string;
  readonly amount?: string;
  readonly min?: string;
  readonly max?: string;
  readonly method?: readonly string[];
  readonly comment?: string;
}

const WHAT = 'the change';

function given(name: string, field: keyof AdvertisementTerms, text: string | undefined): Partial<AdvertisementTerms> {
  return text === undefined ? {} : { [field]: amountOption(name, text) };
}

function changeOf({ price, amount, min, max, method, comment }: Options): Partial<AdvertisementTerms> {
  const change = {
    ...given('price', 'price', price),
    ...given('amount', 'amount', amount),
    ...given('min', 'minLimit', min),
    ...given('max', 'maxLimit', max),
    ...(method === undefined ? {} : { paymentMethodIds: method }),
    ...(comment === undefined ? {} : { comment }),
  };
  if (Object.keys(change).length > 0) return change;
  throw cliErrors.make(
    'operation_invalid',
    'nothing is to change: give --price, --amount, --min, --max, --method or --comment',
  );
}

function changeRows(ad: Advertisement, change: Partial<AdvertisementTerms>): [string, string][] {
  const before: Readonly<Record<keyof AdvertisementTerms, string>> = {
    price: ad.price,
    amount: ad.availableAmount,
    minLimit: ad.minLimit,
    maxLimit: ad.maxLimit,
    paymentMethodIds: ad.paymentMethods.map(({ id }) => id).join(', '),
    comment: ad.comment ?? '',
  };
  return Object.entries(change).map(([field, value]) => {
    const after = Array.isArray(value) ? value.join(', ') : String(value);
    return [field, `${before[field as keyof AdvertisementTerms]} -> ${after}`];
  });
}

async function edit(
  io: CliIo,
  open: OpenExchange,
  {
    advertisementId,
    change,
    options,
  }: { advertisementId: string; change: Partial<AdvertisementTerms>; options: Options },
): Promise<CommandResult> {
  const ad = answered('the advertisement', await open.exchange.money.p2p.advertisement(advertisementId));
  if (ad.status !== 'deactivated') {
    const message = `advertisement ${advertisementId} is ${ad.status}: only a deactivated one can be edited`;
    throw refusedBeforehand(WHAT, 'illegal_transition', message);
  }
  const bounds = await readBounds(open, ad.market);
  if (change.price !== undefined) checkPrice(WHAT, ad.market, bounds, change.price);
  checkAmounts(WHAT, ad.market, change);
  const plan = {
    title: `edit advertisement ${advertisementId}`,
    rows: [['account', await open.account()], ...changeRows(ad, change), ['price bounds', bounds.text]] as [
      string,
      string,
    ][],
    warnings: [`it stays hidden until \`tidewire p2p activate ${advertisementId}\``],
  };
  await confirmPlan(io, plan, options);
  const edited = await moveMoney(io, open, {
    request: { kind: 'editAdvertisement', advertisementId, ...change },
    what: WHAT,
    look: P2P_LOOK,
  });
  return { json: { command: 'p2p edit', ...advertisementDocument(edited) }, text: advertisementText(edited) };
}

export function buildEdit(io: CliIo): Command {
  return withConsent(new Command('edit').description('Change the terms of a deactivated advertisement.'))
    .argument('<id>', 'id of the advertisement')
    .option('--price <PRICE>', 'quote for one of base')
    .option('--amount <AMOUNT>', 'of base, what is offered from now on')
    .option('--min <AMOUNT>', 'smallest deal, in quote')
    .option('--max <AMOUNT>', 'largest deal, in quote')
    .option('--method <ID>', 'payment method; may be repeated; replaces all', repeated)
    .option('--comment <TEXT>', 'shown with it')
    .addHelpText(
      'after',
      operationHelp(
        ['p2p edit 17 --price 96 --config config/sandbox.yaml'],
        ['p2pEditAdvertisement', 'p2pAdvertisement'],
      ),
    )
    .action(
      action(io, async (advertisementId: string, options: Options) => {
        const change = changeOf(options);
        return withExchange(io, options, 'key', (open) => edit(io, open, { advertisementId, change, options }));
      }),
    );
}
