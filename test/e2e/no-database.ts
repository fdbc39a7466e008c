/** Loaded before a command (`--import`): from here on the database's package cannot be loaded, as if it were broken. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'better-sqlite3') throw new Error('the database is broken');
    return next(specifier, context);
  },
});
