/** One tool of `tidewire mcp`. */
import type { z } from 'zod';

export interface Tool {
  readonly name: string;
  readonly about: string;
  readonly input: z.ZodRawShape;
  /** It changes nothing. */
  readonly isReadOnly: boolean;
  /** It takes something away. */
  readonly isDestructive?: boolean;
  /** The text of the answer. Throws errors for the client. */
  readonly run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<string>;
}
