import { configApp } from '@adonisjs/eslint-config'

export default configApp(
  { ignores: ['**/build/**', 'data/**', '.adonisjs/**', 'database/schema.ts'] },
  {
    name: 'refusals are named by their code',
    files: ['app/auth/errors.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' },
  },
  {
    name: 'authentication and the trail know nothing of HTTP',
    files: ['app/auth/**/*.ts', 'app/audit/**/*.ts'],
    ignores: ['app/auth/guards/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['#controllers/*', '#middleware/*', '@adonisjs/core/http'],
              message: 'app/auth and app/audit are called by the edges; they never call them.',
            },
          ],
        },
      ],
    },
  }
)
