/**
 * The YAML file of `tidewire sandbox --config`: `assumed:` and `overrides:` (docs/sandbox.md). Errors name file, line
 * and field.
 */
import { z } from 'zod';
import { exchangeOptions } from '../exchange/options.ts';
import { sandboxErrors } from '../sandbox/errors.ts';
import { assumedSchema } from '../sandbox/core/assumptions.ts';
import { readConfigDocument } from '../session/config/document.ts';

const sandboxFileSchema = z.strictObject({
  assumed: assumedSchema.prefault({}),
  overrides: exchangeOptions.shape.overrides,
});

export type SandboxFile = z.output<typeof sandboxFileSchema>;

/** Throws `config_not_found`, `config_syntax`, `config_variable` or `sandbox_bad_option`. */
export function readSandboxFile(file: string, environment: Readonly<Record<string, string | undefined>>): SandboxFile {
  const document = readConfigDocument(file, environment);
  const parsed = sandboxFileSchema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    const place = `${file}:${document.lineOf(path) ?? 1}`;
    return `${place}: ${path.join('.') || 'the file'}: ${issue.message.replace(/^Invalid (input|option): /, '')}`;
  });
  throw sandboxErrors.make('sandbox_bad_option', problems.join('\n  '), { problems });
}
