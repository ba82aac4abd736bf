import { test } from '@japa/runner'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { apiDocument } from '#openapi/document'
import { tags } from '#openapi/operations/index'
import { providerRoutes } from '#openapi/provider_routes'
import { apiRoutes } from '#openapi/routes'
import { closed } from '#tests/support/contract'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'The document is made of routes, validators and schemas.')

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)

async function operations() {
  const document = await apiDocument()
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    }))
  )
}

/** An empty object in `security` allows a request without a token. */
const isAnonymous = (security: object[]) => security.some((way) => Object.keys(way).length === 0)

/** Returns the schemas of new passwords, without client secrets, which have a rule of their own. */
function newPasswords(node: unknown): any[] {
  if (node === null || typeof node !== 'object') return []
  if ('format' in node && node.format === 'password') return [node]
  const members = Object.entries(node).filter(([name]) => name !== 'clientSecret')
  return members.flatMap(([, member]) => newPasswords(member))
}

test.group('OpenAPI | document', () => {
  test('each new password says what it is composed of', async ({ assert }) => {
    const found = newPasswords(await apiDocument())
    assert.isAtLeast(found.length, 6)
    for (const schema of found) assert.include(schema.description, 'an uppercase letter')
  })

  test('the document is valid OpenAPI 3.0', async ({ client, assert }) => {
    const response = await client.get('/api-docs-json')
    response.assertStatus(200)
    const validator = new Validator()
    const result = await validator.validate(response.body())
    assert.isTrue(result.valid, JSON.stringify(result.errors))
    assert.equal(validator.version, '3.0')
  })

  test('the document has title, version, scheme and tags', async ({ client, assert }) => {
    const response = await client.get('/api-docs-json')
    const document = response.body()
    assert.match(document.openapi, /^3\.0\.\d$/)
    assert.equal(document.info.title, 'Gatehouse API documentation')
    assert.equal(document.info.version, '1.0')
    assert.containsSubset(document.components.securitySchemes.bearer, {
      type: 'http',
      scheme: 'bearer',
    })
  })

  test('tags lead from the login to operating', async ({ assert }) => {
    const { tags: described } = (await apiDocument()) as any
    const names = described.map((tag: { name: string }) => tag.name)
    const order =
      'auth mfa passkeys external sessions api-keys recovery users groups oauth oauth-clients webhooks settings audit health'
    assert.deepEqual(names, order.split(' '))
    assert.isTrue(described.every((tag: { description: string }) => tag.description.length > 10))
    const all = await operations()
    const used = all.flatMap(({ operation }) => operation.tags)
    assert.sameMembers([...new Set(used)], names)
  })

  test('operations begin with how one gets in', async ({ assert }) => {
    const { paths } = await apiDocument()
    const [first, second] = Object.keys(paths)
    assert.deepEqual([first, second], ['/auth/register', '/auth/login'])
  })

  test('only what has versions takes the header of versions', async ({ assert }) => {
    const all = await operations()
    const versioned = all.filter(({ operation }) =>
      operation.parameters.some(({ name }: { name: string }) => name === 'X-API-Version')
    )
    assert.deepEqual(
      versioned.map(({ name }) => name),
      ['GET /users']
    )
    const { schema } = versioned[0].operation.responses[200].content['application/json']
    const members = schema.anyOf.map((page: any) => Object.keys(page.properties.meta.properties))
    assert.deepEqual(members, [
      ['total', 'page', 'limit'],
      ['limit', 'nextCursor'],
    ])
  })

  test('a field of a body that may be left out may be null', async ({ assert }) => {
    const { components } = await apiDocument()
    const { schemas } = components
    const { disabled, email } = schemas.UsersUpdateRequest.properties!
    assert.deepEqual(disabled, { type: 'boolean', nullable: true })
    assert.containsSubset(email, { type: 'string', nullable: true })
    assert.isUndefined(schemas.ApiKeysStoreRequest.properties!.name.nullable)
    const { kind } = schemas.OauthClientsStoreRequest.properties!
    assert.deepInclude(kind, { type: 'string', enum: ['first_party', 'third_party', null] })
  })

  test('every operation says more than its title', async ({ assert }) => {
    const all = await operations()
    const bare = all.filter(({ operation }) => !operation.description)
    assert.deepEqual(bare, [])
  })

  test('the document is served as OpenAPI 3.1, too', async ({ client, assert }) => {
    const response = await client.get('/api-docs-json?openapi=3.1')
    response.assertStatus(200)
    const validator = new Validator()
    const result = await validator.validate(response.body())
    assert.isTrue(result.valid, JSON.stringify(result.errors))
    assert.equal(validator.version, '3.1')
    const { disabled } = response.body().components.schemas.UsersUpdateRequest.properties
    assert.deepEqual(disabled, { type: ['boolean', 'null'] })
  })

  test('another version is refused', async ({ client }) => {
    const response = await client.get('/api-docs-json?openapi=2.0')
    response.assertStatus(400)
    response.assertBodyContains({ errors: [{ field: 'openapi' }] })
  })

  test('no parameter fills itself in', async ({ assert }) => {
    const all = await operations()
    const parameters = all.flatMap(({ operation }) => operation.parameters)
    const filled = parameters.filter(({ example, schema }) => example ?? schema.example)
    assert.deepEqual(filled, [])
  })

  test('a picture is described as one', async ({ assert }) => {
    const { paths } = await apiDocument()
    const { get } = paths['/avatars/{name}']
    assert.deepEqual(get.security, [])
    assert.deepEqual(Object.keys(get.responses[200].content), ['image/webp'])
    assert.property(get.responses[404].content['application/json'].examples, 'E_NOT_FOUND')
  })

  test('every operation id occurs once', async ({ assert }) => {
    const all = await operations()
    const ids = all.map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('every example matches its own schema', async ({ assert }) => {
    const document = await apiDocument()
    for (const { name, operation } of await operations()) {
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        const content = response.content?.['application/json']
        if (!content) continue
        const validate = ajv.compile(closed(content.schema, document))
        const shown = Object.values<any>(content.examples ?? { one: { value: content.example } })
        for (const { value } of shown) {
          assert.isTrue(validate(value), `${name} ${status}: ${ajv.errorsText(validate.errors)}`)
        }
      }
    }
  })

  test('every example body passes its validator', async ({ assert }) => {
    const all = Object.assign({}, ...tags.map((tag) => tag.operations))
    for (const { key } of apiRoutes()) {
      const document = await apiDocument()
      const [method, pattern] = key.split(' ')
      const path = pattern.replace(/:(\w+)/g, '{$1}')
      const body = document.paths[path]?.[method.toLowerCase()]?.requestBody
      const example = body?.content['application/json']?.example
      if (!example || !all[key].body) continue
      const [refused] = await all[key].body.tryValidate(example)
      assert.isNull(refused, `${key}: ${JSON.stringify(refused?.messages)}`)
    }
  })

  test('an example has the exact message of a refusal', async ({ assert }) => {
    const { paths } = await apiDocument()
    const { responses } = paths['/auth/login'].post
    const said = (status: number, code: string) =>
      responses[status].content['application/json'].examples[code].value.message
    assert.equal(said(400, 'E_VALIDATION_ERROR'), 'request parameter error')
    assert.equal(said(401, 'E_INVALID_CREDENTIALS'), 'Invalid credentials. 4 attempts remaining')
    assert.equal(said(403, 'E_ACCOUNT_LOCKED'), 'Account locked due to multiple failed attempts')
    assert.property(responses[429].headers, 'Retry-After')
  })
})

test.group('OpenAPI | routes', () => {
  test('every route is described', ({ assert }) => {
    const described = new Set(tags.flatMap((tag) => Object.keys(tag.operations)))
    const missing = apiRoutes().filter(({ key }) => !described.has(key))
    const remedy = 'add these to the table of their tag in app/openapi/operations'
    assert.deepEqual(
      missing.map(({ key }) => key),
      [],
      remedy
    )
  })

  test('every described operation has a route', ({ assert }) => {
    const routed = new Set([...apiRoutes(), ...providerRoutes()].map(({ key }) => key))
    const described = tags.flatMap((tag) => Object.keys(tag.operations))
    assert.deepEqual(
      described.filter((key) => !routed.has(key)),
      [],
      'remove these from app/openapi/operations, or route them'
    )
  })

  test('a route needs a token as described', async ({ client, assert }) => {
    for (const { name, operation } of await operations()) {
      const [method, path] = name.split(' ')
      const isGuarded = operation.security.length > 0 && !isAnonymous(operation.security)
      const url = path.replace(/\{\w+\}/g, '01930f3c-6f0a-7c4b-9d3e-2f8a51c7e604')
      const response = await client.request(url, method)
      assert.equal(response.status() === 401 && isGuarded, isGuarded, name)
    }
  })
})
