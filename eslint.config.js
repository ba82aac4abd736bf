import { configApp } from '@adonisjs/eslint-config'
import plainWords from './eslint_plain_words.js'

/*
 | The architecture diagram. Imports run downwards, never back:
 |
 |   controllers                              one answer to one request
 |   pages  http  health  setup  middleware   what controllers share: the HTTP side
 |   users                                    what happens to a user
 |   maintenance                              what has expired, now and then
 |   groups                                   which groups a user is in
 |   auth                                     may this credential pass?
 |   mails                                    hear events, and ask auth for their links
 |   events                                   what happened, said once; whoever has to hear of it subscribes
 |   audit                                    the trail, which keeps events
 |   queue                                    jobs that are written with their cause and done afterwards
 |   auth/store                               tokens and sessions, in the database or in Redis
 |   models  database                         rows
 |   telemetry                                numbers and spans that all of them count in; it imports none
 */

const HTTP_SIDE = ['controllers', 'middleware', 'pages', 'http', 'health', 'setup', 'openapi']

/** Matches “#users/register” and “../users/register.ts”. */
function anyOf(folders) {
  return `^(#|\\.{1,2}/(.*/)?)(${folders.join('|')})/`
}

function forbid(folders, message, options = {}) {
  return { regex: anyOf(folders), message, ...options }
}

const HTTP_CONTEXT = {
  regex: '^@adonisjs/core/http$',
  message: 'Only the HTTP side and app/auth/guards know the HTTP context.',
}

const TRAIL = {
  regex: '^#audit/trail(/coalesced_events)?$',
  message: 'Only app/events writes to the trail: call record() or recordCoalesced().',
}

function direction({ name, files, ignores = [], patterns }) {
  return { name, files, ignores, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

const DIRECTIONS = [
  direction({
    name: 'No controller imports another controller.',
    files: ['app/controllers/**/*.ts'],
    patterns: [
      {
        regex: '^#controllers/|^\\.{1,2}/.*_controller',
        message: 'No controller imports another controller: move what both need below them.',
      },
    ],
  }),
  direction({
    name: 'The HTTP side is imported by controllers and imports none.',
    files: [
      'app/{pages,http,health,setup,middleware,openapi,exceptions,transformers,validators}/**/*.ts',
    ],
    patterns: [forbid(['controllers'], 'Controllers import the HTTP side, never back.')],
  }),
  direction({
    name: 'Commands and jobs are entries of their own.',
    files: ['commands/**/*.ts', 'app/**/*_job.ts'],
    patterns: [
      forbid(
        ['controllers', 'middleware', 'pages', 'http'],
        'Commands and jobs call app/users and app/auth, as controllers do, and no page or request.'
      ),
    ],
  }),
  direction({
    name: 'OIDC is imported by controllers and imports users and auth.',
    files: ['app/oidc/**/*.ts'],
    patterns: [forbid(HTTP_SIDE, 'Controllers import app/oidc, never back.'), TRAIL],
  }),
  direction({
    name: 'Users are imported by controllers and import auth.',
    files: ['app/users/**/*.ts'],
    patterns: [
      forbid([...HTTP_SIDE, 'oidc'], 'Controllers and OIDC import app/users, never back.'),
      TRAIL,
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Authentication is imported by users and imports the store.',
    files: ['app/auth/**/*.ts'],
    ignores: ['app/auth/guards/**', 'app/auth/store/**'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'maintenance'],
        'Controllers and users import app/auth, never back.'
      ),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Maintenance is imported by users and commands.',
    files: ['app/maintenance/**/*.ts'],
    patterns: [
      forbid([...HTTP_SIDE, 'oidc', 'users'], 'Users import app/maintenance, never back.'),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Groups are imported by users, OIDC and maintenance.',
    files: ['app/groups/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'maintenance'],
        'Users, OIDC and maintenance import app/groups, never back.'
      ),
      TRAIL,
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Guards are the only part of authentication that knows the HTTP context.',
    files: ['app/auth/guards/**/*.ts'],
    patterns: [
      forbid([...HTTP_SIDE, 'oidc', 'users'], 'Controllers and users import app/auth, never back.'),
      TRAIL,
    ],
  }),
  direction({
    name: 'The store is imported by authentication and imports the database.',
    files: ['app/auth/store/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'audit', 'events', 'mails'],
        'app/auth imports its store, never back.'
      ),
      {
        regex: '^#auth/(?!store/)|^(\\.\\./){2}',
        message: 'The rest of app/auth imports its store, never back.',
      },
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Mails are imported by users and authentication.',
    files: ['app/mails/**/*.ts'],
    patterns: [
      forbid([...HTTP_SIDE, 'oidc', 'users'], 'Users and auth import app/mails, never back.'),
      TRAIL,
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Events are recorded by everything above and import the trail and models.',
    files: ['app/events/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'auth', 'mails', 'queue'],
        'Whoever records or hears an event imports app/events, never back.'
      ),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'The audit trail is imported by events and by what reads it.',
    files: ['app/audit/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'auth', 'mails', 'events'],
        'Events, users and auth import app/audit, never back.'
      ),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'The queue is imported by mails and OIDC and knows no job.',
    files: ['app/queue/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'auth', 'mails', 'audit', 'events', 'jobs'],
        'Mails and OIDC import app/queue, never back.'
      ),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'Models import the database only.',
    files: ['app/models/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'auth', 'mails', 'audit', 'events'],
        'Everything above imports app/models, never back.'
      ),
      HTTP_CONTEXT,
    ],
  }),
  direction({
    name: 'The database imports nothing of app but types.',
    files: ['database/**/*.ts'],
    patterns: [
      forbid(
        [...HTTP_SIDE, 'oidc', 'users', 'auth', 'mails', 'audit', 'events', 'models', 'app'],
        'app imports database, never back; a type may be imported.',
        { allowTypeImports: true }
      ),
    ],
  }),
]

export default configApp(
  { ignores: ['**/build/**', 'data/**', '.adonisjs/**', 'database/schema.ts'] },
  {
    name: 'Refusals are named by their code.',
    files: ['app/auth/errors.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' },
  },
  {
    name: 'Comments and titles of tests say the noun.',
    plugins: { gatehouse: { rules: { 'plain-words': plainWords } } },
    rules: { 'gatehouse/plain-words': 'error' },
  },
  {
    name: 'Files and functions are short.',
    files: ['{app,commands,config,database,providers,start,bin}/**/*.{ts,js}'],
    rules: {
      'max-lines': ['error', 250],
      'max-lines-per-function': ['error', 40],
      'max-params': ['error', 3],
      'max-depth': ['error', 2],
    },
  },
  ...DIRECTIONS
)
