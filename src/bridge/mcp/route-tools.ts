/** The rows of the API as tools: what a client of the API reads, an AI client reads. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { bridgeErrors } from '../errors.ts';
import { fieldsOf, type CommandName } from '../schemas/command.ts';
import type { Caller, Route } from '../server/route.ts';
import { readingTools, retreatTools } from './operation-tools.ts';
import { sessionId } from '../routes/session-routes.ts';
import type { Tool } from './tool.ts';

/** Name of a row and of its tool. */
const READS: Readonly<Record<string, string>> = {
  sessions: 'sessions',
  session: 'session',
  entries: 'entries',
  fills: 'fills',
  equity: 'equity',
  why: 'why',
  whyNot: 'why_not',
  log: 'log',
  plan: 'plan',
  results: 'results',
  result: 'result',
  sweep: 'sweep_result',
  drift: 'drift',
  recordings: 'recordings',
};
/** A client reads it all into its context. */
const TEXT_MAX = 200_000;

const CALLER: Caller = { role: 'operate', by: 'mcp', address: 'stdio' };
/** What lifts a pause or loosens a limit adds risk. */
const RETREATS = ['pause', 'cancel', 'cancel-all', 'flatten', 'stop', 'kill'] as const satisfies readonly CommandName[];
const CODE = 'code';

export interface ToolsWish {
  /** With the tool `command`, and operations that take something back. */
  readonly isArmed: boolean;
  /** With reads of the exchange. */
  readonly hasExchange: boolean;
}

export function routeTools(routes: readonly Route[], { isArmed, hasExchange }: ToolsWish): readonly Tool[] {
  const reads = hasExchange ? { ...READS, ...readingTools } : READS;
  return routes.flatMap((row) => {
    const name = reads[row.name];
    if (name !== undefined) return [readTool(row, name)];
    if (!isArmed) return [];
    const retreat = retreatTools[row.name];
    if (retreat !== undefined) return [retreatTool(row, retreat)];
    return row.name === 'command' ? [commandTool(row)] : [];
  });
}

function shapeOf(schema: z.ZodType | null | undefined): z.ZodRawShape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** This process has no session, so that `current` names none. */
function paramsOf(row: Route): z.ZodRawShape {
  const shape = shapeOf(row.params);
  if (shape['id'] !== sessionId.shape.id) return shape;
  return { ...shape, id: z.string().describe('Id of a session, as `sessions` lists it') };
}

function readTool(row: Route, name: string): Tool {
  const input = { ...paramsOf(row), ...shapeOf(row.query) };
  return { name, about: row.summary, input, isReadOnly: true, run: (given) => answered(row, given) };
}

/** Only what removes risk: the second step of what adds it is a human's, at the terminal or the dashboard. */
function commandTool(row: Route): Tool {
  const taken: readonly string[] = ['reason', ...RETREATS.flatMap((name) => fieldsOf[name])];
  const body = Object.entries(shapeOf(row.body)).filter(([name]) => taken.includes(name));
  const input = { ...paramsOf(row), command: z.enum(RETREATS), ...Object.fromEntries(body) };
  return {
    name: 'command',
    about: `Give a command to a running session: ${RETREATS.join(', ')}. What adds risk is left to a human.`,
    input,
    isReadOnly: false,
    isDestructive: true,
    run: async (given) => answered(row, z.object(input).parse(given)),
  };
}

function retreatTool(row: Route, name: string): Tool {
  const about = `${row.summary}. A live session with a dashboard carries it out.`;
  return {
    name,
    about,
    input: shapeOf(row.body),
    isReadOnly: false,
    isDestructive: true,
    run: (given) => answered(row, given),
  };
}

async function answered(row: Route, given: Readonly<Record<string, unknown>>): Promise<string> {
  const part = (schema: z.ZodType | null | undefined): unknown => {
    const names = Object.keys(shapeOf(schema));
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => name !== CODE && names.includes(name)));
    return schema === null || schema === undefined ? undefined : schema.parse(own);
  };
  const {
    status,
    json,
    text = '',
  } = await row.handle({
    params: part(row.params),
    query: part(row.query),
    body: part(row.body),
    caller: CALLER,
    headers: { 'idempotency-key': randomUUID() },
    text: '',
  });
  const answer = json === undefined ? text : JSON.stringify(withoutCode(json));
  if (status >= 400) throw new McpRefusal(answer);
  if (answer.length <= TEXT_MAX) return answer;
  throw bridgeErrors.make('mcp_too_long', `the answer has ${answer.length} characters, more than ${TEXT_MAX}`);
}

/** What the API refused, as it says it. */
export class McpRefusal extends Error {}

/** The code of a second step would be one for whoever asks. */
function withoutCode(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('confirm' in json)) return json;
  const { confirm: _, ...rest } = json;
  return { ...rest, confirm: 'a human does this, with `tidewire` on the terminal or on the dashboard' };
}
