/** Commands of a human or a script to a session. */
import { z } from 'zod';
import { decimal, seq, timeMs } from './common.ts';

export const commandNames = [
  'pause',
  'resume',
  'cancel',
  'cancel-all',
  'flatten',
  'stop',
  'kill',
  'limits/override',
  'plan/apply',
] as const;

/** Header of another server that passes a command on: for whom. It informs, and gives no right. */
export const ASKED_BY = 'x-tidewire-asked-by';

const text = (most: number): z.ZodString => z.string().min(1).max(most);

export const confirmationCode = z
  .string()
  .regex(/^[0-9A-Fa-f]{6}$/)
  .optional()
  .describe('Confirmation of what adds risk or moves money, from the answer `bridge_confirmation_needed`');

const fields = z.strictObject({
  command: z.enum(commandNames),
  strategy: text(64).optional().describe('Tag; without it all strategies'),
  symbol: text(64).optional(),
  ref: text(128).optional().describe('Of an order or a program; for `cancel`'),
  limit: text(128).optional().describe('For `limits/override`, as `path` of the limits'),
  value: decimal.nullable().optional().describe('For `limits/override`; null: as configured again'),
  forMs: z.int().min(1_000).max(3_600_000).optional().describe('For `limits/override`; default one hour'),
  decision: text(256).optional().describe('For `plan/apply`: ID=CHOICE, as `plan` shows it'),
  reason: text(500).describe('Why; stands in the journal'),
  code: confirmationCode,
});

type Field = Exclude<keyof z.infer<typeof fields>, 'command' | 'reason' | 'code'>;

/** What each command takes beside `reason` and `code`. */
export const fieldsOf: Readonly<Record<CommandName, readonly Field[]>> = {
  pause: ['strategy'],
  resume: ['strategy', 'symbol'],
  cancel: ['strategy', 'ref'],
  'cancel-all': ['strategy', 'symbol'],
  flatten: ['strategy', 'symbol'],
  stop: ['strategy'],
  kill: [],
  'limits/override': ['limit', 'value', 'forMs'],
  'plan/apply': ['decision'],
};

/** A field that it does not take would narrow it down in vain. */
export const command = fields.superRefine((given, context) => {
  const taken: readonly string[] = ['command', 'reason', 'code', ...fieldsOf[given.command]];
  for (const name of Object.keys(given))
    if (!taken.includes(name))
      context.addIssue({ code: 'custom', path: [name], message: `${given.command} takes no ${name}` });
});

export const commandAccepted = z.object({
  seq: seq.describe('Of the durable entry that says who ordered it and why'),
  command: z.enum(commandNames),
  ts: timeMs,
});

/** What only a human decides: halted symbols, liquidations of several holders. */
export const planAnswer = z.object({
  session: z.string(),
  halts: z.array(z.object({ symbol: z.string(), reason: z.string() })),
  decisions: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['liquidation', 'position', 'order', 'trade']),
      symbol: z.string(),
      what: z.string(),
      choices: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
});

export type CommandName = (typeof commandNames)[number];
export type BridgeCommand = z.infer<typeof command>;
export type CommandAccepted = z.infer<typeof commandAccepted>;
export type PlanAnswer = z.infer<typeof planAnswer>;
