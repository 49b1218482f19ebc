import svelte from 'eslint-plugin-svelte'
import { defineConfig, globalIgnores } from 'eslint/config'
import ts from 'typescript-eslint'

/**
 * What oxlint cannot read or say: Svelte components, and one ban by syntax. Everything else is oxlint's.
 */
export default defineConfig(
  globalIgnores(['out/', 'dist/', 'test-results/']),
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  {
    files: ['**/*.svelte'],
    extends: [svelte.configs.recommended],
    plugins: { '@typescript-eslint': ts.plugin },
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'svelte/no-at-html-tags': 'error',
      'svelte/no-target-blank': 'error',
      'svelte/button-has-type': 'error',
      'svelte/no-useless-mustaches': ['error', { ignoreStringEscape: true }],
      // A Map or Set that no screen reads is plain on purpose; svelte-check reports the warnings that a comment silences.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  // Modules with runes can be named to it beside their components; what is said of them is oxlint's.
  { files: ['**/*.svelte.ts'], languageOptions: { parser: ts.parser } },
  {
    // A synchronous transaction of better-sqlite3 run between two awaits of an open Kysely
    // transaction is lost when that one rolls back. better-sqlite3's own `.transaction(fn)` takes an argument.
    files: ['electron/mirror/**/*.ts'],
    languageOptions: { parser: ts.parser },
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[arguments.length=0][callee.property.name='transaction']",
          message: 'Kysely transactions are banned in the mirror: compile the queries and run them through the one writer.',
        },
        {
          selector: "CallExpression[callee.property.name='startTransaction']",
          message: 'Kysely transactions are banned in the mirror: compile the queries and run them through the one writer.',
        },
        {
          selector: "CallExpression[callee.property.name='stream']",
          message: 'Kysely streams hold the connection across awaits and are banned in the mirror.',
        },
      ],
    },
  },
)
