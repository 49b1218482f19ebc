/**
 * Who may import whom. Imports go one way:
 *   page -> types of electron/bridge, electron/match, pure rules of names, JSON and passphrases; within it features -> ui -> lib -> domain
 *   main, host -> shell, app, bridge
 *   shell (what both have in common) -> app, bridge
 *   app -> mirror, sync, remote, cipher, keychain, transfer, references, match, bridge
 *   sync/engine -> sync/plan, sync/port, mirror, queue
 *   sync/adapters -> sync/port, remote, cipher, types of queue
 *   sync/plan -> sync/port, queue; queue -> itself
 * Every rule here is proven by a planted violation in test/lint/walls.test.ts.
 */

/** Paths of the rooms, as regular expressions. */
const room = (name) => `^electron/${name}/`
const rooms = (...names) => `^electron/(${names.join('|')})/`
const syncCore = '^electron/(queue/|sync/plan/|sync/[^/]+$)'
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'npm-bundled']

/** A room that may import only what `to` matches (and npm packages and node: modules, unless forbidden by another rule). */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(electron|service|src|test)/', pathNot: [from, ...allowed] },
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or hide a third.',
      severity: 'error',
      from: { path: '^(electron|service|src|test)/' },
      to: { circular: true },
    },
    {
      name: 'page-takes-types-only',
      comment:
        'The page reaches the application through the Bridge object; of its code it may take types, and which tables make an answer old.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^electron/bridge/', pathNot: '^electron/bridge/(query-tables|message-limit)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    only(
      'page-is-apart',
      '^src/',
      [
        '^electron/bridge/',
        '^electron/match/',
        '^electron/(keychain/check-passphrase|transfer/(json-tokens|shell-name-problem))\\.ts$',
        '^service/protocol/(names|limits)\\.ts$',
      ],
      'The page imports types of the bridge, and the pure rules that everybody shares: of names, matching, JSON and passphrases.',
    ),
    ...[
      ['domain', 'lib|ui|features', 'What the page works out from values alone imports nothing of what shows it.'],
      ['lib', 'ui|features', 'The state of the page knows nothing of what shows it.'],
      ['ui', 'features', 'A part serves any screen, and knows none.'],
    ].map(([layer, above, comment]) => ({
      name: `page-${layer}-looks-down`,
      comment,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(${above})/` },
    })),
    {
      name: 'page-has-no-node',
      comment: 'The page runs in a sandbox: there is no Node and no database there.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'bridge-is-a-leaf',
      room('bridge'),
      ['^service/protocol/limits\\.ts$'],
      'The contract knows the limits that everybody shares, and nobody.',
    ),
    {
      name: 'service-is-apart',
      comment: 'The service is a program of its own; it shares its protocol, and takes nothing.',
      severity: 'error',
      from: { path: '^service/' },
      to: { path: '^(electron|src|test)/' },
    },
    {
      name: 'only-the-protocol-of-the-service',
      comment: 'Outside service/, only service/protocol may be imported. The app starts service/worker.ts as a thread, by its address.',
      severity: 'error',
      from: { path: '^(electron|src)/' },
      to: { path: '^service/', pathNot: '^service/protocol/' },
    },
    only('protocol-is-a-leaf', '^service/protocol/', [], 'The wire schemas know neither routes nor store.'),
    only('sync-core-is-pure', syncCore, [], 'The queue and the plan of sync import nothing but themselves.'),
    only('queue-is-a-leaf', room('queue'), [], 'The queue knows no sync.'),
    {
      name: 'sync-core-has-no-packages',
      comment: 'The core of sync imports nothing but itself: no node:, no npm.',
      severity: 'error',
      from: { path: syncCore },
      to: { dependencyTypes: ['core', ...npm] },
    },
    only(
      'sync-engine-knows-no-wire',
      room('sync/engine'),
      [syncCore, room('mirror')],
      'The engine imports plan, port, queue and mirror; what is said on the wire is in the adapters.',
    ),
    only(
      'sync-adapters-know-no-mirror',
      room('sync/adapters'),
      [syncCore, rooms('remote', 'cipher'), '^electron/bridge/result\\.ts$', '^service/protocol/'],
      'Adapters import the port, the client of the service and the cipher; they ask the engine for what is mirrored.',
    ),
    only(
      'mirror-is-a-leaf',
      room('mirror'),
      [syncCore, '^electron/bridge/(result|app-error|rows|contract)\\.ts$'],
      'The mirror knows the pure core and row types, nobody else.',
    ),
    only(
      'remote-is-a-leaf',
      room('remote'),
      ['^electron/bridge/(result|app-error)\\.ts$', '^service/protocol/'],
      'The client of the service knows the wire, nobody else.',
    ),
    only('cipher-is-a-leaf', room('cipher'), ['^electron/bridge/(result|app-error)\\.ts$'], 'The cipher knows nobody.'),
    only('keychain-is-a-leaf', room('keychain'), ['^electron/bridge/(result|app-error)\\.ts$'], 'The keychain knows nobody.'),
    only('transfer-is-a-leaf', room('transfer'), ['^electron/bridge/(result|app-error|rows)\\.ts$'], 'Import and export know nobody.'),
    only(
      'references-is-a-leaf',
      room('references'),
      ['^electron/bridge/(result|app-error|rows)\\.ts$'],
      'References between values are worked out from what they are given.',
    ),
    only('match-is-a-leaf', room('match'), [], 'How a text is found in a name is told from the two alone.'),
    {
      name: 'values-alone-have-no-packages',
      comment: 'What references mean, and how names match, is told from values alone: no node:, no npm.',
      severity: 'error',
      from: { path: rooms('references', 'match') },
      to: { dependencyTypes: ['core', ...npm] },
    },
    only(
      'app-stays-in-its-shell',
      room('app'),
      [
        rooms('mirror', 'sync/engine', 'sync/adapters', 'remote', 'cipher', 'keychain', 'transfer', 'references', 'match', 'bridge'),
        syncCore,
        '^service/protocol/',
      ],
      'The application knows no shell and no page.',
    ),
    only(
      'main-imports-app-and-bridge',
      room('main'),
      [rooms('shell', 'app', 'bridge')],
      'Electron wires the application; it reaches past it nowhere.',
    ),
    only(
      'host-imports-app-and-bridge',
      room('host'),
      [rooms('shell', 'app', 'bridge')],
      'The host wires the application; it reaches past it nowhere.',
    ),
    only(
      'shell-imports-app-and-bridge',
      room('shell'),
      [rooms('app', 'bridge')],
      'What both shells share reaches past the application nowhere.',
    ),
    only('preload-imports-bridge', room('preload'), [room('bridge')], 'The preload script exposes the bridge, nothing else.'),
    {
      name: 'electron-only-in-its-shell',
      comment: 'Everything but electron/main and electron/preload also runs without Electron.',
      severity: 'error',
      from: { path: '^(electron|service|src)/', pathNot: rooms('main', 'preload') },
      to: { path: ['^electron$', '(^|/)node_modules/electron/'] },
    },
    {
      name: 'sqlite-only-where-data-lives',
      comment: 'SQL lives in the mirror and in the store of the service; the lock of the data folder borrows the file lock of SQLite.',
      severity: 'error',
      from: { path: '^(electron|service|src)/', pathNot: ['^electron/mirror/', '^service/store/', '^electron/app/lock-folder\\.ts$'] },
      to: { path: ['(^|/)node_modules/(better-sqlite3|pg)/', '^(better-sqlite3|pg)$'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'The product imports nothing of its tests.',
      severity: 'error',
      from: { path: '^(electron|service|src)/' },
      to: { path: '^test/' },
    },
    {
      name: 'model-judges-alone',
      comment:
        'What the random histories expect is written from what a person sees; a rule taken from the application would be wrong with it.',
      severity: 'error',
      from: { path: '^test/fuzz/(oracle|move-oracle|operation-oracle|restore-oracle|as-kept|screen|witness)\\.ts$' },
      to: { path: '^(electron|service|src)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'declared-packages-only',
      comment: 'A package that is imported is named in package.json.',
      severity: 'error',
      from: { path: '^(electron|service|src|test)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-packages-in-the-product',
      comment: 'What ships is in dependencies; the page is bundled, so its packages are development packages.',
      severity: 'error',
      from: { path: '^(electron|service)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: ['(^|/)node_modules/electron/', '(^|/)node_modules/@types/'],
      },
    },
    {
      name: 'no-missing-files',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: { path: '^(electron|service|src|test)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The bench names its rivals in a package.json of its own, and shares all else.
    combinedDependencies: true,
    exclude: { path: ['^out/', '^dist/', '^test-results/'] },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.svelte', '.json', '.d.ts'],
    },
    builtInModules: { add: ['node:sqlite'] },
  },
}
