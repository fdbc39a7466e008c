/**
 * One row an operation of the exchange's interface. The API, its OpenAPI document, the tools of an AI client and
 * docs/operations-table.md are made from the rows; `surface` says which ways lead to it. What takes money out of the
 * account, and what shows or makes a key, is on the command line alone, and its row says why.
 */
import { z } from 'zod';
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import type { ExchangeReads } from '../../exchange/exchange-reads.ts';
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { MoneyKind } from '../../model/funds/money-commands.ts';
import type { Reading } from '../../model/result.ts';
import { answered, listed } from '../../operations/exchange/answers.ts';
import { confirmationOfMove } from '../../session/remote/remote-moves.ts';
import { timeMs } from '../schemas/common.ts';
import type { Lookup } from './exists.ts';

export type Surface = 'cli' | 'api' | 'mcp';
/** `access`: keys, addresses, who may do what. */
export type Moves = 'nothing' | 'orders' | 'money' | 'access';

export type OperationCall =
  /** Of query parameters; throws errors for the client. Answers `output`. */
  | { readonly kind: 'read'; readonly run: (reads: ExchangeReads, params: unknown) => Promise<object> }
  /** By the treasury of a session, or the money journal of the terminal: intent before effect. */
  | { readonly kind: 'money'; readonly command: MoneyKind }
  /** A method of the exchange client, which the terminal calls. */
  | { readonly kind: 'client'; readonly method: string };

export interface OperationRow {
  /** `area.verb`; as the command where there is one. */
  readonly name: string;
  /** What it is for, a sentence. */
  readonly about: string;
  readonly endpoints: readonly EndpointName[];
  /** Of the terminal, without `tidewire`. */
  readonly command: string;
  readonly params: z.ZodObject;
  readonly call: OperationCall;
  readonly moves: Moves;
  /** `two-step`: shown and confirmed before anything is sent. `none`: it reads, takes something back, or takes nothing. */
  readonly confirmation: 'none' | 'two-step';
  readonly output: z.ZodType;
  readonly surface: readonly Surface[];
  /** Why neither the API nor an AI client has it; null: the API has it. */
  readonly terminalOnly: string | null;
  /** Asked before what it names is changed by the API. */
  readonly exists?: Lookup;
}

type Named = Pick<OperationRow, 'name' | 'about' | 'endpoints' | 'command'>;

interface ReadSpec<Params extends z.ZodObject, Item> extends Named {
  readonly params: Params;
  readonly item: z.ZodType<Item>;
}

function readRow(
  { name, about, endpoints, command }: Named,
  params: z.ZodObject,
  output: z.ZodType,
  run: (reads: ExchangeReads, params: unknown) => Promise<object>,
): OperationRow {
  const surface: readonly Surface[] = ['cli', 'api', 'mcp'];
  const call = { kind: 'read', run } as const;
  const reading = { moves: 'nothing', confirmation: 'none', terminalOnly: null } as const;
  return { name, about, endpoints, command, params, call, ...reading, output, surface };
}

/** Reads one thing. */
export function readOne<Params extends z.ZodObject, Item extends object>(
  spec: ReadSpec<Params, Item> & {
    readonly run: (reads: ExchangeReads, params: z.output<Params>) => Promise<Answer<Item>>;
  },
): OperationRow {
  return readRow(spec, spec.params, spec.item, async (reads, params) =>
    answered(spec.name, await spec.run(reads, params as z.output<Params>)),
  );
}

/** Reads all of a list, or says what is missing. */
export function readAll<Params extends z.ZodObject, Item extends object>(
  spec: ReadSpec<Params, Item> & {
    readonly run: (reads: ExchangeReads, params: z.output<Params>) => Promise<Answer<readonly Item[]> | Reading<Item>>;
  },
): OperationRow {
  return readRow(spec, spec.params, listOf(spec.item), async (reads, params) => {
    const result = await spec.run(reads, params as z.output<Params>);
    return listAnswer(spec.name, result);
  });
}

function listOf(item: z.ZodType): z.ZodType {
  return z.object({
    complete: z.boolean().describe('False: the list breaks off, and `reason` says why'),
    reason: z.string().optional(),
    asOf: timeMs.optional().describe('When it was asked for, Unix ms'),
    items: z.array(item),
  });
}

/** Throws where nothing was read. */
function listAnswer<Item>(name: string, result: Answer<readonly Item[]> | Reading<Item>): object {
  if (result.kind === 'value') return { complete: true, items: result.value };
  if (result.kind === 'failed' && 'error' in result) return { complete: true, items: answered(name, result) };
  if (result.kind === 'partial')
    return { complete: false, reason: result.reason, asOf: result.asOf, items: result.items };
  return { complete: true, asOf: result.asOf, items: listed(name, result) };
}

interface TerminalSpec extends Named {
  readonly params: z.ZodObject;
  readonly output: z.ZodType;
}

interface MoneySpec extends TerminalSpec {
  readonly money: MoneyKind;
  readonly moves?: Moves;
  readonly exists?: Lookup;
  /** Where no session takes it as a command. */
  readonly terminalOnly?: string;
}

/** Money. By the API if the treasury of a session accepts it as a command; by an AI client only if it withdraws. */
export function moneyRow(spec: MoneySpec): OperationRow {
  const { money, moves = 'money', terminalOnly = null, ...row } = spec;
  const remote = confirmationOfMove(money);
  const surface: readonly Surface[] =
    remote === null ? ['cli'] : remote === 'none' ? ['cli', 'api', 'mcp'] : ['cli', 'api'];
  const confirmation = remote ?? 'two-step';
  return { ...row, call: { kind: 'money', command: money }, moves, confirmation, surface, terminalOnly };
}

/** Another call of the terminal alone. */
export function terminalRow(
  spec: TerminalSpec & {
    readonly method: string;
    readonly moves: Moves;
    readonly terminalOnly: string;
    readonly confirmation?: OperationRow['confirmation'];
  },
): OperationRow {
  const { method, moves, confirmation = moves === 'nothing' ? 'none' : 'two-step', ...row } = spec;
  return { ...row, call: { kind: 'client', method }, moves, confirmation, surface: ['cli'] };
}
