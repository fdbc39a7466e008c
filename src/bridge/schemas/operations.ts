/** The list of operations. */
import { z } from 'zod';
import { seq, timeMs } from './common.ts';

export const operationList = z.object({
  operations: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      access: z.enum(['public', 'key', 'login']).describe('What the exchange asks for'),
      moves: z.enum(['nothing', 'orders', 'money', 'access']),
      confirmation: z.enum(['none', 'two-step']),
      surface: z.array(z.enum(['cli', 'api', 'mcp'])).describe('By which ways it can be had'),
      command: z.string().nullable().describe('Of the terminal; null: none'),
      api: z
        .object({ method: z.enum(['GET', 'POST']), path: z.string() })
        .nullable()
        .describe('Null: not by the API'),
      terminalOnly: z.string().nullable().describe('Why it is not by the API; null: it is'),
    }),
  ),
});

/** Of an operation that a session carries out. */
export const operationOrdered = z.object({
  seq: seq.describe('Of the durable entry that says who ordered it and why'),
  command: z.string().describe('Kind of the movement, as `request.kind` of its intent'),
  ts: timeMs,
});

export type OperationList = z.infer<typeof operationList>;
