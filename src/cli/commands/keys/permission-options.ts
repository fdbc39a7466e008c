/**
 * `--permission category=level` and `--ip` of a new key, checked by the documented rules (interface, "Key issuance
 * rules") before any request.
 */
import { isIP } from 'node:net';
import {
  accessLevels,
  permissionCategoryRows,
  type Permission,
  type PermissionCategory,
} from '../../../exchange/interface/permissions.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { cliErrors } from '../../errors.ts';
import { oneOfOption } from '../../operations/options.ts';
import { refusedBeforehand } from '../../../operations/exchange/answers.ts';

const categories: readonly PermissionCategory[] = permissionCategoryRows.map((row) => row.category);

function permissionOf(text: string): Permission {
  const [name = '', level = '', ...more] = text.split('=');
  const category = categories.find((each) => each === name);
  if (category === undefined || more.length > 0) {
    const [near] = nearest(name, categories);
    const hint = near === undefined ? `categories: ${categories.join(', ')}` : `did you mean ${near}?`;
    throw cliErrors.make('operation_invalid', `--permission ${text} is not category=level; ${hint}`, {
      option: 'permission',
    });
  }
  return { category, accessLevel: oneOfOption(`permission ${category}`, level, accessLevels) };
}

/** Throws `operation_invalid`; unnamed categories stay at `none`. */
export function permissionsOf(texts: readonly string[]): readonly Permission[] {
  const permissions = texts.map(permissionOf);
  const names = permissions.map(({ category }) => category);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw cliErrors.make('operation_invalid', `--permission ${twice} is given twice`, { option: 'permission' });
  }
  if (permissions.every(({ accessLevel }) => accessLevel === 'none')) {
    throw cliErrors.make('operation_invalid', 'the key could do nothing: no --permission is above none', {
      option: 'permission',
    });
  }
  return permissions;
}

/** Throws `operation_invalid` for an invalid address, `operation_refused` for permissions that need a whitelist. */
export function whitelistOf(addresses: readonly string[], permissions: readonly Permission[]): readonly string[] {
  const wrong = addresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) {
    throw cliErrors.make('operation_invalid', `--ip ${wrong} is not an IP address`, { option: 'ip' });
  }
  const needy = permissions.filter(
    ({ category, accessLevel }) =>
      accessLevel !== 'none' &&
      permissionCategoryRows.some((row) => row.category === category && row.whitelistRequired),
  );
  if (needy.length > 0 && addresses.length === 0) {
    const names = needy.map(({ category }) => category).join(', ');
    throw refusedBeforehand(
      'the key',
      'whitelist_required',
      `${names} above none needs a whitelist: give --ip at least once`,
      'ipAddresses',
    );
  }
  return [...new Set(addresses)];
}

/** `trading_spot: full`; unnamed ones are `none`. */
export function permissionText(permissions: readonly Permission[]): string {
  const above = permissions.filter(({ accessLevel }) => accessLevel !== 'none');
  return above.length === 0
    ? 'nothing'
    : above.map(({ category, accessLevel }) => `${category}=${accessLevel}`).join(' ');
}
