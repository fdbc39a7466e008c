/** Name, state and figures of a session, and the commands that must be near. */
import type { VNode } from 'preact';
import { askCancelAll, askFlatten, askKill, askPause, askResume } from '../../state/asking.ts';
import { href } from '../../state/route.ts';
import type { SessionDetail } from '../../wire/types.ts';
import { decimalText, money, plural, signed, whole } from '../../ui/number.ts';
import { Figure, toneOf } from '../../ui/parts.tsx';
import { ModeBadge, StateBadge, StrategyBadge } from '../../ui/session-words.tsx';
import { length, stamp } from '../../ui/time.ts';
import { now } from '../../state/now.ts';

export function SessionHead({ of, title }: { readonly of: SessionDetail; readonly title?: string }): VNode {
  const { id, strategies, startedAt, exchange, account, running, endedAt } = of;
  const span = running
    ? `runs for ${length(now.value - startedAt)}`
    : `ran for ${length((endedAt ?? startedAt) - startedAt)}`;
  return (
    <div class="head">
      <h1>{title ?? strategies.map(({ tag }) => tag).join(', ')}</h1>
      <ModeBadge mode={of.mode} />
      <StateBadge state={of.state} />
      {strategies
        .filter(({ state }) => state !== 'running' && running)
        .map((strategy) => (
          <StrategyBadge key={strategy.tag} {...strategy} />
        ))}
      <span class="push row">
        <Commands of={of} />
      </span>
      <span class="sub">
        <span class="mono">{id}</span>
        {` on ${exchange}, account ${account}, since ${stamp(startedAt)}, ${span}`}
      </span>
    </div>
  );
}

export const isHeld = ({ killed, strategies }: SessionDetail): boolean =>
  killed !== null || strategies.some(({ state }) => state === 'paused' || state === 'latched');

function Commands({ of }: { readonly of: SessionDetail }): VNode | null {
  const { id, commandable } = of;
  if (!of.running)
    return (
      <a class="button small" href={href('travel', [id])}>
        Time travel
      </a>
    );
  return (
    <>
      {isHeld(of) ? (
        <button type="button" class="button small" disabled={!commandable} onClick={() => askResume(id)}>
          Resume <kbd>r</kbd>
        </button>
      ) : (
        <button type="button" class="button small" disabled={!commandable} onClick={() => askPause(id)}>
          Pause <kbd>p</kbd>
        </button>
      )}
      <button type="button" class="button small minor" disabled={!commandable} onClick={() => askCancelAll(id)}>
        Cancel all
      </button>
      <button type="button" class="button small" disabled={!commandable} onClick={() => askFlatten(id)}>
        Flatten <kbd>f</kbd>
      </button>
      <button type="button" class="button small danger" disabled={!commandable} onClick={() => askKill(id)}>
        Kill <kbd>k</kbd>
      </button>
    </>
  );
}

export function SessionFigures({ of, openOrders }: { readonly of: SessionDetail; readonly openOrders: number }): VNode {
  const { currency, equity, netPnl, heldDrift, today, fees, fills, unresolved: unknown } = of;
  return (
    <dl class="figures">
      <Figure
        name="Trading PnL"
        value={signed(netPnl)}
        unit={currency}
        tone={toneOf(netPnl)}
        note={today === null ? 'own trading, after fees' : `today ${signed(today.trading)}`}
      />
      <Figure
        name="Drift of what was held"
        value={signed(heldDrift)}
        unit={currency}
        quiet
        note="not made by trading"
      />
      <Figure name="Equity" value={money(equity)} unit={currency} note={`fees ${money(fees)}`} />
      <PositionFigure of={of} />
      <Figure name="Open orders" value={whole(openOrders)} note={plural(fills, 'fill')} />
      <Figure
        name="Unknown outcomes"
        value={whole(unknown)}
        tone={unknown > 0 ? 'warn' : ''}
        note={unknown > 0 ? 'their risk stays reserved' : 'all accounted for'}
      />
    </dl>
  );
}

function PositionFigure({ of: { positions, symbols } }: { readonly of: SessionDetail }): VNode {
  const [first, ...more] = positions.filter(({ quantity }) => Number(quantity) !== 0);
  if (first === undefined) return <Figure name="Position" value="flat" note="nothing held" />;
  const { symbol, quantity, unrealizedPnl, quote } = first;
  const base = symbols.find((row) => row.symbol === symbol)?.base ?? symbol;
  const note =
    more.length > 0 ? `and ${plural(more.length, 'more position')}` : `unrealized ${signed(unrealizedPnl)} ${quote}`;
  return <Figure name="Position" value={decimalText(quantity)} unit={base} note={note} />;
}
