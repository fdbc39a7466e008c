/** Help of an operation command: an example, and the exchange operations used with their provenance. */
import type { Access } from '../../exchange/interface/endpoint-row.ts';
import { endpointRows } from '../../exchange/interface/endpoint-rows.ts';
import type { EndpointName } from '../../exchange/interface/endpoints.ts';

/** Lines are wrapped at this width. */
const WIDTH = 80;

function needs(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'needs no key';
    case 'jwt-only':
      return 'needs a login with password and 2FA code';
    case 'any-key':
      return 'needs a key, whatever its permissions';
    case 'permission':
      return `needs a key with ${access.anyOf.join(' or ')}: ${access.level}`;
  }
}

function operationText(name: EndpointName): string {
  const row = endpointRows.find((each) => each.name === name);
  if (row === undefined) throw new RangeError(`no operation ${name}`);
  const { method, path, provenance, purpose, access } = row;
  const what = `    ${purpose} (${provenance}); ${needs(access)}`;
  const lines = what.length <= WIDTH ? what : `    ${purpose} (${provenance})\n    ${needs(access)}`;
  return `  ${method} ${path}\n${lines}`;
}

/** For `addHelpText('after', …)`. */
export function operationHelp(examples: readonly string[], operations: readonly EndpointName[]): string {
  const shown = examples.map((example) => `  npx tidewire ${example}`).join('\n');
  const used =
    operations.length === 0 ? '' : `\n\nOperations of the exchange:\n${operations.map(operationText).join('\n')}`;
  return `\nExample${examples.length === 1 ? '' : 's'}:\n${shown}${used}`;
}
