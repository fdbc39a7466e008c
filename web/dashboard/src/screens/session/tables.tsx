/** Orders, programs, fills, positions and balances of a session. */
import type { VNode } from 'preact';
import { askCancel, askFlatten } from '../../state/asking.ts';
import { href } from '../../state/route.ts';
import type { SessionStore } from '../../state/session-store.ts';
import { now } from '../../state/now.ts';
import type { BalanceRow, FillRow, OrderRow, PositionRow, ProgramRow } from '../../wire/types.ts';
import { decimalText, money, NONE, signed } from '../../ui/number.ts';
import { Badge, Side, toneOf } from '../../ui/parts.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { clock, clockMs, length, stampSeconds } from '../../ui/time.ts';

const FILLS_SHOWN = 200;
const FRESH_MS = 3_000;

const whyLink = (session: string, ref: string | null): VNode | string =>
  ref === null ? (
    NONE
  ) : (
    <a class="mono" href={href('why', [session, ref])} title={`Why ${ref}`}>
      {ref}
    </a>
  );

function stateBadge(state: string): VNode {
  if (state === 'unknown') return <Badge tone="bad">unknown</Badge>;
  return state === 'open' || state === 'partially_filled' ? (
    <Badge tone="ok">{state.replace('_', ' ')}</Badge>
  ) : (
    <Badge>{state}</Badge>
  );
}

export function OrdersTable({ store }: { readonly store: SessionStore }): VNode {
  const isCommandable = store.detail.value?.commandable === true;
  const rows = store.orders.value.toSorted((a, b) => Number(b.price ?? 0) - Number(a.price ?? 0));
  const columns: readonly Column<OrderRow>[] = [
    { head: 'Side', cell: ({ side }) => <Side side={side} /> },
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    { head: 'Price', cell: ({ price }) => (price === null ? 'market' : decimalText(price)), isNumber: true },
    {
      head: 'Filled',
      cell: ({ filledQuantity, quantity }) => `${decimalText(filledQuantity)} / ${decimalText(quantity)}`,
      isNumber: true,
    },
    { head: 'State', cell: ({ state }) => stateBadge(state) },
    { head: 'Age', cell: ({ createdAt }) => length(Math.max(0, now.value - createdAt)), isNumber: true },
    { head: 'Terms', cell: (row) => terms(row), isMinor: true },
    { head: 'Order', cell: ({ ref }) => whyLink(store.id, ref) },
    {
      head: '',
      cell: ({ ref }) => (
        <button
          type="button"
          class="button small"
          disabled={!isCommandable}
          aria-label={`Cancel ${ref}`}
          onClick={() => askCancel(store.id, ref)}
        >
          Cancel
        </button>
      ),
    },
  ];
  return <Table name="Orders" columns={columns} rows={rows} keyOf={({ ref }) => ref} empty="No working order" />;
}

function terms({ timeInForce, postOnly, reduceOnly, parent, leg }: OrderRow): string {
  return [
    timeInForce,
    ...(postOnly ? ['post-only'] : []),
    ...(reduceOnly ? ['reduce-only'] : []),
    ...(parent === null ? [] : [`${leg ?? 'leg'} of ${parent}`]),
  ].join(', ');
}

export function FillsTable({
  store,
  shown = FILLS_SHOWN,
}: {
  readonly store: SessionStore;
  readonly shown?: number;
}): VNode {
  const rows = store.fills.value.slice(-shown).toReversed();
  const columns: readonly Column<FillRow>[] = [
    { head: 'Time', cell: ({ ts }) => <span title={stampSeconds(ts)}>{clockMs(ts)}</span> },
    { head: 'Side', cell: ({ side }) => <Side side={side} /> },
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    { head: 'Quantity', cell: ({ quantity }) => decimalText(quantity), isNumber: true },
    { head: 'Price', cell: ({ price }) => decimalText(price), isNumber: true },
    { head: 'To mid', cell: (row) => edge(row), isNumber: true },
    {
      head: 'Fee',
      cell: ({ fee, feeCurrency }) => `${decimalText(fee)} ${feeCurrency}`,
      isNumber: true,
      isMinor: true,
    },
    { head: 'As', cell: ({ liquidity }) => liquidity, isMinor: true },
    { head: 'Order', cell: ({ ref }) => whyLink(store.id, ref) },
  ];
  return (
    <Table
      name="Fills"
      columns={columns}
      rows={rows}
      keyOf={({ seq }) => String(seq)}
      empty="No fill yet"
      isFresh={({ ts }) => Date.now() - ts < FRESH_MS}
      emptyNote={<span>It comes here within a second of the exchange.</span>}
    />
  );
}

/** How much better than the mid it was, in basis points; negative is paid. */
function edge({ mid, price, side }: FillRow): VNode | string {
  if (mid === null || mid === 0) return NONE;
  const bps = ((side === 'buy' ? mid - Number(price) : Number(price) - mid) / mid) * 10_000;
  return <span class={toneOf(bps)}>{`${signed(bps)} bps`}</span>;
}

export function PositionsTable({ store }: { readonly store: SessionStore }): VNode {
  const detail = store.detail.value;
  const rows = (detail?.positions ?? []).filter(
    ({ quantity, realizedPnl }) => Number(quantity) !== 0 || Number(realizedPnl) !== 0,
  );
  const columns: readonly Column<PositionRow>[] = [
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    { head: 'Strategy', cell: ({ strategy }) => strategy },
    {
      head: 'Quantity',
      cell: ({ quantity }) => <span class={toneOf(Number(quantity))}>{signedText(quantity)}</span>,
      isNumber: true,
    },
    { head: 'Entry', cell: ({ entryPrice }) => decimalText(entryPrice), isNumber: true },
    { head: 'Mark', cell: ({ markPrice }) => money(markPrice), isNumber: true, isMinor: true },
    { head: 'Value', cell: ({ value, quote }) => `${money(value)} ${quote}`, isNumber: true },
    {
      head: 'Unrealized',
      cell: ({ unrealizedPnl }) => <span class={toneOf(unrealizedPnl)}>{signed(unrealizedPnl)}</span>,
      isNumber: true,
    },
    {
      head: 'Realized',
      cell: ({ realizedPnl }) => <span class={toneOf(Number(realizedPnl))}>{signed(Number(realizedPnl))}</span>,
      isNumber: true,
    },
    {
      head: '',
      cell: ({ strategy, symbol, quantity }) =>
        Number(quantity) === 0 ? null : (
          <button
            type="button"
            class="button small"
            disabled={detail?.commandable !== true}
            aria-label={`Flatten ${symbol} of ${strategy}`}
            onClick={() => askFlatten(store.id, strategy, symbol)}
          >
            Flatten
          </button>
        ),
    },
  ];
  return (
    <Table
      name="Positions"
      columns={columns}
      rows={rows}
      keyOf={({ strategy, symbol, positionSide }) => `${strategy} ${symbol} ${positionSide}`}
      empty="Flat: nothing is held by a strategy"
    />
  );
}

function signedText(quantity: string): string {
  const text = decimalText(quantity);
  return Number(quantity) > 0 ? `+${text}` : text;
}

export function ProgramsTable({ store }: { readonly store: SessionStore }): VNode {
  const detail = store.detail.value;
  const columns: readonly Column<ProgramRow>[] = [
    { head: 'Program', cell: ({ kind }) => <strong>{kind}</strong> },
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    {
      head: 'Filled',
      cell: ({ filled, quantity }) => `${decimalText(filled)} / ${decimalText(quantity)}`,
      isNumber: true,
    },
    { head: 'Average', cell: ({ averagePrice }) => decimalText(averagePrice), isNumber: true },
    { head: 'Trigger', cell: ({ next }) => decimalText(next.trigger), isNumber: true },
    { head: 'Next', cell: ({ next }) => clock(next.at), isNumber: true, isMinor: true },
    { head: 'Waits for', cell: ({ waitsFor }) => waitsFor ?? NONE, isText: true },
    { head: 'Ref', cell: ({ ref }) => whyLink(store.id, ref) },
    {
      head: '',
      cell: ({ ref }) => (
        <button
          type="button"
          class="button small"
          disabled={detail?.commandable !== true}
          aria-label={`Cancel ${ref}`}
          onClick={() => askCancel(store.id, ref)}
        >
          Cancel
        </button>
      ),
    },
  ];
  return (
    <Table
      name="Programs"
      columns={columns}
      rows={detail?.programs ?? []}
      keyOf={({ strategy, ref }) => `${strategy} ${ref}`}
      empty="No program at work"
    />
  );
}

export function BalancesTable({ store }: { readonly store: SessionStore }): VNode {
  const columns: readonly Column<BalanceRow>[] = [
    { head: 'Account', cell: ({ account }) => account },
    { head: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
    { head: 'Available', cell: ({ available }) => decimalText(available), isNumber: true },
    { head: 'Locked', cell: ({ locked }) => decimalText(locked), isNumber: true },
    { head: 'Total', cell: ({ total }) => decimalText(total), isNumber: true },
  ];
  return (
    <Table
      name="Balances"
      columns={columns}
      rows={store.detail.value?.balances ?? []}
      keyOf={({ account, currency }) => `${account} ${currency}`}
      empty="No balance known"
    />
  );
}
