/** The rows of the API as tools: what a client of the API reads, an AI client reads. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { bridgeErrors } from '../errors.ts';
import type { Caller, Route } from '../server/route.ts';
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
  recordings: 'recordings',
};
/** A client reads it all into its context. */
const TEXT_MAX = 200_000;

const CALLER: Caller = { role: 'operate', by: 'bearer', address: 'mcp' };
const CODE = 'code';

/** `isArmed`: with the tool `command`. */
export function routeTools(routes: readonly Route[], isArmed: boolean): readonly Tool[] {
  return routes.flatMap((row) => {
    const name = READS[row.name];
    if (name !== undefined) return [readTool(row, name)];
    return isArmed && row.name === 'command' ? [commandTool(row)] : [];
  });
}

function shapeOf(schema: z.ZodType | null | undefined): z.ZodRawShape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function readTool(row: Route, name: string): Tool {
  const input = { ...shapeOf(row.params), ...shapeOf(row.query) };
  return { name, about: row.summary, input, isReadOnly: true, run: (given) => answered(row, given) };
}

/** Only what removes risk: the second step of what adds it is a human's, at the terminal or the dashboard. */
function commandTool(row: Route): Tool {
  const { [CODE]: _code, ...body } = shapeOf(row.body);
  return {
    name: 'command',
    about:
      'Give a command to a running session: pause, cancel, cancel-all, flatten, stop, kill. What adds risk is left to a human.',
    input: { ...shapeOf(row.params), ...body },
    isReadOnly: false,
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
