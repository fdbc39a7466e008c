/** Typed errors by `code`. Each room has a table in `errors.ts`, the source of docs/errors.md. */

/** 1 failed, 2 usage or config, 3 safety rule, 4 exchange or network, 5 integrity. */
export type ExitCode = 1 | 2 | 3 | 4 | 5;

export interface ErrorRow {
  readonly exit: ExitCode;
  readonly meaning: string;
  readonly remedy: string;
}

export type ErrorDetails = Readonly<Record<string, unknown>>;

export class TidewireError extends Error {
  override readonly name = 'TidewireError';
  readonly code: string;
  readonly exit: ExitCode;
  readonly remedy: string;
  /** For programs. Never secrets, never money as a float. */
  readonly details: ErrorDetails;

  constructor(code: string, row: ErrorRow, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exit = row.exit;
    this.remedy = row.remedy;
    this.details = details;
  }
}

export interface ErrorTable<Code extends string> {
  readonly rows: Readonly<Record<Code, ErrorRow>>;
  /** Does not throw. `message` holds the values. */
  make(code: Code, message: string, details?: ErrorDetails, cause?: unknown): TidewireError;
}

export function defineErrors<const Code extends string>(rows: Record<Code, ErrorRow>): ErrorTable<Code> {
  const frozen = Object.freeze({ ...rows });
  return Object.freeze({
    rows: frozen,
    make: (code: Code, message: string, details?: ErrorDetails, cause?: unknown) =>
      new TidewireError(code, frozen[code], message, details, cause),
  });
}

export const modelErrors = defineErrors({
  bad_rounding: {
    exit: 1,
    meaning:
      '`roundPrice` or `roundQuantity` of an instrument was called without a way to round, or with an unknown one.',
    remedy: "Say 'down', 'up' or 'nearest'.",
  },
});

export function isTidewireError(value: unknown): value is TidewireError {
  return value instanceof TidewireError;
}

export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly details?: ErrorDetails;
  };
}

export function errorDocument({ code, message, remedy: hint, details }: TidewireError): ErrorDocument {
  return { error: { code, message, hint, ...(Object.keys(details).length === 0 ? {} : { details }) } };
}

/** Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'unprintable error';
  }
}
