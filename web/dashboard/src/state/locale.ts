/**
 * Imported first: libraries format by the language of the browser as they load, and die of one that is no language tag,
 * such as `en-US@posix` where a system has LANG=C. English takes its place.
 */
const ENGLISH = 'en-US';

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}

if (![navigator.language, ...navigator.languages].every(isTag)) {
  Object.defineProperty(navigator, 'language', { value: ENGLISH, configurable: true });
  Object.defineProperty(navigator, 'languages', { value: [ENGLISH], configurable: true });
}
