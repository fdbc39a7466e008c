/** The dashboard was a blank page where the browser's language is `en-US@posix`, as a library formats by it when it loads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { stripTypeScriptTypes } from 'node:module';
import { expect, it } from 'vitest';

const dashboard = join(import.meta.dirname, '..', '..', 'web', 'dashboard');

function languageAfter(language: string, languages: readonly string[]): unknown {
  const source = stripTypeScriptTypes(readFileSync(join(dashboard, 'src', 'state', 'locale.ts'), 'utf8'));
  const navigator = Object.create({ language, languages }) as Navigator;
  runInNewContext(source, { navigator, Intl });
  return [navigator.language, navigator.languages];
}

it('dashboard/language/that-is-no-tag-becomes-english', () => {
  expect(() => new Intl.NumberFormat('en-US@posix')).toThrow(RangeError);
  expect(languageAfter('en-US@posix', ['en-US@posix'])).toEqual(['en-US', ['en-US']]);
  expect(languageAfter('de-DE', ['de-DE', 'C'])).toEqual(['en-US', ['en-US']]);
  expect(languageAfter('de-DE', ['de-DE', 'en'])).toEqual(['de-DE', ['de-DE', 'en']]);
});

it('dashboard/language/is-looked-at-before-anything-formats-by-it', () => {
  const built = readFileSync(join(dashboard, 'dist', 'app.js'), 'utf8');
  const looked = built.indexOf('getCanonicalLocales');
  expect(looked).toBeGreaterThan(0);
  expect(looked).toBeLessThan(built.search(/NumberFormat\(|DateTimeFormat\(/));
});
