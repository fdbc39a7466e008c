/** A slider over a recorded session: book, orders, positions and equity as they were. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { readHistory, type History } from '../../state/history.ts';
import { useKeys } from '../../state/keys.ts';
import { href, replace, route } from '../../state/route.ts';
import type { SessionStore } from '../../state/session-store.ts';
import { ApiError } from '../../wire/api.ts';
import type { SessionDetail } from '../../wire/types.ts';
import { decimalText, money, plural, signed } from '../../ui/number.ts';
import { Choice, Figure, toneOf } from '../../ui/parts.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { clockMs, length, stampSeconds, zoneName } from '../../ui/time.ts';
import { BookThen, OrdersThen, PricesThen, RecentThen } from './then.tsx';

const SPEEDS = [
  { id: '1', text: '1×' },
  { id: '10', text: '10×' },
  { id: '60', text: '60×' },
] as const;
const FRAME_MS = 100;

interface TravelProps {
  readonly store: SessionStore;
  readonly detail: SessionDetail;
}

export function Travel({ store, detail }: TravelProps): VNode {
  const [history, setHistory] = useState<History | null>(null);
  const [count, setCount] = useState(0);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    readHistory(detail.id, setCount, stop.signal).then(setHistory, (thrown: unknown) => {
      if (thrown instanceof ApiError) setError(thrown);
    });
    return () => stop.abort();
  }, [detail.id]);
  return (
    <>
      <div class="head">
        <h1>Time travel</h1>
        <span class="muted">the session as it was</span>
        <span class="sub mono">{detail.id}</span>
      </div>
      {error !== null ? <Failed error={error} what="The journal" /> : null}
      {history === null && error === null ? (
        <section class="card">
          <Loading what="the journal" />
          <p class="muted body">
            {count === 0 ? 'Reading the journal …' : `${plural(count, 'entry', 'entries')} read …`}
          </p>
        </section>
      ) : null}
      {history !== null && history.rows.length === 0 ? <Empty title="The journal is empty" /> : null}
      {history !== null && history.rows.length > 0 ? <Player store={store} detail={detail} history={history} /> : null}
    </>
  );
}

function Player({ store, detail, history }: TravelProps & { readonly history: History }): VNode {
  const asked = Number(route.value.query.get('at'));
  const [ts, setTs] = useState(
    asked >= history.from && asked <= history.to ? asked : Math.round((history.from + history.to) / 2),
  );
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]['id']>('10');
  const move = (to: number): void => setTs(Math.max(Math.floor(history.from), Math.min(Math.ceil(history.to), to)));
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(
      () => setTs((before) => Math.min(history.to, before + FRAME_MS * Number(speed))),
      FRAME_MS,
    );
    return () => clearInterval(timer);
  }, [isPlaying, speed, history]);
  useEffect(() => {
    if (ts >= history.to) setPlaying(false);
    const timer = setTimeout(() => replace(href('travel', [detail.id], { at: String(Math.round(ts)) })), 300);
    return () => clearTimeout(timer);
  }, [ts]);
  const step = (way: 1 | -1): void => {
    const next = way > 0 ? history.fills.find((fill) => fill.ts > ts) : history.fills.findLast((fill) => fill.ts < ts);
    if (next !== undefined) move(next.ts);
  };
  useKeys(
    [
      { key: ' ', about: 'Play or hold', group: 'Time travel', run: () => setPlaying((before) => !before) },
      { key: 'ArrowLeft', about: 'A second back', group: 'Time travel', run: () => move(ts - 1_000) },
      { key: 'ArrowRight', about: 'A second on', group: 'Time travel', run: () => move(ts + 1_000) },
      { key: 'n', about: 'Next fill', group: 'Time travel', run: () => step(1) },
      { key: 'b', about: 'Fill before', group: 'Time travel', run: () => step(-1) },
    ],
    [ts, history],
  );
  const moment = useMemo(() => history.at(ts), [ts, history]);
  const [symbol] = detail.symbols;
  return (
    <>
      <section class="card player" aria-label="Time">
        <div class="body">
          <div class="row wrap">
            <button type="button" class="button main" onClick={() => setPlaying(!isPlaying)}>
              {isPlaying ? 'Hold' : 'Play'}
            </button>
            <Choice name="Speed" tabs={SPEEDS} selected={speed} onSelect={setSpeed} />
            <button type="button" class="button small" onClick={() => step(-1)}>
              Fill before
            </button>
            <button type="button" class="button small" onClick={() => step(1)}>
              Next fill
            </button>
            <strong class="moment push">{clockMs(ts)}</strong>
            <span class="muted">{`${zoneName(ts)}, ${stampSeconds(ts).slice(0, 10)}`}</span>
          </div>
          <FillTicks history={history} />
          <input
            class="slider"
            type="range"
            aria-label="Moment"
            aria-valuetext={stampSeconds(ts)}
            min={Math.floor(history.from)}
            max={Math.ceil(history.to)}
            step={1}
            value={ts}
            onInput={(event) => move(Number(event.currentTarget.value))}
          />
          <div class="row muted">
            <span>{stampSeconds(history.from)}</span>
            <span class="push">{`${length(history.to - history.from)}, ${plural(history.rows.length, 'entry', 'entries')}${history.isCut ? ' (the first ones)' : ''}`}</span>
            <span class="push">{stampSeconds(history.to)}</span>
          </div>
        </div>
      </section>
      <MomentFigures store={store} moment={moment} />
      {symbol === undefined ? null : (
        <div class="market-grid">
          <PricesThen session={detail.id} symbol={symbol} moment={moment} />
          <BookThen session={detail.id} symbol={symbol} moment={moment} />
        </div>
      )}
      <div class="session-grid">
        <OrdersThen session={detail.id} orders={moment.orders} ts={ts} />
        <RecentThen rows={moment.recent} />
      </div>
    </>
  );
}

/** Where the fills are on the slider. */
function FillTicks({ history }: { readonly history: History }): VNode {
  const span = history.to - history.from || 1;
  const at = (ts: number): number => ((ts - history.from) / span) * 1_000;
  const path = (side: 'buy' | 'sell'): string =>
    history.fills
      .filter((fill) => fill.side === side)
      .map(({ ts }) => `M${at(ts).toFixed(1)} ${side === 'buy' ? 10 : 0}v8`)
      .join('');
  return (
    <svg class="fill-ticks" viewBox="0 0 1000 18" preserveAspectRatio="none" aria-hidden="true">
      <path class="sell" d={path('sell')} />
      <path class="buy" d={path('buy')} />
    </svg>
  );
}

function MomentFigures({
  store,
  moment,
}: {
  readonly store: SessionStore;
  readonly moment: ReturnType<History['at']>;
}): VNode {
  const { ts, orders, fills, positions, killed } = moment;
  const point = store.curve.points.findLast((each) => each.ts <= ts);
  const currency = store.detail.value?.currency ?? '';
  const held = [...positions].filter(([, quantity]) => Number(quantity) !== 0);
  return (
    <dl class="figures">
      <Figure name="Trading PnL then" value={signed(point?.netPnl)} unit={currency} tone={toneOf(point?.netPnl)} />
      <Figure name="Drift of what was held" value={signed(point?.heldDrift)} unit={currency} quiet />
      <Figure name="Equity then" value={money(point?.equity)} unit={currency} />
      <Figure
        name="Traded position"
        value={held[0] === undefined ? 'flat' : decimalText(held[0][1])}
        {...(held[0] === undefined ? {} : { unit: held[0][0] })}
        note="sum of the fills until then"
      />
      <Figure name="Working orders" value={orders.length} note={plural(fills.length, 'fill')} />
      <Figure
        name="Kill switch"
        value={killed === null ? 'off' : 'on'}
        tone={killed === null ? '' : 'bad'}
        note={killed ?? ''}
      />
    </dl>
  );
}
