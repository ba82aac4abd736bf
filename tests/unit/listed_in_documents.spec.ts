import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { SCOPES } from '#auth/api_keys/scopes'
import { scopeOfRoute } from '#auth/api_keys/route_scopes'
import { TEMPLATES } from '#mails/templates/templates'
import { IDENTITY_SCOPES } from '#oidc/clients/client'
import { metricNames } from '#health/metrics/registry'
import { EXIT } from '../../commands/_exit_codes.ts'

/* Lists in the documents are complete. */

const document = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8')

/** Returns the first cells of the table with this heading. */
function firstCells(text: string, heading: string) {
  const [, table] = text.split(new RegExp(`^\\| ${heading} +\\|.*\n`, 'm'))
  const [rows] = table.split(/\n(?!\|)/)
  return [...rows.matchAll(/^\| `([\w:]+)`/gm)].map(([, name]) => name)
}

/** Returns the codes that the sources declare by `refusal(…)` or in an error class. */
function declaredCodes() {
  const root = join(import.meta.dirname, '../..')
  const sources = globSync('app/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8')
  )
  const declared = /(?:refusal\(\s*\d+,\s*|\bcode(?: =|:) )'(E_[A-Z_]+)'/g
  return sources.flatMap((text) => [...text.matchAll(declared)].map(([, code]) => code))
}

test.group('Documents | lists', () => {
  test('errors.md has every error code', ({ assert }) => {
    const listed = [...document('errors').matchAll(/^\| `(E_[A-Z_]+)`/gm)].map(([, code]) => code)
    assert.includeMembers(listed, declaredCodes())
    assert.lengthOf(new Set(listed), listed.length)
  })

  test('pages.md has every page of a user', ({ assert }) => {
    const listed = [...document('pages').matchAll(/^\| `(\/[\w/-]+)`/gm)].map(([, path]) => path)
    const routes = readFileSync(join(import.meta.dirname, '../../start/routes/account.ts'), 'utf8')
    const names = [...routes.matchAll(/router\.get\('(\w+)'/g)].map(([, name]) => name)
    assert.includeMembers(listed, ['/account', ...names.map((name) => `/account/${name}`)])
  })

  test('mail.md has every mail', ({ assert }) => {
    assert.sameMembers(firstCells(document('mail'), 'Mail'), Object.keys(TEMPLATES))
  })

  test('observability.md has every metric', ({ assert }) => {
    assert.sameMembers(firstCells(document('observability'), 'Metric'), metricNames())
  })

  test('api-keys.md has every scope of a key', ({ assert }) => {
    assert.sameMembers(firstCells(document('api-keys'), 'Scope'), [...SCOPES])
  })

  test('api-keys.md names the routes of {$self}')
    .with(['GET /auth/profile', 'GET /users', 'GET /audit-events', 'POST /oauth/introspect'])
    .run(({ assert }, route) => {
      const [method, pattern] = route.split(' ')
      const scope = scopeOfRoute({ methods: [method], pattern })
      const row = document('api-keys')
        .split('\n')
        .find((line) => line.startsWith(`| \`${scope}\``))
      assert.include(row, `\`${route}\``)
    })

  test('openid-provider.md names every scope of an identity', ({ assert }) => {
    assert.include(document('openid-provider'), IDENTITY_SCOPES.join(' '))
  })

  test('commands.md names every exit code', ({ assert }) => {
    const line = /Exit codes: (.*)/.exec(document('commands'))![1]
    const codes = [...line.matchAll(/\d+/g)].map(([code]) => Number(code))
    assert.deepEqual(codes, Object.values(EXIT))
  })
})
