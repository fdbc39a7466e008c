// Builds web/dashboard into web/dashboard/dist, which is committed, so that no user builds it. Same source, same bytes.
// Usage: node bin/build-dashboard.js [folder]
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

// Whoever calls, such as a test, gets the same bytes.
process.env.NODE_ENV = 'production';
const root = join(import.meta.dirname, '..', 'web', 'dashboard');
const outDir = process.argv[2] === undefined ? join(root, 'dist') : resolve(process.argv[2]);

/** The shared colours follow the system; this page lets the user choose, too. */
const chosenScheme = {
  name: 'chosen-scheme',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('styles/index.css')) return null;
    const tokens = readFileSync(join(root, '..', 'shared', 'tokens.css'), 'utf8');
    const dark = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
    const [, colours] = dark.exec(tokens) ?? [];
    if (colours === undefined) throw new Error('web/shared/tokens.css has no dark colours');
    const chosen = tokens.replace(dark, (text) => text.replace(':root', ":root:not([data-scheme='light'])"));
    const own = `${chosen}\n:root[data-scheme='dark'] {${colours}}\n`;
    return code.replace(/@import '[^']*tokens\.css';\n/, '') + own;
  },
};

await build({
  root,
  configFile: false,
  mode: 'production',
  logLevel: 'warn',
  base: './',
  plugins: [chosenScheme],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // Names without a hash: a change of the source is a change of the same files.
    rollupOptions: {
      output: { entryFileNames: 'app.js', chunkFileNames: '[name].js', assetFileNames: 'app[extname]' },
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
