/** All sessions of the machine as cards: what trades, what it made today, and what is wrong. */
import type { VNode } from 'preact';
import { fleet, fleetError } from '../state/fleet.ts';
import { now } from '../state/now.ts';
import { href } from '../state/route.ts';
import type { SessionSummary } from '../wire/types.ts';
import { decimalText, money, plural, signed } from '../ui/number.ts';
import { Badge, toneOf } from '../ui/parts.tsx';
import { ModeBadge, StateBadge, StrategyBadge, worstOf } from '../ui/session-words.tsx';
import { Spark } from '../ui/spark.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { length, stamp } from '../ui/time.ts';

const ENDED_SHOWN = 30;

export function Fleet(): VNode {
  const list = fleet.value;
  if (list === null && fleetError.value !== null)
    return <Failed error={fleetError.value} what="The list of sessions" />;
  if (list === null) return <Loading what="sessions" />;
  const running = list.sessions.filter((session) => session.running);
  const over = list.sessions.filter((session) => !session.running);
  const alarms = running.reduce((sum, session) => sum + session.alarms.length, 0);
  return (
    <>
      <div class="head">
        <h1>Fleet</h1>
        <span class="muted">
          {`${plural(running.length, 'session')} running, ${over.length} over`}
          {alarms === 0 ? '' : `, ${plural(alarms, 'alarm')}`}
        </span>
      </div>
      {list.sessions.length === 0 ? (
        <Empty title="No session yet">
          <span>Start one on simulated money:</span>
          <code>npx tidewire paper strategies/spread-maker.ts</code>
        </Empty>
      ) : null}
      <div class="cards">
        {running.map((session) => (
          <SessionCard key={session.id} of={session} />
        ))}
      </div>
      {over.length === 0 ? null : (
        <>
          <h2 class="section">Over</h2>
          <div class="cards">
            {over.slice(0, ENDED_SHOWN).map((session) => (
              <SessionCard key={session.id} of={session} />
            ))}
          </div>
          {over.length > ENDED_SHOWN ? (
            <p class="muted section">{`and ${over.length - ENDED_SHOWN} older ones: npx tidewire status --all`}</p>
          ) : null}
        </>
      )}
    </>
  );
}

function SessionCard({ of }: { readonly of: SessionSummary }): VNode {
  const { id, running, currency, equity, startedAt, endedAt, strategies, openOrders, fills, error } = of;
  const worst = worstOf(of);
  const until = running ? now.value : (endedAt ?? startedAt);
  return (
    <article class={`card session-card ${running ? '' : 'over'}`}>
      <header>
        <h3>
          <a href={href('session', [id])}>{strategies.map(({ tag }) => tag).join(', ') || id}</a>
        </h3>
        <span class="push row">
          <ModeBadge mode={of.mode} />
          <StateBadge state={of.state} />
        </span>
      </header>
      <div class="body">
        <div class="card-money">
          <div>
            <span class="muted">Equity</span>
            <strong>
              {money(equity)} {equity === null ? null : <small class="muted">{currency}</small>}
            </strong>
          </div>
          <Today of={of} />
        </div>
        {of.spark.length > 1 ? <Spark values={of.spark} name={`Equity of ${id}`} /> : null}
        <dl class="facts">
          <dt>Position</dt>
          <dd>{positionsText(of)}</dd>
          <dt>Orders</dt>
          <dd>{`${openOrders} open, ${plural(fills, 'fill')}`}</dd>
          <dt>{running ? 'Runs for' : 'Ran for'}</dt>
          <dd title={stamp(startedAt)}>{length(until - startedAt)}</dd>
        </dl>
        {error === null ? null : <p class="bad">{error}</p>}
        <div class="row wrap">
          {worst === null ? (
            running ? (
              <Badge tone="ok">all gates open</Badge>
            ) : null
          ) : (
            <Badge tone={worst.tone} title={worst.text}>
              {worst.text}
            </Badge>
          )}
          {strategies
            .filter(({ state }) => state !== 'running' && running)
            .map((strategy) => (
              <StrategyBadge key={strategy.tag} {...strategy} />
            ))}
          {of.alarms.length === 0 ? null : (
            <Badge
              tone="warn"
              title={of.alarms.at(-1)?.message}
            >{`${plural(of.alarms.length, 'alarm')}, last: ${of.alarms.at(-1)?.code ?? ''}`}</Badge>
          )}
        </div>
      </div>
      <div class="foot mono">{id}</div>
    </article>
  );
}

/** Own trading apart from what the account held anyway. */
function Today({ of: { today, netPnl, heldDrift, currency } }: { readonly of: SessionSummary }): VNode {
  const trading = today?.trading ?? netPnl;
  const drift = today?.drift ?? heldDrift;
  return (
    <div class="num">
      <span class="muted">{today === null ? 'Trading PnL' : 'Trading PnL today'}</span>
      <strong class={toneOf(trading)}>
        {signed(trading)} <small class="muted">{currency}</small>
      </strong>
      {drift === null ? null : (
        <span class="muted" title="Change of the worth of what was held before; not made by trading">
          {`drift of what was held ${signed(drift)}`}
        </span>
      )}
    </div>
  );
}

function positionsText({ positions }: SessionSummary): string {
  const held = positions.filter(({ quantity }) => Number(quantity) !== 0);
  if (held.length === 0) return 'flat';
  const [first, ...more] = held;
  if (first === undefined) return 'flat';
  const text = `${decimalText(first.quantity)} ${first.symbol}${first.positionSide === 'both' ? '' : ` ${first.positionSide}`}`;
  return more.length === 0 ? text : `${text} and ${more.length} more`;
}
