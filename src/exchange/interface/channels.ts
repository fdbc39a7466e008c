/**
 * WebSocket channels (interface, "Channels") and their names both ways. Config overrides
 * (`exchange.overrides.channels`) apply to assumed rows only.
 */
import { exchangeErrors } from '../errors.ts';
import { wrongName, type OverridableRow, type WrongName } from './override-names.ts';
import type { Provenance } from './endpoint-row.ts';
import type { PermissionCategory } from './permissions.ts';

export interface ChannelRow {
  readonly kind: string;
  readonly access: 'public' | 'private';
  /** With `<SYMBOL>`, or a single channel. */
  readonly template: string;
  readonly provenance: Provenance;
  /**
   * A key needs `read_only` in one of these (assumed); for symbol channels in that of the symbol's market. Empty: any.
   */
  readonly anyOf: readonly PermissionCategory[];
  readonly content: string;
}

const either = ['trading_spot', 'trading_futures'] as const;

// prettier-ignore
export const channelRows = [
  { kind: 'depth', access: 'public', template: '<SYMBOL>@depth', provenance: 'documented', anyOf: [], content: 'order book' },
  { kind: 'trades', access: 'public', template: '<SYMBOL>@trades', provenance: 'documented', anyOf: [], content: 'trade feed' },
  { kind: 'candles', access: 'public', template: '<SYMBOL>.1m@candles', provenance: 'documented', anyOf: [], content: 'candles' },
  { kind: 'ticker', access: 'public', template: '<SYMBOL>@ticker', provenance: 'documented', anyOf: [], content: 'ticker' },
  { kind: 'volumeRatio', access: 'public', template: 'VOLUME@ratio', provenance: 'assumed', anyOf: [], content: 'volume ratio' },
  { kind: 'spotBalances', access: 'private', template: 'CLNTF@my-balances', provenance: 'documented', anyOf: ['trading_spot'], content: 'spot balances' },
  { kind: 'futuresBalances', access: 'private', template: 'HLORD@my-balances', provenance: 'documented', anyOf: ['trading_futures'], content: 'futures balances' },
  { kind: 'orderInfo', access: 'private', template: '<SYMBOL>@order-info', provenance: 'documented', anyOf: either, content: 'orders' },
  { kind: 'orderHistory', access: 'private', template: '<SYMBOL>@order-history', provenance: 'documented', anyOf: either, content: 'order history' },
  { kind: 'myTrades', access: 'private', template: '<SYMBOL>@my-trades', provenance: 'documented', anyOf: either, content: 'own trades' },
  { kind: 'positions', access: 'private', template: 'position-info', provenance: 'documented', anyOf: ['trading_futures'], content: 'positions' },
] as const satisfies readonly ChannelRow[];

export type ChannelKind = (typeof channelRows)[number]['kind'];

export interface Channel extends ChannelRow {
  readonly kind: ChannelKind;
}

export interface ParsedChannel {
  readonly kind: ChannelKind;
  readonly row: Channel;
  /** Null for channels without a symbol. */
  readonly symbol: string | null;
}

export interface ChannelTable {
  readonly rows: readonly Channel[];
  get(kind: ChannelKind): Channel;
  /** `symbol` exactly when the template has `<SYMBOL>`. */
  name(kind: ChannelKind, symbol?: string): string;
  /** Undefined when no row fits. Cached with a bound. */
  parse(name: string): ParsedChannel | undefined;
}

const MARK = '<SYMBOL>';
const SYMBOL = /^[A-Z0-9]+$/;
const CACHE_MAX = 4096;

const overridable: readonly OverridableRow[] = channelRows.map(({ kind, provenance, template }) => ({
  name: kind,
  provenance,
  wire: template,
}));

/** Null when it may be overridden. */
export function wrongChannel(kind: string): WrongName | null {
  return wrongName('channel', overridable, kind);
}

function overridden(row: Channel, template: string | undefined): Channel {
  return template === undefined ? row : { ...row, template };
}

function parseName(rows: readonly Channel[], name: string): ParsedChannel | undefined {
  for (const row of rows) {
    const at = row.template.indexOf(MARK);
    if (at < 0) {
      if (row.template === name) return { kind: row.kind, row, symbol: null };
      continue;
    }
    const head = row.template.slice(0, at);
    const tail = row.template.slice(at + MARK.length);
    if (!name.startsWith(head) || !name.endsWith(tail) || name.length <= head.length + tail.length) continue;
    const symbol = name.slice(head.length, name.length - tail.length);
    if (SYMBOL.test(symbol)) return { kind: row.kind, row, symbol };
  }
  return undefined;
}

/** Throws `override_unknown` or `override_refused`. */
export function createChannelTable(overrides: Readonly<Record<string, string>> = {}): ChannelTable {
  for (const kind of Object.keys(overrides)) {
    const wrong = wrongChannel(kind);
    if (wrong !== null)
      throw exchangeErrors.make(wrong.code, `exchange.overrides.channels.${kind}: ${wrong.message}`, { name: kind });
  }
  const rows: readonly Channel[] = channelRows.map((row) => Object.freeze(overridden(row, overrides[row.kind])));
  const byKind = new Map<string, Channel>(rows.map((row) => [row.kind, row]));
  const cache = new Map<string, ParsedChannel>();
  const get = (kind: ChannelKind): Channel => {
    const row = byKind.get(kind);
    if (row === undefined) throw new RangeError(`no channel ${kind}`);
    return row;
  };
  return Object.freeze({
    rows,
    get,
    name(kind: ChannelKind, symbol?: string): string {
      const { template } = get(kind);
      if (template.includes(MARK) !== (symbol !== undefined)) {
        throw new RangeError(
          `channel ${kind} (${template}): symbol ${symbol === undefined ? 'missing' : 'not expected'}`,
        );
      }
      return symbol === undefined ? template : template.replace(MARK, symbol);
    },
    parse(name: string): ParsedChannel | undefined {
      const hit = cache.get(name);
      if (hit !== undefined) return hit;
      const parsed = parseName(rows, name);
      if (parsed !== undefined && cache.size < CACHE_MAX) cache.set(name, Object.freeze(parsed));
      return parsed;
    },
  });
}
