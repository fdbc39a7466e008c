/** Positions and closed positions over REST and by events against the model. */
import { amountText } from './amount.ts';
import type { ClosedRound } from './futures-order.ts';
import type { FuturesAccounts } from './margin.ts';
import { agreeLines, lineOf } from './mismatch.ts';
import { signedAverage } from './position.ts';
import { counted, type Setting } from './setting.ts';
import type { Person } from './world.ts';

const ROOT = '/api/v2/exchange/client/positions';
/** They follow the mark and the rest of the account, which is no change of the position. */
const LIVE = ['markPrice', 'unrealizedPnl', 'liquidationPrice'];

export function checkPositions(setting: Setting, accounts: FuturesAccounts, person: Person): void {
  const rows = setting.world.read(person, `${ROOT}/list`) as readonly Readonly<Record<string, unknown>>[];
  const actual = new Map<string, string>();
  const told = new Map<string, string>();
  for (const row of rows) {
    const name = `${String(row['symbol'])}/${String(row['positionSide'])}`;
    actual.set(name, lineOf(row, ['margin', 'liquidationPrice', 'updatedAt']));
    told.set(name, lineOf(row, LIVE));
  }
  const expected = new Map<string, string>();
  for (const { person: owner, symbol, side, position } of accounts.slots) {
    if (owner !== person || position.quantity === 0n) continue;
    const mark = accounts.mark(symbol);
    const { leverage, marginType } = accounts.terms(person, symbol);
    const line = {
      symbol,
      positionSide: side,
      quantity: amountText(side === 'both' ? position.quantity : position.size),
      entryPrice: signedAverage(position.cost, position.quantity),
      markPrice: amountText(mark),
      leverage: String(leverage),
      marginType,
      unrealizedPnl: amountText(position.unrealized(mark)),
      realizedPnl: amountText(position.round.realized),
    };
    expected.set(`${symbol}/${side}`, lineOf(line));
  }
  agreeLines(`positions of ${person.login}`, actual, expected);
  agreeLines(`events (first) and REST (second) of positions of ${person.login}`, person.feed.positions, told);
}

export function checkClosed(setting: Setting, person: Person, closed: readonly ClosedRound[]): void {
  const rows = setting.pages(person, `${ROOT}/history/closed/positions`, 4);
  const lines = rows.map(({ symbol, positionSide, openedAt, closedAt, fees, funding, realizedPnl }) =>
    lineOf({ symbol, positionSide, openedAt, closedAt, fees, funding, realizedPnl }),
  );
  const own = closed.filter((round) => round.person === person).map(({ line }) => line);
  agreeLines(`closed positions of ${person.login}`, counted(lines), counted(own));
}
