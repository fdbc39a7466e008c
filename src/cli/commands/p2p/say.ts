/**
 * `tidewire p2p say TRADE TEXT`: a chat line over the P2P socket (assumed). Only its echo shows that it was accepted.
 */
import { Command } from 'commander';
import type { P2pTrade } from '../../../model/funds/p2p.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withYes } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { operationErrors } from '../../../operations/errors.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { partOf, tradeText } from './text.ts';

const WHAT = 'the message';
/** From connect to echo. */
const DEADLINE_MS = 15_000;

type End =
  | { readonly kind: 'said'; readonly createdAt: number }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Sends once; a connection lost after that is an unknown outcome. */
async function sayOnce(
  { exchange, clock }: OpenExchange,
  { roomId }: P2pTrade,
  userId: string,
  line: string,
): Promise<End> {
  let said = false;
  let end: (how: End) => void = () => {};
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });
  const socket = exchange.p2pSocket((reason) => end({ kind: 'unknown', reason }));
  socket.listen({
    event: (event) => {
      if (event.kind !== 'message') return;
      const { message } = event;
      const ours = message.roomId === roomId && message.userId === userId && message.text === line;
      if (ours) end({ kind: 'said', createdAt: message.createdAt });
    },
    state: (state) => {
      if (state.kind === 'open' && !said) said = socket.say(roomId, line);
      else if (state.kind === 'lost' && said) end({ kind: 'unknown', reason: state.reason });
    },
    refused: (code) => end({ kind: 'refused', code }),
  });
  const disarm = clock.after(DEADLINE_MS, () => end({ kind: 'unknown', reason: 'the line did not come back in time' }));
  socket.start();
  try {
    return await ended;
  } finally {
    disarm();
    await socket.stop();
  }
}

async function say(
  io: CliIo,
  open: OpenExchange,
  { tradeId, line, options }: { tradeId: string; line: string; options: MutatingOptions },
): Promise<CommandResult> {
  const { exchange } = open;
  const trade = answered('the trade', await exchange.money.p2p.trade(tradeId));
  const { userId } = answered('the current user', await exchange.account.me());
  const plan = {
    title: `say in the chat of trade ${tradeId}`,
    rows: [
      ['account', await open.account()],
      ['you', tradeText(trade, partOf(trade, userId))],
      ['text', JSON.stringify(line)],
    ] as const,
    warnings: ['a message cannot be withdrawn'],
  };
  await confirmPlan(io, plan, options);
  const end = await sayOnce(open, trade, userId, line);
  switch (end.kind) {
    case 'said': {
      const { createdAt } = end;
      const { roomId } = trade;
      return { json: { command: 'p2p say', roomId, userId, text: line, createdAt }, text: `said in ${roomId}` };
    }
    case 'refused':
      throw operationErrors.make('operation_refused', `${WHAT} was refused with ${end.code}`, {
        operation: WHAT,
        code: end.code,
      });
    case 'unknown':
      throw cliErrors.make('operation_unknown', `it is not known whether ${WHAT} was said: ${end.reason}`, {
        operation: WHAT,
        reason: end.reason,
      });
  }
}

export function buildSay(io: CliIo): Command {
  return withYes(new Command('say').description('Say something in the chat of a trade.'))
    .argument('<id>', 'id of the trade')
    .argument('<text>', 'one line')
    .addHelpText(
      'after',
      operationHelp(
        ['p2p say 17 "the payment is on its way" --config config/sandbox.yaml'],
        ['login', 'p2pTrade', 'me'],
      ),
    )
    .action(
      action(io, (tradeId: string, line: string, options: MutatingOptions) =>
        withExchange(io, options, 'login', (open) => say(io, open, { tradeId, line, options })),
      ),
    );
}
