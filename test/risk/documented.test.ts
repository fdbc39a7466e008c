/** docs/risk.md names every limit that can be configured and every reason that a gate can give. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limitsSchema, riskSchema } from '../../src/risk/options.ts';
import { gateReasons } from './gate-reasons.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/risk.md'), 'utf8');

it.each([...new Set([...Object.keys(riskSchema.shape), ...Object.keys(limitsSchema.shape)])])(
  'the limit %s is described',
  (name) => {
    expect(page).toContain(`\`${name}`);
  },
);

/** No gate of its own says these: the latch and the end of a strategy are checked beside the gates. */
const elsewhere: readonly string[] = ['killed', 'stopping'];

it.each(gateReasons.filter((reason) => !elsewhere.includes(reason)))('the gate %s is described', (reason) => {
  expect(page).toContain(`| \`${reason}\` |`);
});
