import js from '@eslint/js';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['**/dist/', '**/target/', '**/generated/', 'agent/', 'launcher/', 'functions/', 'webhooks/', 'terminal-relay/', '**/node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts'] } } },
    rules: {
      // Numbers read well in texts, and an index that is out of bounds is the compiler's to find.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  // Types of others' packages leave much open that their protocol always has; a test fails where it is absent after all.
  { files: ['fronts/*/test/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['sandbox-model/src/main/resources/hooks/*.cjs'], languageOptions: { globals: { process: 'readonly', URL: 'readonly', Headers: 'readonly' } } },
  { files: ['sdk-ts/test/deno/*.js'], languageOptions: { globals: { Deno: 'readonly', console: 'readonly', TextDecoder: 'readonly', TextEncoder: 'readonly' } } },
  { files: ['docs/site/*.js'], languageOptions: { globals: { document: 'readonly', fetch: 'readonly', matchMedia: 'readonly' } } },
  { files: ['**/*.mjs', 'eslint.config.js'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } } },
  {
    files: ['docs/images/**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(['clearInterval', 'clearTimeout', 'document', 'fetch', 'Image', 'performance', 'setInterval', 'setTimeout'].map((name) => [name, 'readonly'])) },
  },
);
