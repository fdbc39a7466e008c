/**
 * `tidewire p2p watch`: P2P events as lines. Needs a login for the socket. After possible losses own trades are polled.
 */
import { Command, Option } from 'commander';
import { P2pEventBuffer } from '../../../exchange/client/sockets/p2p-event-buffer.ts';
import type { P2pEvent } from '../../../exchange/wire/p2p/p2p-frames.ts';
import { exchangeErrors } from '../../../exchange/errors.ts';
import type { TidewireError } from '../../../model/errors.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { durationOption } from '../../config-option.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { withConfig } from '../../operations/options.ts';
import { advertisementDocument, tradeDocument } from './documents.ts';
import { nextText, offerText, partOf, tradeText } from './text.ts';

const kinds = ['trade', 'advertisement', 'message'] as const;

interface Options extends OperationOptions {
  readonly for?: string;
  readonly jsonl?: boolean;
  readonly only?: (typeof kinds)[number];
  readonly json?: boolean;
}

/** Events kept for `--json`; older ones are only counted. */
const KEPT_MAX = 10_000;

function documentOf(event: P2pEvent): object {
  switch (event.kind) {
    case 'trade':
      return { event: 'trade', data: tradeDocument(event.trade) };
    case 'advertisement':
      return { event: 'advertisement', data: advertisementDocument(event.advertisement) };
    case 'message':
      return { event: 'message', data: event.message };
  }
}

function lineOf(event: P2pEvent, userId: string, now: number): string {
  const at = timeText(now);
  switch (event.kind) {
    case 'trade': {
      const { trade } = event;
      const part = partOf(trade, userId);
      const what = `trade ${trade.tradeId} ${trade.status}: ${tradeText(trade, part)} at ${trade.price}`;
      return `${at}  ${what}\n${' '.repeat(at.length)}    next: ${nextText(trade, part, now).replaceAll('\n', ' ')}`;
    }
    case 'advertisement': {
      const { advertisementId, status, maker, price, quote, availableAmount } = event.advertisement;
      const offer = `${maker.username} ${offerText(event.advertisement)} at ${price} ${quote}, ${availableAmount} left`;
      return `${at}  advertisement ${advertisementId} ${status}: ${offer}`;
    }
    case 'message': {
      const { roomId, userId: from, text } = event.message;
      return `${at}  ${roomId}  ${from === userId ? 'you' : from}: ${JSON.stringify(text)}`;
    }
  }
}

class Printer {
  readonly kept: object[] = [];
  count = 0;
  dropped = 0;
  readonly #io: CliIo;
  readonly #options: Options;
  readonly #userId: string;

  constructor(io: CliIo, options: Options, userId: string) {
    this.#io = io;
    this.#options = options;
    this.#userId = userId;
  }

  print(event: P2pEvent, now: number): void {
    const { only, json, jsonl } = this.#options;
    if (only !== undefined && event.kind !== only) return;
    this.count += 1;
    if (json === true) {
      this.kept.push({ ts: Math.round(now), ...documentOf(event) });
      if (this.kept.length > KEPT_MAX) {
        this.kept.shift();
        this.dropped += 1;
      }
    } else if (jsonl === true) this.#io.out(`${JSON.stringify({ ts: Math.round(now), ...documentOf(event) })}\n`);
    else this.#io.out(`${lineOf(event, this.#userId, now)}\n`);
  }
}

/** Polls own open trades as events. */
async function readBack(io: CliIo, { exchange, clock }: OpenExchange, printer: Printer, reason: string): Promise<void> {
  const reading = await exchange.money.p2p.myTrades();
  if (reading.kind === 'failed') {
    io.err(`${reason}; events may be missing, and your trades could not be read: ${reading.reason}\n`);
    return;
  }
  io.err(`${reason}; events may be missing, so your open trades were read again\n`);
  for (const trade of reading.items.toReversed()) {
    if (trade.status !== 'complete' && trade.status !== 'cancel') printer.print({ kind: 'trade', trade }, clock.now());
  }
}

/** Feeds the buffer until the socket ends; returns why. */
function listenTo(
  io: CliIo,
  { exchange, clock }: OpenExchange,
  buffer: P2pEventBuffer,
  forMs: number | undefined,
): { readonly close: () => Promise<void>; readonly failure: () => TidewireError | null } {
  let failure: TidewireError | null = null;
  const socket = exchange.p2pSocket((reason) => {
    failure = exchangeErrors.make('login_required', `the P2P socket cannot continue: ${reason}`);
    buffer.close();
  });
  socket.listen({
    event: (event) => buffer.push(event),
    state: (state) => {
      if (state.kind === 'open' && state.generation > 1) buffer.gap('connected again');
      if (state.kind === 'open' && state.generation === 1) io.err('watching; Ctrl-C ends it\n');
      if (state.kind === 'lost') io.err(`connection lost: ${state.reason}; trying again\n`);
    },
  });
  const disarm = forMs === undefined ? null : clock.after(forMs, () => buffer.close());
  void io.interrupted.then(() => buffer.close());
  socket.start();
  const close = async (): Promise<void> => {
    disarm?.();
    await socket.stop();
  };
  return { close, failure: () => failure };
}

async function watch(io: CliIo, open: OpenExchange, options: Options): Promise<CommandResult> {
  const { exchange, clock } = open;
  const { userId } = answered('the current user', await exchange.account.me());
  const forMs = durationOption('for', options.for);
  const from = Math.round(clock.now());
  const printer = new Printer(io, options, userId);
  const buffer = new P2pEventBuffer();
  const listening = listenTo(io, open, buffer, forMs);
  try {
    for (let next = await buffer.take(); next !== null; next = await buffer.take()) {
      if (next.kind === 'event') printer.print(next.event, clock.now());
      else await readBack(io, open, printer, next.reason);
    }
  } finally {
    await listening.close();
  }
  const failure = listening.failure();
  if (failure !== null) throw failure;
  const { count, dropped, kept } = printer;
  return { json: { command: 'p2p watch', from, to: Math.round(clock.now()), events: kept, count, dropped }, text: '' };
}

export function buildWatch(io: CliIo): Command {
  return withConfig(new Command('watch').description('Print trades, advertisements and chat as they happen.'))
    .option('--for <DURATION>', 'end after this time, for example 30s; without it Ctrl-C ends it')
    .addOption(new Option('--only <KIND>', 'only events of this kind').choices(kinds))
    .option('--jsonl', 'one JSON object a line, as it happens')
    .option('--json', 'one JSON document at the end, with the newest 10000 events')
    .addHelpText(
      'after',
      `${operationHelp(
        [
          'p2p watch --only trade --config config/sandbox.yaml',
          'p2p watch --for 5m --jsonl --config config/sandbox.yaml',
        ],
        ['login', 'me', 'p2pMyTrades'],
      )}\n  WebSocket /websocket/p2p?token=JWT\n    events of P2P (assumed); needs a login with password and 2FA code`,
    )
    .action(action(io, (options: Options) => withExchange(io, options, 'login', (open) => watch(io, open, options))));
}
