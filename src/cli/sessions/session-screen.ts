/** A running session for people: a live screen, or a line every ten seconds on stderr. */
import type { CliIo } from '../command.ts';
import type { startLiveScreen } from './live-screen.ts';
import { moneyText } from '../../model/text/money-text.ts';
import { colouring } from '../terminal/table.ts';
import type { SessionSnapshot } from '../../session/view/snapshot.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { takeSnapshot } from '../../session/view/take-snapshot.ts';

const LINE_MS = 10_000;
const MESSAGES_SHOWN = 5;

export interface Messages {
  readonly lines: string[];
  readonly add: (line: string) => void;
}

export function keptMessages(): Messages {
  const lines: string[] = [];
  return {
    lines,
    add: (line) => {
      lines.push(line);
      if (lines.length > MESSAGES_SHOWN) lines.shift();
    },
  };
}

export interface ShowOptions {
  readonly forMs: number | undefined;
  readonly messages: Messages;
  readonly quiet: boolean;
  /** Null without a terminal. */
  readonly openScreen: typeof startLiveScreen | null;
}

export function showSession(
  io: CliIo,
  session: RunningSession,
  { forMs, messages, quiet, openScreen }: ShowOptions,
): () => void {
  const endsAt = forMs === undefined ? null : session.startedAt + forMs;
  const snapshot = (): SessionSnapshot => takeSnapshot(session, { endsAt, messages: messages.lines });
  if (quiet) return () => {};
  if (openScreen !== null) {
    const screen = openScreen(systemClock, snapshot, colouring(true, io.env));
    return () => screen.stop();
  }
  return systemClock.every(LINE_MS, () => {
    const { fills, netPnl, currency, strategies, closedGates } = snapshot();
    const open = strategies.reduce((sum, { openOrders }) => sum + openOrders.length, 0);
    const gates = closedGates.length === 0 ? '' : `, no new orders: ${closedGates.join('; ')}`;
    io.err(
      `${fills} fills, ${open} open orders, net P&L ${netPnl === null ? '-' : moneyText(netPnl)} ${currency}${gates}\n`,
    );
  });
}
