/** Strategy versions released from trial by `limits widen`. */
import { join } from 'node:path';
import { z } from 'zod';
import { sessionErrors } from '../errors.ts';
import { readOwnerFile, writeOwnerFile } from '../store/owner-file.ts';

const FILE = 'approved-versions.json';

const approvedSchema = z.object({
  exchange: z.string(),
  account: z.string(),
  strategy: z.string(),
  version: z.string(),
  session: z.string(),
  /** Unix ms. */
  at: z.number(),
  reason: z.string(),
});
const fileSchema = z.object({ version: z.literal(1), approved: z.array(approvedSchema) });

export type ApprovedVersion = z.output<typeof approvedSchema>;
export type Approval = Pick<ApprovedVersion, 'strategy' | 'version' | 'session' | 'at' | 'reason'>;

export class ApprovedVersions {
  readonly #file: string;
  readonly #of: Pick<ApprovedVersion, 'exchange' | 'account'>;

  /** `root`: folder of the sessions. */
  constructor(root: string, of: Pick<ApprovedVersion, 'exchange' | 'account'>) {
    this.#file = join(root, FILE);
    this.#of = { exchange: of.exchange, account: of.account };
  }

  /** Throws `approvals_unreadable` and errors of `readOwnerFile`. */
  has(strategy: string, version: string): boolean {
    const { exchange, account } = this.#of;
    return this.#read().some(
      (known) =>
        known.exchange === exchange &&
        known.account === account &&
        known.strategy === strategy &&
        known.version === version,
    );
  }

  add(approval: Approval): void {
    if (this.has(approval.strategy, approval.version)) return;
    const approved = [...this.#read(), { ...this.#of, ...approval }];
    writeOwnerFile(this.#file, `${JSON.stringify({ version: 1, approved }, null, 2)}\n`, { replace: true });
  }

  #read(): readonly ApprovedVersion[] {
    const text = readOwnerFile(this.#file);
    if (text === null) return [];
    const parsed = fileSchema.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data.approved;
    throw sessionErrors.make('approvals_unreadable', `${this.#file} is not the list of approved versions`, {
      path: this.#file,
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
