import { defineConfig } from '@adonisjs/core/app'
import { indexEntities } from '@adonisjs/core'

export default defineConfig({
  commands: [() => import('./bin/framework_commands.js'), () => import('./bin/asked_command.js')],
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/hash_provider'),
    {
      file: () => import('@adonisjs/core/providers/repl_provider'),
      environment: ['repl'],
    },
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/core/providers/edge_provider'),
    () => import('@adonisjs/i18n/i18n_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('#providers/processes_provider'),
    () => import('#providers/audit_provider'),
    () => import('#providers/webhooks_provider'),
    () => import('#providers/events_provider'),
    () => import('#providers/groups_provider'),
    () => import('#providers/metrics_provider'),
    () => import('#providers/settings_provider'),
    () => import('@adonisjs/auth/auth_provider'),
    () => import('#providers/redis_provider'),
    () => import('@adonisjs/limiter/limiter_provider'),
    () => import('@adonisjs/mail/mail_provider'),
    () => import('@adonisjs/queue/queue_provider'),
    () => import('@adonisjs/cors/cors_provider'),
    {
      file: () => import('@adonisjs/session/session_provider'),
      environment: ['web', 'test'],
    },
    {
      file: () => import('@adonisjs/shield/shield_provider'),
      environment: ['web', 'test'],
    },
    () => import('#providers/store_provider'),
    () => import('#providers/oidc_provider'),
    { file: () => import('#providers/queue_worker_provider'), environment: ['web'] },
    { file: () => import('#providers/backup_provider'), environment: ['web'] },
    {
      file: () => import('#providers/server_provider'),
      environment: ['web', 'test'],
    },
  ],
  preloads: [
    { file: () => import('#start/routes'), environment: ['web', 'test', 'console'] },
    { file: () => import('#start/kernel'), environment: ['web', 'test'] },
    { file: () => import('#start/view'), environment: ['web', 'test'] },
  ],
  metaFiles: [
    { pattern: 'resources/**/*', reloadServer: false },
    { pattern: 'CHANGELOG.md', reloadServer: false },
    { pattern: 'app/auth/store/redis/scripts/**/*.lua', reloadServer: true },
  ],
  hooks: {
    // `app/events` records events; it has no event classes to list.
    init: [indexEntities({ events: { enabled: false } })],
  },
  tests: {
    timeout: 180_000,
    forceExit: false,
    suites: [
      { name: 'unit', files: ['tests/unit/**/*.spec.ts'] },
      { name: 'functional', files: ['tests/functional/**/*.spec.ts'] },
      { name: 'browser', files: ['tests/browser/**/*.spec.ts'], timeout: 180_000 },
      { name: 'process', files: ['tests/process/**/*.spec.ts'], timeout: 120_000 },
    ],
  },
})
