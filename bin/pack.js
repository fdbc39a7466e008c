// Around `npm pack`, since Node strips no types below node_modules. `before` compiles src/ to dist/ and points the exports
// of package.json there; `after` points them back at the sources.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest = join(root, 'package.json');

/** Files that are named by URL or `require`, such as threads; the compiler rewrites imports alone. */
const NAMED = [
  /(new URL\(\s*['"][\w./-]+)\.ts(['"],\s*import\.meta\.url)/g,
  /(require\(\s*['"]\.{1,2}\/[\w./-]+)\.ts(['"]\s*\))/g,
];
const LEFT = /(?:new URL|require|import)\(\s*['"`][^'"`\n]*\.ts['"`]/;

function compile() {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')),
    'bin',
    'tsc',
  );
  const args = [compiler, '-p', join(root, 'tsconfig.build.json')];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`the compiler ended with ${status}`);
  for (const file of globSync('**/*.js', { cwd: dist })) {
    const path = join(dist, file);
    const text = readFileSync(path, 'utf8');
    const named = NAMED.reduce((so, pattern) => so.replace(pattern, '$1.js$2'), text);
    if (LEFT.test(named)) throw new Error(`dist/${file} still names a .ts file`);
    if (named !== text) writeFileSync(path, named);
  }
}

/** Text for text, so that the file is the same bytes afterwards. */
function pointAt(from, to) {
  const text = readFileSync(manifest, 'utf8');
  const [[folder, ending], [newFolder, newEnding]] = [from, to];
  const pattern = new RegExp(`"\\./${folder}/([\\w/-]+)\\.${ending}"`, 'g');
  writeFileSync(manifest, text.replace(pattern, `"./${newFolder}/$1.${newEnding}"`));
}

const SOURCE = ['src', 'ts'];
const BUILT = ['dist', 'js'];
const [when] = process.argv.slice(2);
if (when === 'before') {
  compile();
  pointAt(SOURCE, BUILT);
} else if (when === 'after') {
  pointAt(BUILT, SOURCE);
} else {
  console.error('node bin/pack.js before|after; npm runs both around npm pack');
  process.exit(2);
}
