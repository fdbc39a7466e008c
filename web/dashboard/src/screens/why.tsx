/** Why an order was sent, filled, cancelled or denied: one time line from the market event to the last fill. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { go, href, route } from '../state/route.ts';
import { useResource } from '../state/resource.ts';
import type { SessionStore } from '../state/session-store.ts';
import { sessionPath } from '../wire/api.ts';
import type { SessionDetail, Why as WhyAnswer } from '../wire/types.ts';
import { decimalText, grouped, NONE } from '../ui/number.ts';
import { Badge, Card, Meter, Pairs, Side } from '../ui/parts.tsx';
import { Empty, WhenThere } from '../ui/states.tsx';
import { clockMs, length, stampSeconds, zoneName } from '../ui/time.ts';
import { WhyNotCard } from './why-not.tsx';

type OrderAnswer = Extract<WhyAnswer, { kind: 'order' }>;
type ProgramAnswer = Extract<WhyAnswer, { kind: 'program' }>;
type MovementAnswer = Extract<WhyAnswer, { kind: 'movement' }>;
type DeniedAnswer = Extract<WhyAnswer, { kind: 'denied' }>;
type Step = OrderAnswer['steps'][number];

export function Why({ store, detail }: { readonly store: SessionStore; readonly detail: SessionDetail }): VNode {
  const ref = route.value.parts[1] ?? null;
  return (
    <>
      <div class="head">
        <h1>Why</h1>
        <span class="muted">every order can say why it exists, and every silence why there was none</span>
        <span class="sub mono">{detail.id}</span>
      </div>
      <div class={`why-grid ${ref === null ? '' : 'chosen'}`}>
        <div class="stack">
          <Finder store={store} selected={ref} />
          <WhyNotCard detail={detail} />
        </div>
        {ref === null ? (
          <section class="card">
            <Empty title="Choose an order">
              <span>From the list, or from any table: its name leads here.</span>
            </Empty>
          </section>
        ) : (
          <Explained key={ref} session={detail.id} name={ref} />
        )}
      </div>
    </>
  );
}

interface Named {
  readonly ref: string;
  readonly side: 'buy' | 'sell';
  readonly text: string;
  readonly ts: number;
  readonly isFill: boolean;
}

/** Newest fills and working orders. */
function Finder({ store, selected }: { readonly store: SessionStore; readonly selected: string | null }): VNode {
  const [name, setName] = useState('');
  const working: readonly Named[] = store.orders.value.map(({ ref, side, quantity, price, createdAt }) => ({
    ref,
    side,
    text: `${decimalText(quantity)} at ${price === null ? 'market' : decimalText(price)}`,
    ts: createdAt,
    isFill: false,
  }));
  const filled: readonly Named[] = store.fills.value
    .slice(-80)
    .flatMap(({ ref, side, quantity, price, ts }) =>
      ref === null ? [] : [{ ref, side, text: `${decimalText(quantity)} at ${decimalText(price)}`, ts, isFill: true }],
    );
  const rows = [...new Map([...working, ...filled].map((row) => [row.ref, row])).values()]
    .filter(({ ref }) => ref.includes(name.trim()))
    .toSorted((a, b) => b.ts - a.ts);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.trim() !== '') go(href('why', [store.id, name.trim()]));
  };
  return (
    <Card title="Orders" note="newest first">
      <form class="body row" onSubmit={submit}>
        <input
          class="input"
          aria-label="Order, program or exchange id"
          placeholder="order, program or exchange id"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={name.trim() === ''}>
          Why
        </button>
      </form>
      {rows.length === 0 ? (
        <Empty title="No order of this name here">Enter asks the whole journal.</Empty>
      ) : (
        <ul class="picks scroll" tabIndex={0} aria-label="Orders">
          {rows.map(({ ref, side, text, ts, isFill }) => (
            <li key={ref}>
              <a href={href('why', [store.id, ref])} aria-current={ref === selected ? 'true' : undefined}>
                <span class="row">
                  <Side side={side} />
                  <span>{text}</span>
                  <span class="push muted">{clockMs(ts)}</span>
                </span>
                <span class="row muted">
                  <span class="mono">{ref}</span>
                  <span class="push">{isFill ? 'filled' : 'works'}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Explained({ session, name }: { readonly session: string; readonly name: string }): VNode {
  const why = useResource<WhyAnswer>(`${sessionPath(session)}/orders/${encodeURIComponent(name)}/why`);
  return (
    <WhenThere of={why} what={`Why ${name}`}>
      {(answer) => (
        <div class="stack">
          {answer.kind === 'order' ? <OrderWhy of={answer} /> : null}
          {answer.kind === 'program' ? <ProgramWhy of={answer} session={session} /> : null}
          {answer.kind === 'movement' ? <MovementWhy of={answer} /> : null}
          {answer.kind === 'denied' ? <DeniedWhy of={answer} name={name} /> : null}
        </div>
      )}
    </WhenThere>
  );
}

function OrderWhy({ of }: { readonly of: OrderAnswer }): VNode {
  const { ref, strategy, symbol, order, market, stood, fees, orderId, clientOrderId, parent, durations } = of;
  return (
    <>
      <Card
        title={ref}
        note={`${strategy}, ${symbol}`}
        actions={order === null ? undefined : <Badge>{order.state.replace('_', ' ')}</Badge>}
      >
        <div class="body">
          {order === null ? null : (
            <p class="why-line">
              <Side side={order.side} /> {decimalText(order.quantity)} {symbol}{' '}
              {order.price === null ? 'at market' : `at ${decimalText(order.price)}`}, {order.timeInForce}
              {order.postOnly ? ', post-only' : ''}: {decimalText(order.filledQuantity)} filled
              {order.averagePrice === null ? '' : ` at ${decimalText(order.averagePrice)} on average`}
            </p>
          )}
          <Durations of={durations} />
        </div>
      </Card>
      <TimeLine steps={of.steps} />
      <div class="two">
        <Card title="The market as it was decided" note={market === null ? undefined : `${length(market.ageMs)} old`}>
          {market === null || market.missing !== null ? (
            <Empty title="Not recorded">{market?.missing ?? 'There is no recording of this session.'}</Empty>
          ) : (
            <div class="body">
              <Pairs
                rows={[
                  ['Best bid', `${decimalText(market.bidQuantity)} at ${decimalText(market.bid)}`],
                  ['Best ask', `${decimalText(market.askQuantity)} at ${decimalText(market.ask)}`],
                  ['Last price', decimalText(market.lastPrice)],
                ]}
              />
            </div>
          )}
        </Card>
        <Card title="What stood then">
          <div class="body">
            <Pairs
              rows={[
                ['Position', decimalText(stood.position)],
                ['Working buys', decimalText(stood.workingBuys)],
                ['Working sells', decimalText(stood.workingSells)],
                ['Open orders', `${stood.openOrders} of ${strategy}, ${stood.accountOpenOrders} in all`],
                ['Unknown outcomes', stood.unresolved],
                ['Kill switch', stood.killed ?? 'off'],
              ]}
            />
          </div>
        </Card>
      </div>
      <RiskCard risk={of.risk} />
      <Frames
        title="Frames of the order"
        frames={of.frames}
        empty="No private frame was recorded: a simulated venue sends none."
      />
      <Frames title="Frames of the market before it" frames={market?.frames ?? []} empty="No frame was recorded." />
      <Card title="Names and fees">
        <div class="body">
          <Pairs
            rows={[
              ['Intent', <span class="mono">{of.intentId}</span>],
              ['Client order id', <span class="mono">{clientOrderId}</span>],
              ['Exchange id', <span class="mono">{orderId ?? NONE}</span>],
              ['Program', parent ?? NONE],
              [
                'Fees',
                Object.entries(fees)
                  .map(([currency, fee]) => `${decimalText(fee)} ${currency}`)
                  .join(', ') || 'none',
              ],
              ...of.problems.map((problem) => ['Missing', problem] as const),
            ]}
          />
        </div>
      </Card>
    </>
  );
}

const DURATION_NAMES: Readonly<Record<string, string>> = {
  decisionToIntentMs: 'decision → intent',
  intentToSendingMs: 'intent → durable',
  sendingToAnswerMs: 'sent → answer',
  sendingToFirstFillMs: 'sent → first fill',
  intentToClosedMs: 'whole life',
};

function Durations({ of }: { readonly of: OrderAnswer['durations'] }): VNode {
  return (
    <ul class="durations">
      {Object.entries(of).map(([name, ms]) =>
        ms === null ? null : (
          <li key={name}>
            <span class="muted">{DURATION_NAMES[name] ?? name}</span>
            <strong>{length(ms)}</strong>
          </li>
        ),
      )}
    </ul>
  );
}

const STEP_TONES: Readonly<Record<string, string>> = {
  fill: 'gain',
  cancel: 'soft',
  alarm: 'bad',
  closed: 'soft',
  correction: 'warn',
  denial: 'warn',
};

function TimeLine({ steps }: { readonly steps: readonly Step[] }): VNode {
  return (
    <Card title="Time line" note={`${zoneName(steps[0]?.ts ?? 0)}, ${stampSeconds(steps[0]?.ts).slice(0, 10)}`}>
      <ol class="time-line">
        {steps.map(({ kind, seq, ts, afterMs, text }) => (
          <li key={seq} class={kind}>
            <span class="num muted">
              {clockMs(ts)}
              <br />
              <small>{afterMs === 0 ? '' : `+${length(afterMs)}`}</small>
            </span>
            <i class={STEP_TONES[kind] ?? ''} />
            <span>
              <strong class={STEP_TONES[kind] ?? ''}>{kind}</strong> <span class="muted">{`entry ${seq}`}</span>
              <br />
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function RiskCard({ risk }: { readonly risk: OrderAnswer['risk'] }): VNode {
  return (
    <Card title="Risk figures" note="as judged when it was decided">
      {risk.length === 0 ? (
        <Empty title="No figure was kept">It removed risk, or its journal is older.</Empty>
      ) : (
        <ul class="risk body">
          {risk.map(({ check, whose, value, limit }) => (
            <li key={`${check} ${whose}`}>
              <span>
                <span class="mono">{check}</span> <span class="muted">{whose}</span>
              </span>
              <Meter share={limit === 0 ? 0 : Math.abs(value / limit)} name={`${check} of ${whose}`} />
              <span class="num">{`${figure(value)} of ${figure(limit)}`}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const figure = (value: number): string =>
  Math.abs(value) >= 1_000 ? grouped(value, 0) : String(Number(value.toPrecision(4)));

function Frames({
  title,
  frames,
  empty,
}: {
  readonly title: string;
  readonly frames: OrderAnswer['frames'];
  readonly empty: string;
}): VNode {
  return (
    <Card title={title} note="raw, as received">
      {frames.length === 0 ? (
        <Empty title="None">{empty}</Empty>
      ) : (
        <div class="scroll feed" tabIndex={0} role="region" aria-label={title}>
          <ol class="log">
            {frames.map((frame, index) => (
              <li key={`${frame.ts} ${index}`}>
                <span class="muted">{clockMs(frame.ts)}</span>
                <span class="soft">{frame.kind}</span>
                <span>{frame.text}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Card>
  );
}

function ProgramWhy({ of, session }: { readonly of: ProgramAnswer; readonly session: string }): VNode {
  const { program, children, steps, parameters } = of;
  return (
    <>
      <Card
        title={`${program.kind} ${program.ref}`}
        note={`${program.strategy}, ${program.symbol}`}
        actions={<Badge>{program.state}</Badge>}
      >
        <div class="body">
          <Pairs
            rows={[
              [
                'Filled',
                `${decimalText(program.filled)} of ${decimalText(program.quantity)}${program.averagePrice === null ? '' : ` at ${decimalText(program.averagePrice)}`}`,
              ],
              ['Ended because', program.reason ?? NONE],
              [
                'Orders',
                children.map((child) => (
                  <a
                    key={child.ref}
                    class="mono spaced"
                    href={href('why', [session, child.ref])}
                  >{`${child.leg} ${child.ref}`}</a>
                )),
              ],
              ['Parameters', <code>{JSON.stringify(parameters)}</code>],
            ]}
          />
        </div>
      </Card>
      <TimeLine steps={steps} />
    </>
  );
}

function MovementWhy({ of }: { readonly of: MovementAnswer }): VNode {
  const { kind, ...content } = of.request;
  return (
    <>
      <Card
        title={of.ref ?? of.intentId}
        note={of.strategy === '' ? 'a human' : of.strategy}
        actions={<Badge>{of.state}</Badge>}
      >
        <div class="body">
          <Pairs
            rows={[
              ...Object.entries({ what: kind, ...content }).map(([name, value]) => [name, String(value)] as const),
              ['Reason', of.reason ?? NONE],
              ['Intent', <span class="mono">{of.intentId}</span>],
              ['Exchange id', <span class="mono">{of.receiptId ?? NONE}</span>],
            ]}
          />
        </div>
      </Card>
      <TimeLine steps={of.steps} />
    </>
  );
}

function DeniedWhy({ of, name }: { readonly of: DeniedAnswer; readonly name: string }): VNode {
  return (
    <Card title={`${name} was denied`} note="it never left">
      <ol class="time-line">
        {of.denials.map(({ seq, ts, action, reason, message, risk }) => (
          <li key={seq}>
            <span class="num muted">{clockMs(ts)}</span>
            <i class="warn" />
            <span>
              <strong class="warn">{reason}</strong> <span class="muted">{`${action}, entry ${seq}`}</span>
              <br />
              {message}
              {risk.map(({ check, value, limit }) => (
                <span key={check} class="muted">{` ${check}: ${figure(value)} of ${figure(limit)}.`}</span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
