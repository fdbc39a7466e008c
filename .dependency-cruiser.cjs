/**
 * The floors of the house: a room imports only from floors below it. One row a room; everything not listed is forbidden.
 */
const rooms = {
  model: [],
  exchange: ['model'],
  statistics: ['model'],
  clearing: ['statistics', 'model'],
  simulation: ['clearing', 'model'],
  execution: ['model'],
  streams: ['exchange', 'model'],
  recording: ['exchange', 'model'],
  sandbox: ['exchange/interface', 'exchange/wire', 'clearing', 'model'],
  strategy: ['streams', 'model'],
  session: [
    'strategy',
    'streams',
    'recording',
    'sandbox',
    'exchange',
    'simulation',
    'clearing',
    'execution',
    'statistics',
    'model',
  ],
  research: [
    'session',
    'strategy',
    'streams',
    'recording',
    'sandbox',
    'exchange',
    'simulation',
    'clearing',
    'execution',
    'statistics',
    'model',
  ],
  operations: [
    'session',
    'strategy',
    'streams',
    'recording',
    'sandbox',
    'exchange',
    'simulation',
    'clearing',
    'execution',
    'statistics',
    'model',
  ],
};

const floors = Object.entries(rooms).map(([room, below]) => ({
  name: `floor-${room}`,
  comment: `src/${room} may import ${below.length === 0 ? 'nothing of ours' : below.join(', ')}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [room, ...below].map((name) => `^src/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...floors,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'model-is-pure',
      comment: 'the model imports decimal.js and nothing else',
      severity: 'error',
      from: { path: '^src/model/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/decimal\\.js' },
    },
    {
      name: 'public-api',
      comment: 'index.ts is what a strategy file imports: strategy and model alone',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/strategy/', '^src/model/'] },
    },
    {
      name: 'no-dev-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
